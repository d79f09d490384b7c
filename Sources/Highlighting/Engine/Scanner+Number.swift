extension Scanner {
  /// One number: digits of any base with their separators, a fraction, an exponent, and the letters behind it.
  mutating func scanNumber() {
    var offset = position
    let second = byte(offset + 1).asLowercase
    if byte(offset) == UInt8(ascii: "0"), second == UInt8(ascii: "x") {
      offset = pastDigits(from: offset + 2)
      if byte(offset) == UInt8(ascii: "."), byte(offset + 1).isHexDigit { offset = pastDigits(from: offset + 1) }
      if byte(offset) == UInt8(ascii: "+") || byte(offset) == UInt8(ascii: "-"),
        byte(offset - 1).asLowercase == UInt8(ascii: "p")
      {
        offset = pastDigits(from: offset + 1)
      }
    } else {
      offset = pastDecimals(from: offset)
      if byte(offset) == UInt8(ascii: "."), isFraction(after: offset) { offset = pastDecimals(from: offset + 1) }
      if byte(offset).asLowercase == UInt8(ascii: "e") {
        let sign = byte(offset + 1)
        let first = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") ? offset + 2 : offset + 1
        if byte(first).isDigit { offset = pastDecimals(from: first) }
      }
      // What is left is a base, as in 0b1, or a suffix, as in 1.5f32.
      offset = pastDigits(from: offset)
    }
    functions.pass(0)
    announced = nil
    emit(.number, to: offset)
    previous = .value
  }

  private mutating func isFraction(after point: Int) -> Bool {
    let byte = byte(point + 1)
    return byte.isDigit || (lexicon.grammar.hasTrailingPoints && byte != UInt8(ascii: ".") && !byte.isLetter)
  }

  private mutating func pastDecimals(from offset: Int) -> Int {
    var offset = offset
    while true {
      let byte = byte(offset)
      if byte.isDigit || byte == UInt8(ascii: "_") || isSeparator(byte, at: offset) {
        offset += 1
      } else {
        return offset
      }
    }
  }

  private mutating func pastDigits(from offset: Int) -> Int {
    var offset = offset
    while true {
      let byte = byte(offset)
      if (byte.isWord && byte < 0x80) || isSeparator(byte, at: offset) { offset += 1 } else { return offset }
    }
  }

  private mutating func isSeparator(_ byte: UInt8, at offset: Int) -> Bool {
    lexicon.digitSeparators.contains(byte) && self.byte(offset + 1).isHexDigit
  }
}
