import LearningModel

/// The rules for recognising the elements of a web page that are not part of its text.
///
/// Source: the markup of Sphinx, rustdoc, MkDocs, Docusaurus, Asciidoctor and MediaWiki; WAI-ARIA 1.2, landmark
/// roles.
struct WebPage: Sendable {
  /// Whether the page does not mark its main content. If `true`, its text includes headers, footers and sidebars.
  var hasNoMainElement: Bool

  /// Returns whether an element is navigation or decoration of the site.
  func isExcluded(_ node: HTMLNode) -> Bool { Self.isExcluded(node, isWhole: hasNoMainElement) }

  static func isExcluded(_ node: HTMLNode, isWhole: Bool) -> Bool {
    guard let name = node.name else { return false }
    if name == "nav" { return true }
    if let role = node.attribute("role"), ["navigation", "search"].contains(role) { return true }
    if let anchor = node.attribute("id"), names.contains(anchor) { return true }
    let classes = node.classes.map(String.init)
    if !Self.classes.isDisjoint(with: classes) { return true }
    guard isWhole else { return false }
    if let role = node.attribute("role"), ["banner", "contentinfo", "complementary"].contains(role) { return true }
    if name == "header", node.first(where: { $0.name == "h1" }) != nil { return false }
    // Asciidoctor marks the name of a menu.
    if name == "b" { return false }
    return ["header", "footer", "aside"].contains(name) || !frameClasses.isDisjoint(with: classes)
  }

  /// Returns whether an element is a link from a heading to itself, such as "¶".
  static func isSelfLink(_ node: HTMLNode) -> Bool {
    guard node.name == "a", node.attribute("href")?.hasPrefix("#") == true else { return false }
    return !selfLinkClasses.isDisjoint(with: node.classes.map(String.init))
      && !node.textContent.contains { $0.isLetter || $0.isNumber }
  }

  private static let selfLinkClasses: Set<String> = [
    "headerlink", "anchor", "header-anchor", "hash-link", "anchorjs-link", "heading-link", "heading-anchor",
    "doc-anchor",
  ]
  private static let names: Set<String> = ["toc", "mw-navigation", "catlinks", "copy-path", "search", "searchbox"]
  private static let classes: Set<String> = [
    "sphinxsidebar", "related", "srclink", "out-of-band", "rightside", "prev-next-area", "prev-next-bottom", "toctree",
    "mw-editsection", "mw-jump-link", "navbox", "printfooter", "rst-footer-buttons", "viewcode-link", "hideme",
    "theme-doc-toc-mobile", "pagination-nav", "edit-this-page", "skip-link", "test-arrow", "notable-traits",
    "logo-container", "sub-logo-container",
  ]
  private static let frameClasses: Set<String> = [
    "sidebar", "navbar", "breadcrumb", "breadcrumbs", "footer", "header", "menu", "navigation", "topbar", "nav",
  ]
}

extension HTMLText {
  /// Handles an element of a web page that is not shown at its position: navigation, a hidden element or a footnote.
  ///
  /// - Returns: `true` if the element was handled and must not be read further.
  mutating func handlesOutOfPlace(_ node: HTMLNode, on page: WebPage, depth: Int) throws -> Bool {
    if WebPage.isSelfLink(node) { return true }
    if page.isExcluded(node) {
      result.findings.countLoss("navigation of a page", "left out")
      return true
    }
    if node.isHidden {
      result.findings.countLoss("hidden element", "left out")
      return true
    }
    // Source: Asciidoctor, `html5.rb`, `convert_document`.
    guard node.name == "div", node.attribute("id") == "footnotes" else { return false }
    for note in node.children where note.name == "div" && note.classes.contains("footnote") {
      var blocks = try blocksOf(note, depth: depth + 1)
      let mark = note.children.first { $0.name == "a" }?.textContent.onOneLine ?? "\(result.footnotes.count + 1)"
      if case .paragraph(let line) = blocks.first, case .link(_, let words) = line.first, words.plainText == mark {
        blocks[0] = .paragraph([.text(mark)] + line.dropFirst())
        if case .text(let rest) = line.dropFirst().first {
          blocks[0] = .paragraph([.text(String(rest.trimmingPrefix(".").trimmingPrefix(" ")))] + line.dropFirst(2))
        }
      }
      result.footnotes.append(Footnote(anchor: note.attribute("id") ?? "", label: mark, blocks: blocks))
    }
    return true
  }

  /// Returns whether an element is an admonition of Asciidoctor or pandoc.
  func isAdmonition(_ node: HTMLNode) -> Bool {
    guard node.name == "div" else { return false }
    if node.classes.contains("admonitionblock") {
      return node.first { $0.name == "td" && $0.classes.contains("content") } != nil
    }
    let title = node.children.first { $0.name != nil }
    return title?.name == "div" && title?.classes == ["title"] && !node.classes.isEmpty
  }

  /// Converts an admonition of Asciidoctor or pandoc, or returns `nil` for any other element. Asciidoctor writes an
  /// admonition as a table, pandoc as an element with a title.
  ///
  /// Source: Asciidoctor, `html5.rb`, `convert_admonition`; pandoc, `Text.Pandoc.Readers.RST`, `directive'`.
  mutating func admonition(_ node: HTMLNode, depth: Int) throws -> Block? {
    if node.classes.contains("admonitionblock"),
      let content = node.first(where: { $0.name == "td" && $0.classes.contains("content") })
    {
      let name = node.classes.first { $0 != "admonitionblock" }.map(String.init) ?? ""
      return .admonition(Admonition(named: name, title: [], blocks: try blocksOf(content, depth: depth + 1)))
    }
    guard let title = node.children.first(where: { $0.name != nil }), title.name == "div", title.classes == ["title"],
      let name = node.classes.first
    else { return nil }
    let words = try lineOf(title, depth: depth + 1)
    readTitles.insert(title)
    return .admonition(Admonition(named: String(name), title: words, blocks: try blocksOf(node, depth: depth + 1)))
  }

  /// Adds text to a line. On a web page, text between TeX delimiters becomes a formula.
  mutating func add(_ text: String, to line: inout LineBuilder) {
    guard dialect.webPage != nil else { return line.add(text) }
    for piece in TeXText.segments(of: text) { add(piece, to: &line) }
  }

  mutating func add(_ piece: TeXText.Segment, to line: inout LineBuilder) {
    switch piece {
    case .text(let words): line.add(words)
    case .inline(let source), .displayed(let source): line.add(.math(source))
    case .asciiMath(let source):
      result.findings.countLoss("formula in AsciiMath", "shown as its source")
      line.add(.code(source))
    }
  }
}

extension WebPage {
  /// Returns the language of a preformatted block, or `nil` if neither an attribute nor a class indicates it.
  ///
  /// Source: pandoc (`<pre class="python">`), Sphinx (`<div class="highlight-python"><div class="highlight"><pre>`),
  /// rustdoc (`<pre class="rust">`), GitHub (`highlight-source-python`), Asciidoctor (`data-lang`).
  static func language(of node: HTMLNode) -> Substring? {
    let code = node.children.first { $0.name == "code" }
    if let name = code?.attribute("data-lang") ?? node.attribute("data-lang") { return Substring(name) }
    for outer in [node.parent, node.parent?.parent].compactMap(\.self) {
      for name in outer.classes {
        for prefix in ["highlight-source-", "highlight-"] where name.hasPrefix(prefix) {
          let language = name.dropFirst(prefix.count)
          return ["default", "none", "text"].contains(language) ? nil : language
        }
      }
    }
    return node.classes.first { !notLanguages.contains($0) && !$0.contains("-") && !$0.contains("_") }
  }

  private static let notLanguages: Set<Substring> = [
    "sourceCode", "numberSource", "highlight", "example", "src", "code", "screen", "literal", "programlisting",
    "content",
    "prettyprint", "linenums", "verbatim", "playground", "plain", "text", "none", "nowrap", "hljs", "codehilite",
    "item",
    "wrap", "fn", "struct", "enum", "macro", "trait", "const", "union", "typedef", "static", "mod",
  ]
}
