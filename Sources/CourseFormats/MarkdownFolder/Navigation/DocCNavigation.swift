import LearningModel

extension NavigationFiles {
  /// DocC catalogs: the topics of their root pages, and of the pages that those name.
  ///
  /// Source: Swift-DocC, "Adding Structure to Your Documentation Pages".
  static func docC(_ files: inout NavigationFiles, _ folder: String) -> FolderPlan? {
    guard folder.isEmpty else { return nil }
    let catalogs = DocCCatalog.all(&files)
    guard !catalogs.isEmpty else { return nil }
    var plan = FolderPlan(catalogs: catalogs)
    let ordered = catalogs.map { catalog in
      let showsRoot = catalogs.count > 1 || catalog.hasOverview
      return (catalog: catalog, entries: catalog.entries(showsRoot: showsRoot, &files.findings))
    }.filter { !$0.entries.isEmpty }
    if ordered.count == 1, let (only, entries) = ordered.first {
      // Where it says no more than the course's summary, it is a table of contents.
      plan.file = only.root
      (plan.title, plan.summary, plan.pages) = (only.title, only.summary, only.folder)
      plan.entries = entries
    } else {
      plan.entries = ordered.map { PageEntry(title: $0.catalog.title, folder: $0.catalog.folder, children: $0.entries) }
    }
    return plan
  }
}
