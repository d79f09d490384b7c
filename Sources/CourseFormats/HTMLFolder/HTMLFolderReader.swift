import LearningModel

/// Reads an HTML page or a folder of HTML pages: the output of a documentation generator, or a mirrored site.
struct HTMLFolderReader: PageFolderReader {
  let name = "html"
  let summary =
    "An HTML page, or a folder of them: the output of rustdoc, Sphinx and other generators, or a mirrored site."
  let requirements = "an HTML page, such as 'index.html'"
  let mapping = FormatMapping(
    goal: "a folder at the top, or an entry of the start page's navigation",
    lesson: "a page, or a folder inside a folder",
    activity: "a page; for a long page, a group of its sections")
  let pages = PageKind.html

  /// Returns whether the source is an HTML page, or a folder with at least as many HTML pages as documents that must be
  /// converted.
  ///
  /// Packages of learning management systems are not recognised, although they contain HTML pages.
  func recognises(_ source: CourseSource) -> Bool {
    guard source.isFolder else { return Self.isPage(source) }
    let counts = PageFiles.Overview(source).counts
    return counts[.html, default: 0] > 0 && counts[.html, default: 0] >= counts[.document, default: 0]
      && ForeignFormat.package(source) == nil
  }

  func hasPages(_ source: CourseSource) -> Bool {
    source.isFolder ? PageFiles.Overview(source).counts[.html] != nil : Self.isPage(source)
  }

  private static func isPage(_ source: CourseSource) -> Bool {
    if PageKind.html.isPage(source.name) { return true }
    let head = source.head(count: 512)?.drop(while: \.isWhitespace).lowercased() ?? ""
    return head.hasPrefix("<!doctype html") || head.hasPrefix("<html")
  }
}

/// The order of the pages in a folder of HTML pages, read from the navigation of the start page.
struct HTMLNavigation {
  private let source: CourseSource
  private let pages: Set<String>
  private var visited: Set<String> = []
  /// The order of the pages, and the folder, title and language of the start page.
  private(set) var plan = FolderPlan()

  /// Reads the navigation of the start page: the `index.html` at the highest level.
  ///
  /// The navigation is used if it links to at least half of the pages. In Sphinx, each page lists only the pages
  /// directly below it, so the listed pages are read too.
  init(_ source: CourseSource, pages: [String]) {
    self.source = source
    self.pages = Set(pages)
    let names = PageKind.html.extensions.map { "index." + $0 }
    let starts = pages.filter { names.contains(SourcePath.name(of: $0).lowercased()) }
    let depth = { (path: String) in path.utf8.count { $0 == UInt8(ascii: "/") } }
    guard let start = starts.min(by: { (depth($0), $0) < (depth($1), $1) }) else { return }
    let isOnlyStart = starts.filter { depth($0) == depth(start) }.count == 1
    if depth(start) > 0, isOnlyStart { plan.title = HTMLPage(text(of: start) ?? "", path: start).title }
    guard pages.allSatisfy({ SourcePath.folder(of: start).isEmpty || $0.hasPrefix(SourcePath.folder(of: start) + "/") })
    else { return }
    plan.pagesFolder = SourcePath.folder(of: start)
    visited = [start]
    withRoot(of: start) { navigation, root in
      navigation.plan.language = root.attribute("lang")?.onOneLine
      navigation.plan.title = HTMLHead(root).site ?? navigation.plan.title
    }
    var lists = lists(on: start)
    let contents = SourcePath.join(plan.pagesFolder, "contents.html")
    // In Sphinx before 2.0, the lists are in "contents" if "index" is a custom page. Source: Sphinx, `master_doc`.
    if self.pages.contains(contents) { lists += self.lists(on: contents) }
    let best = lists.max { Set($0.flatMap(\.pages)).count < Set($1.flatMap(\.pages)).count } ?? []
    let named = Set(best.flatMap(\.pages)).union([start])
    guard named.count > 1, named.count * 2 >= pages.count else { return }
    var listed: Set<String> = [start]
    plan.entries = [PageEntry(page: start)] + PageEntry.withoutRepetitions(best, listed: &listed)
  }

  /// Returns the lists of pages on a page: the toctrees of Sphinx, otherwise one list for each navigation element.
  private mutating func lists(on page: String) -> [[PageEntry]] {
    var lists: [[PageEntry]] = []
    withRoot(of: page) { navigation, root in
      let trees = root.all { $0.classes.contains("toctree-wrapper") }
      lists =
        trees.isEmpty
        ? root.all(where: Self.isNavigation).map { navigation.entries(in: $0, on: page, depth: 0) }
        : [navigation.toctree(trees, on: page)]
    }
    return lists
  }

  private static func isNavigation(_ node: HTMLNode) -> Bool {
    node.name == "nav" || node.attribute("role") == "navigation" || node.attribute("id") == "toc"
      || !node.classes.allSatisfy { !["sidebar", "toc", "menu", "navigation"].contains($0) }
  }

  private mutating func withRoot(of page: String, _ use: (inout HTMLNavigation, HTMLNode) -> Void) {
    guard let text = text(of: page) else { return }
    HTMLDocument.withRoot(of: text) { root in if let root { use(&self, root) } }
  }

  private func text(of page: String) -> String? {
    (try? source.bytes(of: page)).flatMap { try? HTMLPage.text(of: $0, file: page) }
  }

  // MARK: - Lists

  /// Returns the entries of Sphinx toctrees. If there are several toctrees, each one with a caption becomes a group.
  ///
  /// Source: Sphinx, `environment/adapters/toctree.py`; the caption is a paragraph of the class "caption".
  private mutating func toctree(_ trees: [HTMLNode], on page: String) -> [PageEntry] {
    var all: [PageEntry] = []
    for tree in trees {
      let caption = tree.first { $0.classes.contains("caption") }?.textContent.onOneLine ?? ""
      let entries = entries(in: tree, on: page, depth: 0).map { completed($0) }
      all += caption.isEmpty || trees.count == 1 ? entries : [PageEntry(title: caption, children: entries)]
    }
    return all
  }

  /// Returns an entry whose children are the pages that its own page lists.
  private mutating func completed(_ entry: PageEntry) -> PageEntry {
    var own = entry
    own.children = entry.children.map { completed($0) }
    guard let page = entry.page, own.children.isEmpty, visited.insert(page).inserted,
      visited.count <= source.limits.entries
    else { return own }
    var below: [PageEntry] = []
    withRoot(of: page) { navigation, root in
      below = navigation.toctree(root.all { $0.classes.contains("toctree-wrapper") }, on: page)
    }
    own.children = below
    return own
  }

  /// Returns the links to pages in the lists of an element. If an item contains a list, the links of this list become
  /// children of the item's link.
  private func entries(in node: HTMLNode, on page: String, depth: Int) -> [PageEntry] {
    guard depth < source.limits.nestingDepth else { return [] }
    var all: [PageEntry] = []
    for child in node.children where child.name != nil {
      guard child.name == "li" else {
        if let entry = entry(child, on: page) {
          all.append(entry)
        } else {
          all += entries(in: child, on: page, depth: depth + 1)
        }
        continue
      }
      let inner = entries(in: child, on: page, depth: depth + 1)
      if let first = inner.first, first.children.isEmpty,
        child.first(where: { $0.name == "a" || $0.name == "li" })?.name == "a",
        inner.count > 1, child.first(where: { $0.name == "li" }) != nil
      {
        all.append(PageEntry(title: first.title, page: first.page, children: Array(inner.dropFirst())))
      } else {
        all += inner
      }
    }
    return all
  }

  /// Returns the page to which a link leads. Returns `nil` for a link to an anchor and for any other element.
  private func entry(_ node: HTMLNode, on page: String) -> PageEntry? {
    guard node.name == "a", let written = node.attribute("href"), case .file(let name, nil) = LinkTarget(written),
      let path = SourcePath.resolve(name, in: name.hasPrefix("/") ? plan.pagesFolder : SourcePath.folder(of: page))
    else { return nil }
    let bare = name.hasPrefix("/") ? SourcePath.join(plan.pagesFolder, path) : path
    let candidates = [bare] + PageKind.html.indexPageNames.map { SourcePath.join(bare, $0) }
    guard let target = candidates.first(where: pages.contains) else { return nil }
    let words = node.textContent.onOneLine
    return PageEntry(title: words.isEmpty ? nil : words, page: target)
  }
}

extension PageEntry {
  /// Returns the entries without pages that have been listed before. An entry for such a page is kept as a group if it
  /// has children.
  static func withoutRepetitions(_ entries: [PageEntry], listed: inout Set<String>) -> [PageEntry] {
    entries.compactMap { entry in
      var own = entry
      if let page = entry.page, !listed.insert(page).inserted { own.page = nil }
      own.children = withoutRepetitions(entry.children, listed: &listed)
      return own.isGroup && own.children.isEmpty ? nil : own
    }
  }
}
