/// The links in a line of a table of contents, and what else the line says.
///
/// Source: CommonMark, "Links" and "Link reference definitions", as far as a table needs them.
struct SummaryLinks {
  /// The words and the pages; a page is empty where it is not written yet.
  private(set) var links: [(title: String, page: String)] = []
  /// The words before, between and behind the links, without marks of emphasis.
  private(set) var words = ""

  /// Reads a line.
  ///
  /// - Parameter references: The destinations that stand elsewhere, by their names in lower case.
  init(_ text: Substring, references: [String: String]) {
    var rest = text
    var said = ""
    while let open = rest.firstIndex(of: "[") {
      guard let close = rest[open...].closing("[", "]") else { break }
      // An "and" between two links says nothing.
      if links.isEmpty || rest[..<open].count(where: \.isLetter) > 5 { said += rest[..<open] }
      let title = rest[rest.index(after: open)..<close]
      let behind = rest[rest.index(after: close)...]
      if behind.first == "(" {
        // Where one is not closed, none behind it is.
        guard let end = behind.closing("(", ")") else { break }
        links.append((String(title), Self.destination(behind[..<end].dropFirst())))
        rest = behind[behind.index(after: end)...]
      } else if let (page, end) = Self.referred(title, behind, references) {
        links.append((String(title), page))
        rest = end
      } else {
        said += rest[open...close]
        rest = behind
      }
    }
    words = Self.words(said + rest)
  }

  /// `[words][name]`, `[name][]` or `[name]`.
  private static func referred(
    _ title: Substring, _ behind: Substring, _ references: [String: String]
  ) -> (page: String, rest: Substring)? {
    if behind.first == "[", let end = behind.firstIndex(of: "]") {
      let name = behind[..<end].dropFirst()
      let page = references[(name.isEmpty ? title : name).lowercased()]
      return page.map { ($0, behind[behind.index(after: end)...]) }
    }
    return references[title.lowercased()].map { ($0, behind) }
  }

  /// `page`, `<page>`, `page "title"`.
  private static func destination(_ text: Substring) -> String {
    let text = text.trimmingBlanks
    if text.first == "<", let angle = text.firstIndex(of: ">") { return String(text[..<angle].dropFirst()) }
    return String(text.prefix { $0 != " " })
  }

  /// Marks alone say nothing.
  private static func words(_ text: String) -> String {
    let words = text.replacing("*", with: "")[...].trimmingBlanks
    return words.contains { $0.isLetter || $0.isNumber } ? String(words) : ""
  }

  // MARK: References

  /// The destinations that a table gives names to.
  static func references(in text: String) -> [String: String] {
    guard text.contains("]:") else { return [:] }
    var references: [String: String] = [:]
    for line in text.split(separator: "\n") {
      guard let (name, page) = reference(line.trimmingBlanks) else { continue }
      if references[name.lowercased()] == nil { references[name.lowercased()] = page }
    }
    return references
  }

  /// Reads `[name]: page`; `nil` for another line.
  static func reference(_ line: Substring) -> (name: String, page: String)? {
    guard line.first == "[", let close = line.closing("[", "]") else { return nil }
    let behind = line[line.index(after: close)...]
    let page = destination(behind.dropFirst())
    guard behind.first == ":", !page.isEmpty else { return nil }
    return (String(line[..<close].dropFirst()), page)
  }
}

extension Substring {
  /// Where what the text begins with, or holds first, is closed again. A backslash takes a mark's meaning.
  fileprivate func closing(_ opening: Character, _ closing: Character) -> Index? {
    var depth = 0
    var isEscaped = false
    for index in indices {
      defer { isEscaped = self[index] == "\\" && !isEscaped }
      if isEscaped { continue }
      if self[index] == opening { depth += 1 }
      if self[index] == closing { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }
}
