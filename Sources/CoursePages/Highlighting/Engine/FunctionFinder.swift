/// Tells declared functions from calls, in languages that have no word in front of them.
///
/// In `static int area(int w) { return side(w); }` the name `area` follows words from the start of the statement, and `side`
/// is in a body.
struct FunctionFinder {
  /// Whether the statement, or the line, has words only so far, and at least one.
  private(set) var hasOnlyWords = false
  private var isFresh = true
  /// Whether a declared function waits for its body.
  private var expectsBody = false
  /// How many brackets are open since a body began.
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
