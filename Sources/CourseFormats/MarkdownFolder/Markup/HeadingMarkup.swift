import LearningModel

/// A heading without the markup that site generators add at its end, and the identifier in that markup.
///
/// Sources: pandoc, "Heading identifiers" (`{-}`, `{-#id}`); Hugging Face doc-builder, "Anchor link" (`[[id]]`);
/// docsify, "Set id attribute" (`:id=x`) and "Ignore headings"; MDX 3, comments (`{/* #id */}`); Obsidian, "Link to a
/// block" (`^id`); GitBook (`[](#id)`).
struct HeadingMarkup {
  /// The text without markup.
  private(set) var text: Substring
  private(set) var identifier: String?
  /// Descriptions of the removed tags of other programs, in the singular.
  private(set) var removedTags: [String] = []

  /// Whether double brackets after a space are an identifier. Otherwise, they are a link to a page.
  private let isMDX: Bool

  /// Examines a heading without its number signs.
  init(_ heading: Substring, isMDX: Bool = false) {
    self.isMDX = isMDX
    text = heading.trimmingBlanks
    // Each step removes markup from the end, so the loop ends.
    while !text.isEmpty, removeSuffix() {}
  }

  /// The heading with the identifier in the form `{#id}`.
  var withIdentifier: String { identifier.map { "\(text) {#\($0)}" } ?? String(text) }

  private mutating func removeSuffix() -> Bool {
    switch text.last {
    case "}": removeBraces()
    case "]": removeDoubleBrackets()
    case ")": removeEmptyLink()
    default: removeLastWord()
    }
  }

  private mutating func removeBraces() -> Bool {
    if text.hasSuffix("*/}"), let open = text.lastRange(of: "{/*") {
      let inside = text[open.upperBound...].dropLast(3).trimmingBlanks
      if inside.first == "#", !inside.contains(" ") { identifier = identifier ?? String(inside.dropFirst()) }
      text = text[..<open.lowerBound].trimmingEnd
      return true
    }
    if text.hasSuffix("%}"), let open = text.lastRange(of: "{%") {
      removedTags.append("Liquid tag \(quoted: String(text[open.upperBound...].dropLast(2)).firstWord)")
      text = text[..<open.lowerBound].trimmingEnd
      return true
    }
    if text.hasSuffix("}}"), let open = text.lastRange(of: "{{#") {
      let name = text[open.upperBound...].prefix { $0.isLetter }
      guard !name.isEmpty else { return false }
      removedTags.append("markup \(quoted: name) of another program")
      text = text[..<open.lowerBound].trimmingEnd
      return true
    }
    guard let open = text.lastIndex(of: "{") else { return false }
    let inside = text[open...].dropFirst().dropLast().trimmingBlanks
    if inside == "docsify-ignore" || inside == "docsify-ignore-all" {
      text = text[..<open].trimmingEnd
      return true
    }
    guard inside.first == "-", inside.count == 1 || " #.".contains(inside[inside.index(after: inside.startIndex)])
    else { return false }
    identifier = identifier ?? Attributes(inside.dropFirst()).identifier
    text = text[..<open].trimmingEnd
    return true
  }

  /// Removes `[[id]]` directly after the text, and on pages with components also after a space.
  private mutating func removeDoubleBrackets() -> Bool {
    guard text.hasSuffix("]]"), let open = text.lastRange(of: "[["), open.lowerBound > text.startIndex else {
      return false
    }
    let inside = text[open.upperBound...].dropLast(2)
    guard isMDX || text[text.index(before: open.lowerBound)] != " ", Self.isIdentifier(inside),
      inside.allSatisfy({ !$0.isUppercase })
    else { return false }
    identifier = identifier ?? String(inside)
    text = text[..<open.lowerBound].trimmingEnd
    return true
  }

  /// Removes a link to the heading itself: `[](#id)` or `[#](#id)`.
  private mutating func removeEmptyLink() -> Bool {
    guard let open = text.lastRange(of: "](#"), let start = text[..<open.lowerBound].lastIndex(of: "["),
      text[start...].dropFirst().prefix(while: { $0 != "]" }).count <= 1,
      ["", "#", "¶", "🔗"].contains(text[start..<open.lowerBound].dropFirst())
    else { return false }
    let inside = text[open.upperBound...].dropLast()
    guard !inside.isEmpty, !inside.contains(where: { "() ".contains($0) }) else { return false }
    identifier = identifier ?? String(inside)
    text = text[..<start].trimmingEnd
    return true
  }

  private mutating func removeLastWord() -> Bool {
    guard let blank = text.lastIndex(of: " ") else { return false }
    let word = text[text.index(after: blank)...]
    let value: Substring
    if word.hasPrefix(":id=") {
      value = word.dropFirst(4)
    } else if word.first == "^", word.count > 2, word.dropFirst().contains(where: { $0.isLetter || $0 == "-" }) {
      value = word
    } else {
      return false
    }
    guard Self.isIdentifier(value.drop { $0 == "^" }) else { return false }
    identifier = identifier ?? String(value)
    text = text[..<blank].trimmingEnd
    return true
  }

  private static func isIdentifier(_ text: Substring) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || "-_.:".contains($0) }
  }
}

extension Substring {
  /// Returns the range of the last occurrence of a text.
  fileprivate func lastRange(of wanted: String) -> Range<Index>? {
    var end = endIndex
    while let start = self[..<end].lastIndex(of: wanted.first!) {
      if self[start...].hasPrefix(wanted) { return start..<index(start, offsetBy: wanted.count) }
      end = start
    }
    return nil
  }
}

extension PageLine {
  /// The number signs and the text of a heading; `nil` for other lines.
  var heading: (marks: Substring, text: Substring)? {
    let marks = content.prefix { $0 == "#" }
    guard (1...6).contains(marks.count), content[marks.endIndex...].first?.isWhitespace == true else { return nil }
    return (marks, content[marks.endIndex...].trimmingBlanks)
  }
}
