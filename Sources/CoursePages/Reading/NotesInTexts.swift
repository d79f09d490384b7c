package import LearningModel
package import NavigationKit
package import TextCanvas

extension ActivityContent {
  /// What of an activity is read as a text, as the page of it shows that: notes stand in these blocks.
  package var readBlocks: [Block] {
    switch self {
    case .reading(let blocks): blocks
    case .link(let destination, let blocks):
      blocks + [.paragraph([.link(destination: destination, text: [.text(destination)])])]
    case .flashcards(let introduction, _), .quiz(let introduction, _, _): introduction
    }
  }
}

/// A note, and where its words are now.
package struct NoteInText {
  /// What there is to say of its words.
  package enum State: String, Encodable, Sendable {
    /// They are in the text.
    case there
    /// The text has them no more.
    case gone
    /// The text is no more in its course.
    case removed
  }

  /// The note.
  package let placed: PlacedNote
  /// What became of its words.
  package let state: State
  /// Where they are; `nil` where they are not.
  package let place: AnchoredText.Place?
  /// The lines of program text that they are in, in its language; `nil` where they are in other text.
  package let code: Block?

  /// Finds the words of notes, each text read once.
  ///
  /// - Parameter content: What an activity is made of; `nil` for what is none any more.
  package static func finding(
    _ notes: [PlacedNote], content: (NodeID) throws -> ActivityContent?
  ) rethrows -> [NoteInText] {
    var texts: [Place: (blocks: [Block], anchored: AnchoredText)] = [:]
    return try notes.map { placed in
      guard !placed.place.isRemoved, let node = placed.place.place.node else {
        return NoteInText(placed: placed, state: .removed, place: nil, code: nil)
      }
      if texts[placed.place.place] == nil {
        let blocks = try content(node)?.readBlocks ?? []
        texts[placed.place.place] = (blocks, AnchoredText(blocks))
      }
      let text = texts[placed.place.place]
      let place = text?.anchored.place(of: placed.note.anchor)
      let code = place.flatMap { place in text.flatMap { Self.code(of: $0.blocks[place.block], at: place.characters) } }
      return NoteInText(placed: placed, state: place == nil ? .gone : .there, place: place, code: code)
    }
  }

  /// The lines of a block of program text in which some of its characters stand, counted as passages count them.
  private static func code(of block: Block, at characters: Range<Int>) -> Block? {
    guard case .code(let language, let text) = block else { return nil }
    var end = 0
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let start = end
      end += line.unicodeScalars.count { $0.value > 0x20 }
      return (words: line, characters: start..<end)
    }
    guard let first = lines.firstIndex(where: { $0.characters.overlaps(characters) }),
      let last = lines.lastIndex(where: { $0.characters.overlaps(characters) })
    else { return nil }
    return .code(language: language, text: lines[first...last].map { String($0.words) }.joined(separator: "\n"))
  }

  /// Whether its words are read before those of another one: course by course, and in each in reading order.
  package func isRead(before other: NoteInText) -> Bool {
    func order(_ note: NoteInText) -> [Int] { [note.state == .removed ? 1 : 0] + note.placed.position }
    let (course, otherCourse) = (placed.above.first ?? "", other.placed.above.first ?? "")
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

extension [NoteInText] {
  /// All of them as a text to be read: below their courses and activities, each behind the words that it is about.
  package var blocks: [Block] {
    var blocks: [Block] = []
    var (course, place): (String?, Place?)
    for note in sorted(by: { $0.isRead(before: $1) }) {
      let placed = note.placed
      if course != placed.above.first {
        course = placed.above.first
        place = nil
        blocks.append(.heading(level: 1, text: [.text(course ?? placed.place.title)], anchor: ""))
      }
      if place != placed.place.place {
        place = placed.place.place
        let titles = placed.above.dropFirst() + [placed.place.title]
        blocks.append(.heading(level: 2, text: [.text(titles.joined(separator: " › "))], anchor: ""))
      }
      blocks.append(.quote([note.code ?? .paragraph([.text(placed.note.anchor.quote)])]))
      if note.state != .there {
        let words = note.state == .gone ? "Its place is gone." : "Its text is no longer in the course."
        blocks.append(.paragraph([.emphasis([.text(words)])]))
      }
      if !placed.note.isHighlight {
        blocks += placed.note.text.split(whereSeparator: \.isNewline).map { .paragraph([.text(String($0))]) }
      }
    }
    return blocks
  }
}

/// The notes of a text, where they stand in its lines.
package struct NoteMarks {
  /// A note whose words are in the text.
  package struct Mark: Hashable {
    /// The note.
    package let note: Note
    /// Where its words are.
    package let place: AnchoredText.Place
    /// Their cells, rows counted as lines of the text.
    package let cells: [CellRect]

    /// The lines of its words.
    package var lines: Range<Int> { (cells.first?.row ?? 0)..<(cells.last.map { $0.row + 1 } ?? 0) }
  }

  /// Those that stand in the text, from the top.
  package private(set) var marks: [Mark] = []
  /// Those whose place is gone.
  package private(set) var lost: [Note] = []

  /// No notes.
  package init() {}

  /// Finds the places of notes.
  package init(_ notes: [Note], in text: ReadingText, _ anchored: AnchoredText) {
    guard !notes.isEmpty else { return }
    var known: [Int: PassageCells] = [:]
    for note in notes {
      guard let place = anchored.place(of: note.anchor) else {
        lost.append(note)
        continue
      }
      let cells = known[place.block] ?? PassageCells(ofBlock: place.block, in: text, anchored)
      known[place.block] = cells
      marks.append(Mark(note: note, place: place, cells: cells.cells(of: place.characters)))
    }
    marks.removeAll { $0.cells.isEmpty }
    marks.sort { ($0.place.block, $0.place.characters.lowerBound) < ($1.place.block, $1.place.characters.lowerBound) }
  }

  /// Whether none stands in the text.
  package var isEmpty: Bool { marks.isEmpty }

  /// The notes whose words stand in some of the lines, those with words of their own first.
  package func marks(in lines: Range<Int>) -> [Mark] {
    let found = marks.filter { $0.lines.overlaps(lines) }
    return found.filter { !$0.note.isHighlight } + found.filter(\.note.isHighlight)
  }
}

/// A learner's notes, searchable by their words.
package struct NoteList: Sendable {
  private let all: [(note: PlacedNote, words: String, titles: String)]
  /// Whether the words of a note are still in its text, by the note's id. Filled by ``state(of:content:)``.
  private var isThere: [String: Bool] = [:]

  /// The number of notes.
  package var count: Int { all.count }
  package var isEmpty: Bool { all.isEmpty }
  /// All notes, in the order of the list.
  package var notes: [PlacedNote] { all.map(\.note) }

  /// Creates an empty list.
  package init() { all = [] }

  /// Reads all notes: those of one place first, then the last changed.
  package init(of navigation: NavigationService, first place: Place? = nil) throws {
    let notes = try navigation.notes()
    all = (notes.filter { $0.place.place == place } + notes.filter { $0.place.place != place }).map { placed in
      let titles = [placed.place.title] + placed.above
      return (
        placed, "\(placed.note.text) \(placed.note.anchor.quote)".folded, " " + titles.joined(separator: " ").folded
      )
    }
  }

  /// Returns the notes that have all words of a query in their text or their quotation.
  ///
  /// - Parameters:
  ///   - most: The maximum number of notes.
  ///   - titles: Whether the titles of the note's text and of the places above it are searched too.
  package func notes(
    with query: String, most: Int, titles: Bool = false, where isWanted: @escaping (PlacedNote) -> Bool = { _ in true }
  ) -> [PlacedNote] {
    let wanted = query.folded.split(separator: " ")
    return Array(
      all.lazy.filter { row in
        let words = titles ? row.words + row.titles : row.words
        return wanted.allSatisfy { words.contains($0) } && isWanted(row.note)
      }.map(\.note).prefix(most))
  }

  /// Returns whether the words of a note are still in its text. Reads each text once.
  ///
  /// - Parameter content: Returns the content of an activity; `nil` if the node is not an activity any more.
  package mutating func state(
    of placed: PlacedNote, content: (NodeID) throws -> ActivityContent?
  ) rethrows -> NoteInText.State {
    guard !placed.place.isRemoved, let node = placed.place.place.node else { return .removed }
    if isThere[placed.note.id] == nil {
      let text = AnchoredText(try content(node)?.readBlocks ?? [])
      for other in all where other.note.place.place == placed.place.place {
        isThere[other.note.note.id] = text.place(of: other.note.note.anchor) != nil
      }
    }
    return isThere[placed.note.id] == true ? .there : .gone
  }
}
