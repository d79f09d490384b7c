/// Distinguishes declared functions from calls in languages without a keyword for functions.
///
/// In `static int area(int w) { return side(w); }`, only words precede the name `area` in its statement, so it is a
/// declaration. The name `side` is inside a body, so it is a call..
struct FunctionDeclarationDetector {
  /// Whether the current statement or line contains at least one word and nothing but words so far.
  private(set) var hasOnlyWords = false
  private var isFresh = true
  /// Whether a function was declared whose body has not begun yet.
  private var expectsBody = false
  /// The number of braces that were opened since the body of a function began and are not closed yet.
  private var depth = 0

  var isInBody: Bool { depth > 0 }

  mutating func statementEnds() {
    isFresh = true
    hasOnlyWords = false
  }

  mutating func passWord(isPartOfDeclaration: Bool) {
    hasOnlyWords = isPartOfDeclaration && (isFresh || hasOnlyWords)
    isFresh = false
  }

  mutating func declare() {
    expectsBody = true
    hasOnlyWords = false
    isFresh = false
  }

  mutating func pass(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "{"):
      if depth > 0 || expectsBody { depth += 1 }
      expectsBody = false
      statementEnds()
    case UInt8(ascii: "}"):
      if depth > 0 { depth -= 1 }
      statementEnds()
    case UInt8(ascii: ";"):
      expectsBody = false
      statementEnds()
    case UInt8(ascii: "*"), UInt8(ascii: "&"): break
    default:
      isFresh = false
      hasOnlyWords = false
    }
  }
}
