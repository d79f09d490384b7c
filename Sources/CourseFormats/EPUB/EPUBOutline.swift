import LearningModel

/// The entries of a book: those of its table of contents, and one for each page that precedes the first entry or is
/// outside the reading order.
struct EPUBOutline {
  struct Entry {
    var title: String
    /// The start of the text, or `nil` if the entry does not lead to a readable page.
    var address: EPUBAddress?
    /// The key of the entry as a node: the path of the page relative to the package, and the fragment. Empty if the
    /// entry has no target.
    var key: String
    /// The address of an entry that leads out of the book.
    var link: String?
    var parent: Int?
    var children: [Int] = []
  }

  private(set) var entries: [Entry] = []
  private var main: [Int] = []
  private var frontMatter: [Int] = []
  private var supplements: [Int] = []
  private var byPage: [String: [Int]] = [:]
  /// The pages to which entries lead, in order.
  private(set) var pages: [String] = []
  /// The unreadable files to which entries lead, in order.
  private(set) var unreadable: [String] = []
  private let folder: String

  /// Adds the entries of a table of contents.
  init(_ contents: [EPUBEntry], of package: EPUBPackage) {
    folder = SourcePath.folder(of: package.file)
    main = contents.map { add($0, parent: nil, package) }
  }

  private mutating func add(_ entry: EPUBEntry, parent: Int?, _ package: EPUBPackage) -> Int {
    let index = entries.count
    let page = entry.address.flatMap { package.page(at: $0.path) }
    entries.append(
      Entry(
        title: entry.title, address: page.map { EPUBAddress(path: $0, fragment: entry.address?.fragment) },
        key: entry.address.map(key) ?? "", link: entry.link, parent: parent))
    if let page { record(index, on: page) } else if let address = entry.address { unreadable.append(address.path) }
    entries[index].children = entry.children.map { add($0, parent: index, package) }
    return index
  }

  private mutating func record(_ index: Int, on page: String) {
    if byPage[page] == nil { pages.append(page) }
    byPage[page, default: []].append(index)
  }

  /// Returns the key for an address: the path relative to the folder of the package, and the fragment. Renaming that
  /// folder therefore does not change keys.
  private func key(of address: EPUBAddress) -> String {
    let path = address.path
    let inside =
      folder.isEmpty
      ? path : path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.utf8.count + 1)) : "../" + path
    return inside + (address.fragment.map { "#" + $0 } ?? "")
  }

  /// Returns the entries that lead to a page, in order.
  func entries(on page: String) -> [Int] { byPage[page] ?? [] }

  /// Returns, for each key, the index of the first entry with this key that has a text.
  ///
  /// - Parameter hasText: Returns whether an entry has a text of its own.
  func owners(hasText: (Int) -> Bool) -> [String: Int] {
    Dictionary(entries.indices.filter(hasText).map { (entries[$0].key, $0) }) { first, _ in first }
  }

  /// Returns whether an entry is a descendant of another entry.
  func isBelow(_ inner: Int, _ outer: Int) -> Bool {
    var parent = entries[inner].parent
    while let above = parent {
      if above == outer { return true }
      parent = entries[above].parent
    }
    return false
  }

  /// Adds an entry for a page to which no entry leads, and returns its index.
  ///
  /// - Parameter isInFront: Whether the entry is placed before the table of contents. If `false`, it is outside the
  ///   reading order.
  mutating func add(page: String, title: String, isInFront: Bool) -> Int {
    let address = EPUBAddress(path: page, fragment: nil)
    entries.append(Entry(title: title, address: address, key: key(of: address)))
    if isInFront { frontMatter.append(entries.count - 1) } else { supplements.append(entries.count - 1) }
    return entries.count - 1
  }

  /// Sets the title of an entry that has none.
  mutating func name(_ index: Int, _ title: String) { entries[index].title = title }

  // MARK: Nodes

  /// Returns the entries that have a text or descendants with a text: separately those in reading order and those
  /// outside it.
  ///
  /// - Parameters:
  ///   - hasText: Returns whether an entry has a text of its own.
  ///   - findings: The findings to which omitted entries are added.
  func pageEntries(
    hasText: (Int) -> Bool, findings: inout Findings
  ) -> (main: [PageEntry], beside: [PageEntry]) {
    let front = frontMatter.compactMap { made($0, hasText, &findings) }
    let titles = DistinctTitles.titles(
      front.map { $0.title ?? "" },
      names: front.map { PageKeys.title(of: SourcePath.stem(of: SourcePath.name(of: $0.page ?? ""))) })
    let named = zip(front, titles).map { entry, title in
      var entry = entry
      entry.title = title
      return entry
    }
    let main = main.compactMap { made($0, hasText, &findings) }
    return (named + main, supplements.compactMap { made($0, hasText, &findings) })
  }

  private func made(_ index: Int, _ hasText: (Int) -> Bool, _ findings: inout Findings) -> PageEntry? {
    let entry = entries[index]
    var made = PageEntry(title: entry.title.isEmpty ? "Untitled" : entry.title, address: entry.link)
    if hasText(index) { made.page = entry.key } else if entry.link == nil { made.folder = groupKey(of: index) }
    for child in entry.children {
      if let child = self.made(child, hasText, &findings) { made.children.append(child) }
    }
    guard made.isGroup, made.children.isEmpty else { return made }
    findings.countLoss("entry of the table of contents without a text", "left out")
    return nil
  }

  /// Returns the key of a group: its target or, if it has none, the titles of its ancestors and its own title.
  private func groupKey(of index: Int) -> String {
    let entry = entries[index]
    guard entry.key.isEmpty else { return entry.key + "!" }
    let above = entry.parent.map { groupKey(of: $0) + "/" } ?? ""
    return above + Slug.make(from: entry.title, fallback: "part") + "!"
  }
}

/// An entry of a book's table of contents.
struct EPUBEntry {
  /// The title; empty if the entry has none.
  var title: String
  /// The target in the book, or `nil` if the entry only groups others.
  var address: EPUBAddress?
  /// The target outside the book, or `nil`.
  var link: String?
  var children: [EPUBEntry] = []
}

/// Reads a table of contents: the `nav` element of EPUB 3 or the NCX of EPUB 2.
///
/// Source: W3C, "EPUB 3.3", 7; "Specifications for the Digital Talking Book", ANSI/NISO Z39.86-2005, 8 (NCX).
struct EPUBContents {
  private(set) var entries: [EPUBEntry] = []
  private(set) var findings = Findings()
  private let file: String
  private let limits: SourceLimits

  /// Reads a navigation document.
  ///
  /// Styles are ignored. Entries that a style hides are therefore read too, and numbers that a style adds are not part
  /// of titles.
  ///
  /// - Throws: ``CourseFormatError`` if the file does not exist or is not text.
  init(navigation file: String, in files: inout EPUBFiles) throws {
    self.file = file
    limits = files.source.limits
    let text = try files.text(of: file)
    do {
      try XMLTree.withRoot(of: text) { try readNavigation($0) }
    } catch let fault as XMLTree.Fault {
      findings.warning(
        file, fault.line,
        "The table of contents is not well-formed XML (\(fault.reason)), and was read like HTML.")
      try HTMLDocument.withRoot(of: text) { if let root = $0 { try readNavigation(root) } }
    }
  }

  /// Reads an NCX.
  ///
  /// - Throws: ``CourseFormatError`` if the file does not exist or is not XML.
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
    findings.countLoss("unsafe link", "shown as text")
    return EPUBEntry(title: title)
  }
}

extension HTMLNode {
  /// The text on one line, including the alternative texts of images.
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
