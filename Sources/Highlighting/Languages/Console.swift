extension Language {
  /// The record of a terminal: prompts, what was typed behind them as the shell reads it, and output.
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

  /// Where the prompt ends, if the line begins with one: `$ `, `% `, `# `, behind `user@host:~`, `[…]` or `(…)`.
  private mutating func promptEnd(_ lineEnd: Int) -> Int? {
    var offset = position
    if byte(offset) == UInt8(ascii: "(") {
      while offset < lineEnd, byte(offset) != UInt8(ascii: ")") { offset += 1 }
      guard offset < lineEnd else { return nil }
      offset = pastBlanks(from: offset + 1)
    }
    if let end = signEnd(offset, lineEnd) { return end }
    if byte(offset) == UInt8(ascii: "[") {
      while offset < lineEnd, byte(offset) != UInt8(ascii: "]") { offset += 1 }
      return signEnd(offset + 1, lineEnd)
    }
    var hasHost = has("sh", ahead: offset - position)
    var words = 0
    while offset < lineEnd, words < 3 {
      let byte = byte(offset)
      if byte.isBlank {
        guard hasHost else { return nil }
        words += 1
      }
      if byte == UInt8(ascii: "@") || byte == UInt8(ascii: ":") { hasHost = hasHost || offset > position }
      if hasHost, let end = signEnd(offset, lineEnd) { return end }
      offset += 1
    }
    return nil
  }

  /// Where a prompt's sign and the blanks behind it end.
  private mutating func signEnd(_ offset: Int, _ lineEnd: Int) -> Int? {
    let sign = pastBlanks(from: offset)
    switch byte(sign) {
    case UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "#"):
      let next = sign + 1
      return next >= lineEnd || byte(next).isBlank ? min(lineEnd, pastBlanks(from: next)) : nil
    default: return nil
    }
  }
}
