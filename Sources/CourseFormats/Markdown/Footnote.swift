import LearningModel

/// A note at the foot of a text. In the text a link to its anchor stands where it belongs, with `[1]` as its words.
struct Footnote {
  /// What links to it name, without the `#`.
  let anchor: String
  /// Its number in the whole text, from 1.
  let number: Int
  /// What it says.
  let blocks: [Block]
}

/// The notes at the foot of a text, in their order.
struct Footnotes {
  private var all: [Footnote] = []
  /// Where the notes of each anchor stand.
  private var places: [String: [Int]] = [:]

  /// How many there are.
  var count: Int { all.count }

  /// Adds a note behind the others.
  mutating func append(_ note: Footnote) {
    places[note.anchor, default: []].append(all.count)
    all.append(note)
  }

  /// Puts below a part of the text the notes that it refers to, behind a rule.
  ///
  /// The references become plain words, for what they led to is in sight.
  func attached(to blocks: [Block]) -> [Block] {
    guard !all.isEmpty else { return blocks }
    var wanted: Set<Int> = []
    let text = blocks.mapLinks { destination, words in
      guard destination.hasPrefix("#"), let notes = places[String(destination.dropFirst())] else {
        return .link(destination: destination, text: words)
      }
      wanted.formUnion(notes)
      return .text(words.plainText)
    }
    guard !wanted.isEmpty else { return text }
    return text + [.rule] + wanted.sorted().flatMap { all[$0].numbered }
  }
}

extension Footnote {
  fileprivate var numbered: [Block] {
    guard case .paragraph(let line) = blocks.first else { return [.paragraph([.text("[\(number)]")])] + blocks }
    let mark = "[\(number)] "
    guard case .text(let words) = line.first else { return [.paragraph([.text(mark)] + line)] + blocks.dropFirst() }
    return [.paragraph([.text(mark + words)] + line.dropFirst())] + blocks.dropFirst()
  }
}
