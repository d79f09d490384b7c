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
