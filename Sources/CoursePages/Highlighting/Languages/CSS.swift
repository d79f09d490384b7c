extension Language {
  /// Cascading Style Sheets. The grammar is also used for SCSS and Less.
  static let css = Language("CSS", aliases: ["css", "scss", "less"], Grammar(scan: { $0.scanCSS() }))
}

extension Scanner {
  private enum Open {
    /// The rules inside `@media` and similar blocks.
    static let rules = UInt8(ascii: "@")
    /// The properties of a rule.
    static let properties = UInt8(ascii: "{")
  }

  fileprivate mutating func scanCSS() {
    /// Whether the position is inside the value of a property.
    var isInValue = false
    /// Whether the next brace belongs to an at-rule such as `@media`.
    var isAtRule = false
    while position < end {
      let byte = next()
      let isInProperties = state.open.last == Open.properties
      switch byte {
      case UInt8(ascii: "/") where next(1) == UInt8(ascii: "*"): scanCommentOfCSS()
      case UInt8(ascii: "\""), UInt8(ascii: "'"): scanTextOfCSS(byte)
      case UInt8(ascii: "{"):
        emit(.plain, 1)
        state.open.append(isAtRule && !isInProperties ? Open.rules : Open.properties)
        (isAtRule, isInValue) = (false, false)
      case UInt8(ascii: "}"):
        emit(.plain, 1)
        _ = state.open.popLast()
        isInValue = false
      case UInt8(ascii: ";"):
        emit(.plain, 1)
        (isAtRule, isInValue) = (false, false)
      case UInt8(ascii: "@"):
        emit(.plain, 1)
        emit(.keyword, to: nameEnd())
        isAtRule = true
      default:
        if byte.isBlank || byte.isNewline {
          emit(.plain, 1)
        } else if isInValue {
          scanValueOfCSS(byte)
        } else if isInProperties {
          isInValue = scanProperty(byte)
        } else {
          scanSelector(byte)
        }
      }
    }
  }

  private mutating func nameEnd() -> Int {
    var offset = position
    while byte(offset).isWord || byte(offset) == UInt8(ascii: "-") { offset += 1 }
    return offset
  }

  private mutating func scanCommentOfCSS() {
    var offset = position + 2
    while offset < end {
      offset += 1
      if byte(offset - 1) == UInt8(ascii: "*"), byte(offset) == UInt8(ascii: "/") { break }
    }
    emit(.comment, to: offset + 1)
  }

  private mutating func scanTextOfCSS(_ quote: UInt8) {
    var offset = position + 1
    while offset < end {
      let byte = byte(offset)
      if byte == 0x0A { break }
      offset += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == quote { break }
    }
    emit(.string, to: offset)
  }

  /// Scans element names, classes, identifiers and pseudo-classes.
  private mutating func scanSelector(_ byte: UInt8) {
    if byte.isWord || (byte == UInt8(ascii: "-") && next(1).isWord) { return emit(.keyword, to: nameEnd()) }
    guard byte == UInt8(ascii: ".") || byte == UInt8(ascii: "#") || byte == UInt8(ascii: ":") else {
      return emit(.operator, 1)
    }
    let colonCount = byte == UInt8(ascii: ":") && next(1) == byte ? 2 : 1
    guard next(colonCount).isWord || next(colonCount) == UInt8(ascii: "-") else { return emit(.operator, 1) }
    emit(.plain, colonCount)
    emit(byte == UInt8(ascii: ":") ? .function : .type, to: nameEnd())
  }

  /// Scans the name of a property and returns whether its value follows.
  private mutating func scanProperty(_ byte: UInt8) -> Bool {
    if byte.isLetter || byte == UInt8(ascii: "-") {
      let isVariable = byte == UInt8(ascii: "-") && next(1) == byte
      emit(isVariable ? .type : .keyword, to: nameEnd())
      return false
    }
    emit(.plain, 1)
    return byte == UInt8(ascii: ":")
  }

  private mutating func scanValueOfCSS(_ byte: UInt8) {
    let following = next(1)
    let isSigned = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
    if byte.isDigit || (isSigned && (following.isDigit || (following == UInt8(ascii: ".") && next(2).isDigit))) {
      var offset = position + 1
      while self.byte(offset).isWord || (self.byte(offset) == UInt8(ascii: ".") && self.byte(offset + 1).isDigit) {
        offset += 1
      }
      emit(.number, to: self.byte(offset) == UInt8(ascii: "%") ? offset + 1 : offset)
    } else if byte == UInt8(ascii: "#"), following.isHexDigit {
      emit(.number, 1)
      emit(.number, to: nameEnd())
    } else if byte == UInt8(ascii: "-"), following == byte {
      emit(.type, to: nameEnd())
    } else if byte.isLetter || (byte == UInt8(ascii: "-") && following.isLetter) {
      scanWordOfCSS(byte)
    } else if byte == UInt8(ascii: "!"), has("important", ahead: 1) {
      emit(.keyword, 10)
    } else {
      emit("[](),".utf8.contains(byte) ? .plain : .operator, 1)
    }
  }

  /// Scans a keyword or a function of a value. The argument of `url(…)` is a string.
  private mutating func scanWordOfCSS(_ byte: UInt8) {
    let nameEnd = nameEnd()
    let isFunction = self.byte(nameEnd) == UInt8(ascii: "(")
    let isAddress = isFunction && has("url")
    // Font families and other names chosen by authors usually begin with a capital letter.
    emit(isFunction ? .function : byte.isUppercase ? .plain : .keyword, to: nameEnd)
    guard isAddress else { return }
    emit(.plain, 1)
    guard next() != UInt8(ascii: "\""), next() != UInt8(ascii: "'") else { return }
    var offset = position
    while offset < end, self.byte(offset) != UInt8(ascii: ")"), self.byte(offset) != 0x0A { offset += 1 }
    emit(.string, to: offset)
  }
}
