extension Language {
  /// JSON, with comments.
  static let json = Language(
    "JSON", aliases: ["json", "json5", "jsonc", "jsonl"],
    Grammar(
      wordLists: [WordList(.keyword, "true false null")],
      spans: [.line(.comment, "//"), .block(.comment, "/*", "*/")],
      special: SpecialRule(bytes: "\"-") { $0.scanJSON() }))
}

extension Scanner {
  /// Scans a string, which is a key if a colon follows, or the sign of a negative number.
  fileprivate mutating func scanJSON() -> Bool {
    if next() == UInt8(ascii: "-") {
      guard next(1).isDigit else { return false }
      emit(.number, 1)
      return true
    }
    var offset = position + 1
    while offset < end, byte(offset) != UInt8(ascii: "\""), byte(offset) != 0x0A {
      offset += byte(offset) == UInt8(ascii: "\\") ? 2 : 1
    }
    let isKey = byte(indexAfterBlanks(from: offset + 1)) == UInt8(ascii: ":")
    emit(isKey ? .keyword : .string, to: byte(offset) == 0x0A ? offset : offset + 1)
    previousToken = .value
    return true
  }
}
