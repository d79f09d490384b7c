/// The pages and folders of a source by their addresses on a web site.
///
/// The address of a page is its path without the extension. The address of an index page is also that of its folder.
struct PageAddresses {
  /// The page or folder of each address. A lower rank is preferred.
  private var paths: [String: (path: String, rank: Int)] = [:]
  /// The pages and folders whose addresses end with the same two names, by these names as generators write them.
  private var ends: [String: [String]] = [:]
  /// Whether a folder is a collection of Jekyll, whose name begins with an underscore.
  private(set) var hasCollections = false
  private let kind: PageKind

  /// The rank of index pages is higher than that of other pages, and the rank of folders is higher still.
  private static let (indexRank, folderRank) = (100, 200)
  /// The maximum number of paths with the same two last names that are compared.
  private static let maximumCandidates = 200

  init(_ all: some Sequence<String>, of kind: PageKind) {
    self.kind = kind
    for path in all.sorted(by: { ($0.utf8.count, $0) < ($1.utf8.count, $1) }) {
      hasCollections = hasCollections || path.hasPrefix("_") || path.contains("/_")
      let stem = Self.stem(of: path, kind)
      if stem == path {
        add(path, at: path, rank: Self.folderRank)
      } else {
        add(path, at: stem, rank: kind.extensions.firstIndex { SourcePath.hasExtension($0, path) } ?? 0)
        if PageName.isIndexPage(path) {
          let place = PageName.indexPageNames.firstIndex(of: SourcePath.name(of: stem)) ?? 0
          add(path, at: SourcePath.folder(of: stem), rank: Self.indexRank + place)
        }
      }
      let names = Self.address(of: path, kind)
      if names.count > 1 { ends[names.suffix(2).joined(separator: "/"), default: []].append(path) }
    }
  }

  private mutating func add(_ path: String, at address: String, rank: Int) {
    if let known = paths[address], known.rank <= rank { return }
    paths[address] = (path, rank)
  }

  /// The page or folder with a path that lacks its extension, has another one, or ends with `index`.
  subscript(path: String) -> String? {
    let stem = Self.stem(of: path, kind)
    if let found = paths[stem] { return found.path }
    return SourcePath.name(of: stem) == "index" ? paths[SourcePath.folder(of: stem)]?.path : nil
  }

  /// Returns the page or folder whose path ends with at least two names. If there are several, returns the one that
  /// has most outer folders in common with a page, then the shortest.
  func page(withEnd end: String, near page: String) -> String? {
    let names = Self.address(of: end, kind)
    guard names.count > 1, let known = ends[names.suffix(2).joined(separator: "/")] else { return nil }
    let matching = known.prefix(Self.maximumCandidates).filter {
      Self.address(of: $0, kind).suffix(names.count) == names[...]
    }
    return matching.max { Self.commonCount($0, page) < Self.commonCount($1, page) }
  }

  private static func commonCount(_ one: String, _ other: String) -> Int {
    zip(one.split(separator: "/"), other.split(separator: "/")).prefix { $0 == $1 }.count
  }

  private static func stem(of path: String, _ kind: PageKind) -> String {
    (kind.extensions + ["html"]).contains { SourcePath.hasExtension($0, path) } ? SourcePath.stem(of: path) : path
  }

  /// Returns the names of a path as site generators write them in addresses: without numbers at the beginning, in lower
  /// case, and with `-` instead of blanks and punctuation.
  private static func address(of path: String, _ kind: PageKind) -> [String] {
    var names = stem(of: path, kind).split(separator: "/").map(String.init)
    if let last = names.last, PageName.indexPageNames.contains(last) || path.hasSuffix("/page.mdx") {
      names.removeLast()
    }
    return names.map { name in
      PageKeys.unnumberedName(of: name).lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    }
  }
}

/// The folders in which site generators and their users put all pages, such as `src/content/docs/en`. They are not part
/// of the addresses of pages.
///
/// Sources: the documentation of Hugo (`content`), VitePress (`srcDir`), Starlight (`src/content/docs`), Docusaurus
/// (`docs`) and Nextra (`pages`).
enum ContentRoot {
  private static let names: Set<String> = [
    "src", "content", "docs", "doc", "documentation", "pages", "source", "site", "website", "en", "en-us",
  ]

  /// Returns whether each name of a path is that of a content root.
  static func contains(_ path: String) -> Bool {
    path.split(separator: "/").allSatisfy { names.contains($0.lowercased()) }
  }

  /// Returns the content roots that contain pages, the innermost first.
  static func all(of pages: [String]) -> [String] {
    var roots: Set<String> = []
    for page in pages {
      let names = SourcePath.folder(of: page).split(separator: "/").prefix { Self.names.contains($0.lowercased()) }
      for count in 0..<names.count { roots.insert(names[...count].joined(separator: "/")) }
    }
    return roots.sorted { ($0.utf8.count, $1) > ($1.utf8.count, $0) }
  }
}
