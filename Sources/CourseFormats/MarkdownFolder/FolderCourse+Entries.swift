import LearningModel

extension FolderCourse {
  // MARK: What there is

  /// The entries of the navigation or of the names, and the pages that the navigation does not list.
  mutating func entries() throws -> (main: [PageEntry], also: [PageEntry]) {
    var all = [source.name]
    if source.isFolder {
      let files = try PageFiles(in: source, of: kind)
      all = files.paths
      for (folder, count) in files.hidden.sorted(by: { $0.key < $1.key }) {
        builder.findings.lose(
          folder.isEmpty ? "page whose name begins with a dot" : "page in a folder '\(folder)'", "left out",
          count: count)
      }
    }
    if source.isFolder { plan = try plan(of: all) }
    if !plan.catalogs.isEmpty {
      builder.picturePaths = { [catalogs = plan.catalogs] name, file in
        let named = catalogs.first { $0.has(file) }?.pictures[name]
        return DraftBuilder.picturePaths(name, in: file) + [named].compactMap(\.self)
      }
    }
    let named = Set((plan.entries ?? []).flatMap(\.pages))
    let translations = Translations(all, language: plan.language, isNamed: named.contains)
    note(translations)
    let paths = translations.kept.filter { $0 != plan.file || named.contains($0) }
    for path in paths { try look(at: path) }
    folders = FolderTree(source, heads: heads, files: &navigation)
    let pages = paths.filter { heads[$0] != nil }
    keys = PageKeys(pages, below: plan.pages, course: key, own: heads.compactMapValues(\.key))
    links = PageLinks(pages, of: kind, keys: keys, top: plan.pages)

    var listed: Set<String> = []
    var main: [PageEntry]
    if let entries = plan.entries, !entries.isEmpty {
      main = entries.flatMap { present($0, listed: &listed) }
    } else {
      let top = plan.pages
      let inside = pages.filter { page in
        (top.isEmpty || page.hasPrefix(top + "/"))
          && !(SourcePath.folder(of: page) == top && GoalShape.isHousekeeping(page))
      }
      listed = Set(inside)
      main = folders.entries(inside, in: top)
    }
    if main.isEmpty {
      listed = Set(pages)
      main = folders.entries(pages, in: "")
    }
    main = withText(main)
    return (main, withText(folders.entries(pages.filter { !listed.contains($0) }, in: "")))
  }

  /// The order of the pages that their author gave.
  private mutating func plan(of paths: [String]) throws -> FolderPlan {
    switch kind {
    case .markdown: try navigation.plan()
    case .html: HTMLNavigation(source, pages: paths).plan
    case .document: SphinxNavigation(source, pages: paths).plan
    case .text: FolderPlan()
    }
  }

  private mutating func note(_ translations: Translations) {
    let count = translations.others.values.reduce(0, +)
    guard count > 0 else { return }
    builder.findings.lose("translation", "left out", count: count)
    let names = translations.others.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
    builder.findings.warning(
      source.name, nil,
      "The same pages are there in other languages, which are left out: \(names.joined(separator: ", ")). "
        + "Import a folder with one language only to read another one.")
  }

  private mutating func look(at path: String) throws {
    do {
      let content = try content(source.pageBytes(of: path), of: path)
      heads[path] = PageHead(plan.adapted(content, path: path), path: path, limits: source.limits)
    } catch let error as CourseFormatError where isOfOnePage(error) {
      unread.insert(path)
      leaveOut(path, error)
    }
  }

  /// An entry of the navigation with what is there of it; more than one where a folder stands in its place.
  private mutating func present(_ entry: PageEntry, listed: inout Set<String>) -> [PageEntry] {
    var own = entry
    own.children = []
    if let folder = entry.folder, entry.isGroup, entry.children.isEmpty {
      // "All pages of this folder."
      let inside = heads.keys.filter { $0.hasPrefix(folder.isEmpty ? "" : folder + "/") && !listed.contains($0) }
      listed.formUnion(inside)
      return folders.entries(inside.sorted(by: NaturalOrder.pathPrecedes), in: folder)
    }
    if let page = entry.page {
      if heads[page] != nil {
        listed.insert(page)
      } else {
        own.page = nil
        noteAbsent(page, line: entry.line)
      }
    }
    for child in entry.children { own.children += present(child, listed: &listed) }
    if own.isGroup, own.title == nil {
      // What is below a page that is missing is still called after it.
      own.title = entry.page.map(PageHead.name)
    }
    return own.isGroup && own.children.isEmpty ? [] : [own]
  }

  private mutating func noteAbsent(_ page: String, line: Int?) {
    let file = plan.file ?? source.name
    // What cannot be read is an error already.
    if unread.contains(page) { return }
    if source.hasFile(page) {
      builder.findings.lose("page that is neither Markdown nor a notebook", "left out")
      builder.findings.warning(file, line, "The page '\(page)' is neither Markdown nor a notebook, and is left out.")
    } else {
      builder.findings.lose("missing page", "left out")
      builder.findings.warning(
        file, line, "The page '\(page)' does not exist and is left out. Write it, or take it out of the list.")
    }
  }

  /// The entries without drafts and without pages that say nothing.
  private mutating func withText(_ entries: [PageEntry]) -> [PageEntry] {
    entries.compactMap { entry in
      var own = entry
      own.children = withText(entry.children)
      if let page = entry.page, let head = heads[page] {
        if let what = head.leftOutAs {
          builder.findings.lose(what, "left out")
          own.page = nil
        } else if !head.hasText {
          builder.findings.lose("page without a text", "left out")
          own.title = own.title ?? head.title
          own.summary = head.summary
          own.page = nil
        }
      }
      return own.isGroup && own.children.isEmpty ? nil : own
    }
  }

  // MARK: Titles

  func title(of entry: PageEntry) -> String {
    if let title = entry.title { return kind == .markdown ? PageMarks.words(title, source.limits) : title }
    return entry.page.flatMap { heads[$0]?.title } ?? name(of: entry)
  }

  func name(of entry: PageEntry) -> String {
    if let folder = entry.folder, !folder.isEmpty { return PageKeys.title(of: SourcePath.name(of: folder)) }
    return entry.page.map(PageHead.name) ?? entry.title ?? ""
  }

  func summary(of entry: PageEntry) -> String {
    if let page = entry.page, let summary = heads[page]?.summary, !summary.isEmpty { return summary }
    return entry.summary.isEmpty ? entry.folder.map(folders.summary) ?? "" : entry.summary
  }
}
