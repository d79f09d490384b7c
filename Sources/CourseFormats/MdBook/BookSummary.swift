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
    for (index, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = raw.trimmingBlanks
      let number = index + 1
      if isComment || line.hasPrefix("<!--") {
        isComment = !line.contains("-->")
        continue
      }
      if line.isEmpty || Self.isSeparator(line) { continue }
      if line.hasPrefix("# ") {
        let words = String(line.dropFirst(2).trimmingBlanks)
        if title == nil, before.isEmpty, parts.isEmpty {
          title = words
        } else {
          parts.append(Part(title: words, line: number))
        }
        open = []
      } else if let item = Self.item(line), let chapter = Self.chapter(item, line: number) {
        while let last = open.last, last.indent >= raw.indent { open.removeLast() }
        guard open.count < limits.nestingDepth else {
          findings.error(.limit(.nestingDepth(limits.nestingDepth), file: file, line: number))
          continue
        }
        add(chapter, indent: raw.indent, open: &open)
      } else if let chapter = Self.chapter(line, line: number) {
        if parts.allSatisfy(\.chapters.isEmpty) { before.append(chapter) } else { after.append(chapter) }
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

  /// Reads `[title](page)`.
  private static func chapter(_ text: Substring, line: Int) -> Chapter? {
    guard text.first == "[", let close = text.matchingBracket else { return nil }
    let title = String(text[text.index(after: text.startIndex)..<close])
    let rest = text[text.index(after: close)...]
    guard rest.first == "(", let end = rest.lastIndex(of: ")") else { return nil }
    var page = rest[rest.index(after: rest.startIndex)..<end].trimmingBlanks
    if page.first == "<", let angle = page.firstIndex(of: ">") {
      page = page.dropFirst()[..<angle]
    } else if let space = page.firstIndex(of: " ") {
      // A title in quotes may follow.
      page = page[..<space]
    }
    if page.isEmpty { return Chapter(title: title, page: nil, line: line) }
    guard case .file(let name, _) = LinkTarget(String(page)) else {
      return Chapter(title: title, page: String(page), line: line)
    }
    return Chapter(title: title, page: name.withoutControls, line: line)
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

  /// The `]` that closes the `[` at the beginning. A backslash takes a bracket's meaning.
  fileprivate var matchingBracket: Index? {
    var depth = 0
    var isEscaped = false
    for index in indices {
      defer { isEscaped = self[index] == "\\" && !isEscaped }
      if isEscaped { continue }
      if self[index] == "[" { depth += 1 }
      if self[index] == "]" { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }
}
