extension Scanner {
  /// Says the class of everything up to the end.
  mutating func scan() {
    if let scan = lexicon.grammar.scan {
      scan(&self)
    } else {
      scanCode()
    }
    emit(.plain, to: end)
  }

  /// The engine's loop: one token a turn.
  mutating func scanCode() {
    while position < end { scanToken() }
  }

  /// Says the class of what stands next: blanks, or one token.
  @inline(__always) mutating func scanToken() {
    let byte = next()
    let kind = lexicon.kinds[Int(byte)]
    if kind == .blank || kind == .newline { return scanBlanks() }
    if !frames.isEmpty, scanBracket(byte) { return }
    if lexicon.isSpecial[Int(byte)], let special = lexicon.grammar.special, special.scan(&self) {
      isFirstOnLine = false
      return
    }
    if lexicon.opens[Int(byte)], scanOpening(byte) {
      isFirstOnLine = false
      return
    }
    switch kind {
    case .word: scanWord()
    case .digit: scanNumber()
    case .sign: scanSign(byte, .operator)
    default:
      if byte == UInt8(ascii: "."), next(1).isDigit, previous != .word, previous != .value {
        scanNumber()
      } else {
        scanSign(byte, .plain)
      }
    }
    isFirstOnLine = false
  }

  private mutating func scanBlanks() {
    var offset = position
    while offset < end {
      let byte = byte(offset)
      if byte.isNewline {
        isFirstOnLine = true
        if lexicon.grammar.functions == .afterWordsOfLine { functions.statementEnds() }
      } else if !byte.isBlank {
        break
      }
      offset += 1
    }
    emit(.plain, to: offset)
  }

  /// One byte that is a sign or punctuation.
  mutating func scanSign(_ byte: UInt8, _ tokenClass: TokenClass) {
    emit(tokenClass, 1)
    note(byte, tokenClass)
  }

  /// Remembers a sign that was passed.
  @inline(__always) private mutating func note(_ byte: UInt8, _ tokenClass: TokenClass) {
    functions.pass(byte)
    if announced != nil, !lexicon.passed.contains(byte) { announced = nil }
    if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
      previous = .value
    } else {
      previous = tokenClass == .operator ? .sign : .other
    }
  }

  /// A span or a mark, if one begins here.
  private mutating func scanOpening(_ byte: UInt8) -> Bool {
    for opening in lexicon.openings[Int(byte)] {
      switch opening {
      case .span(let index):
        if has(lexicon.grammar.spans[index].open, at: position) {
          let span = lexicon.grammar.spans[index]
          if span.tokenClass != .comment {
            functions.pass(byte)
            announced = nil
            previous = .value
          }
          emit(span.tokenClass, span.open.count)
          scanSpan(index)
          return true
        }
      case .mark(let index):
        if has(lexicon.grammar.marks[index].bytes, at: position) {
          let mark = lexicon.grammar.marks[index]
          emit(mark.tokenClass, mark.bytes.count)
          note(byte, mark.tokenClass)
          announced = mark.announced ?? announced
          return true
        }
      }
    }
    return false
  }
}
