extension Language {
  /// Unified, context and normal diffs.
  static let diff = Language("diff", aliases: ["diff", "udiff", "patch"], Grammar(scan: { $0.scanDiff() }))
}

extension Scanner {
  /// Classifies each line by its first byte.
  fileprivate mutating func scanDiff() {
    while position < end {
      let tokenClass: TokenClass =
        switch next() {
        case UInt8(ascii: "+"): .string
        case UInt8(ascii: "-"): .keyword
        case UInt8(ascii: ">"): next(1) == 0x20 ? .string : .plain
        case UInt8(ascii: "<"): next(1) == 0x20 ? .keyword : .plain
        case UInt8(ascii: "!"): .keyword
        case UInt8(ascii: "@"): .type
        case UInt8(ascii: "="): .function
        case let byte where byte.isDigit: .type
        default: has("diff") || has("ndex", ahead: 1) ? .function : .plain
        }
      let lineEnd = lineEnd(from: position)
      emit(tokenClass, to: lineEnd)
      emit(.plain, 1)
    }
  }
}
