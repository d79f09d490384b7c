/// What tells the tokens of a language apart: the table that each file in `Languages` fills in.
///
/// The engine tries at each place, in this order: the language's own code (`special`), spans and marks (the longest first),
/// a word, a number, an operator. What is none of them is plain.
struct Grammar: Sendable {
  /// Words that have a class.
  var words: [Words] = []
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
struct Words: Sendable {
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
