extension Language {
  /// Kotlin.
  static let kotlin = Language(
    "Kotlin", aliases: ["kotlin", "kt", "kts"],
    Grammar(
      wordLists: [
        WordList(
          .keyword,
          """
          as as? break by catch constructor continue do dynamic else finally get for if init in is out reified return set super
          this throw try typealias typeof vararg when where while it true false null package import var val
          """),
        WordList(.keyword, "package import", announcing: .plain),
        WordList(
          .keyword,
          """
          actual abstract annotation companion const crossinline data expect external final infix inline inner internal lateinit
          noinline open operator override private protected public sealed suspend tailrec
          """, .beforeWord),
        WordList(.keyword, "enum", .beforeWord),
        WordList(.keyword, "fun", announcing: .function),
        WordList(.keyword, "class interface object", announcing: .type, .beforeBlank),
        WordList(.type, "Boolean Byte Char Double Float Int Long Short String Any Unit"),
        WordList(.type, "Boolean? Byte? Char? Double? Float? Int? Long? Short? String? Any? Unit?"),
      ],
      suffixes: "?",
      spans: [
        .line(.comment, "//"),
        .block(.comment, "/*", "*/"),
        .block(.string, "\"\"\"", "\"\"\"", [Interpolation("${", "{", "}")]),
        .text("\"", "\"", [Interpolation("${", "{", "}")]),
        .text("'", "'"),
      ],
      fixedSigns: [
        FixedSign(.operator, "::"), FixedSign(.operator, "?.", announcing: .plain), FixedSign(.operator, "?:"),
      ],
      operators: "~^*!%&[]<>|+=/?-",
      special: SpecialRule(bytes: "@.`<_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") { $0.scanKotlin() }))
}

extension Scanner {
  /// Scans annotations, names after a point and names in backquotes.
  fileprivate mutating func scanKotlin() -> Bool {
    switch next() {
    case UInt8(ascii: "@"):
      guard next(1).isLetter else { return false }
      emitPath(.function, from: position + 1)
    case UInt8(ascii: "."):
      guard next(1).isLetter else { return false }
      if announcedClass == .function {
        emit(.plain, 1)
        emit(.function, to: wordEnd(from: position))
      } else {
        emit(.plain, to: wordEnd(from: position + 1))
      }
    case UInt8(ascii: "<"): return announcedClass == .function && scanTypeParameters()
    case UInt8(ascii: "`"):
      var offset = position + 1
      while offset < end, byte(offset) != UInt8(ascii: "`"), byte(offset) != 0x0A { offset += 1 }
      emit(announcedClass ?? .plain, to: offset + 1)
    default:
      // The receiver type of an extension function: `fun String.loud()`.
      guard announcedClass == .function else { return false }
      let wordEnd = wordEnd(from: position)
      guard byte(wordEnd) == UInt8(ascii: ".") else { return false }
      emit(.plain, to: wordEnd)
      return true
    }
    announcedClass = nil
    previousToken = .word
    return true
  }

  /// Scans the type parameters between `fun` and the function's name, such as `<reified T : Any>`.
  private mutating func scanTypeParameters() -> Bool {
    var close = position + 1
    while close < position + 200, byte(close) != UInt8(ascii: ">") {
      if byte(close) == 0 || byte(close) == UInt8(ascii: "(") { return false }
      close += 1
    }
    emit(.operator, 1)
    if has("reified") { emit(.keyword, 7) }
    emit(.plain, to: close)
    emit(.operator, 1)
    return true
  }
}
