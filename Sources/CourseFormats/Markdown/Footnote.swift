import LearningModel

/// A note at the foot of a text. In the text a link to its anchor stands where it belongs, with its mark as its words.
struct Footnote {
  /// What links to it name, without the `#`.
  let anchor: String
  /// What tells it from the others, such as its number in the whole text.
  let mark: String
  /// What it says.
  let blocks: [Block]
}

/// The notes at the foot of a text, in their order.
struct Footnotes {
  private var all: [Footnote] = []
  /// Where the notes of each anchor stand.
  private var places: [String: [Int]] = [:]
  /// How much was put below parts of the text, in bytes of words: a note may stand below every one of thousands.
  private var attached = 0

  /// How many there are.
  var count: Int { all.count }

  /// Adds a note behind the others.
  mutating func append(_ note: Footnote) {
    places[note.anchor, default: []].append(all.count)
    all.append(note)
  }

  /// What the note of that anchor says; `nil` where there is none.
  func blocks(of anchor: String) -> [Block]? { places[anchor]?.first.map { all[$0].blocks } }

  /// Adds the notes of another text.
  mutating func append(_ other: Footnotes) {
    if all.isEmpty {
      self = other
    } else {
      for note in other.all { append(note) }
    }
  }

  /// Changes the text of every note.
  mutating func mapBlocks(_ change: ([Block]) -> [Block]) {
    all = all.map { Footnote(anchor: $0.anchor, mark: $0.mark, blocks: change($0.blocks)) }
  }

  /// Puts below a part of the text the notes that it refers to, and those that these refer to, behind a rule.
  ///
  /// The references become plain words, for what they led to is in sight.
  ///
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` where all parts together become too large.
  mutating func attached(to blocks: [Block], file: String, limits: SourceLimits) throws -> [Block] {
    guard !all.isEmpty else { return blocks }
    var wanted: Set<Int> = []
    var unread: [Int] = []
    func withoutReferences(_ blocks: [Block]) -> [Block] {
      blocks.mapLinks { destination, words in
        guard destination.hasPrefix("#"), let notes = places[String(destination.dropFirst())] else {
          return .link(destination: destination, text: words)
        }
        for note in notes where wanted.insert(note).inserted { unread.append(note) }
        return .text(words.plainText)
      }
    }
    let text = withoutReferences(blocks)
    var notes: [(number: Int, blocks: [Block])] = []
    while let next = unread.popLast() {
      let note = withoutReferences(all[next].numbered)
      attached += note.plainText.utf8.count + 1
      guard attached <= limits.expandedSize else {
        throw CourseFormatError.limit(.expandedSize(limits.expandedSize), file: file, line: nil)
      }
      notes.append((next, note))
    }
    guard !notes.isEmpty else { return text }
    return text + [.rule] + notes.sorted { $0.number < $1.number }.flatMap(\.blocks)
  }
}

extension Footnote {
  fileprivate var numbered: [Block] {
    guard case .paragraph(let line) = blocks.first else { return [.paragraph([.text("[\(mark)]")])] + blocks }
    let mark = "[\(mark)] "
    guard case .text(let words) = line.first else { return [.paragraph([.text(mark)] + line)] + blocks.dropFirst() }
    return [.paragraph([.text(mark + words)] + line.dropFirst())] + blocks.dropFirst()
  }
}
