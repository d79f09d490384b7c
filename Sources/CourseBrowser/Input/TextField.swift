import CoursePages
import TextCanvas

/// One line that somebody writes, and where the next letter goes.
struct TextField: Hashable {
  /// What is written.
  private(set) var text = ""
  /// How many characters stand before the caret.
  private(set) var caret = 0
  /// Characters at most: what is longer was pasted by mistake, and everything that looks at the text would take longer.
  let most: Int
  /// Whether something was left out because the field was full.
  private(set) var isCut = false

  /// Makes a field with a text, the caret behind it.
  init(_ text: String = "", most: Int = 500) {
    self.most = most
    write(text)
  }

  /// Replaces everything.
  mutating func write(_ text: String) {
    (self.text, caret, isCut) = ("", 0, false)
    insert(text)
  }

  /// Inserts a text at the caret; what would end the line or speak to the terminal is left out, and what is too much.
  mutating func insert(_ text: String) {
    let before = self.text.count
    // Of a megabyte only as much is looked at as there is room for, and once more as much for what is left out of it.
    var harmless = String(
      text.prefix(2 * most).filter {
        !$0.isNewline && !$0.unicodeScalars.contains { $0.properties.generalCategory == .control }
      })
    isCut = harmless.count > most - before || !text.dropFirst(2 * most).isEmpty
    harmless = String(harmless.prefix(max(0, most - before)))
    self.text.insert(contentsOf: harmless, at: index(caret))
    // A mark or a skin tone joins the letter before it, and is no letter of its own.
    caret = max(0, min(self.text.count, caret + self.text.count - before))
  }

  /// Whether it answers a key.
  func takes(_ key: KeyEvent) -> Bool {
    var copy = self
    return copy.take(key)
  }

  /// Answers a key that writes, erases or moves the caret; `false` where it is another one, or there is nothing to erase.
  mutating func take(_ key: KeyEvent) -> Bool {
    switch (key.key, key.modifiers.subtracting(.shift)) {
    case (.character(let character), []): insert(String(character))
    case (.backspace, []):
      guard caret > 0 else { return false }
      erase(from: caret - 1)
    case (.backspace, .alt), (.character("w"), .control): erase(from: startOfWord)
    case (.character("u"), .control): erase(from: 0)
    case (.delete, []):
      guard caret < text.count else { return true }
      caret += 1
      erase(from: caret - 1)
    case (.left, []): caret = max(0, caret - 1)
    case (.right, []): caret = min(text.count, caret + 1)
    case (.home, []), (.character("a"), .control): caret = 0
    case (.end, []), (.character("e"), .control): caret = text.count
    default: return false
    }
    return true
  }

  /// Draws it; the caret is a bar behind the text, and the letter itself, reversed, inside it.
  ///
  /// Where something was left out, that is said behind it.
  ///
  /// - Parameter width: In how many columns. Of a long text the caret is seen, what is before it, and then what is behind.
  func styled(_ style: Style, caret caretStyle: Style, bar: String, width: Int) -> StyledText {
    let before = text[..<index(caret)]
    let isBehind = before.endIndex == text.endIndex
    let mark = isBehind ? bar : String(text[before.endIndex])
    let notes = isCut ? [" cut at \(most) letters", " cut"] : []
    let note = notes.first { $0.displayWidth + Self.leastSeen <= width } ?? ""
    let width = width - note.displayWidth
    var line = StyledText(String(before.suffix(columns: width - mark.displayWidth)), style: style)
    line.append(mark, style: isBehind ? caretStyle : style.with(.reverse))
    if !isBehind {
      let room = max(0, width - line.displayWidth)
      line.append(String(text[text.index(after: before.endIndex)...].prefix(room)), style: style)
    }
    line.append(note, style: caretStyle)
    return line
  }

  /// Columns of the text that are worth more than the note that it was cut.
  private static let leastSeen = 8

  private func index(_ offset: Int) -> String.Index { text.index(text.startIndex, offsetBy: offset) }

  private mutating func erase(from start: Int) {
    text.removeSubrange(index(start)..<index(caret))
    caret = start
    isCut = false
  }

  /// Where the word before the caret begins; words end at blanks and slashes.
  private var startOfWord: Int {
    let before = Array(text.prefix(caret))
    let isSeparator = { (character: Character) in character == " " || character == "/" }
    let end = before.lastIndex { !isSeparator($0) } ?? 0
    return (before[..<end].lastIndex(where: isSeparator) ?? -1) + 1
  }
}

extension Substring {
  /// As much of its end as fits in so many columns.
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
