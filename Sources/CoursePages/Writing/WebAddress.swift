/// An address that leads out of the course and may be opened: of a page or of a person.
///
/// Everything else is not one: `javascript:`, `data:` and `file:` would do or show something on this machine, and other
/// schemes start programs.
package struct WebAddress: Hashable, Sendable {
  /// The schemes that are opened.
  package static let schemes = ["https", "http", "mailto"]

  /// The address as its author wrote it.
  package let text: String

  /// Takes an address; `nil` where its scheme is none of ``schemes``, or something stands in it that no address has: blanks,
  /// control characters, quotation marks, angle brackets.
  ///
  /// Source: RFC 3986, sections 2 and 3.1.
  package init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":"), Self.schemes.contains(text[..<colon].lowercased()) else { return nil }
    let rest = text[text.index(after: colon)...]
    guard !rest.isEmpty,
      !text.unicodeScalars.contains(where: { scalar in
        scalar.properties.isWhitespace || scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
          || "\"<>".unicodeScalars.contains(scalar)
      })
    else { return nil }
    self.text = text
  }
}
