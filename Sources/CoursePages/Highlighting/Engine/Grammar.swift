/// What tells the tokens of a language apart: the table that each file in `Languages` fills in.
///
/// The engine tries at each place, in this order: the language's own code (`special`), spans and marks (the longest first),
/// a word, a number, an operator. What is none of them is plain.
struct Grammar: Sendable {
  /// Words that have a class.
  var words: [WordList] = []
  /// Whether `SELECT` and `select` are one word.
  var ignoresCase = false
  /// What belongs to words beside ASCII letters, digits, `_` and everything outside ASCII.
  var wordBytes = ""
  /// What may end a word of the table: `!` for `println!`. Other words end in front of it.
  var suffixes = ""
  /// Comments and texts.
  var spans: [Span] = []
  /// Fixed signs: operators and punctuation that go before what `operators` says.
  var marks: [Mark] = []
  /// Bytes that are operators where no mark says otherwise.
  var operators = ""
  /// What separates digits, beside `_`.
  var digitSeparators = ""
  /// Whether a number may end in a point, as in `1.`.
  var hasTrailingPoints = false
  /// Which names in front of a bracket are declared functions.
  var functions = FunctionNames.none
  /// Bytes that may stand between a word and the name that it announces.
  var passed = ""
  /// Code for what the table cannot say, and the bytes that it is tried at; returns whether it emitted anything.
  var special: Special?
  /// The whole scanner of a language that has lines or states of its own instead of the engine's loop.
  var scan: (@Sendable (inout Scanner) -> Void)?
}

/// Code that is tried in front of the table, where one of those bytes stands.
struct Special: Sendable {
  var bytes: String
  var scan: @Sendable (inout Scanner) -> Bool
}

/// Words of one class.
struct WordList: Sendable {
  /// Where a word has its class.
  enum Place: Sendable {
    case anywhere, notAfterPoint, beforeBracket, beforeWord, beforeBlank
    /// First on its line, with something behind it that is no assignment or call: `match` in Python.
    case beforeSubject
  }

  var tokenClass: TokenClass
  var words: String
  /// What the next word is, if it is no keyword: `fn` announces a function.
  var announced: TokenClass?
  var place: Place
  /// Whether a name behind it may be a declared function: not behind `return`.
  var isPartOfDeclaration: Bool

  /// - Parameter words: The words, with blanks between them.
  init(
    _ tokenClass: TokenClass, _ words: String, announcing announced: TokenClass? = nil, _ place: Place = .anywhere,
    isPartOfDeclaration: Bool = true
  ) {
    self.tokenClass = tokenClass
    self.words = words
    self.announced = announced
    self.place = place
    self.isPartOfDeclaration = isPartOfDeclaration
  }
}

/// A sign of fixed bytes.
struct Mark: Sendable {
  var tokenClass: TokenClass
  var bytes: [UInt8]
  /// What the next word is, if it is no keyword.
  var announced: TokenClass?

  init(_ tokenClass: TokenClass, _ text: String, announcing announced: TokenClass? = nil) {
    self.tokenClass = tokenClass
    bytes = Array(text.utf8)
    self.announced = announced
  }
}

/// Which names in front of a bracket are declared functions, for languages without a word such as `func`.
enum FunctionNames: Sendable {
  case none
  /// Behind a word, as in Java.
  case afterWord
  /// Behind words from the start of the line, as in C#.
  case afterWordsOfLine
  /// Behind words from the start of the statement, outside the bodies of functions, as in C.
  case afterWordsOutsideBodies
}

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
