extension Language {
  /// Unix shells: sh, bash, zsh.
  static let shell = Language(
    "Shell", aliases: ["shell", "sh", "bash", "zsh", "ksh", "shellscript"],
    Grammar(
      wordLists: [
        WordList(
          .keyword, "if fi else while in do done for then return function case select break continue until esac elif"),
        WordList(
          .function,
          """
          alias bg bind builtin caller cd command compgen complete declare dirs disown echo enable eval exec exit export
          false fc fg getopts hash help history jobs kill let local logout popd printf pushd pwd read readonly set shift
          shopt source suspend test time times trap true type typeset ulimit umask unalias unset wait
          """),
      ],
      scan: { $0.scanShell() }))
}

extension Scanner {
  /// The constructs that can be nested: a string can contain a substitution, which can contain another string.
  private enum Open {
    static let text = UInt8(ascii: "\"")
    static let substitution = UInt8(ascii: ")")
    static let parameter = UInt8(ascii: "}")
    static let arithmetic = UInt8(ascii: "+")
  }

  fileprivate mutating func scanShell() {
    while position < end {
      let byte = next()
      if state.open.last == Open.text {
        scanQuoted()
      } else if byte.isBlank || byte.isNewline {
        emit(.plain, 1)
      } else if !scanInside(byte) {
        scanCommand(byte)
      }
    }
  }

  /// Scans the content of a double-quoted string, up to its end or to a `$`.
  private mutating func scanQuoted() {
    var offset = position
    while offset < end {
      switch byte(offset) {
      case UInt8(ascii: "\""):
        state.open.removeLast()
        return emit(.string, to: offset + 1)
      case UInt8(ascii: "\\"): offset += 2
      case UInt8(ascii: "$"):
        emit(.string, to: offset)
        if !scanDollar() { emit(.string, 1) }
        return
      default: offset += 1
      }
    }
    emit(.string, to: offset)
  }

  /// Scans the tokens with a special meaning inside `$(…)`, `${…}` and `$((…))`. Returns `false` for all others.
  private mutating func scanInside(_ byte: UInt8) -> Bool {
    switch state.open.last {
    case Open.substitution:
      guard byte == UInt8(ascii: ")") else { return false }
      state.open.removeLast()
      emit(.keyword, 1)
    case Open.parameter:
      if byte == UInt8(ascii: "}") {
        state.open.removeLast()
        emit(.string, 1)
      } else if byte.isWord {
        emit(.type, to: wordEnd(from: position))
      } else if byte == UInt8(ascii: ":"), next(1) == UInt8(ascii: "-") {
        emit(.keyword, 2)
      } else if "\"'`$\\".utf8.contains(byte) {
        return false
      } else {
        emit(.plain, 1)
      }
    case Open.arithmetic:
      if byte == UInt8(ascii: ")"), next(1) == byte {
        state.open.removeLast()
        emit(.keyword, 2)
      } else if "+-*/%^|&<>".utf8.contains(byte) {
        emit(.operator, 1)
      } else if byte.isDigit {
        emit(.number, to: wordEnd(from: position))
      } else if byte.isLetter {
        emit(.type, to: wordEnd(from: position))
      } else {
        return false
      }
    default: return false
    }
    return true
  }

  private mutating func scanCommand(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "#"): emit(.comment, to: lineEnd(from: position))
    case UInt8(ascii: "\\"): emit(.string, 2)
    case UInt8(ascii: "\""):
      emit(.string, 1)
      state.open.append(Open.text)
    case UInt8(ascii: "'"): scanQuote(from: position + 1, escape: 0)
    case UInt8(ascii: "`"): emit(.string, 1)
    case UInt8(ascii: "$"):
      if next(1) == UInt8(ascii: "'") {
        scanQuote(from: position + 2, escape: UInt8(ascii: "\\"))
      } else if next(1) == UInt8(ascii: "\"") {
        emit(.string, 2)
        state.open.append(Open.text)
      } else if !scanDollar() {
        emit(.plain, 1)
      }
    case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "("),
      UInt8(ascii: ")"), UInt8(ascii: "="):
      emit(.operator, 1)
    case UInt8(ascii: "<"):
      if has("<<<") {
        emit(.operator, 3)
      } else if !scanHereDocument() {
        emit(.plain, 1)
      }
    case UInt8(ascii: "&"), UInt8(ascii: "|"):
      let isDoubled = next(1) == byte
      emit(isDoubled ? .operator : .plain, isDoubled ? 2 : 1)
    case UInt8(ascii: ";"): emit(.plain, 1)
    default: scanArgument(byte)
    }
  }

  private mutating func scanQuote(from start: Int, escape: UInt8) {
    var offset = start
    while offset < end {
      let byte = byte(offset)
      offset += 1
      if byte == UInt8(ascii: "'") { break }
      if byte == escape, escape != 0 { offset += 1 }
    }
    emit(.string, to: offset)
  }

  /// Scans `$name`, `$1`, `$?`, `${`, `$(` and `$((`.
  private mutating func scanDollar() -> Bool {
    let following = next(1)
    if following == UInt8(ascii: "{") {
      emit(.string, next(2) == UInt8(ascii: "#") ? 3 : 2)
      state.open.append(Open.parameter)
    } else if following == UInt8(ascii: "(") {
      let isArithmetic = next(2) == following
      emit(.keyword, isArithmetic ? 3 : 2)
      state.open.append(isArithmetic ? Open.arithmetic : Open.substitution)
    } else if following.isLetter {
      emit(.type, to: wordEnd(from: position + 1))
    } else if following.isDigit || "#$?!_*@-".utf8.contains(following) {
      emit(.type, 2)
    } else {
      return false
    }
    return true
  }

  /// Scans `<<WORD` or `<<-'WORD'` and everything up to the line that ends the here document, or up to the end of the
  /// text.
  private mutating func scanHereDocument() -> Bool {
    guard next(1) == UInt8(ascii: "<") else { return false }
    var start = position + 2
    if byte(start) == UInt8(ascii: "-") { start += 1 }
    start = indexAfterBlanks(from: start)
    if "'\"\\".utf8.contains(byte(start)) { start += 1 }
    guard byte(start).isLetter else { return false }
    var word: [UInt8] = []
    while word.count < 64, byte(start + word.count).isWord { word.append(byte(start + word.count)) }
    var offset = start
    while offset < end {
      offset = lineEnd(from: offset) + 1
      var line = offset
      while byte(line).isBlank { line += 1 }
      if has(word, at: line), !byte(line + word.count).isWord {
        emit(.string, to: line + word.count)
        return true
      }
      offset = max(offset, line)
    }
    emit(.string, to: end)
    return true
  }

  /// Scans a keyword or builtin, a number, the name of an assignment, or an argument.
  private mutating func scanArgument(_ byte: UInt8) {
    let wordEnd = wordEnd(from: position)
    let following = self.byte(wordEnd)
    if wordEnd > position {
      let sign = indexAfterBlanks(from: wordEnd)
      if self.byte(sign) == UInt8(ascii: "=")
        || (self.byte(sign) == UInt8(ascii: "+") && self.byte(sign + 1) == UInt8(ascii: "="))
      {
        emit(.type, to: wordEnd)
        emit(.plain, to: sign)
        return emit(.operator, self.byte(sign) == UInt8(ascii: "+") ? 2 : 1)
      }
      if let entry = entry(to: wordEnd) {
        let isWhole =
          entry.tokenClass == .keyword
          ? !"#$?!*@-./".utf8.contains(following)
          : following.isBlank || following == 0 || following.isNewline || ")`".utf8.contains(following)
        if isWhole { return emit(entry.tokenClass, to: wordEnd) }
      }
      if isNumber(to: wordEnd) { return emit(.number, to: wordEnd) }
    }
    var offset = max(wordEnd, position + 1)
    while offset < end, isArgument(self.byte(offset)) { offset += 1 }
    emit(.plain, to: offset)
  }

  private mutating func isNumber(to end: Int) -> Bool {
    var offset = position
    while offset < end {
      if !byte(offset).isDigit { return false }
      offset += 1
    }
    return true
  }

  private func isArgument(_ byte: UInt8) -> Bool {
    if byte.isWord { return true }
    return !byte.isBlank && !byte.isNewline && !"=[]{}()$\"'`\\<&|;".utf8.contains(byte)
  }
}

extension Language {
  /// Terminal sessions: prompts, commands in the grammar of ``shell``, and output.
  static let console = Language(
    "Console", aliases: ["console", "shell-session", "terminal", "sh-session", "bash-session"],
    Grammar(scan: { $0.scanConsole() }))
}

extension Scanner {
  fileprivate mutating func scanConsole() {
    var isContinued = false
    while position < end {
      let lineEnd = lineEnd(from: position)
      if isContinued, next() == UInt8(ascii: ">"), next(1).isBlank { emit(.keyword, 2) }
      if !isContinued {
        guard let prompt = promptEnd(lineEnd) else {
          emit(.comment, to: lineEnd)
          emit(.plain, 1)
          continue
        }
        emit(.keyword, to: prompt)
      }
      isContinued = lineEnd > position && byte(lineEnd - 1) == UInt8(ascii: "\\")
      emit(as: .shell, to: lineEnd)
      emit(.plain, 1)
    }
  }

  /// Returns the end of the prompt, or `nil` if the line does not begin with one. A prompt is `$ `, `% ` or `# `,
  /// optionally preceded by `user@host:~`, `[…]` or `(…)`.
  private mutating func promptEnd(_ lineEnd: Int) -> Int? {
    var offset = position
    if byte(offset) == UInt8(ascii: "(") {
      while offset < lineEnd, byte(offset) != UInt8(ascii: ")") { offset += 1 }
      guard offset < lineEnd else { return nil }
      offset = indexAfterBlanks(from: offset + 1)
    }
    if let end = signEnd(offset, lineEnd) { return end }
    if byte(offset) == UInt8(ascii: "[") {
      while offset < lineEnd, byte(offset) != UInt8(ascii: "]") { offset += 1 }
      return signEnd(offset + 1, lineEnd)
    }
    var hasHost = has("sh", ahead: offset - position)
    var wordCount = 0
    while offset < lineEnd, wordCount < 3 {
      let byte = byte(offset)
      if byte.isBlank {
        guard hasHost else { return nil }
        wordCount += 1
      }
      if byte == UInt8(ascii: "@") || byte == UInt8(ascii: ":") { hasHost = hasHost || offset > position }
      if hasHost, let end = signEnd(offset, lineEnd) { return end }
      offset += 1
    }
    return nil
  }

  /// Returns the end of the prompt's final character (`$`, `%` or `#`) and the blanks after it.
  private mutating func signEnd(_ offset: Int, _ lineEnd: Int) -> Int? {
    let sign = indexAfterBlanks(from: offset)
    switch byte(sign) {
    case UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "#"):
      let next = sign + 1
      return next >= lineEnd || byte(next).isBlank ? min(lineEnd, indexAfterBlanks(from: next)) : nil
    default: return nil
    }
  }
}
