import LearningModel

/// Records the nodes of a folder's pages, anchors and labels, and uses them to resolve links.
struct PageLinks {
  /// The folder with the pages.
  private let top: String
  /// The folders to which a path with a leading slash may be relative: the folder with the pages, the source, and the
  /// content roots of site generators.
  private let roots: [String]
  private var places = LinkTargets()
  /// The groups of the navigation whose pages are all in one folder, by that folder.
  private var groups = LinkTargets()
  private var groupTitles: [String: String] = [:]
  /// The page, the anchor and the title of each label. An anchor of a document is a label too.
  private var labels: [String: (page: String, anchor: String, title: String?)] = [:]
  /// The names of pages and files, as wikilinks write them.
  private(set) var names: PageNames
  /// The pages by their keys in lower case.
  private var keys: [String: String] = [:]
  /// The pages and folders by their addresses, made when the first link is resolved.
  private lazy var addresses = PageAddresses(places.paths, of: kind)
  /// Whether each path to which a broken link leads is a file.
  private var linkedFiles: [String: Bool] = [:]
  private var titles: [String: String] = [:]
  private let kind: PageKind
  /// Whether links contain the exact paths of pages, as in mdBook.
  private let isExact: Bool

  /// Registers all pages, so that links to a page are recognised before the page is read.
  init(_ pages: [String], of kind: PageKind, keys: PageKeys, top: String, isExact: Bool = false) {
    self.top = top
    self.kind = kind
    self.isExact = isExact
    names = PageNames(pages, of: kind)
    roots = [top] + (top.isEmpty ? [] : [""]) + ContentRoot.all(of: pages).filter { $0 != top }
    for page in pages { self.keys[keys.page(page).lowercased()] = page }
  }

  /// Adds names that wikilinks may use: those of other files, and other names of pages.
  mutating func addNames(files: [String], aliases: [(name: String, page: String)]) {
    names.add(files: files)
    for alias in aliases { names.add(alias: alias.name, of: alias.page) }
  }

  /// Returns whether there is a page with that name in any folder.
  func isPage(_ name: String) -> Bool { names.page(named: name) != nil }

  /// Records the node of a page or folder. If it is recorded several times, links lead to the node that was recorded
  /// first.
  mutating func record(_ path: String, title: String, node: Int) {
    if places.add(page: path, node: node) { titles[path] = title }
  }

  /// Records the node of a group whose pages are all in one folder. Links to the folder lead to the group if no page
  /// has the path of the folder.
  mutating func record(group folder: String, title: String, node: Int) {
    if groups.add(page: folder, node: node) { groupTitles[folder] = title }
  }

  /// Makes links to the pages of a removed node lead to another node.
  mutating func move(from removed: Int, to node: Int) {
    places.move(from: removed, to: node)
    groups.move(from: removed, to: node)
  }

  /// Records that a node contains these anchors of a page.
  ///
  /// VitePress writes one hyphen where others write several: `a-b` for “A / B”.
  mutating func record(page: String, anchors names: [String], node: Int) {
    let short = names.filter { $0.contains("--") }.map { $0.replacing(/-{2,}/, with: "-") }
    places.add(anchors: names + short, of: page, node: node)
  }

  /// Records the title of a label on a page.
  mutating func record(label: String, page: String, title: String?) {
    let key = comparable(label)
    // A hyphen before a label requests its number without the word. The anchor has no hyphen.
    if labels[key] == nil { labels[key] = (page, label.hasPrefix("-") ? String(label.dropFirst()) : label, title) }
  }

  /// Resolves a link in the text of a node.
  mutating func resolve(_ destination: String, from node: Int, in source: CourseSource, _ builder: DraftBuilder)
    -> LinkResolution
  {
    let page = places.page(of: node)
    if destination.hasPrefix(LinkScheme.label) {
      let name = String(destination.dropFirst(LinkScheme.label.count)).decoded
      return label(name, builder, from: page)
        ?? .unresolved(name.contains(":") ? "link to another project" : "broken link")
    }
    if destination.hasPrefix(LinkScheme.page) {
      let parts = destination.dropFirst(LinkScheme.page.count).split(separator: "#", maxSplits: 1)
      guard let name = parts.first, let target = names.page(named: String(name).decoded, from: page) else {
        return .unresolved("broken link")
      }
      return leads(to: target, anchor: parts.count > 1 ? String(parts[1]).decoded : nil, builder)
    }
    switch LinkTarget(LinkSpelling.converted(destination)) {
    case .address(let address): return .link(address, title: nil)
    // A label may contain a colon, such as "eq:growth".
    case .unsafe:
      // Antora names the pages of other components like `server:guide:page.html`.
      let isElsewhere =
        destination.hasPrefix("inv:")
        || kind == .document && !destination.contains("/") && destination.contains(".html")
      return label(destination.decoded, builder)
        ?? .unresolved(isElsewhere ? "link to another project" : "unsafe link")
    case .node: return .unresolved("unsafe link")
    case .anchor(let anchor):
      if let found = label(anchor, builder, in: page) { return found }
      // In MyST, a link to an anchor may lead to a label on any page.
      if !places.has(anchor: anchor, on: page), let found = label(anchor, builder) { return found }
      return leads(to: page, anchor: anchor, builder)
    case .file(let name, let anchor):
      // A document with the anchor may be included in another one.
      let elsewhere = kind == .document ? anchor.flatMap { label($0, builder) } : nil
      if let found = target(of: name, from: page) {
        if let anchor, let elsewhere, !places.has(anchor: anchor, on: found) { return elsewhere }
        return leads(to: found, anchor: anchor, builder)
      }
      if let found = label(name, builder) { return found }
      if let found = targetWithLongestEnd(of: name, from: page) { return leads(to: found, anchor: anchor, builder) }
      if let elsewhere { return elsewhere }
      let paths = SourcePath.readings(of: name, in: SourcePath.folder(of: page))
      if isExact, !name.hasPrefix("/"), !paths.contains(where: { top.isEmpty || $0.hasPrefix(top + "/") }) {
        return .unresolved("link outside the book")
      }
      if paths.isEmpty { return .unresolved("link outside the folder") }
      // Antora and AsciiDoc know these pages or attributes from files of another project.
      if kind == .document, name.contains("@") || name.contains("{") { return .unresolved("link to another project") }
      let published = name.hasPrefix("/") ? RedirectFiles.publicFolders : []
      let files = paths + published.compactMap { SourcePath.resolve(name.drop { $0 == "/" }, in: $0) }
      return .unresolved(files.contains { isFile($0, in: source) } ? "linked file" : "broken link")
    }
  }

  private mutating func isFile(_ path: String, in source: CourseSource) -> Bool {
    if let known = linkedFiles[path] { return known }
    let isFile = source.hasLinkedFile(path)
    linkedFiles[path] = isFile
    return isFile
  }

  /// Returns the link to a label, with the title of its target. The title of a page is used for a target without a title
  /// on another page.
  ///
  /// - Parameters:
  ///   - page: The page that must contain the label, or `nil` for any page.
  ///   - current: The page with the link.
  private func label(
    _ name: String, _ builder: DraftBuilder, in page: String? = nil, from current: String = ""
  ) -> LinkResolution? {
    guard let label = labels[comparable(name)], page == nil || label.page == page else { return nil }
    let known = places.has(anchor: label.anchor, on: label.page)
    guard case .link(let destination, _) = leads(to: label.page, anchor: known ? label.anchor : nil, builder) else {
      return nil
    }
    return .link(destination, title: label.title ?? ([page, current].contains(label.page) ? nil : titles[label.page]))
  }

  /// Returns a label in the form in which labels are compared. The identifiers that Asciidoctor makes from headings
  /// depend on settings outside of the documents, such as `_the_title` and `the-title`.
  ///
  /// Source: Asciidoctor, "Customize Autogenerated IDs".
  private func comparable(_ label: String) -> String {
    guard kind == .document else { return label.lowercased() }
    return label.lowercased().split { $0 == "_" || $0 == "-" }.joined(separator: "-")
  }

  private func leads(to page: String, anchor: String?, _ builder: DraftBuilder) -> LinkResolution {
    guard places.has(page: page) else {
      return groups.resolve(page: page, anchors: anchor.map { [$0] } ?? [], title: groupTitles[page], builder)
    }
    // On web sites, anchors are in lower case. Authors may write them like the heading.
    let written = anchor ?? ""
    let spellings = written.isEmpty ? [] : [written, written.lowercased(), Anchor.make(from: written)]
    return places.resolve(page: page, anchors: spellings, title: titles[page], builder)
  }

  /// Returns the page or folder to which a path leads from a page. A link contains the name of a file, or its address
  /// on the web site: `page.html`, `page/`, `../page/`.
  private mutating func target(of name: String, from page: String) -> String? {
    let isAbsolute = name.hasPrefix("/")
    let folder = SourcePath.folder(of: page)
    // On the web site, the address of a page is often a folder, so relative links have one more `..`. Hugo also finds a
    // page by its path relative to the folder of all pages, without a leading slash.
    let stem = SourcePath.join(folder, SourcePath.stem(of: SourcePath.name(of: page)))
    // The address of an index page is that of its folder, so relative links may begin at the folder around it.
    let outer = PageName.isIndexPage(page) && !isExact ? [SourcePath.folder(of: folder)] : []
    let bases = isAbsolute ? roots : [folder, stem, top] + outer
    let bare = isAbsolute ? String(name.drop { $0 == "/" }) : name
    for base in bases {
      for path in SourcePath.readings(of: bare, in: base) {
        if let found = target(at: path) { return found }
      }
      // In Jekyll, a collection is a folder `_name` whose address is `/name/`.
      if isAbsolute, addresses.hasCollections, let path = SourcePath.resolve("_" + bare, in: base),
        let found = target(at: path)
      {
        return found
      }
    }
    return nil
  }

  /// Returns the page or folder with a path or an address.
  private mutating func target(at path: String) -> String? {
    if places.has(page: path) { return path }
    if let found = addresses[path] { return found }
    let below = top.isEmpty || !path.hasPrefix(top + "/") ? path : String(path.dropFirst(top.utf8.count + 1))
    let key = below.lowercased()
    return [keys[key], keys[SourcePath.stem(of: key)]].lazy.compactMap { $0 }.first(where: places.has(page:))
      ?? (groups.has(page: path) ? path : nil)
  }

  /// Returns the page or folder whose path has the longest common end with a path. The first components of the path
  /// may be the address of the web site, or a language, which are not part of the source. The first components of the
  /// page's path may be folders that are not part of its address.
  ///
  /// A single name such as `index` matches only if the path is absolute and not the name of an index page, because it
  /// would match an unrelated page.
  private mutating func targetWithLongestEnd(of name: String, from page: String) -> String? {
    let components = name.split(separator: "/").filter { $0 != "." && $0 != ".." }
    guard components.count > 1, components.count <= Self.maximumComponents, !isExact else { return nil }
    // A relative path may be that of a file that includes the text. Two names of it are too few to find a page.
    if !name.hasPrefix(".") || components.count > 2,
      let found = addresses.page(withEnd: components.joined(separator: "/"), near: page)
    {
      return found
    }
    for start in 1..<components.count {
      let end = components[start...].joined(separator: "/")
      if start == components.count - 1, !name.hasPrefix("/") || PageName.isIndexPage(end) { return nil }
      if let found = target(of: "/" + end, from: page) { return found }
    }
    return nil
  }

  /// The maximum number of components of a path that is shortened. Resolving many links to missing pages therefore
  /// remains fast.
  private static let maximumComponents = 16
}

/// Converts links in forms that only one program uses.
///
/// Sources: docsify, "Doc helper" (`#/page?id=heading`); MyST-Parser, "Cross-references" (`project:`, `path:`).
enum LinkSpelling {
  /// Returns a link in the form that other programs use too.
  static func converted(_ destination: String) -> String {
    if destination.hasPrefix("project:") { return String(destination.dropFirst("project:".count)) }
    if destination.hasPrefix("path:") { return String(destination.dropFirst("path:".count)) }
    // An address on the web keeps its query.
    if case .address = LinkTarget(destination) { return destination }
    let path = destination.hasPrefix("#/") ? String(destination.dropFirst()) : destination
    guard let query = path.firstRange(of: "?id=") else { return path }
    return path[..<query.lowerBound] + "#" + path[query.upperBound...]
  }
}

extension String {
  /// The text with percent encoding removed.
  fileprivate var decoded: String {
    guard case .file(let path, let anchor) = LinkTarget(self) else { return self }
    return path + (anchor.map { "#" + $0 } ?? "")
  }
}
