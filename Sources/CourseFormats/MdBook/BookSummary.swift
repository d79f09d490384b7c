import LearningModel

/// The table of contents of a book.
///
/// Source: mdBook, "SUMMARY.md".
struct BookSummary: Equatable {
  /// A line of the table with the chapters nested below it.
  struct Chapter: Equatable {
    /// The title as Markdown.
    var title: String
    /// The page as written in the table, or `nil` for a draft.
    var page: String?
    /// The anchor on the page, or `nil` for the whole page.
    var anchor: String?
    /// The line number in the file.
    var line: Int
    var nested: [Chapter] = []
    /// The rest of the line, as Markdown.
    var note = ""
  }

  /// Numbered chapters under a heading.
  struct Part: Equatable {
    /// The heading as Markdown, or `nil` for the chapters before the first heading.
    var title: String?
    /// The line number in the file.
    var line: Int
    var chapters: [Chapter] = []
  }

  /// The first heading, which is the title of the table itself, as Markdown.
  var title: String?
  /// The chapters before all others, in lines without a bullet.
  var before: [Chapter] = []
  /// The chapters in lines with a bullet, grouped by part.
  var parts: [Part] = []
  /// The chapters after the numbered ones, in lines without a bullet.
  var after: [Chapter] = []

  /// The chapters at the top level, in order.
  var allChapters: [Chapter] { before + parts.flatMap(\.chapters) + after }

  /// Whether any part has a heading.
  var hasParts: Bool { parts.contains { $0.title != nil } }

  /// Parses the table. Adds a warning for each line that cannot be parsed, and an error for chapters that are nested
  /// too deeply.
  init(_ text: String, file: String, limits: SourceLimits = .standard, findings: inout Findings) {
    var open: [(indent: Int, path: [Int])] = []
    var isComment = false
    let references = SummaryLinks.references(in: text)
    for (index, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = raw.trimmingBlanks
      let number = index + 1
      if isComment || line.hasPrefix("<!--") {
        isComment = !line.contains("-->")
        continue
      }
      if line.isEmpty || Self.isSeparator(line) || SummaryLinks.reference(line) != nil { continue }
      if line.hasPrefix("# ") {
        let words = String(line.dropFirst(2).trimmingBlanks)
        if title == nil, before.isEmpty, parts.isEmpty {
          title = words
        } else {
          parts.append(Part(title: words, line: number))
        }
        open = []
      } else if let item = Self.item(line), let chapters = Self.chapters(item, references, line: number) {
        while let last = open.last, last.indent >= raw.indent { open.removeLast() }
        guard open.count < limits.nestingDepth else {
          findings.error(.limit(.nestingDepth(limits.nestingDepth), file: file, line: number))
          continue
        }
        for chapter in chapters {
          // If an item contains several links, the further links become siblings of the first. Chapters nested in the
          // item are added below the last link.
          while let last = open.last, last.indent >= raw.indent { open.removeLast() }
          add(chapter, indent: raw.indent, open: &open)
        }
      } else if let chapters = Self.chapters(line, references, line: number) {
        if parts.allSatisfy(\.chapters.isEmpty) { before += chapters } else { after += chapters }
      } else {
        findings.warning(
          file, number, "The line is not a chapter, part or separator, and is left out. Write '- [Title](page.md)'.")
      }
    }
  }

  /// Adds a chapter below the innermost chapter that is still open.
  private mutating func add(_ chapter: Chapter, indent: Int, open: inout [(indent: Int, path: [Int])]) {
    if parts.isEmpty { parts.append(Part(title: nil, line: chapter.line)) }
    let path = open.last?.path ?? []
    let place = Self.append(chapter, to: &parts[parts.count - 1].chapters, path: path[...])
    open.append((indent, path + [place]))
  }

  private static func append(_ chapter: Chapter, to chapters: inout [Chapter], path: ArraySlice<Int>) -> Int {
    guard let first = path.first else {
      chapters.append(chapter)
      return chapters.count - 1
    }
    return append(chapter, to: &chapters[first].nested, path: path.dropFirst())
  }

  /// Returns the text after the bullet or number of an item, or `nil` if the line is not an item.
  private static func item(_ line: Substring) -> Substring? {
    let rest = line.drop { $0.isNumber }
    let mark = rest.count == line.count ? ["-", "*", "+"] : [".", ")"]
    guard let first = rest.first, mark.contains(String(first)), rest.dropFirst().first?.isWhitespace == true else {
      return nil
    }
    return rest.dropFirst().trimmingBlanks
  }

  private static func isSeparator(_ line: Substring) -> Bool {
    let marks = line.filter { !$0.isWhitespace }
    return marks.count >= 3 && ["-", "*", "_"].contains { mark in marks.allSatisfy { String($0) == mark } }
  }

  /// Returns the chapters to which a line links, or `nil` if it contains no links.
  private static func chapters(_ text: Substring, _ references: [String: String], line: Int) -> [Chapter]? {
    let found = SummaryLinks(text, references: references)
    guard !found.links.isEmpty else { return nil }
    return found.links.enumerated().map { index, link in
      var chapter = Chapter(title: link.title, page: nil, line: line)
      if case .file(let name, let anchor) = LinkTarget(link.page), !link.page.isEmpty {
        // A slash may precede the anchor, as in the address of a page.
        chapter.page = (name.hasSuffix(".md/") ? String(name.dropLast()) : name).withoutControls
        chapter.anchor = anchor?.withoutControls
      } else if !link.page.isEmpty {
        chapter.page = link.page
      }
      if index == 0 { chapter.note = found.plainText }
      return chapter
    }
  }
}

extension Substring {
  /// The text without white space at both ends.
  var trimmingBlanks: Substring {
    // Almost all blanks are ASCII, so they are examined as bytes first.
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    var (start, end) = (startIndex, endIndex)
    while start < end, isBlank(utf8[start]) { start = utf8.index(after: start) }
    while start < end, isBlank(utf8[utf8.index(before: end)]) { end = utf8.index(before: end) }
    let inner = self[start..<end]
    guard let first = inner.utf8.first, let last = inner.utf8.last, first >= 0x80 || last >= 0x80 else { return inner }
    let rest = inner.drop(while: \.isWhitespace)
    guard let final = rest.lastIndex(where: { !$0.isWhitespace }) else { return rest.prefix(0) }
    return rest[...final]
  }

  /// The width of the indentation in columns. A tab counts as four.
  fileprivate var indent: Int {
    prefix { $0 == " " || $0 == "\t" }.reduce(0) { $0 + ($1 == "\t" ? 4 : 1) }
  }
}

/// The links in a line of a table of contents, and the rest of the line.
///
/// Source: CommonMark, "Links" and "Link reference definitions", as far as a table of contents needs them.
struct SummaryLinks {
  /// The titles and pages of the links. The page of a chapter that has not been written yet is empty.
  private(set) var links: [(title: String, page: String)] = []
  /// The text before, between and after the links, without emphasis markers.
  private(set) var plainText = ""

  /// Parses a line.
  ///
  /// - Parameter references: The destinations of link references, by their names in lower case.
  init(_ text: Substring, references: [String: String]) {
    var rest = text
    var said = ""
    while let open = rest.firstIndex(of: "[") {
      guard let close = rest[open...].closing("[", "]") else { break }
      // Short text between two links, such as "and", is dropped.
      if links.isEmpty || rest[..<open].count(where: \.isLetter) > 5 { said += rest[..<open] }
      let title = rest[rest.index(after: open)..<close]
      let behind = rest[rest.index(after: close)...]
      if behind.first == "(" {
        // If this parenthesis is not closed, later ones are not closed either.
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
    plainText = Self.textWithoutEmphasis(said + rest)
  }

  /// Parses a reference link: `[words][name]`, `[name][]` or `[name]`.
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

  /// Parses a destination: `page`, `<page>`, or `page "title"`. The name of the page may contain spaces.
  private static func destination(_ text: Substring) -> String {
    let text = text.trimmingBlanks
    if text.first == "<", let angle = text.firstIndex(of: ">") { return String(text[..<angle].dropFirst()) }
    guard let last = text.last, "\"')".contains(last), let blank = text.firstIndex(of: " ") else { return String(text) }
    let title = text[blank...].trimmingBlanks
    return "\"'(".contains(title.first!) ? String(text[..<blank]) : String(text)
  }

  /// Removes emphasis markers. Returns an empty text if there are no letters or digits.
  private static func textWithoutEmphasis(_ text: String) -> String {
    let words = text.replacing("*", with: "")[...].trimmingBlanks
    return words.contains { $0.isLetter || $0.isNumber } ? String(words) : ""
  }

  // MARK: References

  /// Returns the destinations of all link references, by their names in lower case.
  static func references(in text: String) -> [String: String] {
    guard text.contains("]:") else { return [:] }
    var references: [String: String] = [:]
    for line in text.split(separator: "\n") {
      guard let (name, page) = reference(line.trimmingBlanks) else { continue }
      if references[name.lowercased()] == nil { references[name.lowercased()] = page }
    }
    return references
  }

  /// Parses a line of the form `[name]: page`, or returns `nil`.
  static func reference(_ line: Substring) -> (name: String, page: String)? {
    guard line.first == "[", let close = line.closing("[", "]") else { return nil }
    let behind = line[line.index(after: close)...]
    let page = destination(behind.dropFirst())
    guard behind.first == ":", !page.isEmpty else { return nil }
    return (String(line[..<close].dropFirst()), page)
  }
}

extension Substring {
  /// Returns the index of the delimiter that closes the first opening delimiter. Delimiters after a backslash are
  /// ignored.
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
