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
  /// Whether files and folders whose names begin with an underscore, and the `README` at the top, are not pages.
  var leavesOutPartials = false

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

  struct Category {
    var title: String?
    var order: Double?
    var summary = ""
  }

  init(_ source: CourseSource, pageHeads: [String: PageSummary], files: inout NavigationFiles) {
    self.source = source
    self.pageHeads = pageHeads
    for folder in Set(pageHeads.keys.flatMap(Self.folders)) {
      let names = ["_category_.json", "_category_.yml", "_category_.yaml"]
      guard let file = files.first(of: names, in: folder), let tree = files.tree(of: file) else { continue }
      categories[folder] = Category(
        title: tree["label"]?.text?.onOneLine, order: tree["position"]?.text.flatMap(Double.init),
        summary: tree["link"]?["description"]?.text?.onOneLine ?? "")
    }
  }

  private static func folders(of path: String) -> [String] {
    var folders: [String] = []
    var folder = SourcePath.folder(of: path)
    while !folder.isEmpty {
      folders.append(folder)
      folder = SourcePath.folder(of: folder)
    }
    return folders
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
      } else if PageFiles.isIndexPage(path), own.isEmpty {
        own.append(PageEntry(page: path))
      } else {
        pages.append(path)
      }
    }
    var siblings = order.map { sibling(folder: $0, paths: folders[$0]!) }
    let places = Dictionary(
      zip(order.map { $0.lowercased() }, siblings.indices), uniquingKeysWith: { first, _ in first })
    for page in pages {
      // In a vault, `Bread.md` next to the folder `Bread` is the page of the folder.
      if let place = places[SourcePath.stem(of: page).lowercased()], siblings[place].entry.page == nil {
        siblings[place].entry.page = page
        siblings[place].order = siblings[place].order ?? pageHeads[page]?.order
      } else {
        siblings.append(
          Sibling(entry: PageEntry(page: page), name: SourcePath.name(of: page), order: pageHeads[page]?.order))
      }
    }
    return own + siblings.sorted(by: Sibling.precedes).map(\.entry)
  }

  private func sibling(folder: String, paths: [String]) -> Sibling {
    var children = entries(paths, in: folder)
    var entry = PageEntry(title: categories[folder]?.title, folder: folder)
    if let first = children.first?.page, children[0].children.isEmpty, PageFiles.isIndexPage(first),
      SourcePath.folder(of: first) == folder
    {
      entry.page = first
      children.removeFirst()
    }
    entry.children = children
    return Sibling(
      entry: entry, name: SourcePath.name(of: folder) + ".",
      order: categories[folder]?.order ?? entry.page.flatMap { pageHeads[$0]?.order })
  }

  private struct Sibling {
    var entry: PageEntry
    let name: String
    var order: Double?

    /// Returns whether an entry is sorted before another one. Entries without a position are last.
    static func precedes(_ left: Sibling, _ right: Sibling) -> Bool {
      let (one, other) = (left.order ?? .infinity, right.order ?? .infinity)
      // The extension must not affect the order.
      return one == other
        ? NaturalOrder.precedes(SourcePath.stem(of: left.name), SourcePath.stem(of: right.name)) : one < other
    }
  }
}
