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
