/// The order of the pages in a folder of reStructuredText, read from `toctree` directives.
///
/// Source: Sphinx, "Directives", `toctree`.
struct SphinxNavigation {
  private let source: CourseSource
  private let pages: Set<String>
  private var visited: Set<String> = []
  private(set) var plan = FolderPlan()

  /// Reads the page order from the start page: an `index.rst` or `contents.rst` in the same folder as a `conf.py`. If
  /// there is no such page, any `index.rst` or `contents.rst` can be the start page. If several pages can be the start
  /// page, the page at the highest level is used.
  init(_ source: CourseSource, pages: [String]) {
    self.source = source
    self.pages = Set(pages)
    let starts = pages.filter { ["index.rst", "contents.rst"].contains(SourcePath.name(of: $0)) }
    let depth = { (path: String) in path.utf8.count { $0 == UInt8(ascii: "/") } }
    let configured = starts.filter { source.hasFile(SourcePath.join(SourcePath.folder(of: $0), "conf.py")) }
    guard let start = (configured.isEmpty ? starts : configured).min(by: { (depth($0), $0) < (depth($1), $1) }) else {
      return
    }
    visited = [start]
    let entries = entries(of: start)
    guard !entries.isEmpty else { return }
    plan.pagesFolder = SourcePath.folder(of: start)
    var listed: Set<String> = [start]
    plan.entries = [PageEntry(page: start)] + PageEntry.withoutRepetitions(entries, listed: &listed)
  }

  private mutating func entries(of page: String) -> [PageEntry] {
    guard let bytes = try? source.bytes(of: page), let text = try? TextDecoding.decode(bytes, file: page) else {
      return []
    }
    var all: [PageEntry] = []
    let trees = Self.toctrees(in: text)
    for tree in trees {
      let entries = tree.names.flatMap { self.entries($0, on: page) }
      all += tree.caption.isEmpty || trees.count == 1 ? entries : [PageEntry(title: tree.caption, children: entries)]
    }
    return all
  }

  private mutating func entries(_ line: String, on page: String) -> [PageEntry] {
    var name = line
    var title: String?
    if line.hasSuffix(">"), let open = line.lastIndex(of: "<") {
      title = String(line[..<open]).onOneLine
      name = String(line[line.index(after: open)...].dropLast())
    }
    if case .address(let address) = LinkTarget(name) { return [PageEntry(title: title ?? address, address: address)] }
    let folder = name.hasPrefix("/") ? SourcePath.folder(of: visited.first ?? page) : SourcePath.folder(of: page)
    guard let path = SourcePath.resolve(String(name.drop { $0 == "/" }), in: folder) else { return [] }
    if name.contains("*") {
      let beginning = path.prefix { $0 != "*" }
      let found = pages.filter { $0.hasPrefix(beginning) && SourcePath.folder(of: $0) == SourcePath.folder(of: path) }
      return found.sorted(by: NaturalOrder.pathPrecedes).map { completed(PageEntry(page: $0)) }
    }
    guard let target = [path, path + ".rst", path + ".txt"].first(where: pages.contains) else { return [] }
    return [completed(PageEntry(title: title, page: target))]
  }

  private mutating func completed(_ entry: PageEntry) -> PageEntry {
    var own = entry
    if let page = entry.page, visited.insert(page).inserted { own.children = entries(of: page) }
    return own
  }

  /// Returns the captions and the lines of all `toctree` directives of a page.
  static func toctrees(in text: String) -> [(caption: String, names: [String])] {
    var trees: [(caption: String, names: [String])] = []
    var indentation: Int?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let bare = line.trimmingBlanks
      let depth = line.prefix { $0 == " " || $0 == "\t" }.count
      if bare == ".. toctree::" {
        trees.append(("", []))
        indentation = depth
      } else if let outer = indentation, !bare.isEmpty {
        guard depth > outer else {
          indentation = nil
          continue
        }
        if bare.hasPrefix(":caption:") {
          trees[trees.count - 1].caption = String(bare.dropFirst(9)).onOneLine
        } else if !bare.hasPrefix(":") {
          trees[trees.count - 1].names.append(String(bare))
        }
      }
    }
    return trees
  }
}
