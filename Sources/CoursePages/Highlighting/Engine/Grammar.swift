/// The table that defines the tokens of a language. Each file in `Languages` contains such a table.
///
/// At each position the engine tries, in this order: the language's own code (`special`), spans and fixed signs (the
/// longest first), a word, a number, an operator. All other bytes are plain.
struct Grammar: Sendable {
  var wordLists: [WordList] = []
  /// Whether the case of words is ignored, as in SQL.
  var ignoresCase = false
  /// Bytes that are part of words, in addition to ASCII letters, digits, `_` and all non-ASCII characters.
  var wordBytes = ""
  /// Bytes that may end a word of ``wordLists``, such as `!` in `println!`. All other words end before such a byte.
  var suffixes = ""
  /// Comments and string literals.
  var spans: [Span] = []
  /// Operators and punctuation of fixed bytes. They take precedence over `operators`.
  var fixedSigns: [FixedSign] = []
  /// Bytes that are operators unless one of ``fixedSigns`` begins with them.
  var operators = ""
  /// Bytes that separate digits, in addition to `_`.
  var digitSeparators = ""
  /// Whether a number may end with a decimal point, as in `1.`.
  var hasTrailingPoints = false
  /// The rule for names of declared functions.
  var functions = FunctionNames.none
  /// Bytes that may appear between a word and the name that it announces.
  var separatorBytes = ""
  /// Code for tokens that the table cannot describe.
  var special: SpecialRule?
  /// A complete scanner that replaces the engine's loop, for languages that are line-based or have states.
  var scan: (@Sendable (inout Scanner) -> Void)?
}

/// Code for tokens that a table cannot describe. It is called at the given bytes, before the table is used.
///
/// `scan` returns whether it emitted anything.
struct SpecialRule: Sendable {
  var bytes: String
  var scan: @Sendable (inout Scanner) -> Bool
}

struct WordList: Sendable {
  /// The context in which a word of the list has the list's token class.
  enum Place: Sendable {
    case anywhere, notAfterPoint, beforeBracket, beforeWord, beforeBlank
    /// At the start of its line and followed by an expression, not by an assignment or call: `match` in Python.
    case beforeSubject
  }

  var tokenClass: TokenClass
  var words: String
  /// The token class of the next word, unless the next word is a keyword. For example, `fn` announces a function.
  var announcedClass: TokenClass?
  var place: Place
  /// Whether a name that follows the word can be a declared function. `false` for `return`.
  var isPartOfDeclaration: Bool

  /// - Parameter words: The words, separated by blanks.
  init(
    _ tokenClass: TokenClass, _ words: String, announcing announcedClass: TokenClass? = nil, _ place: Place = .anywhere,
    isPartOfDeclaration: Bool = true
  ) {
    self.tokenClass = tokenClass
    self.words = words
    self.announcedClass = announcedClass
    self.place = place
    self.isPartOfDeclaration = isPartOfDeclaration
  }
}

/// An operator or punctuation mark with a fixed byte sequence.
struct FixedSign: Sendable {
  var tokenClass: TokenClass
  var bytes: [UInt8]
  /// The token class of the next word, unless the next word is a keyword.
  var announcedClass: TokenClass?

  init(_ tokenClass: TokenClass, _ text: String, announcing announcedClass: TokenClass? = nil) {
    self.tokenClass = tokenClass
    bytes = Array(text.utf8)
    self.announcedClass = announcedClass
  }
}

/// The rule that determines which names before a bracket are declared functions, for languages without a keyword such
/// as `func`.
enum FunctionNames: Sendable {
  case none
  /// Names that follow another word, as in Java.
  case afterWord
  /// Names that are preceded only by words on their line, as in C#.
  case afterIdentifiersOfLine
  /// Names outside function bodies that are preceded only by words in their statement, as in C.
  case afterIdentifiersOutsideBodies
}

/// A comment or string literal, from its opening bytes to its closing bytes.
struct Span: Sendable {
  var tokenClass: TokenClass
  var open: [UInt8]
  /// The closing bytes. Empty if the span ends with its line.
  var close: [UInt8]
  /// An escape byte: the byte after it does not close the span.
  var escape: UInt8?
  /// Whether doubled closing bytes are part of the text, such as `''` in SQL.
  var doubles = false
  /// Whether spans of this kind can be nested.
  var nests = false
  /// Whether the span ends with its line even if it is not closed.
  var endsWithLine: Bool
  /// Whether the span is a regular expression. Only the language's own code opens it, and letters directly after it are
  /// flags.
  var isRegularExpression = false
  /// Program text inside a string literal.
  var interpolations: [Interpolation] = []

  /// Returns a span that ends with its line.
  static func line(_ tokenClass: TokenClass, _ open: String) -> Span {
    Span(tokenClass: tokenClass, open: Array(open.utf8), close: [], endsWithLine: true)
  }

  /// Returns a span that may contain line breaks.
  static func block(
    _ tokenClass: TokenClass, _ open: String, _ close: String, escape: Character? = nil, doubles: Bool = false,
    nests: Bool = false, _ interpolations: [Interpolation] = []
  ) -> Span {
    Span(
      tokenClass: tokenClass, open: Array(open.utf8), close: Array(close.utf8), escape: escape?.asciiValue,
      doubles: doubles, nests: nests, endsWithLine: false, interpolations: interpolations)
  }

  /// Returns a string literal that ends with its line even if it is not closed.
  static func text(
    _ open: String, _ close: String, escape: Character? = "\\", doubles: Bool = false,
    _ interpolations: [Interpolation] = []
  ) -> Span {
    Span(
      tokenClass: .string, open: Array(open.utf8), close: Array(close.utf8), escape: escape?.asciiValue,
      doubles: doubles, endsWithLine: true, interpolations: interpolations)
  }
}

/// Program text inside a string literal, such as `${…}`.
struct Interpolation: Sendable {
  var tokenClass: TokenClass
  var open: [UInt8]
  /// The bytes that open and close brackets inside the interpolation. An unmatched closing bracket ends it.
  var bracket: UInt8
  var close: UInt8
  /// A byte that ends the program text before the closing bracket, such as `:` in Python. Inside nested brackets it has
  /// no effect.
  var end: UInt8?
  /// An escape for the opening bytes, such as `{{` for a literal `{`.
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
