import LearningModel

/// A reader for a format whose sources are folders of pages, or a single page.
protocol PageFolderReader: CourseReader {
  var pages: PageKind { get }

  /// Returns whether the source contains a page of the format. The answer does not depend on whether another format
  /// recognises the source first.
  func hasPages(_ source: CourseSource) -> Bool
}

extension PageFolderReader {
  /// `true`, because ``FolderCourse`` makes the keys from paths and anchors.
  var hasPathKeys: Bool { true }

  func read(_ source: CourseSource, options: ReadOptions) throws -> CourseDraft {
    guard hasPages(source) else {
      throw CourseFormatError.notOfFormat(source: source.name, format: name, needs: requirements)
    }
    var course = try FolderCourse(source, options: options, pages: pages)
    return try course.read(format: name)
  }
}

/// Reads a folder: the nodes are created from the navigation or the file names, and the pages become activities.
struct FolderCourse {
  let source: CourseSource
  let kind: PageKind
  /// The converter for documents, or `nil` if the pages need not be converted.
  let converter: DocumentConverter?
  let key: String
  var builder: DraftBuilder
  var digest = SourceDigest()
  var navigation: NavigationFiles
  var plan = FolderPlan()
  var pageHeads: [String: PageSummary] = [:]
  var folders: FolderTree
  var keys = PageKeys([], below: "")
  var links: PageLinks
  var vault = VaultMarkup.Folder()
  /// The keys of nodes without a page.
  var groupKeys = UniqueNames(numberedFrom: 2)
  /// The number of times that each page has been read so far.
  var shownCounts: [String: Int] = [:]
  private var repeatedPages = RepeatedPages()
  /// The anchors with which the navigation lists each page.
  var listing = PagePart.Listing()
  /// The pages that could not be read.
  var unread: UnreadPages
  /// Whether at least one page with a text was read.
  private var hasReadText = false
  /// The files whose text is included in other pages.
  var included: Set<String> = []
  /// The files that are not pages of the project, such as those that other pages include.
  var partials: [String] = []
  /// The program texts and other files that belong to the content and are not pages.
  var teachingFiles: [String] = []

  init(_ source: CourseSource, options: ReadOptions, pages kind: PageKind) throws {
    self.source = source
    self.kind = kind
    converter = kind == .document ? try DocumentConverter(source, options: options) : nil
    unread = UnreadPages(of: source, options: options)
    builder = try DraftBuilder(source, options: options)
    key = builder.courseKey(fallback: "folder")
    navigation = NavigationFiles(source)
    folders = FolderTree(source, pageHeads: [:], names: [:], files: &navigation)
    links = PageLinks([], of: kind, keys: keys, top: "")
  }

  mutating func read(format: String) throws -> CourseDraft {
    let (main, also) = try entries()
    let title = courseTitle()
    let course = try builder.add(
      DraftNode(
        parent: nil, key: key, kind: .course, title: title, summary: plan.summary ?? ""),
      file: plan.file ?? source.name)
    let goals =
      plan.book == nil
      ? PlannedGoal.goals(of: main, course: title) { self.title(of: $0) } : main.map(PlannedGoal.init(of:))
    let titles = DistinctTitles.titles(
      goals.map { $0.title ?? $0.entry.map(self.title) ?? "" },
      names: goals.map { $0.entry.map(name) ?? $0.title ?? "" })
    for (goal, title) in zip(goals, titles) { try add(goal, title: title, course: course) }
    try addUnlisted(also, course: course)
    builder.findings.countTeachingFiles(
      teachingFiles.filter { file in
        !included.contains(file) && (plan.pagesFolder.isEmpty || file.hasPrefix(plan.pagesFolder + "/"))
      })
    unread.report(to: &builder.findings, isNothingLeft: !hasReadText)
    if let file = plan.file, plan.book != nil {
      if builder.nodes.count == 1, builder.findings.errors == 0 {
        builder.findings.error(file, nil, "The table of contents lists no page. Write '- [Title](page.md)'.")
      }
    } else if !builder.nodes.contains(where: { $0.kind == .activity }), builder.findings.errors == 0 {
      builder.findings.error(
        source.name, nil,
        (source.isFolder ? "No page of it has a text." : "It has no text.")
          + (kind != .markdown
            ? "" : " Write a line of Markdown into " + (source.isFolder ? "one of its files." : "it.")))
    }
    builder.findings.add(navigation.findings)
    if let converter { builder.findings.add(converter.findings) }
    try resolveLinks()
    builder.formerAddresses += plan.book?.redirects ?? RedirectFiles.addresses(in: source)
    return try builder.finish(format: format, digest: wholeDigest(), language: plan.language)
  }

  private func wholeDigest() -> String {
    var whole = digest
    whole.add(Array(navigation.digest.hexadecimal().utf8))
    return whole.hexadecimal()
  }

  /// Returns the title of the course: the title in the navigation, otherwise that of the only file, otherwise that of
  /// the folder's index page, otherwise the name of the source.
  private func courseTitle() -> String {
    if let title = plan.title, !title.isEmpty { return title }
    if !source.isFolder, let title = pageHeads[source.name]?.title { return title }
    let names = kind.indexPageNames.flatMap { [SourcePath.join(plan.pagesFolder, $0), $0] }
    let notebooks = kind == .markdown ? PageName.indexPageNames.map { $0 + ".ipynb" } : []
    let own = (names + notebooks).lazy.compactMap { self.pageHeads[$0]?.title }.first
    return own ?? PageKeys.title(of: source.titleStem)
  }

  // MARK: The tree

  private mutating func add(_ goal: PlannedGoal, title: String, course: Int) throws {
    let key: String
    // In a book, the heading of the page is a part of the goal's summary.
    let own = plan.book == nil ? nil : try goal.entry.flatMap { try read($0, title: title) }
    if let entry = goal.entry {
      key = groupKey(entry)
    } else {
      let first = goal.lessons.first
      key = groupKeys.makeUnique((first?.page.map(keys.page) ?? first?.address ?? "goal") + "!")
    }
    let index = try builder.add(
      DraftNode(
        parent: course, key: key, kind: .goal, title: title, summary: goal.entry.map { summary(of: $0, own) } ?? ""),
      file: plan.file ?? goal.lessons.first?.page ?? source.name, line: goal.entry?.line)
    if let entry = goal.entry { recordFolder(of: entry, title: title, node: index) }
    var lessons = goal.lessons
    if let own { try addLesson(lessons.removeFirst(), title: title, parent: index, page: own, isOwn: true) }
    try addLessons(lessons, parent: index, own: own == nil && goal.entry?.isGroup == false ? title : nil)
    // A book may list a part or a chapter without text.
    if plan.book != nil, lessons.isEmpty, goal.entry?.page.map({ !unread.contains($0) }) ?? true { return }
    // The goal has no lessons if none of its pages has a text, which is known only after the pages are read.
    if let parent = builder.removeLast(ifEmpty: index) { links.move(from: index, to: parent) }
  }

  private mutating func addUnlisted(_ entries: [PageEntry], course: Int) throws {
    let unlisted = entries.flatMap(\.pages)
    if plan.book != nil {
      for page in unlisted where !included.contains(page) {
        builder.findings.countLoss("unlisted page", "left out")
        builder.findings.warning(
          page, nil, "The page is not in SUMMARY.md and is left out. List it there to import it.")
      }
      return
    }
    let pages = unlisted.filter { !included.contains($0) }
    let unused = partials.filter { !included.contains($0) }
    builder.findings.countLoss(
      "page that others include", "moved to the pages that include it",
      count: unlisted.count - pages.count + partials.count - unused.count)
    let abouts = unused.count { PageName.isIndexPage($0) }
    builder.findings.countLoss("page about the repository", "left out", count: abouts)
    builder.findings.countLoss(
      "part of a page", "left out because no page includes it", count: unused.count - abouts)
    guard !pages.isEmpty else { return }
    let key = groupKeys.makeUnique(source.isFolder ? "also/" : LinkedPages.goalKey)
    let title = source.isFolder ? "Also in this folder" : "Linked pages"
    let goal = try builder.add(DraftNode(parent: course, key: key, kind: .goal, title: title), file: source.name)
    if source.isFolder {
      builder.findings.countLoss("unlisted page", "moved to “Also in this folder”", count: pages.count)
    }
    if let file = plan.file {
      builder.findings.warning(
        file, nil,
        "\(pages.count) \(pages.count == 1 ? "page is not in it and is" : "pages are not in it and are") listed under "
          + "“Also in this folder”. The first is \(quoted: pages[0]).")
    }
    try addLessons(pages.map { PageEntry(page: $0) }, parent: goal)
    if let parent = builder.removeLast(ifEmpty: goal) { links.move(from: goal, to: parent) }
  }

  /// Adds lessons.
  ///
  /// - Parameter own: The title of the goal if the first lesson is made from the goal's own page, otherwise `nil`.
  private mutating func addLessons(_ entries: [PageEntry], parent: Int, own: String? = nil) throws {
    let titles = DistinctTitles.titles(entries.map(title), names: entries.map(name))
    for (index, entry) in entries.enumerated() {
      let isNamed = entry.title != nil
      let title = index == 0 && own != nil ? own! : isNamed ? self.title(of: entry) : titles[index]
      try addLesson(entry, title: title, parent: parent)
    }
  }

  /// Adds a lesson.
  ///
  /// - Parameters:
  ///   - page: The page of the entry, or `nil` if it has not been read.
  ///   - isOwn: Whether the lesson contains only the text of the goal's own page.
  private mutating func addLesson(
    _ entry: PageEntry, title: String, parent: Int, page: PageText? = nil, isOwn: Bool = false
  ) throws {
    if let address = entry.address { return try addLink(address, title: title, parent: parent) }
    let page = try page ?? read(entry, title: title)
    let edition = entry.page.flatMap { shownCounts[$0] == 1 ? unread[$0] : nil }
    if let path = entry.page, let page, page.sections.isEmpty, entry.children.isEmpty, edition == nil {
      guard !unread.contains(path) else { return }
      if plan.book == nil { builder.findings.countLoss("page without a text", "left out") }
      if plan.book == nil || isOwn {
        links.record(path, title: title, node: parent)
        return links.record(page: path, anchors: page.titleAnchors, node: parent)
      }
    }
    let key = entry.page.map(pageKey) ?? groupKey(entry)
    var summary = summary(of: entry, page)
    if summary.isEmpty, plan.book == nil, let first = page?.sections.first {
      summary = FirstSentence.summary(of: first.blocks)
    }
    let lesson = try builder.add(
      DraftNode(parent: parent, key: key, kind: .lesson, title: title, summary: summary),
      file: entry.page ?? plan.file ?? source.name, line: entry.page == nil ? entry.line : nil)
    recordFolder(of: entry, title: title, node: lesson)
    builder.formerAddresses += (entry.page.flatMap { pageHeads[$0] }?.aliases ?? []).map { FormerAddress($0, of: key) }
    if let path = entry.page, let edition {
      links.record(path, title: title, node: lesson)
      links.record(page: path, anchors: [Anchor.make(from: edition.title)], node: lesson)
      try builder.add(edition, of: path, to: lesson) { links.record(page: path, anchors: $0, node: $1) }
    } else if let path = entry.page, let page {
      try add(page, path: path, key: key, title: title, lesson: lesson)
    }
    try addLessons(entry.children, parent: lesson)
    guard !entry.children.isEmpty, let parent = builder.removeLast(ifEmpty: lesson) else { return }
    links.move(from: lesson, to: parent)
  }

  private mutating func add(_ page: PageText, path: String, key: String, title: String, lesson: Int) throws {
    links.record(path, title: title, node: lesson)
    links.record(page: path, anchors: page.titleAnchors, node: lesson)
    // In AsciiDoc, LaTeX and reStructuredText, an anchor belongs to the whole book. In HTML, it belongs to its page.
    for (label, words) in page.labels where kind != .html {
      links.record(label: label, page: path, title: words ?? (kind == .document ? nil : title))
    }
    if !page.sections.isEmpty { hasReadText = true }
    for part in page.sections {
      let index = try builder.add(
        DraftNode(parent: lesson, key: key + "#" + part.anchor, kind: .activity, title: part.title ?? title), file: path
      )
      for anchor in part.anchors where anchor != part.anchor { builder.recordAnchor(anchor: anchor, at: index) }
      links.record(page: path, anchors: part.anchors + (part.anchor.isEmpty ? [] : [part.anchor]), node: index)
      try builder.store(.reading(part.blocks), at: index)
    }
  }

  private mutating func addLink(_ address: String, title: String, parent: Int) throws {
    let key = groupKeys.makeUnique(address)
    let lesson = try builder.add(
      DraftNode(parent: parent, key: key, kind: .lesson, title: title), file: plan.file ?? source.name)
    let activity = try builder.add(
      DraftNode(parent: lesson, key: key + "#", kind: .activity, title: title), file: plan.file ?? source.name)
    try builder.store(.link(destination: address, text: []), at: activity)
    hasReadText = true
  }

  // MARK: Keys

  /// Returns the key of the page that was just read. A page that is listed several times gets a different key each
  /// time.
  private func pageKey(_ page: String) -> String {
    let times = shownCounts[page] ?? 1
    return times == 1 ? keys.page(page) : "\(keys.page(page))~\(times)"
  }

  private mutating func groupKey(_ entry: PageEntry) -> String {
    if let key = entry.key { return groupKeys.makeUnique(key) }
    if let page = entry.page, plan.book != nil { return pageKey(page) + "!" }
    if let folder = entry.folder, !folder.isEmpty { return groupKeys.makeUnique(keys.folder(folder)) }
    if let page = entry.page { return groupKeys.makeUnique(keys.page(page) + "!") }
    // The common folder of the pages is a more stable key than the title of the group.
    if let folder = commonFolder(of: entry) { return groupKeys.makeUnique(keys.folder(folder)) }
    return groupKeys.makeUnique(Anchor.make(from: entry.title ?? "") + "/")
  }

  /// Returns the folder that contains all pages of a group, unless it is the folder with all pages of the course.
  private func commonFolder(of entry: PageEntry) -> String? {
    let folders = Set(entry.pages.map(SourcePath.folder))
    guard folders.count == 1, let folder = folders.first, !folder.isEmpty else { return nil }
    return folder == plan.pagesFolder ? nil : folder
  }

  private mutating func recordFolder(of entry: PageEntry, title: String, node: Int) {
    if let page = entry.emptyPage { links.record(page, title: title, node: node) }
    if let folder = entry.folder {
      links.record(folder, title: title, node: node)
    } else if entry.isGroup, let folder = commonFolder(of: entry) {
      links.record(group: folder, title: title, node: node)
    }
  }

  // MARK: Pages

  /// Reads the page of an entry, or returns `nil` if it has none.
  private mutating func read(_ entry: PageEntry, title: String) throws -> PageText? {
    guard let path = entry.page else { return nil }
    shownCounts[path, default: 0] += 1
    let part = listing.part(of: path, anchor: entry.anchor)
    let file = plan.file ?? path
    if shownCounts[path] == 2, part == nil {
      builder.findings.warning(
        file, entry.line, "The page \(quoted: path) is listed again and read again. Links open the first one.")
    }
    try repeatedPages.count(path, limits: source.limits, listedIn: file, line: entry.line)
    do {
      let bytes = try kind.bytes(of: path, in: source)
      repeatedPages.record(path, size: bytes.count)
      source.includedBytes.allow(page: bytes.count, limits: source.limits)
      digest.add(bytes, of: path)
      if unread.contains(path) { return PageText() }
      let content = plan.adapted(try content(bytes, of: path), path: path)
      let (source, links) = (source, links)
      let page = try PageText(
        content, path: path, title: title, limits: source.limits, substitutions: plan.substitutions,
        top: plan.pagesFolder, program: plan.program, bibliography: plan.bibliography,
        projects: plan.projects, part: part, source: source, vault: vault, quarto: plan.quarto, book: plan.book,
        isPage: links.isPage)
      if part == nil || shownCounts[path] == 1 { builder.findings.add(page.findings) }
      included.formUnion(page.included)
      if plan.book != nil, page.sections.isEmpty, entry.children.isEmpty {
        builder.findings.warning(path, nil, "The page has no text. Write one, or remove it from SUMMARY.md.")
      }
      return page
    } catch CourseFormatError.fileMissing where plan.book != nil {
      builder.findings.countLoss("missing page", "shown as its title")
      builder.findings.warning(
        file, entry.line, "The page \(quoted: path) does not exist. Create it, or remove it from SUMMARY.md.")
      return PageText()
    } catch let error as CourseFormatError where affectsSinglePage(error) {
      let edition = try unread.lastEdition(of: pageKey(path), course: key)
      unread.record(path, error, edition: edition)
      return PageText()
    }
  }

  /// Decodes the bytes of a page. If the format needs another program, that program converts the page first.
  func content(_ bytes: [UInt8], of path: String) throws -> PageContent {
    guard let converter else { return try PageContent(bytes, path: path, kind: kind, limits: source.limits) }
    return try converter.convert(bytes, of: path)
  }

  /// Returns whether an error concerns a single page and not the whole source.
  func affectsSinglePage(_ error: CourseFormatError) -> Bool {
    if case .programMissing = error { return source.isFolder }
    return error.kind == .badData || error.kind == .noPermission
  }

  // MARK: Links

  private mutating func resolveLinks() throws {
    var links = links
    try builder.resolveLinks(unresolvedText: PageMarkup.plainText) { [source] builder, index, destination in
      links.resolve(destination, from: index, in: source, builder)
    }
  }
}
