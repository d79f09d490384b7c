/// An address outside the course that may be opened: a web page or an e-mail address.
///
/// Other schemes are rejected: `javascript:`, `data:` and `file:` would run or show something on this machine, and
/// further schemes start programs.
package struct WebAddress: Hashable, Sendable {
  /// The allowed schemes.
  package static let schemes = ["https", "http", "mailto"]

  /// The address as the author wrote it.
  package let text: String

  /// Creates an address, or returns `nil` if its scheme is not one of ``schemes`` or it contains characters that are
  /// invalid in addresses: white space, control characters, quotation marks or angle brackets.
  ///
  /// Source: RFC 3986, sections 2 and 3.1.
  package init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":"), Self.schemes.contains(text[..<colon].lowercased()) else { return nil }
    let remaining = text[text.index(after: colon)...]
    guard !remaining.isEmpty,
      !text.unicodeScalars.contains(where: { scalar in
        scalar.properties.isWhitespace || scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
          || "\"<>".unicodeScalars.contains(scalar)
      })
    else { return nil }
    self.text = text
  }
}
