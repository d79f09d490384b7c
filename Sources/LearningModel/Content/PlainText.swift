import Foundation
import Mathematics

extension Inline {
  /// The text without markup. Images are replaced by their alternative texts, and formulas by a one-line form.
  public var plainText: String {
    switch self {
    case .text(let text), .code(let text), .key(let text): text
    case .math(let source): Formula(latex: source).line
    case .emphasis, .strong, .strikethrough, .link: children.plainText
    case .image(_, let alternative, _): alternative
    case .lineBreak: " "
    case .target: ""
    }
  }
}

extension [Inline] {
  /// The text of all parts without markup.
  public var plainText: String {
    map(\.plainText).joined()
  }
}

extension Block {
  /// The text without markup, one line per paragraph, item or row.
  public var plainText: String {
    switch self {
    case .heading(_, let text, _), .paragraph(let text): text.plainText
    case .bulletList(let items), .orderedList(_, let items): items.map(\.blocks.plainText).joined(separator: "\n")
    case .code(_, let text): text
    case .math(let source): Formula(latex: source).line
    case .table(_, let header, let rows):
      ([header] + rows).map { $0.map(\.plainText).joined(separator: " ") }.joined(separator: "\n")
    case .admonition(let box): ([.paragraph(box.heading)] + box.blocks).plainText
    case .quote, .rule, .details, .definitions, .tabs: children.plainText
    }
  }
}

extension [Block.Child] {
  /// The texts of all components without markup, one per line. Empty texts are omitted.
  fileprivate var plainText: String {
    map { child in
      switch child {
      case .line(let line): line.plainText
      case .blocks(let blocks): blocks.plainText
      }
    }.filter { !$0.isEmpty }.joined(separator: "\n")
  }
}

extension [Block] {
  /// The texts of all blocks without markup, one per line. Empty texts are omitted.
  public var plainText: String {
    map(\.plainText).filter { !$0.isEmpty }.joined(separator: "\n")
  }
}

extension ActivityContent {
  /// The whole text without markup, from which the time to read it is estimated.
  public var plainText: String { children.plainText }

  /// The text for the search index: the text without markup, followed by the LaTeX sources of its formulas and, if they
  /// contain styled letters, by the formulas in plain letters (`f(u)` finds `f(𝐮)`). The solution of an exercise is not
  /// searched.
  package var searchedText: String {
    if case .exercise(let exercise) = self, !exercise.solution.isEmpty {
      return ActivityContent.exercise(exercise.with(solution: [])).searchedText
    }
    let sources = formulaSources
    guard !sources.isEmpty else { return plainText }
    let lines = sources.compactMap { source -> String? in
      let line = Formula(latex: source).line
      let plain = line.unicodeScalars.map {
        $0.isStyledLetter ? String($0).decomposedStringWithCompatibilityMapping : String($0)
      }
      .joined()
      return plain == line ? nil : plain
    }
    return ([plainText] + sources + lines).joined(separator: "\n")
  }

  /// The LaTeX sources of the formulas in reading order.
  package var formulaSources: [String] {
    var sources: [String] = []
    children.visit {
      if case .math(let source) = $0 { sources.append(source) }
    } inline: {
      if case .math(let source) = $0 { sources.append(source) }
    }
    return sources
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is a letter or digit in a mathematical style, such as `𝐮` or `ℝ`. Superscripts and subscripts
  /// are not included, because `x²` in plain letters would be a different number.
  ///
  /// Source: Unicode 15, the blocks Mathematical Alphanumeric Symbols and Letterlike Symbols.
  fileprivate var isStyledLetter: Bool {
    (0x1D400...0x1D7FF).contains(value) || (0x2100...0x214F).contains(value) && properties.isAlphabetic
  }
}
