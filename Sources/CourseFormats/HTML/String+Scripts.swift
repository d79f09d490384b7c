import LearningModel

extension String {
  /// The text on one line: each run of white space is replaced by one space, and white space at the ends is removed.
  var onOneLine: String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ").withoutControls
  }

  /// The text as a superscript. A number is written in superscript digits. Other text is written after a `^`, in
  /// parentheses if it is longer than one character.
  ///
  /// The ending of an ordinal such as `19th` and the label of a footnote in brackets such as `[1]` are unchanged.
  var superscripted: String {
    let shapes: [Character: Character] = [
      "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶", "7": "⁷", "8": "⁸", "9": "⁹", "+": "⁺",
      "-": "⁻", "−": "⁻",
    ]
    let isMark = hasPrefix("[") && hasSuffix("]")
    return isMark || ["st", "nd", "rd", "th"].contains(self) ? self : shifted(after: "^", shapes)
  }

  /// The text as a subscript. A number is written in subscript digits. Other text is written after a `_`, in
  /// parentheses if it is longer than one character.
  var subscripted: String {
    let shapes: [Character: Character] = [
      "0": "₀", "1": "₁", "2": "₂", "3": "₃", "4": "₄", "5": "₅", "6": "₆", "7": "₇", "8": "₈", "9": "₉", "+": "₊",
      "-": "₋", "−": "₋",
    ]
    return shifted(after: "_", shapes)
  }

  private func shifted(after mark: String, _ shapes: [Character: Character]) -> String {
    let shaped = compactMap { shapes[$0] }
    if shaped.count == count { return String(shaped) }
    return mark + (count == 1 || isInBrackets ? self : "(\(self))")
  }

  /// Whether the text begins with a parenthesis that is closed by its last character.
  private var isInBrackets: Bool {
    guard first == "(" else { return false }
    var open = 0
    let end = firstIndex { character in
      if character == "(" { open += 1 } else if character == ")" { open -= 1 }
      return open == 0
    }
    return end == index(before: endIndex)
  }
}

/// The attributes in braces at the end of a heading.
struct HeadingAttributes {
  /// The anchor, or `nil` if there are only classes.
  let anchor: String?
}

extension [Inline] {
  /// Removes `{#anchor .class}` from the end of a heading.
  ///
  /// - Returns: The attributes, or `nil` if the heading has none.
  ///
  /// Source: mdBook, "Heading attributes".
  mutating func removeHeadingAttributes() -> HeadingAttributes? {
    guard case .text(let text) = last, text.hasSuffix("}"), let open = text.lastIndex(of: "{") else { return nil }
    let parts = text[text.index(after: open)...].dropLast().split(separator: " ")
    guard !parts.isEmpty, parts.allSatisfy({ $0 == "-" || $0.hasPrefix("#") || $0.hasPrefix(".") || $0.contains("=") })
    else {
      return nil
    }
    self[count - 1] = .text(String(text[..<open]))
    self = trimmedAtEnd
    return HeadingAttributes(anchor: parts.last { $0.hasPrefix("#") }.map { String($0.dropFirst()) })
  }
}
