extension Language {
  /// Java, up to 21.
  static let java = Language(
    "Java", aliases: ["java"],
    Grammar(
      wordLists: [
        WordList(
          .keyword,
          """
          assert break case catch continue default do else finally for if goto instanceof new return switch this throw try
          while
          """, isPartOfDeclaration: false),
        WordList(
          .keyword,
          """
          abstract const extends final implements native private protected public static strictfp super synchronized throws
          transient volatile true false null sealed permits yield var
          """),
        WordList(.keyword, "exports open opens provides requires to transitive uses with", .beforeWord),
        WordList(.keyword, "class interface enum", announcing: .type),
        WordList(.keyword, "record module", announcing: .type, .beforeWord),
        WordList(.keyword, "package import", announcing: .plain),
        WordList(.type, "boolean byte char double float int long short void"),
      ],
      wordBytes: "$",
      spans: [
        .line(.comment, "//"),
        .block(.comment, "/*", "*/"),
        .block(.string, "\"\"\"", "\"\"\"", escape: "\\"),
        .text("\"", "\""),
        .text("'", "'"),
      ],
      operators: "~^*!%&[]<>|+=/?-",
      hasTrailingPoints: true,
      functions: .afterWord,
      special: SpecialRule(bytes: "@.i") { $0.scanJava() }))
}

extension Scanner {
  /// Scans annotations and the names after a point or `import`, which are never keywords.
  fileprivate mutating func scanJava() -> Bool {
    switch next() {
    case UInt8(ascii: "@"):
      guard next(1).isLetter else { return false }
      if has("interface", ahead: 1) { return false }
      emitPath(.function, from: position + 1)
    case UInt8(ascii: "."):
      guard next(1).isLetter else { return false }
      emit(.plain, to: wordEnd(from: position + 1))
      functions.scan(0)
    default:
      guard isFirstOnLine, has("import ") else { return false }
      emit(.keyword, 6)
      emit(.plain, 1)
      if has("static ") {
        emit(.keyword, 6)
        emit(.plain, 1)
      }
      emitPath(.plain, from: position)
    }
    previousToken = .word
    announcedClass = nil
    return true
  }

  /// Emits words that are separated by points.
  mutating func emitPath(_ tokenClass: TokenClass, from offset: Int) {
    var offset = offset
    while offset < end {
      let byte = byte(offset)
      guard byte.isWord || (byte == UInt8(ascii: ".") && self.byte(offset + 1).isLetter) else { break }
      offset += 1
    }
    emit(tokenClass, to: offset)
  }
}
