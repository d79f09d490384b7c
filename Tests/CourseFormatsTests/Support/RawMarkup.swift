import LearningModel

extension ActivityContent {
  /// Returns the paragraphs outside of code that contain unconverted markup of site generators.
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
  /// The lines of text without code.
  fileprivate var words: [String] {
    children.flatMap { part in
      switch part {
      case .line(let line): [line.words]
      case .blocks(let blocks): blocks.flatMap(\.words)
      }
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
      case .code, .key, .math, .lineBreak, .target: ""
      }
    }.joined()
  }
}
