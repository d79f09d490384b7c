extension Language {
  /// HTML and XML, with the scripts and styles that they contain.
  static let html = Language(
    "HTML", aliases: ["html", "htm", "xhtml", "xml", "svg", "vue", "rss", "xsd", "xslt"],
    Grammar(scan: { $0.scanHTML() }))
}

extension Scanner {
  fileprivate mutating func scanHTML() {
    while position < end {
      var offset = position
      while offset < end, byte(offset) != UInt8(ascii: "<"), byte(offset) != UInt8(ascii: "&") { offset += 1 }
      emit(.plain, to: offset)
      if position >= end { return }
      if next() == UInt8(ascii: "&") {
        scanEntity()
      } else if has("<!--") {
        emit(.comment, to: indexAfter("-->", from: position + 4))
      } else if has("<![CDATA[") {
        emit(.keyword, to: indexAfter("]]>", from: position + 9))
      } else if has("<?") {
        emit(.keyword, to: indexAfter("?>", from: position + 2))
      } else if has("<!") {
        emit(.keyword, to: indexAfter(">", from: position + 2))
      } else {
        scanElement()
      }
    }
  }

  /// Returns the offset after the closing bytes, or the end of the text if there are none.
  private mutating func indexAfter(_ closing: StaticString, from offset: Int) -> Int {
    var offset = offset
    while offset < end {
      if byte(offset) == closing.utf8Start[0], has(closing, ahead: offset - position) {
        return offset + closing.utf8CodeUnitCount
      }
      offset += 1
    }
    return end
  }

  /// Scans `&name;` with at most 32 bytes in the name.
  private mutating func scanEntity() {
    for offset in 1..<33 {
      let byte = next(offset)
      if byte == UInt8(ascii: ";") { return emit(.string, offset + 1) }
      if !byte.isWord, byte != UInt8(ascii: "#") { break }
    }
    emit(.plain, 1)
  }

  private func isName(_ byte: UInt8) -> Bool {
    byte.isWord || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }

  /// Scans a tag with its attributes and, after `<script` and `<style`, the content.
  private mutating func scanElement() {
    let isClosing = next(1) == UInt8(ascii: "/")
    let start = position + (isClosing ? 2 : 1)
    guard byte(start).isLetter else { return emit(.plain, 1) }
    emit(.plain, to: start)
    let isScript = hasWord("script")
    let isStyle = hasWord("style")
    var nameEnd = start
    while isName(byte(nameEnd)) { nameEnd += 1 }
    emit(.keyword, to: nameEnd)
    scanAttributes()
    if !isClosing, last() == UInt8(ascii: ">"), byte(position - 2) != UInt8(ascii: "/"), isScript || isStyle {
      emit(as: isScript ? .javaScript : .css, to: contentEnd(isScript ? "script" : "style"))
    }
  }

  private mutating func scanAttributes() {
    while position < end {
      let byte = next()
      if byte == UInt8(ascii: ">") { return emit(.plain, 1) }
      if byte == UInt8(ascii: "<") { return }
      if byte.isWord || byte == UInt8(ascii: ":") {
        var offset = position
        while isName(self.byte(offset)) { offset += 1 }
        emit(.type, to: offset)
      } else if byte == UInt8(ascii: "=") {
        emit(.operator, 1)
        scanValue()
      } else {
        emit(.plain, 1)
      }
    }
  }

  /// Scans the value of an attribute, with or without quotes.
  private mutating func scanValue() {
    var offset = position
    while byte(offset).isBlank || byte(offset).isNewline { offset += 1 }
    emit(.plain, to: offset)
    let quote = next()
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      offset += 1
      while offset < end, byte(offset) != quote { offset += 1 }
      return emit(.string, to: offset + 1)
    }
    while offset < end, !byte(offset).isBlank, !byte(offset).isNewline, byte(offset) != UInt8(ascii: ">") {
      offset += 1
    }
    emit(.string, to: offset)
  }

  /// Returns whether the next name is this word, ignoring case.
  private mutating func hasWord(_ word: StaticString, from start: Int? = nil) -> Bool {
    let start = start ?? position
    for index in 0..<word.utf8CodeUnitCount where byte(start + index).asLowercase != word.utf8Start[index] {
      return false
    }
    return !isName(byte(start + word.utf8CodeUnitCount))
  }

  /// Returns the start of the closing tag of a script or style.
  private mutating func contentEnd(_ word: StaticString) -> Int {
    var offset = position
    while offset < end {
      if byte(offset) == UInt8(ascii: "<"), byte(offset + 1) == UInt8(ascii: "/"), hasWord(word, from: offset + 2) {
        return offset
      }
      offset += 1
    }
    return end
  }
}
