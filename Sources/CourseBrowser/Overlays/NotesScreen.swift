import Answers
import CourseKit
import CoursePages
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// Lists notes, highlights and own cards, and opens their texts. The notes of the current text come first. The others are sorted by
/// time, newest first.
@MainActor final class NotesScreen: PromptScreen {
  private var all = NoteList()
  private var matches: [PlacedNote] = []
  /// The texts of the notes that were removed in this overlay and can be restored.
  private var removed: [String] = []
  private let currentPlace: Place?
  private unowned let recorder: any ActivityLog
  private unowned let navigator: any PlaceNavigator
  private let onExport: () -> Void
  /// Changes a card. If not `nil`, only own cards are listed.
  var onEdit: ((PlacedNote) -> Void)?
  /// Makes a card. `nil` if notes are listed too.
  var onNew: (() -> Void)?
  /// The maximum number of listed notes. To find other notes, the learner types more letters.
  private static let maximumListed = 50

  /// Creates the overlay.
  ///
  /// - Parameters:
  ///   - currentPlace: The text whose notes come first.
  ///   - onExport: Asks for the file to which all notes are written.
  init(
    currentPlace: Place?, recorder: any ActivityLog, navigator: any PlaceNavigator, context: ScreenContext,
    source: @escaping () -> CellRect, onExport: @escaping () -> Void
  ) {
    (self.currentPlace, self.recorder, self.navigator) = (currentPlace, recorder, navigator)
    self.onExport = onExport
    super.init(title: "Notes", context: context, source: source)
  }

  override var prefix: String { onEdit == nil ? "Notes" : "Own cards" }
  override var invitation: String {
    all.isEmpty ? "none yet" : onEdit == nil ? "a note or its text" : "words of a card"
  }
  override var topRight: String { field.text.isEmpty && !all.isEmpty ? "\(all.count)" : "" }
  override var fieldKeys: [KeyHint]? {
    let entryKeys =
      entries.isEmpty
      ? []
      : [KeyHint(context.appearance.symbols.enter, onEdit == nil ? "open" : "edit"), KeyHint("Del", "remove", rank: 1)]
    return entryKeys
      + (!removed.isEmpty && field.isEmpty ? context.label(of: .undo).map { [KeyHint($0, "undo")] } ?? [] : [])
      + (all.isEmpty || onEdit != nil ? [] : [KeyHint("Ctrl-S", "export", rank: 2)])
      + (onNew == nil ? [] : [KeyHint("Ctrl-N", "new card")]) + [KeyHint("Esc", "close")]
  }
  override var emptyMessage: String {
    guard all.isEmpty else { return "No note contains these words. Ctrl-U clears them." }
    if onEdit != nil { return "No cards yet. Ctrl-N makes one." }
    let note = context.label(of: .note) ?? ""
    return "No notes yet. In a text, \(note) adds one."
  }

  // Tab does not complete the text, because an entry contains much more than the text to search for.
  override var completes: Bool { false }
  override var maximumChosenRows: Int { 12 }
  func load() {
    context.trying {
      all = try NoteList(of: context.navigation, first: currentPlace, onEdit == nil ? .notesAndCards : .cards)
    }
  }

  override func makeEntries() throws -> [Entry] {
    matches = all.notes(with: field.text, limit: Self.maximumListed, titles: true)
    let quotes = context.appearance.symbols.quotes
    return matches.map { placedNote in
      let (note, quote) = (placedNote.note, quotes.around(placedNote.note.anchor.quote))
      // A note is listed even if its text cannot be read.
      let state = (try? all.state(of: placedNote) { try context.library.content(of: $0) }) ?? .found
      let problem =
        switch state {
        case .found: ""
        case .missing: "passage removed"
        case .removed: "text removed"
        }
      return Entry(
        completion: note.isHighlight ? note.anchor.quote : note.text,
        name: note.isHighlight ? quote : note.text.onSingleRow,
        detail: note.answer?.onSingleRow
          ?? [problem, note.isHighlight ? "" : quote].filter { !$0.isEmpty }.joined(separator: ": "),
        topRight: placedNote.place.title)
    }
  }

  override func handleKey(_ key: KeyEvent) -> Bool {
    if key.key == .character("s"), key.modifiers == .control, !all.isEmpty, onEdit == nil {
      close()
      onExport()
      return true
    }
    if key.key == .character("n"), key.modifiers == .control, let onNew {
      close()
      onNew()
      return true
    }
    // While a filter is typed, the key is a letter of it.
    if !removed.isEmpty, field.isEmpty, context.bindings.rows(for: key).contains(where: { $0.command == .undo }) {
      let index = chosen
      if context.perform(.undo) { removed.removeLast() }
      reload(choosing: index)
      return true
    }
    guard key.key == .delete, key.modifiers == [], field.isAtEnd, matches.indices.contains(chosen)
    else {
      return super.handleKey(key)
    }
    let index = chosen
    let note = matches[chosen].note
    recorder.remove(note, in: matches[chosen].place.place)
    removed.append(note.isHighlight ? note.anchor.quote : note.text)
    reload(choosing: index)
    return true
  }

  override func close() {
    super.close()
    guard let last = removed.last, let key = context.label(of: .undo) else { return }
    let text = context.appearance.symbols.quotes.around(last.onSingleRow.truncated(to: 40))
    context.notify(
      removed.count == 1
        ? "Removed \(text). \(key) undoes it." : "Removed \(removed.count), last \(text). \(key) undoes the last one.")
  }

  private func reload(choosing index: Int) {
    load()
    reloadEntries()
    choose(index)
    context.showFooter()
  }

  override func submit() {
    guard matches.indices.contains(chosen), chosenEntry != nil else { return }
    let placedNote = matches[chosen]
    guard !placedNote.place.isRemoved else {
      let quotes = context.appearance.symbols.quotes
      return showMessage(
        "Could not open \(quotes.around(placedNote.place.title)): the activity or its course was removed.")
    }
    close()
    if let onEdit { onEdit(placedNote) } else { navigator.go(to: placedNote) }
  }
}

/// Asks for the text of a note. The overlay shows the quoted passage below the field.
@MainActor final class NoteScreen: PromptScreen {
  private let note: Note?
  private let anchor: NoteAnchor
  private unowned let recorder: any ActivityLog

  /// Called with the current text if the learner closes the overlay without saving, or if saving fails.
  var onSuspend: ((_ text: String) -> Void)?

  /// Creates the overlay.
  ///
  /// - Parameter note: The note to change, or `nil` for a new one.
  init(
    _ note: Note?, at anchor: NoteAnchor, recorder: any ActivityLog, context: ScreenContext,
    source: @escaping () -> CellRect
  ) {
    (self.note, self.anchor, self.recorder) = (note, anchor, recorder)
    super.init(title: "Note", context: context, source: source)
  }

  override var prefix: String { "Note" }
  override var invitation: String {
    note == nil
      ? "what you want to remember" : metrics.isNarrow ? "empty: removes it" : "leave empty to remove the note"
  }
  override var fieldKeys: [KeyHint]? {
    let removesNote = note != nil && field.text.allSatisfy(\.isWhitespace)
    return [KeyHint(context.appearance.symbols.enter, removesNote ? "remove" : "save")]
      + (context.onEdit == nil ? [] : [KeyHint("Tab", "open editor", rank: 1)]) + [KeyHint("Esc", "close")]
  }
  override var listHeight: Int { 4 }

  override var emptyMessage: String {
    let text = "About " + context.appearance.symbols.quotes.around(anchor.quote)
    // The paragraph may have been selected automatically.
    let keys = [Command.previousBlock, .nextBlock, .note].compactMap(context.label(of:))
    guard note == nil, keys.count == 3 else { return text }
    return text + " Press \(keys[0]) or \(keys[1]) before \(keys[2]) for another paragraph."
  }

  override func reloadEntries() {
    super.reloadEntries()
    // While the text is empty, Enter removes the note, so the keys in the footer change.
    if appearance == .appeared { context.showFooter() }
  }

  override func handleKey(_ key: KeyEvent) -> Bool {
    guard key.key == .tab, key.modifiers == [], let edit = context.onEdit else { return super.handleKey(key) }
    edit(field.text.separatedLines) { [weak self] result in
      guard let self else { return }
      let text: String
      do { text = try result.get() } catch { return showMessage(CommandWords.text(error)) }
      guard text.count <= Note.maximumTextLength else { return showMessage("\(NavigationError.noteTooLong)") }
      write(text.joinedLines)
      submit()
    }
    return true
  }

  override func close() {
    super.close()
    onSuspend?(field.text)
  }

  override func submit() {
    let text = String(field.text.separatedLines.trimmingPrefix(while: \.isWhitespace))
    guard text.count <= Note.maximumTextLength, !field.isTruncated else {
      return showMessage("\(NavigationError.noteTooLong)")
    }
    let suspend = onSuspend
    onSuspend = nil
    close()
    switch (text.isEmpty, note) {
    case (true, let note?):
      recorder.remove(note, in: nil)
    case (true, nil): break
    case (false, _):
      recorder.write(text, at: anchor, replacing: note?.id) { suspend?(text.joinedLines) }
    }
  }
}

extension String {
  /// The symbol that represents a line break in the single-line field.
  private static let lineBreak = "\u{2424}"

  /// The text with symbols in place of line breaks, for a single-line field.
  var joinedLines: String {
    split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: Self.lineBreak)
  }

  /// The text of a field with its line breaks restored.
  var separatedLines: String { replacing(Self.lineBreak, with: "\n") }

  /// The text with a space in place of each line break, for display in one row.
  var onSingleRow: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}
