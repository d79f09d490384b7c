/// A book's table of contents.
///
/// Source: mdBook, "SUMMARY.md".
struct BookSummary: Equatable {
  /// One line of the table, and those that stand below it.
  struct Chapter: Equatable {
    /// Its words, still Markdown.
    var title: String
    /// Its page as the table names it; `nil` for a draft.
    var page: String?
    /// The line in the file.
    var line: Int
    /// The chapters below it.
    var nested: [Chapter] = []
    /// What its line says besides, still Markdown.
    var note = ""
  }

  /// Numbered chapters under one heading.
  struct Part: Equatable {
    /// Its words, still Markdown; `nil` for the chapters before the first heading.
    var title: String?
    /// The line in the file.
    var line: Int
    /// Its chapters.
    var chapters: [Chapter] = []
  }

  /// The heading at its top, which is the title of the table itself; still Markdown.
  var title: String?
  /// Chapters without a bullet before all others.
  var before: [Chapter] = []
  /// Chapters with bullets, by the parts that they stand in.
  var parts: [Part] = []
  /// Chapters without a bullet behind the first that has one.
  var after: [Chapter] = []

  /// Whether there is a heading above chapters.
  var hasParts: Bool { parts.contains { $0.title != nil } }

  /// Reads the table. What cannot be understood is a warning; chapters that stand too deep in others are an error.
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
          // Further links of an item stand beside the first; what is below the item is below the last.
          while let last = open.last, last.indent >= raw.indent { open.removeLast() }
          add(chapter, indent: raw.indent, open: &open)
        }
      } else if let chapters = Self.chapters(line, references, line: number) {
        if parts.allSatisfy(\.chapters.isEmpty) { before += chapters } else { after += chapters }
      } else {
        findings.warning(
          file, number, "The line is no chapter, part or separator and is left out. Write '- [Title](page.md)'.")
      }
    }
  }

  /// Adds a chapter below the last one that is open.
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

  /// What follows the bullet or number of an item.
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

  /// The chapters that a line links to; `nil` where it is no line of chapters.
  private static func chapters(_ text: Substring, _ references: [String: String], line: Int) -> [Chapter]? {
    let found = SummaryLinks(text, references: references)
    guard !found.links.isEmpty else { return nil }
    return found.links.enumerated().map { index, link in
      var chapter = Chapter(title: link.title, page: nil, line: line)
      if case .file(let name, _) = LinkTarget(link.page), !link.page.isEmpty {
        chapter.page = name.withoutControls
      } else if !link.page.isEmpty {
        chapter.page = link.page
      }
      if index == 0 { chapter.note = found.words }
      return chapter
    }
  }
}

extension Substring {
  /// The text without white space at its ends.
  var trimmingBlanks: Substring {
    let start = drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start.prefix(0) }
    return start[...last]
  }

  /// How far the text stands to the right, a tab counted as four.
  fileprivate var indent: Int {
    prefix { $0 == " " || $0 == "\t" }.reduce(0) { $0 + ($1 == "\t" ? 4 : 1) }
  }
}

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
