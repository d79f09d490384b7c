extension Language {
  /// C#.
  static let cSharp = Language(
    "C#", aliases: ["c#", "cs", "csharp"],
    Grammar(
      wordLists: [
        WordList(
          .keyword,
          """
          abstract as async await base break by case catch checked const continue default delegate do else event explicit extern
          false finally fixed for foreach goto if implicit in internal is let lock new null on operator out override params
          private protected public readonly ref return sealed sizeof stackalloc static switch this throw true try typeof
          unchecked unsafe virtual void while get set partial yield add remove value alias ascending descending from group into
          orderby select where join equals and init managed nameof nint not notnull nuint or required scoped unmanaged when with
          """),
        WordList(.keyword, "class struct enum interface record", announcing: .type),
        WordList(.keyword, "namespace using", announcing: .plain),
        WordList(
          .type,
          "bool byte char decimal double dynamic float int long object sbyte short string uint ulong ushort var"),
      ],
      spans: [
        .line(.comment, "//"),
        .block(.comment, "/*", "*/"),
        .block(.string, "\"\"\"", "\"\"\""),
        .block(.string, "@\"", "\"", doubles: true),
        .block(.string, "$@\"", "\"", doubles: true),
        .block(.string, "@$\"", "\"", doubles: true),
        .text("\"", "\""),
        .text("$\"", "\""),
        .text("'", "'"),
      ],
      operators: "+-*/%&|^<>?!~=",
      functions: .afterIdentifiersOfLine,
      special: SpecialRule(bytes: "#[") { $0.scanCSharp() }))
}

extension Scanner {
  /// Scans preprocessor directives, and attributes at the start of a line, which are plain.
  fileprivate mutating func scanCSharp() -> Bool {
    guard isFirstOnLine else { return false }
    if next() == UInt8(ascii: "#") {
      emit(.keyword, to: lineEnd(from: position))
      return true
    }
    var offset = position + 1
    while offset < end, byte(offset) != 0x0A, byte(offset) != UInt8(ascii: "]") { offset += 1 }
    emit(.plain, to: offset + 1)
    return true
  }
}
