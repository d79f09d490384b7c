import TextCanvas

extension String {
  /// This text with every line made harmless for a terminal, its line ends kept.
  package var harmlessLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map(\.harmless).joined(separator: "\n")
  }

  /// This JSON with escapes for the scalars in its strings that would command a terminal or could not be seen there. It
  /// says the same.
  package var harmlessJSON: String {
    guard unicodeScalars.contains(where: { $0.value >= 0x7F && $0.isUnseen }) else { return self }
    var result = ""
    for scalar in unicodeScalars {
      if scalar.value >= 0x7F, scalar.isUnseen {
        result += scalar.escapedInJSON
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  /// Whether it is a control character, turns the direction of text, or has neither ink nor a place of its own; apart
  /// from joiners and selectors, without which words and emoji fall apart.
  ///
  /// Source: Unicode Standard Annex 9, section 2 (directional formatting); the Unicode Character Database, categories Cc
  /// and Cf.
  var isUnseen: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0xAD, 0x061C, 0x180E, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF9...0xFFFB, 0xE0000...0xE007F:
      true
    default: false
    }
  }

  /// The same as JSON may write it. Source: RFC 8259, section 7.
  var escapedInJSON: String {
    Character(self).utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }
}
