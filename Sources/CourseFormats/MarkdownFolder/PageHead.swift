import LearningModel

/// What is known of a page before its text is read as a whole.
struct PageHead {
  /// Its path below the source.
  let path: String
  /// What its fields or its first heading call it; `nil` where neither does.
  let title: String?
  /// Its fields' word on what it is about.
  let summary: String
  /// Its place among its siblings; `nil` where it has none of its own.
  let order: Double?
  /// The key that its author gave it, without a part's anchor; `nil` where it has none of its own.
  let key: String?
  /// Whether its author has not published it.
  let isDraft: Bool
  /// How many lines below the fields have something in them, up to 2: 0 means no text.
  let hasText: Bool

  /// Looks at a page.
  init(_ text: String, path: String, limits: SourceLimits) {
    // What is wrong with its fields is said when the page is read.
    var findings = Findings()
    let matter = PageMatter(text, file: path, limits: limits, findings: &findings)
    self.path = path
    title =
      (matter["title"] ?? matter["sidebar_label"]).map { Self.words($0, limits) }
      ?? Self.firstHeading(of: matter.body).map { Self.words($0, limits) }.flatMap { $0.isEmpty ? nil : $0 }
    summary = matter["description"] ?? matter["summary"] ?? ""
    order = matter.order
    key = matter["key"].map { String($0.prefix { $0 != "#" }) }.flatMap { $0.isEmpty ? nil : $0 }
    isDraft = matter.isDraft
    hasText = matter.body.contains { !$0.isWhitespace }
  }

  /// What the file's or folder's name says.
  static func name(of path: String) -> String {
    if MarkdownFiles.isOwnPage(path) {
      let folder = SourcePath.folder(of: path)
      if !folder.isEmpty { return PageKeys.title(of: SourcePath.name(of: folder)) }
    }
    return PageKeys.title(of: SourcePath.stem(of: SourcePath.name(of: path)))
  }

  /// Words without the marks of Markdown around them.
  static func words(_ markdown: String, _ limits: SourceLimits) -> String {
    guard markdown.contains(where: { "*_`[<&\\{$!~".contains($0) }) else { return markdown.onOneLine }
    var marks = PageMarks()
    let plain = marks.inline(markdown)
    let dialect = TextDialect(hasHeadingAttributes: true)
    let parsed = try? MarkdownText.parse(
      "# " + plain.replacing("\n", with: " "), file: "", limits: limits, dialect: dialect)
    return parsed?.blocks.map(\.block).plainText.onOneLine ?? markdown.onOneLine
  }

  /// The first heading outside of code, without its marks at the beginning.
  private static func firstHeading(of body: Substring) -> String? {
    var fence: Substring?
    var previous: Substring = ""
    for line in body.split(separator: "\n", omittingEmptySubsequences: false) {
      let bare = line.trimmingBlanks
      if let open = fence {
        if bare.hasPrefix(open), bare.allSatisfy({ $0 == open.first }) { fence = nil }
        continue
      }
      if bare.hasPrefix("```") || bare.hasPrefix("~~~") {
        fence = bare.prefix { $0 == bare.first }
        previous = ""
        continue
      }
      let level = bare.prefix { $0 == "#" }.count
      if (1...6).contains(level), bare.dropFirst(level).first?.isWhitespace == true {
        return String(bare.dropFirst(level).trimmingBlanks.trimmingClosingMarks)
      }
      let isUnderline =
        !bare.isEmpty && (bare.allSatisfy { $0 == "=" } || bare.count > 1 && bare.allSatisfy { $0 == "-" })
      if isUnderline, !previous.isEmpty, !previous.hasPrefix("|"), !previous.hasPrefix(">"), !previous.hasPrefix("-") {
        return String(previous)
      }
      previous = bare
    }
    return nil
  }
}

extension Substring {
  /// A heading without the number signs that may close it.
  fileprivate var trimmingClosingMarks: Substring {
    let bare = self[..<(lastIndex { $0 != "#" }.map { index(after: $0) } ?? startIndex)]
    return bare.endIndex == endIndex || bare.last?.isWhitespace != true ? self : bare.trimmingBlanks
  }
}
