import CourseKit
import CoursePages
import LearningModel
import NavigationKit

/// The learner's notes on texts. A note is printed after the portion of the text that contains the quoted text.
extension LinearBrowser {
  /// Adds a note to the portion that was read last. If `text` is `nil`, highlights the portion.
  func write(note text: String?) throws {
    guard case .reading(let reading, _) = activity, !list.isOverlay else {
      return printLine("Notes belong to texts. Open a text first.")
    }
    guard text != "" else { return printLine("Note what? Type note, and what you want to remember.") }
    guard let anchor = anchor(in: reading) else {
      return printLine("There is no text here to write a note about. Continue reading first.")
    }
    try navigation.notes.write(text ?? "", at: anchor, in: .place(navigation.currentPlace().place))
    printLine((text == nil ? "Highlighted: " : "Note added to: ") + Self.short(anchor.quote))
    printLine("Type notes to list your notes.")
    printLossReason()
  }

  /// Returns the anchor of the portion that was read last.
  private func anchor(in reading: LinearReading) -> NoteAnchor? {
    let (anchored, blocks) = (reading.anchored, reading.lastBlocks)
    return (blocks.first { !anchored.isHeading($0) } ?? blocks.first).flatMap(anchored.anchor(ofBlock:))
  }

  /// Changes a card of the list of notes, or makes a card of the portion that was read last.
  ///
  /// - Parameter text: `NUMBER QUESTION = ANSWER`, without the number for a new card. A side that is missing is kept; that of a
  ///   new card is the portion.
  func writeCard(_ text: String) throws {
    let number = text.prefix { $0.isNumber }
    let sides = text.dropFirst(number.count).split(separator: " = ", maxSplits: 1, omittingEmptySubsequences: false)
      .map { String($0).trimmed }
    let (front, back) = (sides.first ?? "", sides.count > 1 && !sides[1].isEmpty ? sides[1] : nil)
    if let number = Int(number) {
      let all = try listedNotes().notes
      guard all.indices.contains(number - 1), all[number - 1].note.isCard else {
        return printLine("Number \(number) is no card. Type notes to list your notes and cards.")
      }
      let card = all[number - 1]
      guard !front.isEmpty || back != nil else {
        return printLine("Card \(number): \(LinearFormat.ended(card.note.text)) Answer: \(card.note.answer ?? "")")
      }
      try navigation.cards.change(
        CardID(place: card.place.place, key: card.note.id), front: front.isEmpty ? nil : front, back: back)
      return printLine("Changed: " + LinearFormat.ended(front.isEmpty ? card.note.text : front))
    }
    guard case .reading(let reading, _) = activity, !list.isOverlay, let anchor = anchor(in: reading), !front.isEmpty
    else { return printLine("Which card? Type notes, then card, its number, and its question = its answer.") }
    try navigation.cards.make(
      front: front, back: back ?? anchor.quote, at: anchor, in: .place(navigation.currentPlace().place))
    printLine("The card is in the review: " + LinearFormat.ended(front))
    printLossReason()
  }

  /// Prints how long a change is kept if the database is temporary.
  func printLossReason() {
    if let lossReason { printLine("It is lost when you quit: \(lossReason).") }
  }

  /// Prints the notes on the portion that was read last.
  func printNotesOfPortion() throws {
    guard case .reading(let reading, _) = activity else { return }
    let place = try navigation.currentPlace().place
    let notes = try navigation.notes.all(in: place) + navigation.cards.own(in: place).map(\.note)
    guard !notes.isEmpty else { return }
    let (anchored, heardBlocks) = (reading.anchored, Set(reading.last.map(\.block)))
    for note in notes where anchored.place(of: note.anchor).map({ heardBlocks.contains($0.block) }) ?? false {
      printLine(
        note.isHighlight
          ? "You highlighted: " + Self.short(note.anchor.quote)
          : (note.isCard ? "Your card: " : "Your note: ") + LinearFormat.ended(note.text))
    }
  }

  /// Lists all notes. Notes on the current text come first.
  func printNotes() throws {
    var all = try listedNotes()
    guard !all.isEmpty else { return printLine("Notes: none yet. In a text, type note and your words to add one.") }
    let items = try all.notes.map { placedNote in
      let quote = Self.short(placedNote.note.anchor.quote)
      let state =
        switch try all.state(of: placedNote, content: library.content) {
        case .found: ""
        case .missing: " The passage was removed from the text."
        case .removed: " The text is no longer in the course."
        }
      if let answer = placedNote.note.answer {
        return LinearList.Item(
          title: "Card: " + placedNote.note.text,
          detail: "Answer: \(Self.short(answer)) In \(LinearFormat.ended(placedNote.place.title))",
          target: .note(placedNote))
      }
      let (title, anchorText) =
        placedNote.note.isHighlight ? ("Highlight: " + quote, "") : (placedNote.note.text, "At: \(quote) ")
      return LinearList.Item(
        title: title, detail: "\(anchorText)In \(LinearFormat.ended(placedNote.place.title))\(state)",
        target: .note(placedNote))
    }
    try printWithHeader(
      ["Notes: \(DisplayFormat.count(all.count, "note")). Type unnote and a number to remove one."], items)
  }

  /// Removes the note with the given number in the list of notes.
  func removeNote(_ argument: String) throws {
    let all = try listedNotes().notes
    guard let number = Int(argument), all.indices.contains(number - 1) else {
      return printLine(
        all.isEmpty ? "You have no notes." : "Which note? Type notes, then unnote and its number: 1 to \(all.count).")
    }
    let removed = all[number - 1]
    if removed.note.isCard {
      try navigation.cards.remove(CardID(place: removed.place.place, key: removed.note.id))
    } else {
      try navigation.notes.remove(removed.note.id)
    }
    printLine(
      "Removed: "
        + Self.short(all[number - 1].note.isHighlight ? all[number - 1].note.anchor.quote : all[number - 1].note.text))
  }

  private func listedNotes() throws -> NoteList {
    try NoteList(of: navigation, first: navigation.currentPlace().place, .notesAndCards)
  }

  /// Goes to the quoted text of a note. If the text no longer contains it, goes to the beginning of the activity.
  func go(to placedNote: PlacedNote) throws {
    guard !placedNote.place.isRemoved else { return printLine("The text of this note is no longer in the course.") }
    targetNote = placedNote.note
    defer { targetNote = nil }
    guard try navigation.currentPlace().place == placedNote.place.place,
      case .reading(var reading, let address) = activity
    else { return try go(.open(.place(placedNote.place.place)), cause: .bookmark) }
    list = LinearList()
    guard let place = reading.anchored.place(of: placedNote.note.anchor),
      let portion = reading.portion(ofBlock: place.block)
    else { return printLine("The passage of this note was removed: " + Self.short(placedNote.note.anchor.quote)) }
    printLine(reading.lookUp(portion, at: seconds))
    activity = .reading(reading, address: address)
    try printNotesOfPortion()
  }

  /// Returns a quotation as a sentence, shortened to at most 80 characters.
  private static func short(_ quote: String) -> String {
    guard quote.count > 80 else { return LinearFormat.ended(quote) }
    let shortened = quote.prefix(80)
    return String(shortened[..<(shortened.lastIndex(of: " ") ?? shortened.endIndex)]) + " and more."
  }
}
