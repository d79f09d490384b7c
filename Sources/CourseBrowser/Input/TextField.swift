import CoursePages
import TextCanvas

/// A line of editable text with a caret.
///
/// Inserting at the end of a long text takes constant time, because the characters before the caret are not visited.
struct TextField: Hashable {
  /// The text before the caret.
  private var before = ""
  /// The text from the caret on.
  private var after = ""
  /// The number of characters before the caret.
  private(set) var caret = 0
  private var countAfter = 0
  /// The maximum number of characters. Longer texts are usually pasted by mistake, and the time of lookups grows with
  /// the length.
  let maximumCount: Int
  /// Whether characters were omitted because the field was full.
  private(set) var isTruncated = false
  /// Whether the whole text is selected. An inserted text replaces it, a key that erases clears it, and a key that moves
  /// the caret ends the selection.
  private(set) var isSelected = false
  /// The number of changes of the text.
  private(set) var edits = 0
  /// The number of visible changes: of the text, of the caret or of ``isTruncated``.
  private(set) var changes = 0

  /// Creates a field with a text and the caret at its end.
  init(_ text: String = "", maximumCount: Int = 500) {
    self.maximumCount = maximumCount
    write(text)
  }

  var text: String { after.isEmpty ? before : before + after }
  var count: Int { caret + countAfter }
  /// Whether the text is empty.
  var isEmpty: Bool { before.isEmpty && after.isEmpty }
  /// Whether the caret is at the end.
  var isAtEnd: Bool { after.isEmpty }

  /// Replaces the text, and moves the caret to its end.
  mutating func write(_ text: String) {
    if !isEmpty { edits += 1 }
    changes += 1
    clear()
    insert(text)
  }

  private mutating func clear() {
    (before, after, caret, countAfter, isTruncated, isSelected) = ("", "", 0, 0, false, false)
  }

  /// Selects the whole text.
  mutating func select() { isSelected = !isEmpty }

  /// Ends the selection. The text is unchanged.
  mutating func deselect() { isSelected = false }

  /// Inserts a text at the caret. Line breaks and control characters are removed, and text that does not fit is cut
  /// off.
  mutating func insert(_ text: String) {
    if isSelected { clear() }
    let space = maximumCount - count
    // Reads more characters than fit, because control characters are removed, but limits the work for very long texts.
    var printable = String(
      text.prefix(2 * maximumCount).filter {
        !$0.isNewline && !$0.unicodeScalars.contains { $0.properties.generalCategory == .control }
      })
    let exceeds = printable.count > space || !text.dropFirst(2 * maximumCount).isEmpty
    if exceeds != isTruncated {
      isTruncated = exceeds
      changes += 1
    }
    printable = String(printable.prefix(max(0, space)))
    guard !printable.isEmpty else { return }
    // A combining mark or a skin tone joins the preceding character, so it does not count as a character.
    let last = before.last.map { String($0) }
    caret += last.map { ($0 + printable).count - 1 } ?? printable.count
    before += printable
    recordEdit()
  }

  /// The effect of a key on the text or the caret.
  private enum Action {
    case insert(Character)
    case eraseBefore, eraseAfter, eraseWord, eraseToStart
    case moveLeft, moveRight, moveToStart, moveToEnd
  }

  private func action(of key: KeyEvent) -> Action? {
    switch (key.key, key.modifiers.subtracting(.shift)) {
    case (.character(let character), []): .insert(character)
    case (.backspace, []): caret > 0 ? .eraseBefore : nil
    case (.backspace, .alt), (.character("w"), .control): .eraseWord
    case (.character("u"), .control): .eraseToStart
    case (.delete, []): .eraseAfter
    case (.left, []): .moveLeft
    case (.right, []): .moveRight
    case (.home, []), (.character("a"), .control): .moveToStart
    case (.end, []), (.character("e"), .control): .moveToEnd
    default: nil
    }
  }

  /// Returns whether ``handle(_:)`` would handle a key.
  func handles(_ key: KeyEvent) -> Bool { action(of: key) != nil }

  /// Handles a key that inserts or erases text, or moves the caret.
  ///
  /// - Returns: `false` for any other key, and for Backspace at the beginning.
  mutating func handle(_ key: KeyEvent) -> Bool {
    guard let action = action(of: key) else { return false }
    if isSelected {
      changes += 1
      switch action {
      case .insert: break
      case .eraseBefore, .eraseAfter, .eraseWord, .eraseToStart:
        clear()
        recordEdit()
        return true
      case .moveLeft, .moveRight, .moveToStart, .moveToEnd: deselect()
      }
    }
    switch action {
    case .insert(let character): insert(String(character))
    case .eraseBefore: eraseBefore(1)
    case .eraseWord: eraseBefore(lengthOfWord)
    case .eraseToStart: eraseBefore(caret)
    case .eraseAfter:
      guard !after.isEmpty else { break }
      after.removeFirst()
      countAfter -= 1
      isTruncated = false
      recordEdit()
    case .moveLeft:
      guard let character = before.popLast() else { break }
      after.insert(character, at: after.startIndex)
      (caret, countAfter, changes) = (caret - 1, countAfter + 1, changes + 1)
    case .moveRight:
      guard !after.isEmpty else { break }
      before.append(after.removeFirst())
      (caret, countAfter, changes) = (caret + 1, countAfter - 1, changes + 1)
    case .moveToStart:
      (before, after) = ("", text)
      (caret, countAfter, changes) = (0, count, changes + 1)
    case .moveToEnd:
      (before, after) = (text, "")
      (caret, countAfter, changes) = (count, 0, changes + 1)
    }
    return true
  }

  private mutating func eraseBefore(_ count: Int) {
    guard count > 0 else { return }
    before.removeLast(count)
    caret -= count
    isTruncated = false
    recordEdit()
  }

  private mutating func recordEdit() {
    edits += 1
    changes += 1
    // The first character after the caret may be a combining mark that now joins the preceding character.
    if let last = before.last, let first = after.first, (String(last) + String(first)).count == 1 {
      before.append(after.removeFirst())
      countAfter -= 1
    }
  }

  /// Draws the field. At the end of the text, the caret is a bar; inside the text, it is a reversed character. A selected
  /// text is reversed. If the text was truncated, a note follows it.
  ///
  /// - Parameter width: The available columns. If the text is longer, the part around the caret is drawn.
  func styled(_ style: Style, caret caretStyle: Style, bar: String, width: Int) -> StyledText {
    let caretText = after.first.map { String($0) } ?? bar
    let notes = isTruncated ? [" cut at \(maximumCount) characters", " cut"] : []
    let note = notes.first { $0.displayWidth + Self.minimumVisibleColumns <= width } ?? ""
    let width = width - note.displayWidth
    let style = isSelected ? style.with(.reverse) : style
    var line = StyledText(String(before[...].suffix(columns: width - caretText.displayWidth)), style: style)
    line.append(caretText, style: isAtEnd ? caretStyle : style.with(.reverse))
    if !isAtEnd {
      let available = max(0, width - line.displayWidth)
      line.append(String(after.dropFirst().prefix(available)), style: style)
    }
    line.append(note, style: caretStyle)
    return line
  }

  /// The minimum number of columns of text. If less space would remain, the note about truncation is omitted.
  private static let minimumVisibleColumns = 8

  /// The length of the word before the caret including the separators after the word, in characters.
  private var lengthOfWord: Int {
    let isSeparator = { (character: Character) in character == " " || character == "/" }
    let reversed = before.reversed()
    let separators = reversed.prefix(while: isSeparator).count
    return separators + reversed.dropFirst(separators).prefix { !isSeparator($0) }.count
  }
}

extension Substring {
  /// Returns the longest suffix that fits in a number of columns.
  func suffix(columns: Int) -> Substring {
    var (start, width) = (endIndex, 0)
    while start > startIndex {
      let before = index(before: start)
      width += self[before..<start].displayWidth
      if width > columns { break }
      start = before
    }
    return self[start...]
  }
}

/// Limits the lookups for a text that is being typed to one per frame, regardless of how many keys arrive.
struct LookupThrottle {
  /// The duration of the shortest frame, in seconds.
  private static let interval = 1.0 / 120

  private var lastTime = -Double.infinity
  /// Whether keys were typed since the last lookup. If `true`, the next layout must look up the text.
  private(set) var hasPendingLookup = false

  /// Returns whether to look up the text now. If `false`, the caller must look it up during the next layout pass, or
  /// earlier if it needs the results.
  mutating func shouldLookUp(at time: Double) -> Bool {
    hasPendingLookup = time - lastTime < Self.interval
    if !hasPendingLookup { lastTime = time }
    return !hasPendingLookup
  }

  /// Records that the current text was looked up.
  mutating func caughtUp() { hasPendingLookup = false }
}
