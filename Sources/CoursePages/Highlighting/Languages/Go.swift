extension Language {
  /// Go.
  static let go = Language(
    "Go", aliases: ["go", "golang"],
    Grammar(
      wordLists: [
        WordList(
          .keyword,
          """
          break case chan const continue default defer else fallthrough for func go goto if import interface package range
          return select struct switch type var true false iota nil
          """),
        WordList(
          .function,
          "print println panic recover close complex real imag len cap append copy delete new make min max clear",
          .beforeBracket),
        WordList(
          .type,
          """
          uint uint8 uint16 uint32 uint64 int int8 int16 int32 int64 float32 float64 map chan complex64 complex128 byte rune
          string bool error uintptr any comparable
          """),
      ],
      spans: [
        .line(.comment, "//"),
        .block(.comment, "/*", "*/"),
        .text("\"", "\""),
        .text("'", "'"),
        .block(.string, "`", "`"),
      ],
      fixedSigns: [FixedSign(.operator, ":="), FixedSign(.plain, "...")],
      operators: "+-*/%&!=<>|^",
      hasTrailingPoints: true))
}
