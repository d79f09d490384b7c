extension Language {
  /// YAML 1.2.
  static let yaml = Language("YAML", aliases: ["yaml", "yml"], Grammar(scan: { $0.scanYAML() }))
}

extension Scanner {
  fileprivate mutating func scanYAML() {
    var flow = 0
    var noKeyBefore = 0
    while position < end {
      flow == 0 ? scanBlockLine(&flow, &noKeyBefore) : scanFlow(&flow)
    }
  }

  /// Scans a line outside flow collections, and the block scalar that it may begin.
  private mutating func scanBlockLine(_ flow: inout Int, _ noKeyBefore: inout Int) {
    let lineStart = position
    emit(.plain, to: indexAfterIndent())
    var parent = position - lineStart
    if position == lineStart {
      if has("---") || has("...") {
        emit(.plain, 3)
        parent = -1
      }
      if has("%YAML") || has("%TAG") {
        let tokenClass: TokenClass = has("%TAG") ? .type : .number
        emit(.keyword, to: wordEnd(from: position + 1))
        return emit(tokenClass, to: lineEnd(from: position))
      }
    }
    while position < end, byte(position + 1).isBlank || byte(position + 1).isNewline, "-?:".utf8.contains(next()) {
      parent = position - lineStart
      emit(.plain, 1)
      emit(.plain, to: indexAfterIndent())
    }
    var mayBeKey = true
    while position < end {
      let byte = next()
      if byte.isNewline { return emit(.plain, 1) }
      if byte.isBlank {
        emit(.plain, 1)
      } else if mayBeKey, position >= noKeyBefore, let colon = keyEnd(&noKeyBefore) {
        parent = position - lineStart
        emit(.keyword, to: colon)
        emit(.plain, 1)
        mayBeKey = false
      } else if byte == UInt8(ascii: "#"), last().isBlank || last().isNewline {
        emit(.comment, to: lineEnd(from: position))
      } else if byte == UInt8(ascii: "|") || byte == UInt8(ascii: ">") {
        return scanBlockScalar(parent: parent)
      } else if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
        emit(.plain, 1)
        flow = 1
        return
      } else if byte == UInt8(ascii: ":"), self.byte(position + 1).isBlank || self.byte(position + 1).isNewline {
        // The colon after a quoted key.
        emit(.plain, 1)
      } else if !scanNode(byte) {
        return scanPlainScalar()
      }
    }
  }

  private mutating func indexAfterIndent() -> Int {
    var offset = position
    while byte(offset) == 0x20 { offset += 1 }
    return offset
  }

  /// Returns the offset of the colon if a key begins here. Otherwise returns `nil`, and stores the offset up to which
  /// the search need not be repeated.
  private mutating func keyEnd(_ noKeyBefore: inout Int) -> Int? {
    var offset = position
    while offset < end, byte(offset) != 0x0A, !"#,?[]{}\"'".utf8.contains(byte(offset)) {
      if byte(offset) == UInt8(ascii: ":"), offset > position {
        let next = byte(offset + 1)
        if next.isBlank || next.isNewline || next == 0 { return offset }
      }
      offset += 1
    }
    noKeyBefore = offset
    return nil
  }

  /// Scans a quoted scalar, a tag, an anchor or an alias.
  private mutating func scanNode(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      var offset = position + 1
      while offset < end {
        let current = self.byte(offset)
        offset += current == UInt8(ascii: "\\") && byte == UInt8(ascii: "\"") ? 2 : 1
        if current == byte {
          if byte == UInt8(ascii: "\"") { break }
          if self.byte(offset) != byte { break }
          offset += 1
        }
      }
      emit(.string, to: offset)
    case UInt8(ascii: "!"), UInt8(ascii: "&"), UInt8(ascii: "*"):
      var offset = position + 1
      while offset < end, !self.byte(offset).isBlank, self.byte(offset) != 0x0A,
        !",[]{}".utf8.contains(self.byte(offset))
      {
        offset += 1
      }
      emit(byte == UInt8(ascii: "!") ? .type : .plain, to: offset)
    default: return false
    }
    return true
  }

  /// Scans the rest of the line, up to a comment.
  private mutating func scanPlainScalar() {
    var offset = position
    while offset < end, byte(offset) != 0x0A {
      if byte(offset) == UInt8(ascii: "#"), byte(offset - 1).isBlank {
        emit(.plain, to: offset)
        emit(.comment, to: lineEnd(from: offset))
        return
      }
      offset += 1
    }
    emit(.plain, to: offset + 1)
  }

  /// Scans the lines after `|` and `>` that are indented more than their parent.
  private mutating func scanBlockScalar(parent: Int) {
    var offset = position + 1
    while offset < end, byte(offset) != 0x0A, byte(offset) != UInt8(ascii: "#") { offset += 1 }
    emit(.plain, to: offset)
    if next() == UInt8(ascii: "#") { emit(.comment, to: lineEnd(from: position)) }
    emit(.plain, 1)
    var indent: Int?
    while position < end {
      let start = indexAfterIndent()
      let depth = start - position
      if byte(start) != 0x0A, start < end {
        if depth <= parent, depth < (indent ?? depth + 1) { return }
        if depth < (indent ?? 0) { return }
        indent = indent ?? depth
      }
      emit(.string, to: lineEnd(from: start) + 1)
    }
  }

  /// Scans one token inside `[…]` or `{…}`.
  private mutating func scanFlow(_ flow: inout Int) {
    let byte = next()
    if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
      flow += 1
      emit(.plain, 1)
    } else if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
      flow -= 1
      emit(.plain, 1)
    } else if byte == UInt8(ascii: "#"), last().isBlank || last().isNewline {
      emit(.comment, to: lineEnd(from: position))
    } else if byte.isBlank || byte.isNewline || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") {
      emit(.plain, 1)
    } else if !scanNode(byte) {
      var offset = position
      while offset < end, self.byte(offset) != 0x0A, !",:?[]{}\"'".utf8.contains(self.byte(offset)) { offset += 1 }
      let isKey =
        self.byte(offset) == UInt8(ascii: ":") && (self.byte(offset + 1).isBlank || self.byte(offset + 1).isNewline)
      emit(isKey ? .keyword : .plain, to: max(offset, position + 1))
    }
  }
}
