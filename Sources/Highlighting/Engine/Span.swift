/// A comment or a text: from its opening bytes to its closing ones.
struct Span: Sendable {
  var tokenClass: TokenClass
  var open: [UInt8]
  /// Empty for a span that ends with its line.
  var close: [UInt8]
  /// The byte behind this one does not close the span.
  var escape: UInt8?
  /// Whether the closing bytes, written twice, stand for themselves.
  var doubles = false
  /// Whether spans of this kind stand inside each other.
  var nests = false
  /// Whether it ends with its line, closed or not.
  var endsWithLine: Bool
  /// Whether the language's own code alone opens it, and letters behind it are its flags.
  var isRegularExpression = false
  /// Program text inside a text.
  var interpolations: [Interpolation] = []

  /// A span that ends with its line.
  static func line(_ tokenClass: TokenClass, _ open: String) -> Span {
    Span(tokenClass: tokenClass, open: Array(open.utf8), close: [], endsWithLine: true)
  }

  /// A span over lines.
  static func block(
    _ tokenClass: TokenClass, _ open: String, _ close: String, escape: Character? = nil, doubles: Bool = false,
    nests: Bool = false, _ interpolations: [Interpolation] = []
  ) -> Span {
    Span(
      tokenClass: tokenClass, open: Array(open.utf8), close: Array(close.utf8), escape: escape?.asciiValue,
      doubles: doubles, nests: nests, endsWithLine: false, interpolations: interpolations)
  }

  /// A text that ends with its line, closed or not.
  static func text(
    _ open: String, _ close: String, escape: Character? = "\\", doubles: Bool = false,
    _ interpolations: [Interpolation] = []
  ) -> Span {
    Span(
      tokenClass: .string, open: Array(open.utf8), close: Array(close.utf8), escape: escape?.asciiValue,
      doubles: doubles, endsWithLine: true, interpolations: interpolations)
  }
}

/// Program text inside a text, as `${…}` is.
struct Interpolation: Sendable {
  var tokenClass: TokenClass
  var open: [UInt8]
  /// What opens and closes brackets inside it; the closing one that is left over ends it.
  var bracket: UInt8
  var close: UInt8
  /// A byte that, outside of brackets, ends the program text before the closing one: `:` in Python.
  var end: UInt8?
  /// What stands for itself, such as `{{`.
  var literal: [UInt8]

  init(
    _ open: String, _ bracket: Character, _ close: Character, end: Character? = nil, literal: String = "",
    _ tokenClass: TokenClass = .string
  ) {
    self.tokenClass = tokenClass
    self.open = Array(open.utf8)
    self.bracket = bracket.asciiValue ?? 0
    self.close = close.asciiValue ?? 0
    self.end = end?.asciiValue
    self.literal = Array(literal.utf8)
  }
}
