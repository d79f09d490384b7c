/// Finds pages and other files of a folder by their names, as wikilinks do: without the folder, without the extension of
/// a page, and ignoring case.
///
/// Sources: Obsidian Help, "Internal links" and "Aliases"; Foam, "Wikilinks"; Logseq, "Namespaces".
struct PageNames {
  private let kind: PageKind
  /// The paths of pages, by their names in lower case without extension.
  private var pages: [String: [String]] = [:]
  /// The paths of other files, by their names in lower case.
  private var files: [String: [String]] = [:]
  /// The pages by their aliases in lower case.
  private var aliases: [String: String] = [:]

  init(_ paths: [String] = [], of kind: PageKind) {
    self.kind = kind
    for path in paths { pages[key(of: path), default: []].append(path) }
  }

  /// Adds files other than pages.
  mutating func add(files paths: [String]) {
    for path in paths { files[SourcePath.name(of: path).lowercased(), default: []].append(path) }
  }

  /// Adds an alias of a page. If several pages have the same alias, the first one is used.
  mutating func add(alias: String, of page: String) {
    let name = alias.lowercased()
    if aliases[name] == nil { aliases[name] = page }
  }

  private func key(of path: String) -> String {
    let name = SourcePath.name(of: path)
    return (kind.isPage(name) ? SourcePath.stem(of: name) : name).lowercased()
  }

  /// Returns the page with a name, or `nil` if no page has this name.
  ///
  /// - Parameters:
  ///   - name: The name, which may contain folders and an extension.
  ///   - page: The page that contains the link. Pages in the same folder are preferred.
  func page(named name: String, from page: String = "") -> String? {
    if let path = best(pages[key(of: name)] ?? [], named: name, from: page, hasExtension: kind.isPage(name)) {
      return path
    }
    if let path = aliases[name.lowercased()] { return path }
    guard name.contains("/") else { return nil }
    // The names of files cannot contain a slash. Logseq replaces it.
    return ["___", "%2F", "."].lazy.compactMap { separator in
      pages[name.replacing("/", with: separator).lowercased()]?.first
    }.first
  }

  /// Returns the file other than a page with a name, or `nil` if no such file exists.
  func file(named name: String, from page: String) -> String? {
    best(files[SourcePath.name(of: name).lowercased()] ?? [], named: name, from: page, hasExtension: true)
  }

  /// Returns the path that a name refers to: the path from the top, otherwise the path from the folder of the page,
  /// otherwise a path that ends with the name. If several paths end with the name, one in the folder of the page is
  /// preferred, otherwise the shortest.
  private func best(_ paths: [String], named name: String, from page: String, hasExtension: Bool) -> String? {
    guard !paths.isEmpty else { return nil }
    let folder = SourcePath.folder(of: page)
    func comparable(_ path: String) -> String { (hasExtension ? path : SourcePath.stem(of: path)).lowercased() }
    let bare = String(name.drop { $0 == "/" }).lowercased()
    if let path = paths.first(where: { comparable($0) == bare }) { return path }
    if let full = SourcePath.resolve(name, in: folder)?.lowercased(),
      let path = paths.first(where: { comparable($0) == full })
    {
      return path
    }
    let suffix = "/" + bare.split(separator: "/").filter { $0 != "." && $0 != ".." }.joined(separator: "/")
    let matching = paths.filter { ("/" + comparable($0)).hasSuffix(suffix) }
    return matching.first { SourcePath.folder(of: $0) == folder } ?? matching.min { $0.utf8.count < $1.utf8.count }
  }
}
