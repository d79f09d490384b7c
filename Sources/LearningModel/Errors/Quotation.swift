extension DefaultStringInterpolation {
  /// Appends a value in quotation marks, as the messages of errors quote the name, the text or the path that was found:
  /// `'negotiating'`. Only the beginning and the end of a long value are repeated, and control characters are escaped.
  package mutating func appendInterpolation(quoted value: some CustomStringConvertible) {
    appendLiteral("'" + value.description.shortened.escapingControls + "'")
  }
}

extension String {
  /// The maximum number of Unicode scalars of an input that a message repeats.
  package static let maximumQuotedLength = 200

  /// The text or, if it is longer than ``maximumQuotedLength``, its beginning and its end with an ellipsis between them.
  /// The end of a path names its file. Takes constant time.
  package var shortened: String {
    let scalars = unicodeScalars
    let maximum = Self.maximumQuotedLength
    guard scalars.index(startIndex, offsetBy: maximum + 1, limitedBy: endIndex) != nil else { return self }
    return String(scalars.prefix(maximum * 3 / 4 - 1)) + "…" + String(scalars.suffix(maximum / 4))
  }

  /// The text with each control character as an escape such as `\x7F`.
  package var escapingControls: String {
    guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return self }
    return unicodeScalars.map { scalar in
      guard scalar.properties.generalCategory == .control else { return String(scalar) }
      return (scalar.value < 0x10 ? "\\x0" : "\\x") + String(scalar.value, radix: 16, uppercase: true)
    }.joined()
  }
}
