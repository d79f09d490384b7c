import LearningModel

extension ActivityContent {
  /// The paragraphs outside program text in which a mark of a generator of sites is left.
  func rawMarks(except allowed: [String] = []) -> [String] {
    guard case .reading(let blocks) = self else { return [] }
    return blocks.flatMap(\.words).filter { line in
      let rest = allowed.reduce(line) { $0.replacing($1, with: "") }
      return ["{{<", "{{%", "{{ ", "{%", ":::", "```", "{: ", "waymark-label", "waymark-page", "waymark-formula", "}`"]
        .contains(
          where: rest.contains)
    }
  }
}

extension Block {
  /// Its lines without program text.
  fileprivate var words: [String] {
    switch self {
    case .heading(_, let text, _), .paragraph(let text): [text.words]
    case .bulletList(let items), .orderedList(_, let items): items.flatMap { $0.blocks.flatMap(\.words) }
    case .quote(let blocks): blocks.flatMap(\.words)
    case .details(let summary, let blocks): [summary.words] + blocks.flatMap(\.words)
    case .table(_, let header, let rows): ([header] + rows).flatMap { $0.map(\.words) }
    case .code, .math, .rule: []
    }
  }
}

extension [Inline] {
  fileprivate var words: String {
    map { inline in
      switch inline {
      case .text(let words): words
      case .emphasis(let inner), .strong(let inner), .strikethrough(let inner): inner.words
      case .link(let destination, let inner): inner.words + " " + destination
      case .image(_, let alternative, _): alternative
      case .code, .math, .lineBreak: ""
      }
    }.joined()
  }
}
