import LearningModel

/// A footnote. A reference in the text is a link to its anchor; the text of the link is its label.
struct Footnote {
  /// The name of the anchor, without `#`.
  let anchor: String
  /// The label, such as its number in the text.
  let label: String
  let blocks: [Block]
}

/// The footnotes of a text, in order.
struct Footnotes {
  private var all: [Footnote] = []
  /// The indices of the footnotes, by anchor.
  private var places: [String: [Int]] = [:]
  /// The total size in bytes of the footnotes attached to sections. The size is limited, because the same footnote may
  /// be attached to thousands of sections.
  private var attached = 0

  var count: Int { all.count }

  mutating func append(_ note: Footnote) {
    places[note.anchor, default: []].append(all.count)
    all.append(note)
  }

  /// Returns the blocks of the footnote with an anchor, or `nil` if there is no such footnote.
  func blocks(of anchor: String) -> [Block]? { places[anchor]?.first.map { all[$0].blocks } }

  mutating func append(_ other: Footnotes) {
    if all.isEmpty {
      self = other
    } else {
      for note in other.all { append(note) }
    }
  }

  mutating func mapBlocks(_ change: ([Block]) -> [Block]) {
    all = all.map { Footnote(anchor: $0.anchor, label: $0.label, blocks: change($0.blocks)) }
  }

  /// Returns the blocks of a section followed by a rule and the footnotes to which the blocks refer, directly or
  /// through other footnotes.
  ///
  /// References become plain text, because the footnotes are visible below.
  ///
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` if the footnotes attached by all calls are too large.
  mutating func attached(to blocks: [Block], file: String, limits: SourceLimits) throws -> [Block] {
    guard !all.isEmpty else { return blocks }
    var labels = NoteLabels()
    var unread: [Int] = []
    func withoutReferences(_ blocks: [Block]) -> [Block] {
      blocks.mapLinks { destination, words in
        guard destination.hasPrefix("#"), let notes = places[String(destination.dropFirst())] else {
          return .link(destination: destination, text: words)
        }
        for note in notes where labels.add(note, all[note].label) { unread.append(note) }
        let own = "[\(all[notes[0]].label)]"
        return .text(words.plainText == own ? "[\(labels[notes[0]])]" : words.plainText)
      }
    }
    let text = withoutReferences(blocks)
    var notes: [(number: Int, blocks: [Block])] = []
    while let next = unread.popLast() {
      let note = withoutReferences(all[next].numbered(labels[next]))
      attached += note.plainText.utf8.count + 1
      guard attached <= limits.expandedSize else {
        throw CourseFormatError.limit(.expandedSize(limits.expandedSize), file: file, line: nil)
      }
      notes.append((next, note))
    }
    guard !notes.isEmpty else { return text }
    return text + (text.last == .rule ? [] : [.rule]) + notes.sorted { $0.number < $1.number }.flatMap(\.blocks)
  }

  /// Returns the blocks of the footnotes to which no reference leads, in order.
  ///
  /// - Parameter blocks: The text that refers to the footnotes.
  func unreferenced(in blocks: [Block]) -> [Block] {
    var reached: Set<Int> = []
    var unread: [[Block]] = [blocks]
    while let next = unread.popLast() {
      _ = next.mapLinks { destination, words in
        if destination.hasPrefix("#"), let notes = places[String(destination.dropFirst())] {
          for note in notes where reached.insert(note).inserted { unread.append(all[note].blocks) }
        }
        return .link(destination: destination, text: words)
      }
    }
    return all.indices.filter { !reached.contains($0) }.flatMap { all[$0].numbered(all[$0].label) }
  }
}

/// The labels of the footnotes below one text. If two footnotes have the same label, the second one gets a number that
/// is not used yet.
private struct NoteLabels {
  private var labels: [Int: String] = [:]
  private var used: Set<String> = []
  private var next = 1

  subscript(note: Int) -> String { labels[note] ?? "" }

  /// Adds a footnote. Returns `false` if it was added before.
  mutating func add(_ note: Int, _ label: String) -> Bool {
    guard labels[note] == nil else { return false }
    var label = label
    while used.contains(label) {
      label = String(next)
      next += 1
    }
    used.insert(label)
    labels[note] = label
    return true
  }
}

extension Footnote {
  fileprivate func numbered(_ label: String) -> [Block] {
    guard case .paragraph(let line) = blocks.first else { return [.paragraph([.text("[\(label)]")])] + blocks }
    let mark = "[\(label)] "
    guard case .text(let words) = line.first else { return [.paragraph([.text(mark)] + line)] + blocks.dropFirst() }
    return [.paragraph([.text(mark + words)] + line.dropFirst())] + blocks.dropFirst()
  }
}
