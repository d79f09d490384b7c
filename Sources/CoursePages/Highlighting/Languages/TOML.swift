extension Language {
  /// TOML 1.0.
  static let toml = Language(
    "TOML", aliases: ["toml"],
    Grammar(
      spans: [
        .line(.comment, "#"),
        .block(.string, "\"\"\"", "\"\"\"", escape: "\\"),
        .block(.string, "'''", "'''"),
        .text("\"", "\""),
        .text("'", "'", escape: nil),
      ],
      special: SpecialRule(bytes: "[]=,{}+-0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
        $0.scanTOML()
      }))
}

extension Scanner {
  /// Scans headers, keys and unquoted values. Which of these a token is depends on the preceding tokens.
  fileprivate mutating func scanTOML() -> Bool {
    let byte = next()
    switch byte {
    case UInt8(ascii: "["):
      if state.bracketDepth == 0, isFirstOnLine {
        scanHeaderOfTOML()
      } else {
        emit(.plain, 1)
        state.bracketDepth += 1
      }
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      emit(.plain, 1)
      state.bracketDepth = max(0, state.bracketDepth - 1)
    case UInt8(ascii: "{"):
      emit(.plain, 1)
      state.bracketDepth += 1
    case UInt8(ascii: ","): emit(.plain, 1)
    case UInt8(ascii: "="):
      emit(state.bracketDepth == 0 ? .operator : .plain, 1)
    default: scanBareTOML()
    }
    return true
  }

  private mutating func scanHeaderOfTOML() {
    var offset = position
    while offset < end {
      let byte = byte(offset)
      if byte == 0x0A || byte == UInt8(ascii: "#") || byte == UInt8(ascii: "\"") { break }
      offset += 1
      if byte == UInt8(ascii: "]") {
        if self.byte(offset) == byte { offset += 1 }
        break
      }
    }
    emit(.keyword, to: offset)
  }

  /// Scans an unquoted key, number, date or word.
  private mutating func scanBareTOML() {
    var offset = position
    while offset < end {
      let byte = byte(offset)
      let isPart =
        byte.isWord || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ":")
        || byte == UInt8(ascii: ".")
      if !isPart { break }
      offset += 1
    }
    let following = byte(indexAfterBlanks(from: offset))
    if (isFirstOnLine && state.bracketDepth == 0) || following == UInt8(ascii: "=") || offset == position {
      emit(.plain, to: max(offset, position + 1))
    } else {
      let first = next()
      let isWord = first.isLetter && first != UInt8(ascii: "i") && !has("nan")
      emit(isWord ? .keyword : .number, to: offset)
    }
  }
}
