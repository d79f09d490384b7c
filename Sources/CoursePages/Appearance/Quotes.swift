/// Quotation marks around a title or words of a text.
package struct Quotes: Hashable, Sendable {
  /// Before and behind what is quoted.
  package let open: String, close: String
  /// Before and behind what is quoted in it.
  let innerOpen: String, innerClose: String

  /// Quotes a text. What is one quotation already is not quoted again; quotations in it get inner marks.
  package func around(_ text: some StringProtocol) -> String {
    let content = text.dropFirst().dropLast()
    if text.first == "“", text.last == "”", !content.contains(where: { $0 == "“" || $0 == "”" }) {
      return open + content + close
    }
    let words = text.map { character in
      switch character {
      case "“": innerOpen
      case "”": innerClose
      default: String(character)
      }
    }
    return open + words.joined() + close
  }
}
