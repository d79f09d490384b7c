/// Distinguishes declared functions from calls in languages without a keyword for functions.
///
/// In `static int area(int w) { return side(w); }`, only words precede the name `area` in its statement, so it is a
/// declaration. The name `side` is inside a body, so it is a call.
struct FunctionDeclarationDetector {
  /// Whether the current statement or line contains at least one word and nothing but words so far.
  private(set) var hasOnlyIdentifiers = false
  private var isAtStart = true
  /// Whether a function was declared whose body has not begun yet.
  private var expectsBody = false
  /// The number of braces that were opened since the body of a function began and are not closed yet.
  private var bracketDepth = 0

  var isInBody: Bool { bracketDepth > 0 }

  mutating func statementEnds() {
    isAtStart = true
    hasOnlyIdentifiers = false
  }

  mutating func scanWord(isPartOfDeclaration: Bool) {
    hasOnlyIdentifiers = isPartOfDeclaration && (isAtStart || hasOnlyIdentifiers)
    isAtStart = false
  }

  mutating func declare() {
    expectsBody = true
    hasOnlyIdentifiers = false
    isAtStart = false
  }

  mutating func scan(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "{"):
      if bracketDepth > 0 || expectsBody { bracketDepth += 1 }
      expectsBody = false
      statementEnds()
    case UInt8(ascii: "}"):
      if bracketDepth > 0 { bracketDepth -= 1 }
      statementEnds()
    case UInt8(ascii: ";"):
      expectsBody = false
      statementEnds()
    case UInt8(ascii: "*"), UInt8(ascii: "&"): break
    default:
      isAtStart = false
      hasOnlyIdentifiers = false
    }
  }
}
