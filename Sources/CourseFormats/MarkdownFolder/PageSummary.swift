import LearningModel

/// The properties of a page that are determined before its whole text is parsed.
struct PageSummary {
  /// The path relative to the source.
  let path: String
  /// The title in the fields of the page, otherwise a heading of level 1 or a heading that is the first block; `nil` if
  /// it has neither.
  let title: String?
  /// The summary in the fields of the page.
  let summary: String
  /// The position among its siblings, or `nil` if the page does not specify it.
  let order: Double?
  /// The key that the author gave to the page, without an anchor, or `nil`.
  let key: String?
  /// If the page must be omitted, the reason in the singular, such as "draft". `nil` if the page is read.
  let exclusionReason: String?
  /// Whether the page has text in addition to its fields.
  let hasText: Bool
  /// Other names of the page that wikilinks may use.
  let aliases: [String]
  let mayHaveWikilinks: Bool

  /// Examines a page.
  init(_ content: PageContent, path: String, limits: SourceLimits) {
    // Errors in the fields are reported later, when the page itself is read.
    var findings = Findings()
    switch content {
    case .markdown(let text):
      let matter = PageFrontMatter(text, file: path, limits: limits, findings: &findings)
      self.init(
        matter, title: Self.title(of: matter.body, isMDX: SourcePath.hasExtension("mdx", path)),
        hasText: Self.hasText(matter.body), path: path, limits: limits)
    case .notebook(let notebook):
      let (matter, rest) = notebook.separatingFrontMatter(file: path, limits: limits, findings: &findings)
      self.init(
        matter, title: notebook.title.flatMap { $0.isEmpty ? nil : $0 } ?? rest.writtenTitle,
        hasText: rest.cells.contains { !$0.outputs.isEmpty || $0.source.contains { !$0.isWhitespace } }, path: path,
        limits: limits)
    case .html(let text):
      let page = HTMLPage(text, path: path)
      self.init(
        path: path, title: page.title, summary: page.summary, hasText: page.hasText,
        exclusionReason: page.exclusionReason)
    case .text(let text):
      self.init(path: path, title: text.title, hasText: text.text.contains { !$0.isWhitespace })
    }
  }

  private init(path: String, title: String?, summary: String = "", hasText: Bool, exclusionReason: String? = nil) {
    (self.path, self.title, self.summary) = (path, title, summary)
    (order, key, aliases, mayHaveWikilinks) = (nil, nil, [], false)
    (self.hasText, self.exclusionReason) = (hasText, exclusionReason)
  }

  private init(_ matter: PageFrontMatter, title written: String?, hasText: Bool, path: String, limits: SourceLimits) {
    self.path = path
    title =
      (matter["title"] ?? matter["sidebar_label"]).map { PageMarkup.plainText($0, limits) }
      ?? written.map { PageMarkup.plainText($0, limits) }.flatMap { $0.isEmpty ? nil : $0 }
    summary = matter["description"] ?? matter["summary"] ?? ""
    order = matter.order
    key = matter["key"].map { String($0.prefix { $0 != "#" }) }.flatMap { $0.isEmpty ? nil : $0 }
    exclusionReason = matter.isDraft ? "draft" : nil
    self.hasText = hasText
    aliases = matter.aliases
    mayHaveWikilinks = matter.body.contains("[[")
  }

  /// Returns whether a text has other characters than blanks and the markers of empty list items, which Logseq writes
  /// into empty pages.
  private static func hasText(_ body: Substring) -> Bool {
    body.split(separator: "\n").contains { line in
      let bare = line.trimmingBlanks
      return !bare.isEmpty && bare != "-" && bare != "*"
    }
  }

  /// Returns the title derived from a page's file name, or from its folder's name if it is an index page.
  static func name(of path: String) -> String {
    if PageName.isIndexPage(path) {
      let folder = SourcePath.folder(of: path)
      if !folder.isEmpty { return PageKeys.title(of: SourcePath.name(of: folder)) }
    }
    return PageKeys.title(of: SourcePath.stem(of: SourcePath.name(of: path)))
  }

  /// Returns the title of a page, as Markdown: the first heading if it is of level 1 or the first block, otherwise a
  /// heading of level 1. Returns `nil` if there is no such heading; any other heading is the title of a section.
  static func title(of body: Substring, isMDX: Bool = false) -> String? {
    guard let first = body.headings(limit: 1, isMDX: isMDX).first else { return htmlTitle(of: body) }
    let lines = body.split(separator: "\n", maxSplits: first.line, omittingEmptySubsequences: false).prefix(first.line)
    if let title = htmlTitle(of: lines) { return title }
    if first.level == 1 || isLead(lines) { return first.words }
    return body.headings(limit: .max, isMDX: isMDX).first { $0.level == 1 }?.words
  }

  /// Returns the text of an `h1` element above all text, which many pages use for a centred title.
  private static func htmlTitle(of body: Substring) -> String? {
    guard body.contains("<h1") else { return nil }
    return htmlTitle(of: body.split(separator: "\n", omittingEmptySubsequences: false)[...])
  }

  private static func htmlTitle(of lines: ArraySlice<Substring>) -> String? {
    guard let index = lines.firstIndex(where: { $0.trimmingBlanks.hasPrefix("<h1") }), isLead(lines[..<index]) else {
      return nil
    }
    let line = lines[index]
    guard let open = line.firstIndex(of: ">"), let close = line.firstRange(of: "</h1>"), open < close.lowerBound else {
      return nil
    }
    let words = line[line.index(after: open)..<close.lowerBound].trimmingBlanks
    return words.isEmpty || words.contains("<") ? nil : String(words)
  }

  /// Returns whether the lines above a heading contain no text: blank lines, comments, images, elements of HTML, labels,
  /// and programs of MDX.
  private static func isLead(_ lines: ArraySlice<Substring>) -> Bool {
    var commentEnd: String?
    for line in lines {
      let bare = line.trimmingBlanks
      if let end = commentEnd {
        if bare.contains(end) { commentEnd = nil }
        continue
      }
      for (begin, end) in [("<!--", "-->"), ("{/*", "*/}")] where bare.hasPrefix(begin) && !bare.contains(end) {
        commentEnd = end
      }
      let isLabel = bare.hasPrefix("(") && bare.hasSuffix(")=")
      guard bare.isEmpty || isLabel || leads.contains(where: bare.hasPrefix) else { return false }
    }
    return true
  }

  private static let leads = [
    "<", "![", "[![", "[//]:", "{/*", "{%", "{{", "[TOC]", "[[_TOC_]]", "import ", "export ", "% ",
  ]
}

extension Substring {
  /// Returns the headings outside code blocks, without number signs, each with the number of lines before it.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of headings to return.
  ///   - isMDX: Whether the page contains components.
  func headings(limit: Int, isMDX: Bool = false) -> [(level: Int, words: String, line: Int)] {
    var headings: [(level: Int, words: String, line: Int)] = []
    var fence: Substring?
    var previous: Substring = ""
    for (number, line) in split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if headings.count == limit { break }
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
        // A heading of a part of a bookdown book is not a heading of the page.
        if BookdownPart(bare) != nil { continue }
        let heading = bare.dropFirst(level).trimmingBlanks.trimmingClosingHashes
        headings.append((level, String(HeadingMarkup(heading, isMDX: isMDX).text), number))
        previous = ""
        continue
      }
      let isUnderline =
        !bare.isEmpty && (bare.allSatisfy { $0 == "=" } || bare.count > 1 && bare.allSatisfy { $0 == "-" })
      if isUnderline, !previous.isEmpty, !previous.hasPrefix("|"), !previous.hasPrefix(">"), !previous.hasPrefix("-") {
        headings.append((bare.hasPrefix("=") ? 1 : 2, String(previous), number - 1))
        previous = ""
        continue
      }
      previous = bare
    }
    return headings
  }

  /// The heading without a closing sequence of number signs.
  fileprivate var trimmingClosingHashes: Substring {
    let bare = self[..<(lastIndex { $0 != "#" }.map { index(after: $0) } ?? startIndex)]
    return bare.endIndex == endIndex || bare.last?.isWhitespace != true ? self : bare.trimmingBlanks
  }
}

/// The front matter of a page: YAML fields between lines of three hyphens, or TOML fields between lines of three plus
/// signs. Front matter is never shown as text; errors in it are warnings.
struct PageFrontMatter {
  /// The fields with a single text as their value, by name.
  private(set) var fields: [String: String] = [:]
  /// Other names of the page that wikilinks may use.
  private(set) var aliases: [String] = []
  /// The values of placeholders that the page defines, by name. Values that contain directives are left out.
  private(set) var substitutions: [String: String] = [:]
  /// The settings of Quarto and bookdown in the fields.
  private(set) var quarto = QuartoSettings()
  /// The text after the front matter.
  let body: Substring
  /// The line number at which the body begins, from 1.
  let bodyLine: Int
  /// The language of the code in a notebook.
  private(set) var codeLanguage: String?
  /// Whether the page is written for MyST or Sphinx.
  private(set) var isNotebook = false

  /// Splits a page into front matter and body.
  init(_ text: String, file: String, limits: SourceLimits, findings: inout Findings) {
    for mark in ["---", "+++"] where text.hasPrefix(mark) {
      guard let (matter, body, line) = Self.split(text, at: mark) else { continue }
      self.body = body
      bodyLine = line
      if mark == "---" {
        readYAML(String(matter), file: file, limits: limits, findings: &findings)
      } else {
        readTOML(String(matter), file: file)
      }
      readProperties()
      return
    }
    body = text[...]
    bodyLine = 1
    readProperties()
  }

  /// Reads the title and the other names of a page in Logseq from the properties at its beginning, such as
  /// `alias:: One, Two`.
  private mutating func readProperties() {
    for line in body.split(separator: "\n", maxSplits: 20) {
      let bare = line.trimmingBlanks
      guard let property = LogseqProperty(bare.hasPrefix("- ") ? bare.dropFirst(2) : bare) else { return }
      switch property.name {
      case "title":
        fields["title"] = fields["title"] ?? property.value
        if !property.value.isEmpty { aliases.append(property.value) }
      case "alias":
        aliases += Self.names(property.value.replacing("[[", with: "").replacing("]]", with: ""))
      default: continue
      }
    }
  }

  /// Returns the names in a list that is separated by commas, and the whole text, which may be one name.
  private static func names(_ list: String) -> [String] {
    guard list.contains(",") else { return list.isEmpty ? [] : [list] }
    return [list] + list.split(separator: ",").map { String($0.trimmingBlanks) }.filter { !$0.isEmpty }
  }

  /// The field with that name, or `nil` if it is missing or empty.
  subscript(name: String) -> String? {
    fields[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The position among its siblings, or `nil` if the page does not specify it.
  var order: Double? {
    ["weight", "sidebar_position", "nav_order", "order", "position"].lazy.compactMap { fields[$0].flatMap(Double.init) }
      .first { $0.isFinite }
  }

  /// Whether the author has not published the page.
  var isDraft: Bool { fields["draft"] == "true" || fields["published"] == "false" }

  private static func split(
    _ text: String, at mark: String
  ) -> (matter: Substring, body: Substring, bodyLine: Int)? {
    let bytes = text.utf8
    guard let first = bytes.firstIndex(of: 0x0A), text[..<first].trimmingBlanks == mark else { return nil }
    var start = bytes.index(after: first)
    let matter = start
    var line = 2
    while start < bytes.endIndex {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.endIndex
      let next = end == bytes.endIndex ? end : bytes.index(after: end)
      let content = text[start..<end]
      if content.hasPrefix(mark), content.trimmingBlanks == mark {
        return (text[matter..<start], text[next...], line + 1)
      }
      start = next
      line += 1
    }
    // If there is no second line of hyphens, the first one is a thematic break.
    return nil
  }

  /// The fields with other names or former addresses of a page.
  ///
  /// Sources: Hugo and Obsidian (`aliases`); jekyll-redirect-from (`redirect_from`).
  private static let aliasFields = ["aliases", "alias", "redirect_from", "old"]

  private mutating func readYAML(_ yaml: String, file: String, limits: SourceLimits, findings: inout Findings) {
    do {
      let tree = try YAMLTree(yaml, file: file, firstLine: 2, limits: limits)
      for field in tree.fields {
        if let text = field.value.text { fields[field.name] = text.onOneLine }
      }
      codeLanguage = tree["kernelspec"]?["language"]?.text ?? tree["kernelspec"]?["name"]?.text
      for tree in Self.aliasFields.compactMap({ tree[$0] }) {
        aliases += tree.items.compactMap { $0.text?.onOneLine } + (tree.text.map { Self.names($0.onOneLine) } ?? [])
      }
      quarto = QuartoSettings(tree)
      // Source: MyST-Parser, "Substitutions (with Jinja2)".
      for field in (tree["myst"]?["substitutions"] ?? tree["substitutions"])?.fields ?? [] {
        guard let value = field.value.text, !value.contains("```"), !value.contains(":::") else { continue }
        substitutions[field.name] = value
      }
      isNotebook = tree["jupytext"] != nil || tree["kernelspec"] != nil
      if let menu = tree["sidebar"] {
        if fields["order"] == nil { fields["order"] = menu["order"]?.text }
      }
    } catch let error as CourseFormatError {
      findings.countLoss("fields of a page", "left out")
      findings.warning(file, error.diagnostic.line, error.diagnostic.message + " The page is read without them.")
    } catch {}
  }

  /// Reads the names and values at the top level. Other parts of TOML are ignored.
  private mutating func readTOML(_ toml: String, file: String) {
    for line in toml.split(separator: "\n") {
      if line.hasPrefix("[") { return }
      guard let equals = line.firstIndex(of: "=") else { continue }
      let name = line[..<equals].trimmingBlanks
      var value = line[line.index(after: equals)...].trimmingBlanks
      if value.hasPrefix("["), Self.aliasFields.contains(String(name)) { aliases += value.quotedTexts }
      if let quote = value.first, quote == "\"" || quote == "'", value.count > 1,
        let end = value.dropFirst().lastIndex(of: quote)
      {
        value = value[value.index(after: value.startIndex)..<end]
      }
      fields[String(name)] = String(value).onOneLine
    }
  }
}
