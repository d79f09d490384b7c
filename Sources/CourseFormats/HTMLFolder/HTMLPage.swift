import Foundation
import LearningModel

/// A page of a web site: the information in its head, and the part of its body that contains the main text.
struct HTMLPage {
  /// The first heading of level 1 in the main text. If the main text has no such heading, the title in the head,
  /// without the name of the site, otherwise a heading with which the main text begins.
  private(set) var title: String?
  /// The description in the head of the page.
  private(set) var summary = ""
  private(set) var language: String?
  /// If the page must be omitted, the reason in the singular, such as "page that redirects to another". `nil` if the
  /// page is read.
  private(set) var exclusionReason: String?
  /// Whether the main text contains visible characters.
  private(set) var hasText = false

  /// Examines a page.
  ///
  /// - Parameters:
  ///   - html: The text of the page.
  ///   - path: The path relative to the source.
  init(_ html: String, path: String) {
    HTMLDocument.withRoot(of: html) { root in
      guard let root else { return }
      let head = HTMLHead(root)
      let main = Self.main(of: root)
      language = root.attribute("lang")?.onOneLine
      summary = head.metadata["description"]?.onOneLine ?? ""
      let headings = main.nodes.lazy.compactMap { $0.first { $0.name == "h1" } }
      func isHeading(_ node: HTMLNode) -> Bool { node.name.map { HTMLRole.of($0).isHeading } ?? false }
      let first = main.nodes.lazy.compactMap { node in
        node.first { isHeading($0) || $0.text?.contains { !$0.isWhitespace } == true }
      }.first
      let leading = first.flatMap { isHeading($0) ? $0 : nil }
      title = [headings.first.map(Self.plainText), head.title, leading.map(Self.plainText)].lazy.compactMap(\.self)
        .first {
          // pandoc names a document without a title after its input, which is the standard input.
          !$0.isEmpty && $0 != "-"
        }
      hasText = main.nodes.contains { $0.textContent.contains { !$0.isWhitespace } }
      exclusionReason = Self.exclusionReason(toLeaveOut: path, head, root)
    }
  }

  /// Parses the main text of a page.
  ///
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` if the page is nested too deeply or has a table that is too
  ///   wide.
  static func parse(_ html: String, path: String, limits: SourceLimits) throws -> ParsedText {
    try HTMLDocument.withRoot(of: html) { root in
      guard let root else { return ParsedText() }
      let main = main(of: root)
      var dialect = TextDialect()
      dialect.webPage = WebPage(hasNoMainElement: main.isWhole)
      let notes = PageNoteScan(main.nodes, depth: limits.nestingDepth).notes { $0 }
      return try HTMLText.parse(main.nodes, file: path, limits: limits, dialect: dialect, notes: notes)
    }
  }

  /// Decodes a page as UTF-8 or UTF-16. If the page declares a Latin-1 encoding and is not valid UTF-8, decodes it as
  /// windows-1252.
  ///
  /// Source: WHATWG HTML, 4.2.5.4 (`meta charset`); WHATWG Encoding, 4.2: "latin1" means windows-1252.
  ///
  /// - Throws: ``CourseFormatError/notText(file:line:byte:offset:)``, or ``CourseFormatError/limit(_:file:line:)`` if the
  ///   page has too many elements.
  static func text(of bytes: [UInt8], file: String) throws -> String {
    let head = String(decoding: bytes.prefix(1024), as: UTF8.self).lowercased()
    let names = ["iso-8859-1", "latin1", "windows-1252", "us-ascii"]
    let isLatin = names.contains { name in
      ["charset=\(name)", "charset=\"\(name)", "encoding=\"\(name)"].contains(where: head.contains)
    }
    let isOther = isLatin && String(validating: bytes, as: UTF8.self) == nil
    let latin = isOther ? String(bytes: bytes, encoding: .windowsCP1252) : nil
    let text = try TextDecoding.decode(latin.map { Array($0.utf8) } ?? bytes, file: file)
    try HTMLDocument.check(text, file: file, limits: .standard)
    return text
  }

  // MARK: - Head

  private static func plainText(of heading: HTMLNode) -> String {
    func text(_ node: HTMLNode, _ depth: Int) -> String {
      if let text = node.text { return text }
      guard let name = node.name, depth < 64, name != "button", !WebPage.isSelfLink(node),
        !WebPage.isExcluded(node, isWhole: false)
      else { return "" }
      return node.children.map { text($0, depth + 1) }.joined()
    }
    return TeXText.segments(of: text(heading, 0)).map { segment in
      switch segment {
      case .text(let words), .asciiMath(let words): words
      case .inline(let source), .displayed(let source): [Inline.math(source)].plainText
      }
    }.joined().onOneLine
  }

  private static func exclusionReason(toLeaveOut path: String, _ head: HTMLHead, _ root: HTMLNode) -> String? {
    if head.isRedirection { return "page that redirects to another" }
    let stem = SourcePath.stem(of: SourcePath.name(of: path)).lowercased()
    if stem == "genindex" || stem.hasPrefix("genindex-") || stem == "search" || stem.hasSuffix("-modindex")
      || stem == "404"
    {
      return "page of a search or an index"
    }
    if head.metadata["generator"] == "rustdoc" {
      let body = root.children.first { $0.name == "body" }?.classes ?? []
      if body.contains("source") || body.contains("src") { return "page of source code" }
      if ["help", "settings", "all"].contains(stem) { return "page of a search or an index" }
    }
    return nil
  }

  // MARK: - The main content

  /// Returns the nodes of the main content. If the page does not mark its main content, returns the whole body, and
  /// `isWhole` is `true`.
  ///
  /// Source: WHATWG HTML, 4.4.14 (`main`); WAI-ARIA 1.2, `main`; the markup of Sphinx, rustdoc, Asciidoctor and
  /// MediaWiki.
  static func main(of root: HTMLNode) -> (nodes: [HTMLNode], isWhole: Bool) {
    let body = root.children.first { $0.name == "body" } ?? root
    // Pandoc's output has no navigation around the text, so the whole body is the main content.
    if HTMLHead(root).metadata["generator"] == "pandoc" { return ([body], false) }
    let marked =
      body.first { $0.attribute("role") == "main" } ?? body.first { $0.name == "main" }
      ?? body.first { $0.attribute("id").map(mainNames.contains) ?? false }
    var nodes = marked.map { [$0] }
    let articles = (marked ?? body).all { $0.name == "article" }
    if articles.count == 1, let article = articles.first {
      // Some sites put the navigation inside `main`, next to the article.
      let length = article.textContent.utf8.count
      if length * 2 > (marked ?? body).textContent.utf8.count { nodes = [article] }
    }
    return (nodes ?? [body], nodes == nil)
  }

  private static let mainNames: Set<String> = [
    "main-content", "content", "bodyContent", "mw-content-text", "main",
  ]
}

struct HTMLHead {
  /// The title without the name of the site, which is separated by a dash, a bar or a dot between spaces.
  private(set) var title: String?
  /// The name of the site after the title of the page, or `nil` if the title has only one component.
  private(set) var site: String?
  /// The values of the metadata, by their names in lower case.
  private(set) var metadata: [String: String] = [:]
  /// Whether the page only redirects to another page.
  private(set) var isRedirection = false

  init(_ root: HTMLNode) {
    guard let head = root.children.first(where: { $0.name == "head" }) else { return }
    for node in head.children {
      switch node.name {
      case "title":
        let words = node.textContent.onOneLine
        let marks = [" — ", " – ", " | ", " · ", " - "].compactMap { words.range(of: $0) }
        if let mark = marks.min(by: { $0.lowerBound < $1.lowerBound }) {
          title = String(words[..<mark.lowerBound])
          site = String(words[mark.upperBound...])
        } else {
          title = words
        }
      case "meta":
        if let name = node.attribute("name")?.lowercased() { metadata[name] = node.attribute("content") ?? "" }
        // Source: WHATWG HTML, 4.2.5.3, "refresh".
        if node.attribute("http-equiv")?.lowercased() == "refresh",
          node.attribute("content")?.lowercased().contains("url=") == true
        {
          isRedirection = true
        }
      default: continue
      }
    }
  }
}

extension HTMLNode {
  /// Returns the first descendant that matches, in document order.
  func first(where matches: (HTMLNode) -> Bool) -> HTMLNode? {
    var found: HTMLNode?
    walk { node in
      if matches(node) { found = node }
      return found == nil ? .into : .end
    }
    return found
  }

  /// Returns all matching descendants that are not inside another match, in document order.
  func all(where matches: (HTMLNode) -> Bool) -> [HTMLNode] {
    var found: [HTMLNode] = []
    walk { node in
      guard matches(node) else { return .into }
      found.append(node)
      return .past
    }
    return found
  }
}
