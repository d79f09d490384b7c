import CourseLibrary
import CoursePages
import LearningModel
import NavigationService
import ScreenKit
import TextCanvas

/// Lists what the learner wrote and highlighted, and goes there: that of the text that is read first, then the newest.
@MainActor final class NotesScreen: PromptScreen {
  private var all = NoteList()
  private var found: [PlacedNote] = []
  /// Whether the words of notes are in their texts still, by the notes' names.
  private var isThere: [String: Bool] = [:]
  /// How many notes were taken away here, and can be had back.
  private var removed = 0
  /// Notes that are listed at most: nobody reads more before typing another letter.
  private static let most = 50

  override var prefix: String { "Notes" }
  override var invitation: String { all.isEmpty ? "none yet" : "words of a note, or of what it is about" }
  override var topRight: String { field.text.isEmpty && !all.isEmpty ? "\(all.count)" : "" }
  override var keys: [KeyHint] {
    let listed =
      entries.isEmpty
      ? [] : [KeyHint(shell.appearance.symbols.enter, "go there"), KeyHint("Del", "remove", rank: 1)]
    return listed + (removed > 0 ? [KeyHint("Ctrl-Y", "back")] : [])
      + (all.isEmpty ? [] : [KeyHint("Ctrl-S", "save", rank: 2)]) + [KeyHint("Esc", "close")]
  }
  override var wordsForNothing: String {
    guard all.isEmpty else { return "No note has these words." }
    let note = shell.label(of: .note) ?? "", highlight = shell.label(of: .highlight) ?? ""
    return "There is no note yet. In a text, \(note) writes one, and \(highlight) highlights."
  }

  // What is listed is longer than what is looked for.
  override var completes: Bool { false }
  override var mostChosenRows: Int { 12 }
  override var bodyHeight: Int {
    guard entries.isEmpty, said.isEmpty else { return super.bodyHeight }
    return wordsForNothing.wrapped(to: max(1, metrics.textWidth)).count
  }

  /// Reads the notes.
  func read() {
    shell.trying { all = try NoteList(of: shell.navigation, first: shell.shownPlace) }
  }

  override func look() throws -> [Entry] {
    found = all.notes(with: field.text, most: Self.most, titles: true)
    let quotes = shell.appearance.symbols.quotes
    return found.map { placed in
      let (note, quote) = (placed.note, quotes.around(placed.note.anchor.quote))
      let lost = placed.place.isRemoved ? "no longer here" : isLost(placed) ? "its place is gone" : ""
      return Entry(
        completion: note.isHighlight ? note.anchor.quote : note.text,
        name: note.isHighlight ? quote : note.text.inOneRow,
        detail: [lost, note.isHighlight ? "" : quote].filter { !$0.isEmpty }.joined(separator: ": "),
        topRight: placed.place.title)
    }
  }

  private func isLost(_ placed: PlacedNote) -> Bool {
    if let known = isThere[placed.note.id] { return !known }
    guard let node = placed.place.place.node, let content = try? shell.library.content(of: node) else { return false }
    let text = AnchoredText(content.readBlocks)
    for other in all.notes(at: placed.place.place) {
      isThere[other.note.id] = text.place(of: other.note.anchor) != nil
    }
    return isThere[placed.note.id] == false
  }

  override func take(_ key: KeyEvent) -> Bool {
    if key.key == .character("s"), key.modifiers == .control, !all.isEmpty {
      close()
      shell.exportNotes()
      return true
    }
    if key.key == .character("y"), key.modifiers == .control, removed > 0 {
      let index = chosen
      if shell.perform(.undo) { removed -= 1 }
      readAgain(choosing: index)
      return true
    }
    guard key.key == .delete, key.modifiers == [], field.isAtEnd, found.indices.contains(chosen)
    else {
      return super.take(key)
    }
    let index = chosen
    shell.remove(found[chosen].note)
    removed += 1
    readAgain(choosing: index)
    return true
  }

  override func close() {
    super.close()
    guard removed > 0, let key = shell.label(of: .undo) else { return }
    shell.notify(
      "\(removed == 1 ? "A note is" : "\(removed) notes are") taken away. \(key) brings \(removed == 1 ? "it" : "the last") back."
    )
  }

  private func readAgain(choosing index: Int) {
    read()
    lookAgain()
    choose(index)
    shell.showFooter()
  }

  override func submit() {
    guard found.indices.contains(chosen), chosenEntry != nil else { return }
    let placed = found[chosen]
    guard !placed.place.isRemoved else {
      let quotes = shell.appearance.symbols.quotes
      return say("\(quotes.around(placed.place.title)) is no longer here: it, or its course, was removed.")
    }
    close()
    shell.go(to: placed)
  }
}
