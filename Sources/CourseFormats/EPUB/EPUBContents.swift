import LearningModel

/// One entry of a book's table of contents.
struct EPUBEntry {
  /// Its words; empty where it has none.
  var title: String
  /// Where it leads in the book; `nil` where it only holds others.
  var address: EPUBAddress?
  /// Where it leads out of the book.
  var link: String?
  var children: [EPUBEntry] = []
}

/// Reads a table of contents: the `nav` of EPUB 3, the NCX of EPUB 2.
///
/// Source: W3C, "EPUB 3.3", 7; "Specifications for the Digital Talking Book", ANSI/NISO Z39.86-2005, 8 (NCX).
struct EPUBContents {
  private(set) var entries: [EPUBEntry] = []
  private(set) var findings = Findings()
  private let file: String
  private let limits: SourceLimits

  /// A navigation document.
  ///
  /// Its looks do not count: what it hides is an entry all the same, and numbers that a style gives are none.
  ///
  /// - Throws: ``CourseFormatError`` where it is not there or no text.
  init(navigation file: String, in files: inout EPUBFiles) throws {
    self.file = file
    limits = files.source.limits
    let text = try files.text(of: file)
    do {
      try XMLTree.withRoot(of: text) { try readNavigation($0) }
    } catch let fault as XMLTree.Fault {
      findings.warning(
        file, fault.line,
        "The table of contents is no well-formed XML (\(fault.reason)), and was read as a browser reads it.")
      try HTMLDocument.withRoot(of: text) { if let root = $0 { try readNavigation(root) } }
    }
  }

  /// An NCX.
  ///
  /// - Throws: ``CourseFormatError`` where it is not there or no XML.
  init(ncx file: String, in files: inout EPUBFiles) throws {
    self.file = file
    limits = files.source.limits
    try files.withRoot(of: file) { root in
      for map in root.children(named: "navmap") { entries += try points(in: map, depth: 1) }
    }
  }

  private mutating func readNavigation(_ root: HTMLNode) throws {
    let all = root.descendants(named: "nav", depth: limits.nestingDepth)
    let nav = all.first { $0.isOf("toc", role: "doc-toc") } ?? (all.count == 1 ? all.first : nil)
    guard let list = nav?.children.first(where: { $0.name == "ol" || $0.name == "ul" }) else { return }
    entries = try items(of: list, depth: 1)
  }

  private mutating func items(of list: HTMLNode, depth: Int) throws -> [EPUBEntry] {
    try checkDepth(depth)
    var entries: [EPUBEntry] = []
    for item in list.children(named: "li") {
      let label = item.children.first { $0.name == "a" || $0.name == "span" }
      var entry = entry(label?.label ?? "", leadingTo: label?.attribute("href"))
      for inner in item.children where inner.name == "ol" || inner.name == "ul" {
        entry.children += try items(of: inner, depth: depth + 1)
      }
      entries.append(entry)
    }
    return entries
  }

  private mutating func points(in node: HTMLNode, depth: Int) throws -> [EPUBEntry] {
    try checkDepth(depth)
    var entries: [EPUBEntry] = []
    for point in node.children(named: "navpoint") {
      let label = point.children(named: "navlabel").first?.textContent.onOneLine ?? ""
      var entry = entry(label, leadingTo: point.children(named: "content").first?.attribute("src"))
      entry.children = try points(in: point, depth: depth + 1)
      entries.append(entry)
    }
    return entries
  }

  private func checkDepth(_ depth: Int) throws {
    guard depth <= limits.nestingDepth else {
      throw CourseFormatError.limit(.nestingDepth(limits.nestingDepth), file: file, line: nil)
    }
  }

  private mutating func entry(_ title: String, leadingTo reference: String?) -> EPUBEntry {
    guard let reference, !reference.isEmpty else { return EPUBEntry(title: title) }
    if let address = EPUBAddress(reference, in: file) { return EPUBEntry(title: title, address: address) }
    if case .address(let link) = LinkTarget(reference) { return EPUBEntry(title: title, link: link) }
    findings.lose("unsafe link", "its words are kept")
    return EPUBEntry(title: title)
  }
}

extension HTMLNode {
  /// Its words on one line, with those that stand for pictures.
  fileprivate var label: String {
    func words(_ node: HTMLNode, _ depth: Int) -> String {
      if let text = node.text { return text }
      switch node.name {
      case nil: return ""
      case "img": return " " + (node.attribute("alt") ?? node.attribute("title") ?? "") + " "
      case "br": return " "
      default: return depth > 64 ? "" : node.children.map { words($0, depth + 1) }.joined()
      }
    }
    let said = words(self, 0).onOneLine
    return said.isEmpty ? (attribute("title") ?? "").onOneLine : said
  }
}
