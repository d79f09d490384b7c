// Conversion of text for JSON, CSV, XML, the shell and the terminal. JSON and CSV work with bytes, because decoding all
// scalars took most of the time of an export.

extension [UInt8] {
  /// Appends text as a JSON string. Control characters are escaped.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - escapesInvisible: Whether all invisible scalars are escaped, so that text can neither send commands to a
  ///     terminal nor change the order in which it is shown.
  ///
  /// Source: RFC 8259, section 7.
  package mutating func append(quotedInJSON text: String, escapesInvisible: Bool = true) {
    append(UInt8(ascii: "\""))
    append(
      text,
      escaping: { utf8, index in
        switch utf8[index] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): 1
        case 0x20..<0x7F: 0
        case 0xC2 where !escapesInvisible: utf8[index + 1] < 0xA0 ? 2 : 0
        case 0x80... where !escapesInvisible: 0
        default: utf8.lengthOfInvisibleScalar(at: index)
        }
      })
    append(UInt8(ascii: "\""))
  }

  /// Appends a CSV cell, in quotes if it contains a comma, a quote or a line end. Control characters are replaced by
  /// visible symbols.
  package mutating func append(csvCell cell: ArraySlice<UInt8>) {
    var (hasInvisible, mustQuote) = (false, false)
    cell.withUnsafeBufferPointer { utf8 in
      for index in utf8.indices {
        switch utf8[index] {
        case UInt8(ascii: ","), UInt8(ascii: "\""): mustQuote = true
        case 0x20..<0x7F: break
        default: if utf8.lengthOfInvisibleScalar(at: index) > 0 { hasInvisible = true }
        }
      }
    }
    if hasInvisible {
      let text = String(decoding: cell, as: UTF8.self).harmlessLines
      return append(csvCell: text, inQuotes: mustQuote || text.contains(where: \.isNewline))
    }
    guard mustQuote else { return append(contentsOf: cell) }
    append(csvCell: String(decoding: cell, as: UTF8.self), inQuotes: true)
  }

  private mutating func append(csvCell text: String, inQuotes: Bool) {
    guard inQuotes else { return append(contentsOf: text.utf8) }
    append(contentsOf: ("\"" + text.replacing("\"", with: "\"\"") + "\"").utf8)
  }

  /// Appends text, and escapes the scalars that require it.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - escapedLength: Returns the number of bytes of the scalar at the given index, or 0 if it is not escaped.
  fileprivate mutating func append(
    _ text: String, escaping escapedLength: (UnsafeBufferPointer<UInt8>, Int) -> Int
  ) {
    var text = text
    text.withUTF8 { utf8 in
      var (start, index) = (0, 0)
      while index < utf8.count {
        let length = escapedLength(utf8, index)
        guard length > 0 else {
          index += 1
          continue
        }
        append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
        append(escapeOf: utf8[index..<index + length])
        index += length
        start = index
      }
      append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
    }
  }

  private mutating func append(escapeOf scalar: UnsafeBufferPointer<UInt8>.SubSequence) {
    switch scalar.first {
    case UInt8(ascii: "\""): append(contentsOf: #"\""#.utf8)
    case UInt8(ascii: "\\"): append(contentsOf: #"\\"#.utf8)
    case UInt8(ascii: "\n"): append(contentsOf: #"\n"#.utf8)
    case UInt8(ascii: "\r"): append(contentsOf: #"\r"#.utf8)
    case UInt8(ascii: "\t"): append(contentsOf: #"\t"#.utf8)
    default:
      for unit in String(decoding: scalar, as: UTF8.self).utf16 {
        append(contentsOf: #"\u"#.utf8)
        for shift in [12, 8, 4, 0] {
          append(contentsOf: String(unit >> UInt16(shift) & 0xF, radix: 16).utf8)
        }
      }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the number of bytes of the scalar that begins at the given index, or 0 if the scalar is visible or no
  /// scalar begins there.
  ///
  /// The buffer must contain valid UTF-8.
  func lengthOfInvisibleScalar(at index: Int) -> Int {
    let byte = self[index]
    if byte < 0x80 { return byte < 0x20 || byte == 0x7F ? 1 : 0 }
    let length: Int
    // Only scalars with these first bytes can be invisible.
    switch byte {
    case 0xC2, 0xD8: length = 2
    case 0xE1, 0xE2, 0xEF: length = 3
    case 0xF3: length = 4
    default: return 0
    }
    var value = UInt32(byte) & (0x7F >> UInt32(length))
    for offset in 1..<length { value = value << 6 | UInt32(self[index + offset] & 0x3F) }
    return Unicode.Scalar(value)?.isInvisible == true ? length : 0
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is a control character or a directional formatting character, or has no width. `false` for
  /// joiners and variation selectors, which words and emoji require.
  ///
  /// Source: Unicode Standard Annex 9, section 2 (directional formatting); the Unicode Character Database, categories Cc
  /// and Cf.
  var isInvisible: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0xAD, 0x061C, 0x180E, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF9...0xFFFB, 0xE0000...0xE007F:
      true
    default: false
    }
  }
}

extension String {
  /// The text as a JSON string in which control characters are escaped.
  package var quotedInJSON: String {
    var bytes: [UInt8] = []
    bytes.append(quotedInJSON: self, escapesInvisible: false)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text with each line made harmless for a terminal. Line ends are kept.
  package var harmlessLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map(\.harmless).joined(separator: "\n")
  }

  /// The JSON text with escapes for the scalars in its strings that would affect a terminal or are invisible. Its
  /// meaning is the same.
  package var harmlessJSON: String {
    var text = self
    // Line ends and tabs between the tokens of JSON are kept.
    func escapedLength(_ utf8: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
      utf8[index] < 0x7F ? 0 : utf8.lengthOfInvisibleScalar(at: index)
    }
    let isHarmless = text.withUTF8 { utf8 in utf8.indices.allSatisfy { escapedLength(utf8, $0) == 0 } }
    if isHarmless { return self }
    var bytes: [UInt8] = []
    bytes.append(text, escaping: escapedLength)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension StringProtocol {
  /// Returns the text for XML and HTML, without the control characters that XML does not allow.
  ///
  /// - Parameter quotes: Whether quotation marks are escaped, as the value of an attribute requires.
  ///
  /// Source: W3C, "Extensible Markup Language 1.0", sections 2.2 and 2.4.
  package func escapedForXML(quotes: Bool = true) -> String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"" where quotes: escaped += "&quot;"
      case "\n", "\t": escaped.unicodeScalars.append(scalar)
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": continue
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
