import LearningModel

/// One line of a folder's navigation, and those below it, before it is known what becomes a goal and what a lesson.
struct PageEntry: Equatable {
  /// What the navigation calls it; `nil` where the page or the folder says so itself.
  var title: String?
  /// Its page, as a path below the source; `nil` for a group without one.
  var page: String?
  /// Where it leads out of the course, where it is no page.
  var address: String?
  /// The folder that it stands for, where its place comes from that; empty for the source itself.
  var folder: String?
  /// What stands below it.
  var children: [PageEntry] = []
  /// One or two sentences on it, where it has no page that says them.
  var summary = ""
  /// The line of the navigation file, from 1.
  var line: Int?

  /// Whether it can only hold others.
  var isGroup: Bool { page == nil && address == nil }

  /// All pages in it, itself first.
  var pages: [String] { (page.map { [$0] } ?? []) + children.flatMap(\.pages) }
}

/// What is known of a folder before its pages are read: its course's name, and the order that its author gave it.
struct FolderPlan {
  /// The file that gives the order, as a path below the source; `nil` where the names do.
  var file: String?
  /// The course's title.
  var title: String?
  /// What the course is about.
  var summary: String?
  /// The language of its texts.
  var language: String?
  /// The folder that the pages are in, below the source.
  var pages = ""
  /// The entries, where a file of navigation gives them.
  var entries: [PageEntry]?
  /// Words that stand for others, where the author may write `{{ name }}`.
  var substitutions: [String: String] = [:]
  /// The DocC catalogs in it.
  var catalogs: [DocCCatalog] = []

  /// A page's text as a page of any folder is written.
  func adapted(_ content: PageContent, path: String) -> PageContent {
    guard case .markdown(let text) = content, let catalog = catalogs.first(where: { $0.has(path) }) else {
      return content
    }
    return .markdown(catalog.markdown(text, path: path))
  }
}

/// The entries that names, and the fields of pages, give where no navigation does.
struct FolderTree {
  let source: CourseSource
  let heads: [String: PageHead]
  /// What Docusaurus's `_category_` files say, by folder.
  private var categories: [String: Category] = [:]

  struct Category {
    var title: String?
    var order: Double?
    var summary = ""
  }

  init(_ source: CourseSource, heads: [String: PageHead], files: inout NavigationFiles) {
    self.source = source
    self.heads = heads
    for folder in Set(heads.keys.flatMap(Self.folders)) {
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

  /// What a folder's own words on it are.
  func summary(of folder: String) -> String { categories[folder]?.summary ?? "" }

  /// The entries for pages, by the folders that they stand in.
  ///
  /// - Parameters:
  ///   - paths: The pages.
  ///   - folder: The folder that the entries stand in; its own page is the first of them.
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
      } else if PageFiles.isOwnPage(path), own.isEmpty {
        own.append(PageEntry(page: path))
      } else {
        pages.append(path)
      }
    }
    var siblings = pages.map {
      Sibling(entry: PageEntry(page: $0), name: SourcePath.name(of: $0), order: heads[$0]?.order)
    }
    for inner in order { siblings.append(sibling(folder: inner, paths: folders[inner]!)) }
    return own + siblings.sorted(by: Sibling.precedes).map(\.entry)
  }

  private func sibling(folder: String, paths: [String]) -> Sibling {
    var children = entries(paths, in: folder)
    var entry = PageEntry(title: categories[folder]?.title, folder: folder)
    if let first = children.first?.page, children[0].children.isEmpty, PageFiles.isOwnPage(first),
      SourcePath.folder(of: first) == folder
    {
      entry.page = first
      children.removeFirst()
    }
    entry.children = children
    return Sibling(
      entry: entry, name: SourcePath.name(of: folder) + ".",
      order: categories[folder]?.order ?? entry.page.flatMap { heads[$0]?.order })
  }

  private struct Sibling {
    let entry: PageEntry
    let name: String
    let order: Double?

    /// What has a number of its own stands before what has none.
    static func precedes(_ left: Sibling, _ right: Sibling) -> Bool {
      let (one, other) = (left.order ?? .infinity, right.order ?? .infinity)
      // The extension is no part of a name's order.
      return one == other
        ? NaturalOrder.precedes(SourcePath.stem(of: left.name), SourcePath.stem(of: right.name)) : one < other
    }
  }
}
