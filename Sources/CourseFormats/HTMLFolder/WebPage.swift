/// The parts of a page of a web site that are not its text.
///
/// Source: the markup of Sphinx, rustdoc, MkDocs, Docusaurus, Asciidoctor and MediaWiki; WAI-ARIA 1.2, landmark roles.
struct WebPage: Sendable {
  /// Whether the page has no marked main content, so that headers, footers and sidebars are among its text.
  var isWhole: Bool

  /// Whether an element is navigation or decoration of the site.
  func isLeftOut(_ node: HTMLNode) -> Bool { Self.isLeftOut(node, isWhole: isWhole) }

  static func isLeftOut(_ node: HTMLNode, isWhole: Bool) -> Bool {
    guard let name = node.name else { return false }
    if name == "nav" { return true }
    if let role = node.attribute("role"), ["navigation", "search"].contains(role) { return true }
    if let anchor = node.attribute("id"), names.contains(anchor) { return true }
    let classes = node.classes.map(String.init)
    if !Self.classes.isDisjoint(with: classes) { return true }
    guard isWhole else { return false }
    if let role = node.attribute("role"), ["banner", "contentinfo", "complementary"].contains(role) { return true }
    if name == "header", node.first(where: { $0.name == "h1" }) != nil { return false }
    return ["header", "footer", "aside"].contains(name) || !frameClasses.isDisjoint(with: classes)
  }

  /// Whether an element is the link of a heading to itself, such as "¶".
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
