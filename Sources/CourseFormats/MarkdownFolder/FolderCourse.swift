import LearningModel

/// Reads one folder: its navigation or its names give the tree, its pages the activities.
struct FolderCourse {
  let source: CourseSource
  /// The files that are pages.
  let kind: PageKind
  /// Converts pages of documents; `nil` for other pages.
  let converter: DocumentConverter?
  /// The course's key.
  let key: String
  var builder: DraftBuilder
  var digest = SourceDigest()
  var navigation: NavigationFiles
  var plan = FolderPlan()
  var heads: [String: PageHead] = [:]
  var folders: FolderTree
  var keys = PageKeys([], below: "")
  var links: PageLinks
  /// Keys that are given, for what has no page.
  var groupKeys = UniqueNames(numberedFrom: 2)
  /// How often each page was shown so far.
  var shown: [String: Int] = [:]
  private var repeated = RepeatedPages()
  /// The pages that cannot be read.
  var unread: Set<String> = []
  /// The files whose text stands in other pages.
  var included: Set<String> = []

  init(_ source: CourseSource, options: ReadOptions, pages kind: PageKind = .markdown) throws {
    self.source = source
    self.kind = kind
    converter = kind == .document ? try DocumentConverter(source, options: options) : nil
    key = options.key ?? Slug.make(from: source.stem, fallback: "folder")
    builder = try DraftBuilder(source, options: options)
    navigation = NavigationFiles(source)
    folders = FolderTree(source, heads: [:], files: &navigation)
    links = PageLinks([], of: kind, keys: keys, top: "")
  }

  /// Reads the whole folder.
  mutating func read(format: String) throws -> CourseDraft {
    let (main, also) = try entries()
    let title = courseTitle()
    let course = try builder.add(
      DraftNode(
        parent: nil, key: key, kind: .course, title: title, summary: plan.summary ?? ""),
      file: plan.file ?? source.name)
    let goals = GoalShape.goals(of: main, course: title) { self.title(of: $0) }
    let titles = TellingTitles.titles(
      goals.map { $0.title ?? $0.entry.map(self.title) ?? "" },
      names: goals.map { $0.entry.map(name) ?? $0.title ?? "" })
    for (goal, title) in zip(goals, titles) { try add(goal, title: title, course: course) }
    try addUnlisted(also, course: course)
    if !builder.nodes.contains(where: { $0.kind == .activity }), builder.findings.errors == 0 {
      builder.findings.error(
        source.name, nil,
        kind == .markdown
          ? "No page of it has a text. Write a line of Markdown into one of its files." : "No page of it has a text.")
    }
    builder.findings.add(navigation.findings)
    if let converter { builder.findings.add(converter.findings) }
    try resolveLinks()
    return try builder.finish(format: format, digest: wholeDigest(), language: plan.language)
  }

  private func wholeDigest() -> String {
    var whole = digest
    whole.add(Array(navigation.digest.hexadecimal().utf8))
    return whole.hexadecimal()
  }

  /// The navigation's word for it, else that of the only file, else the first heading of the folder's own page, else its name.
  private func courseTitle() -> String {
    if let title = plan.title, !title.isEmpty { return title }
    if !source.isFolder, let title = heads[source.name]?.title { return title }
    let names = kind.ownPages.flatMap { [SourcePath.join(plan.pages, $0), $0] }
    let notebooks = kind == .markdown ? PageFiles.ownPages.map { $0 + ".ipynb" } : []
    let own = (names + notebooks).lazy.compactMap { self.heads[$0]?.title }.first
    return own ?? PageKeys.title(of: source.stem)
  }

  // MARK: The tree

  private mutating func add(_ goal: GoalShape, title: String, course: Int) throws {
    let key: String
    if let entry = goal.entry {
      key = groupKey(entry)
    } else {
      let first = goal.lessons.first
      key = groupKeys.take((first?.page.map(keys.page) ?? first?.address ?? "goal") + "!")
    }
    let index = try builder.add(
      DraftNode(parent: course, key: key, kind: .goal, title: title, summary: goal.entry.map(summary) ?? ""),
      file: plan.file ?? goal.lessons.first?.page ?? source.name, line: goal.entry?.line)
    if let entry = goal.entry { noteFolder(of: entry, title: title, node: index) }
    try addLessons(goal.lessons, parent: index, own: goal.entry?.isGroup == false ? title : nil)
  }

  private mutating func addUnlisted(_ entries: [PageEntry], course: Int) throws {
    let unlisted = entries.flatMap(\.pages)
    let pages = unlisted.filter { !included.contains($0) }
    builder.findings.lose("page that others include", "shown there", count: unlisted.count - pages.count)
    guard !pages.isEmpty else { return }
    let key = groupKeys.take("also/")
    let goal = try builder.add(
      DraftNode(parent: course, key: key, kind: .goal, title: "Also in this folder"), file: source.name)
    builder.findings.lose("unlisted page", "under “Also in this folder”", count: pages.count)
    if let file = plan.file {
      builder.findings.warning(
        file, nil,
        "\(pages.count) \(pages.count == 1 ? "page is not in it, and stands" : "pages are not in it, and stand") under "
          + "“Also in this folder”. The first is '\(pages[0])'.")
    }
    try addLessons(pages.map { PageEntry(page: $0) }, parent: goal)
  }

  /// Adds lessons.
  ///
  /// - Parameter own: The title of the goal, where the first of them is that goal's own page.
  private mutating func addLessons(_ entries: [PageEntry], parent: Int, own: String? = nil) throws {
    let titles = TellingTitles.titles(entries.map(title), names: entries.map(name))
    for (index, entry) in entries.enumerated() {
      let isNamed = entry.title != nil
      let title = index == 0 && own != nil ? own! : isNamed ? self.title(of: entry) : titles[index]
      try addLesson(entry, title: title, parent: parent)
    }
  }

  private mutating func addLesson(_ entry: PageEntry, title: String, parent: Int) throws {
    if let address = entry.address { return try addLink(address, title: title, parent: parent) }
    let page = try entry.page.map { try read($0, title: title) }
    if let page, page.parts.isEmpty, entry.children.isEmpty {
      builder.findings.lose("page without a text", "left out")
      links.note(entry.page!, title: title, node: parent)
      return
    }
    let key = entry.page.map(pageKey) ?? groupKey(entry)
    let lesson = try builder.add(
      DraftNode(parent: parent, key: key, kind: .lesson, title: title, summary: summary(of: entry)),
      file: entry.page ?? plan.file ?? source.name, line: entry.page == nil ? entry.line : nil)
    noteFolder(of: entry, title: title, node: lesson)
    if let path = entry.page, let page { try add(page, path: path, key: key, title: title, lesson: lesson) }
    try addLessons(entry.children, parent: lesson)
  }

  private mutating func add(_ page: PageText, path: String, key: String, title: String, lesson: Int) throws {
    links.note(path, title: title, node: lesson)
    links.note(page: path, anchors: page.titleAnchors, node: lesson)
    for (label, words) in page.labels { links.note(label: label, page: path, title: words ?? title) }
    for part in page.parts {
      let index = try builder.add(
        DraftNode(parent: lesson, key: key + "#" + part.anchor, kind: .activity, title: part.title ?? title), file: path
      )
      for anchor in part.anchors where anchor != part.anchor { builder.note(anchor: anchor, at: index) }
      links.note(page: path, anchors: part.anchors + (part.anchor.isEmpty ? [] : [part.anchor]), node: index)
      try builder.keep(.reading(part.blocks), at: index)
    }
  }

  private mutating func addLink(_ address: String, title: String, parent: Int) throws {
    let key = groupKeys.take(address)
    let lesson = try builder.add(
      DraftNode(parent: parent, key: key, kind: .lesson, title: title), file: plan.file ?? source.name)
    let activity = try builder.add(
      DraftNode(parent: lesson, key: key + "#", kind: .activity, title: title), file: plan.file ?? source.name)
    try builder.keep(.link(destination: address, text: []), at: activity)
  }

  // MARK: Keys

  /// The key of a page that was just read, for the second time another one.
  private func pageKey(_ page: String) -> String {
    let times = shown[page] ?? 1
    return times == 1 ? keys.page(page) : "\(keys.page(page))~\(times)"
  }

  private mutating func groupKey(_ entry: PageEntry) -> String {
    if let folder = entry.folder, !folder.isEmpty { return groupKeys.take(keys.folder(folder)) }
    if let page = entry.page { return groupKeys.take(keys.page(page) + "!") }
    // The folder that all of its pages are in says what it is about for longer than its words do.
    let folders = Set(entry.pages.map(SourcePath.folder))
    if folders.count == 1, let folder = folders.first, !folder.isEmpty, folder != plan.pages {
      return groupKeys.take(keys.folder(folder))
    }
    return groupKeys.take(Anchor.make(from: entry.title ?? "") + "/")
  }

  private mutating func noteFolder(of entry: PageEntry, title: String, node: Int) {
    if let folder = entry.folder { links.note(folder, title: title, node: node) }
  }

  // MARK: Pages

  private mutating func read(_ path: String, title: String) throws -> PageText {
    shown[path, default: 0] += 1
    if shown[path] == 2 {
      builder.findings.warning(
        plan.file ?? path, nil, "The page '\(path)' is listed again, and is read again. Links lead to the first one.")
    }
    try repeated.count(path, limits: source.limits, listedIn: plan.file ?? path, line: nil)
    do {
      let bytes = try source.pageBytes(of: path)
      repeated.note(path, size: bytes.count)
      digest.add(bytes, of: path)
      let content = plan.adapted(try content(bytes, of: path), path: path)
      let (source, links) = (source, links)
      let page = try PageText(
        content, path: path, title: title, limits: source.limits, substitutions: plan.substitutions,
        top: plan.pages, source: source, isPage: links.isPage)
      builder.findings.add(page.findings)
      included.formUnion(page.included)
      return page
    } catch let error as CourseFormatError where isOfOnePage(error) {
      leaveOut(path, error)
      return PageText()
    }
  }

  /// Reads or converts the bytes of a page.
  func content(_ bytes: [UInt8], of path: String) throws -> PageContent {
    guard let converter else { return try PageContent(bytes, path: path, kind: kind, limits: source.limits) }
    return try converter.convert(bytes, of: path)
  }

  /// Whether an error concerns one page and not the whole source.
  func isOfOnePage(_ error: CourseFormatError) -> Bool {
    if case .programMissing = error { return source.isFolder }
    return error.category == .content || error.category == .forbidden
  }

  /// Notes a page that cannot be read. It refuses the import of Markdown and of a single file; among other pages it is left
  /// out and named, because the author of a mirrored site cannot correct it.
  mutating func leaveOut(_ path: String, _ error: CourseFormatError) {
    guard kind != .markdown, source.isFolder else { return builder.findings.error(error) }
    builder.findings.lose("page that cannot be read", "left out")
    builder.findings.warning(path, error.diagnostic.line, error.diagnostic.message + " The page is left out.")
  }

  // MARK: Links

  private mutating func resolveLinks() throws {
    let (source, links) = (source, links)
    try builder.resolveLinks(words: PageMarks.words) { builder, index, destination in
      links.resolve(destination, from: index, in: source, builder)
    }
  }
}
