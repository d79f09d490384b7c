extension Language {
  /// Rust, 2024 edition.
  static let rust = Language(
    "Rust", aliases: ["rust", "rs"],
    Grammar(
      wordLists: [
        WordList(
          .keyword,
          """
          as async await box break const continue crate dyn else extern for if impl in let loop match move mut pub ref
          return static super trait unsafe use where while abstract become do final macro override priv typeof try unsized
          virtual yield true false self Self
          """),
        WordList(.keyword, "mod", announcing: .plain),
        WordList(.keyword, "fn", announcing: .function),
        WordList(.keyword, "struct enum type union", announcing: .type),
        WordList(.type, "u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 char str bool"),
        WordList(
          .type,
          """
          Copy Send Sized Sync Unpin Drop Fn FnMut FnOnce drop Box ToOwned Clone PartialEq PartialOrd Eq Ord AsRef AsMut
          Into From Default Iterator Extend IntoIterator DoubleEndedIterator ExactSizeIterator Option Some None Result Ok
          Err String ToString Vec
          """),
        WordList(
          .function,
          """
          asm! assert! assert_eq! assert_ne! cfg! column! compile_error! concat! dbg! debug_assert! debug_assert_eq!
          debug_assert_ne! env! eprint! eprintln! file! format! format_args! global_asm! include! include_bytes! include_str!
          line! macro_rules! matches! module_path! option_env! panic! print! println! stringify! thread_local! todo!
          unimplemented! unreachable! vec! write! writeln!
          """),
      ],
      suffixes: "!",
      spans: [
        .line(.comment, "//"),
        .block(.comment, "/*", "*/", nests: true),
        .block(.string, "\"", "\"", escape: "\\"),
        .block(.string, "b\"", "\"", escape: "\\"),
        .block(.string, "c\"", "\"", escape: "\\"),
      ],
      fixedSigns: [
        FixedSign(.plain, "::"),
        FixedSign(.plain, ":", announcing: .type),
        FixedSign(.plain, "->", announcing: .type),
      ],
      operators: "+-*/%&|<>^!~@=?",
      separatorBytes: "&*",
      special: SpecialRule(bytes: "'#r$b") { $0.scanRust() }))
}

extension Scanner {
  /// Scans characters and lifetimes, attributes, raw string literals and macro variables.
  fileprivate mutating func scanRust() -> Bool {
    switch next() {
    case UInt8(ascii: "'"): return scanCharacterOrLifetime()
    case UInt8(ascii: "#"): return scanAttribute()
    case UInt8(ascii: "$"):
      guard next(1).isLetter else { return false }
      emit(.keyword, to: wordEnd(from: position + 1))
      return true
    case UInt8(ascii: "b"):
      if next(1) == UInt8(ascii: "'") {
        emit(.string, 1)
        return scanCharacterOrLifetime()
      }
      return next(1) == UInt8(ascii: "r") && scanRawText(prefix: 2)
    default: return scanRawText(prefix: 1)
    }
  }

  private mutating func scanCharacterOrLifetime() -> Bool {
    if next(1) == UInt8(ascii: "\\") {
      // The longest escape is `\u{10FFFF}`.
      for offset in 3..<13 where next(offset) == UInt8(ascii: "'") {
        emit(.string, offset + 1)
        previousToken = .value
        return true
      }
    }
    // A character has up to four bytes.
    for offset in 2..<6 where next(offset) == UInt8(ascii: "'") && next(1) != UInt8(ascii: "'") {
      if offset > 2, next(1) < 0x80 { break }
      emit(.string, offset + 1)
      previousToken = .value
      return true
    }
    emit(.operator, 1)
    if next().isLetter { emit(.type, to: wordEnd(from: position)) }
    return true
  }

  /// Scans `#[…]` and `#![…]`. String literals inside keep their class.
  private mutating func scanAttribute() -> Bool {
    let start = next(1) == UInt8(ascii: "!") ? 2 : 1
    guard next(start) == UInt8(ascii: "[") else { return false }
    emit(.keyword, start + 1)
    var depth = 1
    var offset = position
    while offset < end, depth > 0 {
      switch byte(offset) {
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        emit(.keyword, to: offset)
        emit(.string, to: textEnd(from: offset + 1))
        offset = position - 1
      default: break
      }
      offset += 1
    }
    emit(.keyword, to: offset)
    announcedClass = nil
    return true
  }

  private mutating func textEnd(from offset: Int) -> Int {
    var offset = offset
    while offset < end {
      let byte = byte(offset)
      if byte == UInt8(ascii: "\"") { return offset + 1 }
      offset += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    return offset
  }

  /// Scans `r"…"` and `r#"…"#` with any number of signs, and raw identifiers such as `r#type`.
  private mutating func scanRawText(prefix: Int) -> Bool {
    let signs = countSigns(UInt8(ascii: "#"), from: position + prefix)
    guard next(prefix + signs) == UInt8(ascii: "\"") else {
      guard prefix == 1, signs == 1, next(2).isLetter else { return false }
      emit(.plain, to: wordEnd(from: position + 2))
      previousToken = .word
      return true
    }
    emitRawText(open: prefix + signs + 1, signs: signs)
    return true
  }

  /// Returns the number of consecutive bytes equal to `sign`, at most 255.
  mutating func countSigns(_ sign: UInt8, from offset: Int) -> Int {
    var count = 0
    while count < 255, byte(offset + count) == sign { count += 1 }
    return count
  }

  /// Emits a string literal that ends with a quote and as many `#` as precede it.
  mutating func emitRawText(open: Int, signs: Int) {
    var offset = position + open
    while offset < end {
      if byte(offset) == UInt8(ascii: "\"") {
        let signCount = signs == 0 ? 0 : countSigns(UInt8(ascii: "#"), from: offset + 1)
        if signCount >= signs {
          offset += 1 + signs
          break
        }
        offset += signCount
      }
      offset += 1
    }
    emit(.string, to: offset)
    previousToken = .value
    announcedClass = nil
  }
}
