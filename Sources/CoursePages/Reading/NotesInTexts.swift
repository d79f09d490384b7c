package import LearningModel
package import NavigationKit
package import TextCanvas

extension ActivityContent {
  /// The blocks of an activity that are displayed as a text, to which learners can add notes.
  package var readBlocks: [Block] {
    switch self {
    case .link(let destination, let text):
      text + [.paragraph([.link(destination: destination, text: [.text(destination)])])]
    case .exercise(let exercise): exercise.readBlocks
    case .reading, .flashcards, .quiz: text
    }
  }
}

extension Note {
  /// Whether the note is about a passage of a text. A card that was made of a question or of a flashcard is not.
  package var hasPassage: Bool { !isCard || !anchor.digest.isEmpty }
}

/// A learner's note with the current position of the text that it quotes.
package struct LocatedNote {
  /// The state of the quoted text.
  package enum State: String, Encodable, Sendable {
    /// The text still contains the quoted text.
    case found = "there"
    /// The text no longer contains the quoted text.
    case missing = "gone"
    /// The course no longer contains the activity.
    case removed
  }

  package let placed: PlacedNote
  package let state: State
  /// The position of the quoted text, or `nil` if the text does not contain it.
  package let place: AnchoredText.Place?
  /// The lines of the code block that contain the quoted text, or `nil` if it is not in a code block.
  package let code: Block?

  /// Finds the quoted texts of notes. Each text is read once.
  ///
  /// - Parameter content: Returns the content of an activity, or `nil` if the node is no longer an activity.
  package static func finding(
    _ notes: [PlacedNote], content: (NodeID) throws -> ActivityContent?
  ) rethrows -> [LocatedNote] {
    var texts: [Place: (blocks: [Block], anchored: AnchoredText)] = [:]
    return try notes.map { placedNote in
      guard !placedNote.place.isRemoved, let node = placedNote.place.place.node else {
        return LocatedNote(placed: placedNote, state: .removed, place: nil, code: nil)
      }
      if texts[placedNote.place.place] == nil {
        let blocks = try content(node)?.readBlocks ?? []
        texts[placedNote.place.place] = (blocks, AnchoredText(blocks))
      }
      let text = texts[placedNote.place.place]
      let place = text?.anchored.place(of: placedNote.note.anchor)
      let code = place.flatMap { place in text.flatMap { Self.code(of: $0.blocks[place.block], at: place.characters) } }
      return LocatedNote(
        placed: placedNote, state: place == nil && placedNote.note.hasPassage ? .missing : .found,
        place: place, code: code)
    }
  }

  /// Returns the lines of a code block that contain the given characters, which are counted like those of
  /// ``AnchoredText``. Returns `nil` for other blocks.
  private static func code(of block: Block, at characters: Range<Int>) -> Block? {
    guard case .code(let language, let text) = block else { return nil }
    var end = 0
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let start = end
      end += line.unicodeScalars.count { $0.value > 0x20 }
      return (text: line, characters: start..<end)
    }
    guard let first = lines.firstIndex(where: { $0.characters.overlaps(characters) }),
      let last = lines.lastIndex(where: { $0.characters.overlaps(characters) })
    else { return nil }
    return .code(language: language, text: lines[first...last].map { String($0.text) }.joined(separator: "\n"))
  }

  /// Returns whether the quoted text precedes that of another note: by course, then in reading order.
  package func isRead(before other: LocatedNote) -> Bool {
    func order(_ note: LocatedNote) -> [Int] { [note.state == .removed ? 1 : 0] + note.placed.position }
    let (course, otherCourse) = (placed.ancestorTitles.first ?? "", other.placed.ancestorTitles.first ?? "")
    guard course == otherCourse else { return course < otherCourse }
    guard placed.place.place == other.placed.place.place else {
      return order(self).lexicographicallyPrecedes(order(other))
    }
    switch (place, other.place) {
    case (let place?, let other?):
      return (place.block, place.characters.lowerBound) < (other.block, other.characters.lowerBound)
    case (.some, nil): return true
    case (nil, .some): return false
    case (nil, nil): return placed.note.createdAt < other.placed.note.createdAt
    }
  }
}

extension [LocatedNote] {
  /// The notes as a text: grouped under the headings of their courses and activities, each note below the text that it
  /// quotes.
  package var blocks: [Block] {
    var blocks: [Block] = []
    var (course, place): (String?, Place?)
    for note in sorted(by: { $0.isRead(before: $1) }) {
      let placedNote = note.placed
      if course != placedNote.ancestorTitles.first {
        course = placedNote.ancestorTitles.first
        place = nil
        blocks.append(.heading(level: 1, text: [.text(course ?? placedNote.place.title)], anchor: ""))
      }
      if place != placedNote.place.place {
        place = placedNote.place.place
        let titles = placedNote.ancestorTitles.dropFirst() + [placedNote.place.title]
        blocks.append(.heading(level: 2, text: [.text(titles.joined(separator: " › "))], anchor: ""))
      }
      if placedNote.note.hasPassage {
        blocks.append(.quote([note.code ?? .paragraph([.text(placedNote.note.anchor.quote)])]))
      }
      if note.state != .found {
        let text =
          note.state == .missing ? "The passage was removed from the text." : "The text is no longer in the course."
        blocks.append(.paragraph([.emphasis([.text(text)])]))
      }
      func paragraphs(_ text: String) -> [Block] {
        text.split(whereSeparator: \.isNewline).map { .paragraph([.text(String($0))]) }
      }
      guard let answer = placedNote.note.answer else {
        blocks += paragraphs(placedNote.note.text)
        continue
      }
      blocks.append(.paragraph([.strong([.text(placedNote.note.text)])]))
      blocks += paragraphs(answer)
    }
    return blocks
  }
}

/// The notes of a text with their positions in its lines.
package struct NotePositions {
  /// A note whose quoted text was found.
  package struct Position: Hashable {
    package let note: Note
    /// The position of the quoted text.
    package let place: AnchoredText.Place
    /// The cells of the quoted text, with rows counted as lines of the text.
    package let cells: [CellRect]

    /// The lines of the quoted text.
    package var lines: Range<Int> { (cells.first?.row ?? 0)..<(cells.last.map { $0.row + 1 } ?? 0) }
  }

  /// The notes whose quoted text was found, from the top.
  package private(set) var positions: [Position] = []
  /// The notes whose quoted text was not found.
  package private(set) var missing: [Note] = []

  package init() {}

  /// Finds the positions of notes.
  package init(_ notes: [Note], in text: ReadingText, _ anchored: AnchoredText) {
    guard !notes.isEmpty else { return }
    var cached: [Int: PassageCells] = [:]
    for note in notes {
      guard let place = anchored.place(of: note.anchor) else {
        missing.append(note)
        continue
      }
      let cells = cached[place.block] ?? PassageCells(ofBlock: place.block, in: text, anchored)
      cached[place.block] = cells
      positions.append(Position(note: note, place: place, cells: cells.cells(of: place.characters)))
    }
    positions.removeAll { $0.cells.isEmpty }
    positions.sort {
      ($0.place.block, $0.place.characters.lowerBound) < ($1.place.block, $1.place.characters.lowerBound)
    }
  }

  /// Whether no quoted text was found.
  package var isEmpty: Bool { positions.isEmpty }

  /// Returns the notes whose quoted text is in the given lines: first the notes that have a text, then the highlights.
  package func positions(in lines: Range<Int>) -> [Position] {
    let matches = positions.filter { $0.lines.overlaps(lines) }
    return matches.filter { !$0.note.isHighlight } + matches.filter(\.note.isHighlight)
  }
}

/// A learner's notes, searchable by their text.
package struct NoteList: Sendable {
  private let all: [(note: PlacedNote, words: String, titles: String)]
  /// Whether the quoted text of a note was found, by the note's ID. Filled by ``state(of:content:)``.
  private var isFoundInText: [String: Bool] = [:]

  package var count: Int { all.count }
  package var isEmpty: Bool { all.isEmpty }
  /// All notes, in the order of the list.
  package var notes: [PlacedNote] { all.map(\.note) }

  package init() { all = [] }

  /// What a list contains.
  package enum Kind { case notes, cards, notesAndCards }

  /// Reads all notes or own cards: those of one place first, then all others, most recently changed first.
  package init(of navigation: NavigationService, first place: Place? = nil, _ kind: Kind = .notes) throws {
    let notes =
      kind == .cards ? try navigation.cards.own() : try navigation.notes.all(withCards: kind == .notesAndCards)
    all = (notes.filter { $0.place.place == place } + notes.filter { $0.place.place != place }).map { placedNote in
      let titles = [placedNote.place.title] + placedNote.ancestorTitles
      return (
        placedNote,
        [placedNote.note.text, placedNote.note.answer ?? "", placedNote.note.anchor.quote].joined(separator: " ")
          .folded,
        " " + titles.joined(separator: " ").folded
      )
    }
  }

  /// Returns the notes whose text or quotation contains all words of a query.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of notes.
  ///   - titles: Whether to search the titles of the activity and its ancestors too.
  package func notes(
    with query: String, limit: Int, titles: Bool = false,
    where isIncluded: @escaping (PlacedNote) -> Bool = { _ in true }
  ) -> [PlacedNote] {
    let terms = query.folded.split(separator: " ")
    return Array(
      all.lazy.filter { row in
        let searchedText = titles ? row.words + row.titles : row.words
        return terms.allSatisfy { searchedText.contains($0) } && isIncluded(row.note)
      }.map(\.note).prefix(limit))
  }

  /// Returns whether the quoted text of a note was found. Each text is read once.
  ///
  /// - Parameter content: Returns the content of an activity, or `nil` if the node is no longer an activity.
  package mutating func state(
    of placedNote: PlacedNote, content: (NodeID) throws -> ActivityContent?
  ) rethrows -> LocatedNote.State {
    guard !placedNote.place.isRemoved, let node = placedNote.place.place.node else { return .removed }
    if isFoundInText[placedNote.note.id] == nil {
      let text = AnchoredText(try content(node)?.readBlocks ?? [])
      for other in all where other.note.place.place == placedNote.place.place {
        isFoundInText[other.note.note.id] =
          !other.note.note.hasPassage || text.place(of: other.note.note.anchor) != nil
      }
    }
    return isFoundInText[placedNote.note.id] == true ? .found : .missing
  }
}
