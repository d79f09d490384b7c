extension Language {
  /// C, up to C23.
  static let c = Language("C", aliases: ["c", "h"], Grammar.cFamily(words: WordList.ofC))

  /// C++, up to C++23.
  static let cPlusPlus = Language(
    "C++", aliases: ["c++", "cpp", "cc", "cxx", "hpp", "cplusplus"],
    Grammar.cFamily(
      words: WordList.ofC + [
        WordList(
          .keyword,
          """
          catch const_cast constinit delete dynamic_cast explicit export friend mutable new operator private protected
          public reinterpret_cast static_cast template this throw throws try typeid using virtual co_await co_return
          co_yield concept consteval requires final override import module decltype noexcept
          """),
        WordList(.keyword, "throw new delete", isPartOfDeclaration: false),
        WordList(.keyword, "class", announcing: .type),
        WordList(.keyword, "namespace", announcing: .plain, isPartOfDeclaration: false),
        WordList(.keyword, "typename", announcing: .type),
        WordList(.type, "char8_t char16_t char32_t"),
      ]))
}

extension WordList {
  fileprivate static let ofC = [
    WordList(
      .keyword,
      """
      asm auto break const constexpr continue default do else extern for goto if register restricted return sizeof static
      switch case typedef typeof typeof_unqual volatile while thread_local alignas alignof static_assert _Pragma inline
      _inline __inline restrict _Alignas _Alignof _Noreturn _Generic _Thread_local _Static_assert noreturn __asm __attribute__
      __declspec __cdecl __stdcall __fastcall __try __finally __except __forceinline true false NULL nullptr
      """),
    WordList(.keyword, "return else goto case sizeof", isPartOfDeclaration: false),
    WordList(.keyword, "struct union enum", announcing: .type),
    WordList(
      .type,
      """
      bool int long float short double char unsigned signed void _BitInt __int128 _Bool _Complex _Atomic _Decimal32
      _Decimal64 _Decimal128 size_t ssize_t off_t wchar_t ptrdiff_t sig_atomic_t fpos_t clock_t time_t va_list jmp_buf FILE
      DIR div_t ldiv_t mbstate_t wint_t byte int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t int_least8_t
      int_least16_t int_least32_t int_least64_t uint_least8_t uint_least16_t uint_least32_t uint_least64_t int_fast8_t
      int_fast16_t int_fast32_t int_fast64_t uint_fast8_t uint_fast16_t uint_fast32_t uint_fast64_t intptr_t uintptr_t
      intmax_t uintmax_t clockid_t dev_t gid_t id_t ino_t key_t mode_t pid_t sigset_t uid_t atomic_bool atomic_char
      atomic_int atomic_uint atomic_long atomic_ulong atomic_size_t atomic_intptr_t atomic_uintptr_t atomic_ptrdiff_t
      """),
  ]
}

extension Grammar {
  /// Returns the grammar that C and C++ share.
  fileprivate static func cFamily(words: [WordList]) -> Grammar {
    let texts = ["", "L", "u", "U", "u8"].flatMap { prefix in
      [Span.text(prefix + "\"", "\""), Span.text(prefix + "'", "'")]
    }
    return Grammar(
      wordLists: words, wordBytes: "$",
      spans: texts + [.line(.comment, "//"), .block(.comment, "/*", "*/")],
      fixedSigns: [FixedSign(.operator, "::")],
      operators: "~!%^&*+=|?:<>/-",
      digitSeparators: "'", hasTrailingPoints: true,
      functions: .afterIdentifiersOutsideBodies,
      special: SpecialRule(bytes: "#RLuU") { $0.scanC() })
  }
}

extension Scanner {
  /// Scans preprocessor directives, and the raw string literals of C++.
  fileprivate mutating func scanC() -> Bool {
    if next() == UInt8(ascii: "#") {
      guard isFirstOnLine else { return false }
      scanPreprocessorLine()
      return true
    }
    var prefix = 0
    while prefix < 2, next(prefix) != UInt8(ascii: "R"), next(prefix).isWord { prefix += 1 }
    guard next(prefix) == UInt8(ascii: "R"), next(prefix + 1) == UInt8(ascii: "\"") else { return false }
    return scanRawText(prefix: prefix + 2)
  }

  private mutating func scanPreprocessorLine() {
    var offset = indexAfterBlanks(from: position + 1)
    let isInclude = has("include", ahead: offset - position)
    if isInclude {
      offset = indexAfterBlanks(from: offset + 7)
      emit(.keyword, to: offset)
      let opener = next()
      if opener == UInt8(ascii: "<") || opener == UInt8(ascii: "\"") {
        let closer = opener == UInt8(ascii: "<") ? UInt8(ascii: ">") : opener
        while offset < end, byte(offset) != 0x0A {
          offset += 1
          if byte(offset - 1) == closer, offset > position + 1 { break }
        }
        emit(.string, to: offset)
      }
    }
    while offset < end {
      switch byte(offset) {
      case UInt8(ascii: "\\"): offset += 1
      case UInt8(ascii: "/"):
        // The engine scans the comment and does not return to the directive, so text after the comment is coloured as
        // program text.
        let following = byte(offset + 1)
        if following == UInt8(ascii: "/") || following == UInt8(ascii: "*") {
          return emit(.keyword, to: offset)
        }
      case 0x0A:
        functions.statementEnds()
        return emit(.keyword, to: offset)
      default: break
      }
      offset += 1
    }
    emit(.keyword, to: offset)
  }

  /// Scans `R"name(…)name"`.
  private mutating func scanRawText(prefix: Int) -> Bool {
    var name: [UInt8] = [UInt8(ascii: ")")]
    var offset = position + prefix
    while name.count < 18, byte(offset) != UInt8(ascii: "(") {
      guard offset < end, !byte(offset).isBlank, byte(offset) != 0x0A else { return false }
      name.append(byte(offset))
      offset += 1
    }
    guard byte(offset) == UInt8(ascii: "(") else { return false }
    name.append(UInt8(ascii: "\""))
    while offset < end, !(byte(offset) == UInt8(ascii: ")") && has(name, at: offset)) { offset += 1 }
    emit(.string, to: offset + name.count)
    previousToken = .value
    return true
  }
}
