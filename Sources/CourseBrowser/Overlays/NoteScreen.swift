import CoursePages
import LearningModel
import NavigationService
import ScreenKit
import TextCanvas

/// Asks for the words of a note. What it is about stands below the line.
@MainActor final class NoteScreen: PromptScreen {
  private let note: Note?
  private let anchor: NoteAnchor

  /// Told what is written where somebody leaves without keeping it.
  var onLeaving: ((_ text: String) -> Void)?

  /// - Parameter note: The note that is changed; `nil` for a new one.
  init(_ note: Note?, at anchor: NoteAnchor, shell: any OverlayShell, source: @escaping () -> CellRect) {
    (self.note, self.anchor) = (note, anchor)
    super.init(title: "Note", shell: shell, source: source)
  }

  override var prefix: String { "Note" }
  override var invitation: String {
    note == nil ? "what you want to remember" : metrics.isNarrow ? "nothing: it goes" : "nothing: the note goes"
  }
  override var keys: [KeyHint] {
    let goes = note != nil && field.text.allSatisfy(\.isWhitespace)
    return [KeyHint(shell.appearance.symbols.enter, goes ? "take it away" : "keep it")]
      + (shell.onEdit == nil ? [] : [KeyHint("Tab", "in your editor", rank: 1)]) + [KeyHint("Esc", "close")]
  }
  override var listHeight: Int { 4 }

  override var wordsForNothing: String {
    let quotes = shell.appearance.symbols.quotes
    return quotes.around(anchor.quote)
  }

  override var bodyHeight: Int {
    guard said.isEmpty else { return super.bodyHeight }
    return min(listHeight, wordsForNothing.wrapped(to: max(1, metrics.textWidth)).count)
  }

  override func lookAgain() {
    super.lookAgain()
    // Emptied, Enter means something else.
    if appearance == .appeared { shell.showFooter() }
  }

  override func take(_ key: KeyEvent) -> Bool {
    guard key.key == .tab, key.modifiers == [], let edit = shell.onEdit else { return super.take(key) }
    edit(field.text.inLines) { [weak self] result in
      guard let self else { return }
      let text: String
      do { text = try result.get() } catch { return say("\(error)") }
      guard text.count <= Note.longestText else { return say("\(NavigationError.noteTooLong)") }
      write(text.inOneLine)
      submit()
    }
    return true
  }

  override func close() {
    super.close()
    onLeaving?(field.text)
  }

  override func submit() {
    let words = field.text.inLines.trimmingPrefix(while: \.isWhitespace)
    guard words.count <= Note.longestText, !field.isCut else { return say("\(NavigationError.noteTooLong)") }
    onLeaving = nil
    close()
    switch (words.isEmpty, note) {
    case (true, let note?):
      shell.remove(note)
    case (true, nil): break
    case (false, _):
      shell.write(String(words), at: anchor, replacing: note?.id)
      shell.notify(
        note == nil ? "Noted." + (shell.label(of: .notes).map { " \($0) lists your notes." } ?? "") : "Changed.")
    }
  }
}

extension String {
  /// A line of a note, and a sign between it and the next: how several of them are written in a field of one.
  private static let lineBreak = "\u{2424}"

  /// The text as a field of one line has it.
  var inOneLine: String {
    split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: Self.lineBreak)
  }

  /// The text of such a field.
  var inLines: String { replacing(Self.lineBreak, with: "\n") }

  /// The text with a blank for each line break, for where there is one row.
  var inOneRow: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}
