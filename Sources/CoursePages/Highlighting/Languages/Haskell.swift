extension Language {
  /// Haskell 2010 and the keywords of GHC.
  static let haskell = Language(
    "Haskell", aliases: ["haskell", "hs"],
    Grammar(
      wordLists: [
        WordList(
          .keyword,
          """
          case class data default deriving do else family if in infix infixl infixr instance let newtype of then type where _
          """),
        WordList(.keyword, "import module"),
        WordList(.type, "error"),
      ],
      spans: [
        .block(.comment, "{-", "-}", nests: true),
        .block(.string, "\"", "\"", escape: "\\"),
      ],
      fixedSigns: [FixedSign(.type, "[]"), FixedSign(.function, "()")],
      special: SpecialRule(bytes: ":!#$%&*+.\\/<=>?@^|~-'_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ(),") {
        $0.scanHaskell()
      }))
}

/// Whether a byte can be part of an operator.
private let isSignOfHaskell = (UInt8.min...UInt8.max).map { ":!#$%&*+.\\/<=>?@^|~-".utf8.contains($0) }

extension Scanner {
  /// Scans names, operators, characters, and the lists of `import` and `module`.
  fileprivate mutating func scanHaskell() -> Bool {
    let byte = next()
    if byte == UInt8(ascii: "'") { return scanCharacterOfHaskell() }
    if byte.isLetter { return scanNameOfHaskell(byte) }
    if byte == UInt8(ascii: "("), state.expectsList,
      state.bracketDepth > 0 || previousToken == .keyword || previousToken == .word
    {
      state.bracketDepth += 1
      emit(.plain, 1)
      return true
    }
    if byte == UInt8(ascii: ")"), state.bracketDepth > 0 {
      state.bracketDepth -= 1
      if state.bracketDepth == 0 { state.expectsList = false }
      emit(.plain, 1)
      return true
    }
    if "(),".utf8.contains(byte) { return false }
    return scanOperatorOfHaskell(byte)
  }

  private mutating func scanOperatorOfHaskell(_ byte: UInt8) -> Bool {
    var offset = position
    while offset < end, isSignOfHaskell[Int(self.byte(offset))] { offset += 1 }
    if byte == UInt8(ascii: "-"), next(1) == byte {
      var dashes = position
      while self.byte(dashes) == byte { dashes += 1 }
      if dashes == offset {
        emit(.comment, to: lineEnd(from: position))
        return true
      }
    }
    let isAlone = offset == position + 1
    let isSpecial = byte == UInt8(ascii: ":") && !(next(1) == byte && offset == position + 2)
    emit(isSpecial ? .type : byte == UInt8(ascii: "\\") && isAlone ? .function : .operator, to: offset)
    previousToken = .sign
    return true
  }

  private mutating func nameEnd() -> Int {
    var offset = position
    while byte(offset).isWord || byte(offset) == UInt8(ascii: "'") { offset += 1 }
    return offset
  }

  private mutating func scanNameOfHaskell(_ byte: UInt8) -> Bool {
    let end = nameEnd()
    if let entry = entry(to: end), state.bracketDepth == 0 {
      if has("import") || has("module") {
        emit(.keyword, to: end)
        state.expectsList = true
        previousToken = .keyword
        return scanModuleName()
      }
      emit(entry.tokenClass, to: end)
    } else if byte.isUppercase {
      emit(.type, to: end)
    } else {
      emit(state.bracketDepth > 0 || last().isNewline ? .function : .plain, to: end)
    }
    previousToken = .value
    return true
  }

  /// Scans the module name after `import` or `module`, and determines whether a list follows.
  private mutating func scanModuleName() -> Bool {
    emit(.plain, to: indexAfterBlanks(from: position))
    if has("qualified") {
      emit(.keyword, 9)
      emit(.plain, to: indexAfterBlanks(from: position))
    }
    var offset = position
    while byte(offset).isWord || byte(offset) == UInt8(ascii: ".") { offset += 1 }
    emit(.plain, to: offset)
    emit(.plain, to: indexAfterBlanks(from: position))
    if has("as ") {
      emit(.keyword, 2)
      emit(.plain, to: indexAfterBlanks(from: position))
      emitPath(.plain, from: position)
    } else if has("hiding") {
      emit(.keyword, 6)
    }
    var next = position
    while next < min(end, position + 64), byte(next).isBlank || byte(next).isNewline { next += 1 }
    state.expectsList = byte(next) == UInt8(ascii: "(")
    previousToken = .word
    return true
  }

  /// Scans `'a'` or `'\n'`. Returns `false` if the quote belongs to a name.
  private mutating func scanCharacterOfHaskell() -> Bool {
    let limit = next(1) == UInt8(ascii: "\\") ? 9 : 5
    for offset in 2...limit where next(offset) == UInt8(ascii: "'") {
      if offset > 2, next(1) < 0x80, next(1) != UInt8(ascii: "\\") { break }
      if offset == 2, next(1) == UInt8(ascii: "\\") { continue }
      emit(.string, offset + 1)
      previousToken = .value
      return true
    }
    return false
  }
}
