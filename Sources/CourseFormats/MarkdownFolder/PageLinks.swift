import LearningModel

/// Records the nodes of a folder's pages, anchors and labels, and uses them to resolve links.
struct PageLinks {
  /// The folder with the pages. Paths with a leading slash are relative to it.
  var top = ""
  private var places = LinkTargets()
  /// The groups of the navigation whose pages are all in one folder, by that folder.
  private var groups = LinkTargets()
  private var groupTitles: [String: String] = [:]
  /// The page and the title of each label.
  private var labels: [String: (page: String, title: String)] = [:]
  /// The names of pages and files, as wikilinks write them.
  private(set) var names: PageNames
  /// The pages by their keys in lower case.
  private var keys: [String: String] = [:]
  /// The pages by their keys in the form of addresses: in lower case, with `-` instead of blanks and punctuation.
  private var addresses: [String: String] = [:]
  private var titles: [String: String] = [:]
  private let kind: PageKind

  /// Registers all pages, so that links to a page are recognised before the page is read.
  init(_ pages: [String], of kind: PageKind, keys: PageKeys, top: String) {
    self.top = top
    self.kind = kind
    names = PageNames(pages, of: kind)
    for page in pages {
      self.keys[keys.page(page).lowercased()] = page
      addresses[keys.page(page).asAddress] = page
    }
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
  mutating func record(page: String, anchors names: [String], node: Int) {
    places.add(anchors: names, of: page, node: node)
  }

  /// Records the title of a label on a page.
  mutating func record(label: String, page: String, title: String) {
    if labels[label.lowercased()] == nil { labels[label.lowercased()] = (page, title) }
  }

  /// Resolves a link in the text of a node.
  func resolve(_ destination: String, from node: Int, in source: CourseSource, _ builder: DraftBuilder)
    -> LinkResolution
  {
    let page = places.page(of: node)
    if destination.hasPrefix(PageMarkup.labelScheme) {
      return label(String(destination.dropFirst(PageMarkup.labelScheme.count)).decoded, builder)
        ?? .unresolved("broken link")
    }
    if destination.hasPrefix(PageMarkup.pageScheme) {
      let parts = destination.dropFirst(PageMarkup.pageScheme.count).split(separator: "#", maxSplits: 1)
      guard let name = parts.first, let target = names.page(named: String(name).decoded, from: page) else {
        return .unresolved("broken link")
      }
      return leads(to: target, anchor: parts.count > 1 ? String(parts[1]).decoded : nil, builder)
    }
    switch LinkTarget(LinkSpelling.converted(destination)) {
    case .address(let address): return .link(address, title: nil)
    // A label may contain a colon, such as "eq:growth".
    case .unsafe:
      let isInventory = destination.hasPrefix("inv:")
      return label(destination.decoded, builder)
        ?? .unresolved(isInventory ? "link to another project" : "unsafe link")
    case .node: return .unresolved("unsafe link")
    case .anchor(let anchor):
      if let found = label(anchor, builder, in: page) { return found }
      // In MyST, a link to an anchor may lead to a label on any page.
      if !places.has(anchor: anchor, on: page), let found = label(anchor, builder) { return found }
      return leads(to: page, anchor: anchor, builder)
    case .file(let name, let anchor):
      if let found = candidates(name, from: page).first(where: places.has(page:)) {
        return leads(to: found, anchor: anchor, builder)
      }
      if let found = label(name, builder) { return found }
      if let found = pageWithLongestEnd(of: name, from: page) { return leads(to: found, anchor: anchor, builder) }
      if !name.isEmpty,
        let folder = candidates(name, from: page).first(where: groups.has(page:))
          ?? pathWithLongestEnd(of: name, from: page, where: groups.has(page:))
      {
        return groups.resolve(page: folder, anchors: anchor.map { [$0] } ?? [], title: groupTitles[folder], builder)
      }
      let paths = SourcePath.readings(of: name, in: SourcePath.folder(of: page))
      if paths.isEmpty { return .unresolved("link outside the folder") }
      return .unresolved(paths.contains(where: source.hasLinkedFile) ? "linked file" : "broken link")
    }
  }

  private func label(_ name: String, _ builder: DraftBuilder, in page: String? = nil) -> LinkResolution? {
    guard let label = labels[name.lowercased()], page == nil || label.page == page else { return nil }
    // A hyphen before a label requests its number without the word. The anchor has no hyphen.
    let anchor = name.hasPrefix("-") ? String(name.dropFirst()) : name
    let known = places.has(anchor: anchor, on: label.page)
    guard case .link(let destination, _) = leads(to: label.page, anchor: known ? anchor : nil, builder) else {
      return nil
    }
    return .link(destination, title: label.title)
  }

  private func leads(to page: String, anchor: String?, _ builder: DraftBuilder) -> LinkResolution {
    // On web sites, anchors are in lower case. Authors may write them like the heading.
    let written = anchor ?? ""
    let spellings = written.isEmpty ? [] : [written, written.lowercased(), Anchor.make(from: written)]
    return places.resolve(page: page, anchors: spellings, title: titles[page], builder)
  }

  /// Returns the page whose path matches the longest end of a path. The first components of the path may be the address
  /// of the web site, or a language, which are not part of the source.
  ///
  /// A single name such as `index` matches only if the path is absolute and not the name of an index page, because it
  /// would match an unrelated page.
  private func pageWithLongestEnd(of name: String, from page: String) -> String? {
    let components = name.split(separator: "/").filter { $0 != "." && $0 != ".." }
    if components.count > 1, components.count <= Self.maximumComponents, name.hasPrefix("/"),
      let found = addresses[components.joined(separator: "/").asAddress]
    {
      return found
    }
    return pathWithLongestEnd(of: name, from: page, where: places.has(page:))
  }

  /// Returns the path that matches the longest end of a path and that `isKnown` accepts.
  private func pathWithLongestEnd(of name: String, from page: String, where isKnown: (String) -> Bool) -> String? {
    let components = name.split(separator: "/").filter { $0 != "." && $0 != ".." }
    guard components.count > 1, components.count <= Self.maximumComponents else { return nil }
    for start in 1..<components.count {
      let end = components[start...].joined(separator: "/")
      let isSingle = start == components.count - 1
      if isSingle, !name.hasPrefix("/") || PageFiles.isIndexPage(end) { return nil }
      if let found = candidates("/" + end, from: page).first(where: isKnown) { return found }
    }
    return nil
  }

  /// The maximum number of components of a path that is shortened. Resolving many links to missing pages therefore
  /// remains fast.
  private static let maximumComponents = 16

  /// Returns the pages to which a name may refer. A link contains the name of a file, or its address on the web site:
  /// `page.html`, `page/`, `../page/`.
  private func candidates(_ name: String, from page: String) -> [String] {
    let folder = SourcePath.folder(of: page)
    // On the web site, the address of a page is often a folder, so relative links have one more `..`.
    let asFolder = SourcePath.join(folder, SourcePath.stem(of: SourcePath.name(of: page)))
    // Hugo also finds a page by its path relative to the folder of all pages, without a leading slash.
    let bases = name.hasPrefix("/") ? [top, ""] : [folder, asFolder, top]
    let bare = name.hasPrefix("/") ? String(name.drop { $0 == "/" }) : name
    // In Jekyll, a collection is a folder `_name` whose address is `/name/`.
    let written = name.hasPrefix("/") ? [bare, "_" + bare] : [bare]
    return bases.flatMap { base in written.flatMap { SourcePath.readings(of: $0, in: base) } }.flatMap {
      path -> [String] in
      let stem = SourcePath.hasExtension("html", path) ? SourcePath.stem(of: path) : path
      let inside = SourcePath.name(of: stem) == "index" ? SourcePath.folder(of: stem) : stem
      let below = top.isEmpty || !stem.hasPrefix(top + "/") ? stem : String(stem.dropFirst(top.utf8.count + 1))
      return [path] + kind.extensions.map { stem + "." + $0 }
        + kind.indexPageNames.map { SourcePath.join(inside, $0) } + [inside]
        + [keys[below.lowercased()], keys[SourcePath.stem(of: below).lowercased()]].compactMap { $0 }
    }
  }
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
  /// A path as site generators write it in addresses.
  fileprivate var asAddress: String {
    split(separator: "/").map { name in
      name.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    }.joined(separator: "/")
  }

  /// The text with percent encoding removed.
  fileprivate var decoded: String {
    guard case .file(let path, let anchor) = LinkTarget(self) else { return self }
    return path + (anchor.map { "#" + $0 } ?? "")
  }
}
