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

extension [Footnote] {
  /// Puts below a part of the text the notes that it refers to, behind a rule.
  ///
  /// The references become plain words, for what they led to is in sight.
  func attached(to blocks: [Block]) -> [Block] {
    guard !isEmpty else { return blocks }
    var wanted: Set<String> = []
    let text = blocks.mapLinks { destination, words in
      guard destination.hasPrefix("#"), contains(where: { "#" + $0.anchor == destination }) else {
        return .link(destination: destination, text: words)
      }
      wanted.insert(String(destination.dropFirst()))
      return .text(words.plainText)
    }
    let notes = filter { wanted.contains($0.anchor) }
    guard !notes.isEmpty else { return text }
    return text + [.rule] + notes.flatMap(\.numbered)
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
