import LearningModel

/// An entry of a folder's navigation, with its children. It becomes a goal or a lesson later.
struct PageEntry: Equatable {
  /// The title in the navigation, or `nil` to use the title of the page or the folder.
  var title: String?
  /// The page as a path relative to the source, or `nil` for a group without a page.
  var page: String?
  /// The anchor of the page to which the entry leads, or `nil` for the whole page.
  var anchor: String?
  /// The address to which the entry leads, if it is outside the course.
  var address: String?
  /// The folder from which the entry was made, or `nil`. Empty for the source itself.
  var folder: String?
  var children: [PageEntry] = []
  /// A short description for an entry without a page.
  var summary = ""
  /// The line number in the navigation file, from 1.
  var line: Int?
  /// The page of an entry if it has no text. Links to the page lead to the entry.
  var emptyPage: String?
  /// The key of an entry without a page, or `nil` to make it from the folder or the title.
  var key: String?

  /// Whether the entry has neither a page nor an address.
  var isGroup: Bool { page == nil && address == nil }

  /// All pages of the entry and its descendants, its own page first.
  var pages: [String] { (page.map { [$0] } ?? []) + children.flatMap(\.pages) }
}

/// The properties of a folder that are determined before its pages are read: the title of the course, and the order of
/// the pages as the author determined it.
struct FolderPlan {
  /// The file that determines the order, as a path relative to the source. `nil` if the file names determine the order.
  var file: String?
  var title: String?
  var summary: String?
  var language: String?
  /// The folder with the pages, relative to the source.
  var pagesFolder = ""
  /// The folder to which the keys of pages are relative, or `nil` for ``pagesFolder``.
  var keysFolder: String?
  var program = PageProgram.unknown
  /// The entries, or `nil` if there is no navigation file.
  var entries: [PageEntry]?
  /// The values for placeholders of the form `{{ name }}`, by name.
  var substitutions: [String: String] = [:]
  /// The addresses of other projects of Sphinx to which pages refer, by name.
  var projects: [String: String] = [:]
  /// The entries of the bibliographies of MyST and Sphinx. Those of Quarto and bookdown are in ``quarto``.
  var bibliography = Bibliography()
  var catalogs: [DocCCatalog] = []
  /// The project of Quarto or bookdown, or `nil` for other folders.
  var quarto: QuartoProject?
  /// The settings of mdBook, or `nil` for other folders. The pages of a book are those that ``entries`` list.
  var book: BookConfiguration?
  /// Whether files and folders whose names begin with an underscore, and the `README` at the top, are not pages.
  var leavesOutPartials = false
  /// The pages that are left out.
  var leftOut: Set<String> = []

  /// Returns whether a file is not a page of the project: a part for other pages, or the `README` of the repository.
  ///
  /// Source: Quarto, "Project Basics", "Render Targets".
  func isPartial(_ path: String) -> Bool {
    guard leavesOutPartials else { return program.isPartial(path) }
    let inside = pagesFolder.isEmpty ? path[...] : path.dropFirst(pagesFolder.utf8.count + 1)
    return inside.split(separator: "/").contains { $0.hasPrefix("_") }
      || SourcePath.stem(of: String(inside)).lowercased() == "readme"
  }

  /// Returns the content of a page. Markup that is specific to DocC is converted to that of other folders.
  func adapted(_ content: PageContent, path: String) -> PageContent {
    guard case .markdown(let text) = content, let catalog = catalogs.first(where: { $0.has(path) }) else {
      return content
    }
    return .markdown(catalog.markdown(text, path: path))
  }
}

/// The entries that are made from file names and the fields of pages if there is no navigation.
struct FolderTree {
  let source: CourseSource
  let pageHeads: [String: PageSummary]
  /// The contents of Docusaurus's `_category_` files, by folder.
  private var categories: [String: Category] = [:]
  /// The titles and the positions of pages and folders in Nextra's `_meta` files, by their paths without extension.
  private var listed: [String: Category] = [:]
  /// The entries of folders with their own navigation files.
  private let parts: [String: [PageEntry]]

  struct Category {
    var title: String?
    var order: Double?
    var summary = ""
  }

  init(
    _ source: CourseSource, pageHeads: [String: PageSummary], names: [String: [String]], files: inout NavigationFiles
  ) {
    self.source = source
    self.pageHeads = pageHeads
    parts = files.parts
    for (folder, names) in names.sorted(by: { $0.key < $1.key }) {
      for name in names where name.hasPrefix("_category_.") {
        guard let tree = files.tree(of: SourcePath.join(folder, name)) else { continue }
        categories[folder] = Category(
          title: tree["label"]?.text?.onOneLine, order: tree["position"]?.text.flatMap(Double.init),
          summary: tree["link"]?["description"]?.text?.onOneLine ?? "")
      }
      // With several languages, the name of the language precedes the extension.
      if let name = names.filter({ $0.hasPrefix("_meta.") }).min(by: { ($0.utf8.count, $1) < ($1.utf8.count, $0) }) {
        addMeta(files.meta(SourcePath.join(folder, names.first { $0.hasPrefix("_meta.en.") } ?? name)), in: folder)
      }
    }
  }

  /// Records the order and the titles of a `_meta` file.
  ///
  /// Source: Nextra 4, "_meta.js File".
  private mutating func addMeta(_ tree: YAMLTree?, in folder: String) {
    for (place, field) in (tree?.fields ?? []).enumerated() where field.name != "*" {
      let title = (field.value.text ?? field.value["title"]?.text)?.onOneLine
      listed[SourcePath.join(folder, field.name)] = Category(title: title, order: Double(place))
    }
  }

  /// Returns the description of a folder; empty if it has none.
  func summary(of folder: String) -> String { categories[folder]?.summary ?? "" }

  /// Returns the entries for pages, grouped by folder.
  ///
  /// - Parameters:
  ///   - paths: The pages.
  ///   - folder: The folder that contains the entries. Its index page becomes the first entry.
  func entries(_ paths: [String], in folder: String) -> [PageEntry] {
    let prefix = folder.isEmpty ? "" : folder + "/"
    var own: [PageEntry] = []
    var pages: [String] = []
    var folders: [String: [String]] = [:]
    var order: [String] = []
    for path in paths {
      let rest = path.dropFirst(prefix.utf8.count)
      if let slash = rest.firstIndex(of: "/") {
        let inner = prefix + rest[..<slash]
        if folders[inner] == nil { order.append(inner) }
        folders[inner, default: []].append(path)
      } else if PageName.isIndexPage(path), own.isEmpty {
        own.append(PageEntry(title: listed[SourcePath.stem(of: path)]?.title, page: path))
      } else {
        pages.append(path)
      }
    }
    var siblings = order.map { sibling(folder: $0, paths: folders[$0]!, of: paths.count) }
    let places = Dictionary(
      zip(order.map { $0.lowercased() }, siblings.indices), uniquingKeysWith: { first, _ in first })
    for page in pages {
      // In a vault, `Bread.md` next to the folder `Bread` is the page of the folder.
      if let place = places[SourcePath.stem(of: page).lowercased()], siblings[place].entry.page == nil {
        siblings[place].entry.page = page
        siblings[place].order = siblings[place].order ?? pageHeads[page]?.order
      } else {
        let meta = listed[stem(of: page)]
        siblings.append(
          Sibling(
            entry: PageEntry(title: meta?.title, page: page), name: SourcePath.name(of: page),
            order: meta?.order ?? pageHeads[page]?.order))
      }
    }
    return own
      + siblings.sorted(by: Sibling.precedes).flatMap { sibling in
        guard sibling.isContentRoot else { return [sibling.entry] }
        var page = sibling.entry
        (page.folder, page.children) = (nil, [])
        page.title = page.page.flatMap { listed[stem(of: $0)]?.title }
        return (page.isGroup ? [] : [page]) + sibling.entry.children
      }
  }

  /// Returns the path of a page without the extension and without the language before it.
  private func stem(of page: String) -> String {
    let stem = SourcePath.stem(of: page)
    return listed[stem] == nil ? SourcePath.stem(of: stem) : stem
  }

  /// Returns the entries for the pages in a folder: those of its own navigation file, and then the other pages.
  private func ownEntries(_ paths: [String], in folder: String) -> [PageEntry] {
    guard let own = parts[folder] else { return entries(paths, in: folder) }
    var rest = Set(paths).subtracting(["SUMMARY.md", "_sidebar.md"].map { SourcePath.join(folder, $0) })
    func known(_ entries: [PageEntry]) -> [PageEntry] {
      entries.compactMap { entry in
        var own = entry
        if let page = entry.page, rest.remove(page) == nil { own.page = nil }
        own.children = known(entry.children)
        return own.isGroup && own.children.isEmpty ? nil : own
      }
    }
    let listed = known(own)
    return listed + (rest.isEmpty ? [] : entries(paths.filter(rest.contains), in: folder))
  }

  /// - Parameter count: The number of pages in the folder that contains this one.
  private func sibling(folder: String, paths: [String], of count: Int) -> Sibling {
    var children = ownEntries(paths, in: folder)
    let meta = listed[folder]
    var entry = PageEntry(title: categories[folder]?.title ?? meta?.title, folder: folder)
    if let first = children.first?.page, children[0].children.isEmpty, PageName.isIndexPage(first),
      SourcePath.folder(of: first) == folder
    {
      entry.page = first
      children.removeFirst()
    }
    entry.children = children
    return Sibling(
      entry: entry, name: SourcePath.name(of: folder) + ".",
      order: categories[folder]?.order ?? meta?.order ?? entry.page.flatMap { pageHeads[$0]?.order },
      isContentRoot: entry.title == nil && paths.count * 2 > count && ContentRoot.contains(folder))
  }

  private struct Sibling {
    var entry: PageEntry
    let name: String
    var order: Double?
    /// Whether the entry is replaced by its pages, because its folder contains most pages for technical reasons.
    var isContentRoot = false

    /// Returns whether an entry is sorted before another one. Entries without a position are last.
    static func precedes(_ left: Sibling, _ right: Sibling) -> Bool {
      let (one, other) = (left.order ?? .infinity, right.order ?? .infinity)
      // The extension must not affect the order.
      return one == other
        ? NaturalOrder.precedes(SourcePath.stem(of: left.name), SourcePath.stem(of: right.name)) : one < other
    }
  }
}
