import LearningModel

/// The pages that are read with a single page, because it links them.
package enum LinkedPages {
  /// The key of their goal.
  package static let goalKey = "linked/"
  static let maximum = 100
}

extension FolderCourse {
  /// Returns the entries of the navigation or of the file names, and the pages that the navigation does not list.
  mutating func entries() throws -> (main: [PageEntry], also: [PageEntry]) {
    var all = [source.name]
    var media: [String] = []
    var otherTexts: [String: [String]] = [:]
    var navigationFiles: [String: [String]] = [:]
    if source.isFolder {
      let files = try PageFiles(in: source, of: kind)
      all = files.paths
      (media, teachingFiles) = (files.media, files.teachingFiles)
      (otherTexts, navigationFiles) = (files.otherTexts, files.navigationFiles)
      for (folder, count) in files.hidden.sorted(by: { $0.key < $1.key }) {
        builder.findings.countLoss(
          folder.isEmpty ? "page whose name begins with a dot" : "page in a folder \(quoted: folder)", "left out",
          count: count)
      }
    } else if kind == .markdown {
      all = linkedPages()
    }
    if source.isFolder, plan.book == nil { plan = try plan(of: all, files: navigationFiles) }
    let listedPages = Set((plan.entries ?? []).flatMap(\.pages))
    for (format, paths) in otherTexts.sorted(by: { $0.key < $1.key }) {
      let canBeRead = kind != .document && paths.contains(where: PageKind.document.isPage)
      builder.findings.countLoss(
        format, canBeRead ? "left out, but can be imported as “document”" : "left out",
        count: paths.count { !listedPages.contains($0) })
    }
    if plan.book != nil { return bookEntries(all) }
    if !plan.catalogs.isEmpty {
      builder.imagePaths = { [catalogs = plan.catalogs] name, file in
        let named = catalogs.first { $0.has(file) }?.images[name]
        return DraftBuilder.imagePaths(name, in: file) + [named].compactMap(\.self)
      }
    }
    let named = Set((plan.entries ?? []).flatMap(\.pages))
    let translations = Translations(all, language: plan.language, isNamed: named.contains)
    record(translations)
    let chosen = translations.chosenFiles.filter { path in
      named.contains(path)
        || path != plan.file && !(plan.program == .antora && SourcePath.name(of: path) == "nav.adoc")
    }
    // Pictures and handouts next to a book that is written as text are not lessons.
    let others =
      kind == .document && plan.entries != nil
      ? chosen.filter { !named.contains($0) && ForeignFormat.named($0)?.isWrittenAsText != true } : []
    for (noun, paths) in Dictionary(grouping: others, by: { ForeignFormat.named($0)?.noun ?? "document" })
      .sorted(by: { $0.key < $1.key })
    { builder.findings.countLoss(noun, "left out", count: paths.count) }
    plan.leftOut.formUnion(others)
    partials =
      source.isFolder ? chosen.filter { !named.contains($0) && (plan.isPartial($0) || included.contains($0)) } : []
    let omitted = plan.leftOut.union(partials)
    let paths = omitted.isEmpty ? chosen : chosen.filter { !omitted.contains($0) }
    var unreadable: [(path: String, error: CourseFormatError)] = []
    for path in paths {
      guard let error = try inspect(at: path) else { continue }
      // A page that a single page links is left out if it cannot be read.
      if source.isFolder || path == source.name { unreadable.append((path, error)) }
    }
    try findEditions(of: unreadable)
    folders = FolderTree(source, pageHeads: pageHeads, names: navigationFiles, files: &navigation)
    included.formUnion(converter?.included ?? [])
    partials += paths.filter { included.contains($0) && !named.contains($0) }
    let pages = paths.filter { pageHeads[$0] != nil && !(included.contains($0) && !named.contains($0)) }
    links = PageLinks(pages, of: kind, keys: keys, top: plan.pagesFolder)
    links.addNames(
      files: media,
      aliases: pages.flatMap { page in pageHeads[page]!.aliases.map { (name: $0, page: page) } })
    if kind == .markdown {
      // In MDX and in pages of Hugging Face, double brackets may be the identifier of a heading.
      let notes = pages.filter { page in
        plan.program != .huggingFace && !SourcePath.hasExtension("mdx", page) && pageHeads[page]!.mayHaveWikilinks
      }
      vault = VaultMarkup.Folder(in: source, names: links.names, pages: notes)
      let paths = builder.imagePaths
      builder.imagePaths = { [names = links.names] name, file in
        paths(name, file) + [names.file(named: name, from: file)].compactMap(\.self)
      }
    }

    var listed: Set<String> = []
    var main: [PageEntry]
    if let entries = plan.entries, !entries.isEmpty {
      main = entries.flatMap { present($0, listed: &listed) }
    } else {
      let top = plan.pagesFolder
      let inside = pages.filter { page in
        (source.isFolder || page == source.name) && (top.isEmpty || page.hasPrefix(top + "/"))
          && !(SourcePath.folder(of: page) == top && PlannedGoal.isHousekeeping(page))
      }
      listed = Set(inside)
      main = folders.entries(inside, in: top)
    }
    if main.isEmpty {
      listed = Set(pages)
      main = folders.entries(pages, in: "")
    }
    main = withText(main)
    for entry in main { record(entry) }
    let unlisted = pages.filter { !listed.contains($0) }
    return (main, withText(source.isFolder ? folders.entries(unlisted, in: "") : unlisted.map { PageEntry(page: $0) }))
  }

  /// Returns the entries of a book, and the pages in its folder that the table of contents does not list.
  private mutating func bookEntries(_ all: [String]) -> (main: [PageEntry], also: [PageEntry]) {
    let main = plan.entries ?? []
    for entry in main { record(entry) }
    let pages = Set(main.flatMap(\.pages))
    keys = PageKeys([], below: plan.pagesFolder)
    links = PageLinks(pages.sorted(), of: kind, keys: keys, top: plan.pagesFolder, isExact: true)
    let prefix = plan.pagesFolder.isEmpty ? "" : plan.pagesFolder + "/"
    let others = all.filter { path in
      path.hasPrefix(prefix) && SourcePath.hasExtension("md", path) && path != plan.file && !pages.contains(path)
    }
    return (main, others.map { PageEntry(page: $0) })
  }

  /// Returns a single page and the pages in its folder that it links, directly or through each other, nearest first.
  private func linkedPages() -> [String] {
    var pages = [source.name]
    var next = 0
    while next < pages.count, pages.count < LinkedPages.maximum {
      let page = pages[next]
      next += 1
      guard let bytes = try? kind.bytes(of: page, in: source), let text = try? TextDecoding.decode(bytes, file: page)
      else { continue }
      for start in ["](", "]: ", "href=\""] {
        for rest in text.split(separator: start).dropFirst() {
          let destination = rest.trimmingPrefix("<").prefix { !" \t\n)>#?\"".contains($0) }
          guard case .file(let name, _) = LinkTarget(String(destination)), PageName.isPage(name),
            let path = SourcePath.resolve(name, in: SourcePath.folder(of: page)), !pages.contains(path),
            !path.split(separator: "/").contains(where: { $0.hasPrefix(".") }), source.hasLinkedFile(path)
          else { continue }
          pages.append(path)
        }
      }
    }
    return Array(pages.prefix(LinkedPages.maximum))
  }

  /// Returns the page order that the author specified in navigation files or on the start page.
  private mutating func plan(of paths: [String], files: [String: [String]]) throws -> FolderPlan {
    switch kind {
    case .markdown: return try navigation.plan(for: paths, files: files)
    case .html: return HTMLNavigation(source, pages: paths).plan
    case .document:
      let components = files.filter { $0.value.contains("antora.yml") }.map(\.key)
      let order = DocumentNavigation(source, pages: paths, components: components)
      converter?.preambles = order.preambles
      included = order.included
      builder.findings.countLoss("other main document", "left out", count: order.otherMains.count)
      var plan = order.plan
      plan.leftOut = order.otherMains
      return plan
    case .text: return FolderPlan()
    }
  }

  private mutating func record(_ entry: PageEntry) {
    if let page = entry.page { listing.add(page: page, anchor: entry.anchor) }
    for child in entry.children { record(child) }
  }

  private mutating func record(_ translations: Translations) {
    let count = translations.skippedLanguages.values.reduce(0, +)
    guard count > 0 else { return }
    builder.findings.countLoss("translation", "left out", count: count)
    let names = translations.skippedLanguages.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
    builder.findings.warning(
      source.name, nil,
      "The same pages exist in other languages, which are left out: \(names.joined(separator: ", ")). "
        + "Import a folder with one language only to read another one.")
  }

  /// Examines a page, and returns the error if it cannot be read.
  private mutating func inspect(at path: String) throws -> CourseFormatError? {
    do {
      let content = try content(kind.bytes(of: path, in: source), of: path)
      pageHeads[path] = PageSummary(plan.adapted(content, path: path), path: path, limits: source.limits)
      return nil
    } catch let error as CourseFormatError where affectsSinglePage(error) {
      return error
    }
  }

  /// Computes the keys of all pages, and looks up the last good editions of those that cannot be read.
  ///
  /// Unreadable pages are included when keys are computed, so that the other pages have the same keys as in earlier
  /// imports.
  private mutating func findEditions(of unreadable: [(path: String, error: CourseFormatError)]) throws {
    for (path, error) in unreadable { pageHeads[path] = readableHead(of: path, error) }
    let known = pageHeads.keys.sorted(by: NaturalOrder.pathPrecedes)
    var own = pageHeads.compactMapValues(\.key)
    // The key of a single page does not depend on the pages that it links.
    if !source.isFolder, own[source.name] == nil {
      own[source.name] = PageKeys([source.name], below: "", course: key).page(source.name)
    }
    keys = PageKeys(known, below: plan.keysFolder ?? plan.pagesFolder, course: key, own: own)
    for (path, error) in unreadable {
      let edition = try unread.lastEdition(of: keys.page(path), course: key)
      unread.record(path, error, edition: edition)
      if edition == nil { pageHeads[path] = nil }
    }
  }

  /// Returns the properties of a page that cannot be read. If the page is not valid text, its fields are read in spite
  /// of the invalid bytes, because they may contain its key.
  private func readableHead(of path: String, _ error: CourseFormatError) -> PageSummary {
    var text = "-"
    if case .notText = error, kind == .markdown, !PageName.isNotebook(path),
      let bytes = try? kind.bytes(of: path, in: source)
    {
      text = String(decoding: bytes, as: UTF8.self)
    }
    return PageSummary(.markdown(text), path: path, limits: source.limits)
  }

  /// Returns an entry of the navigation without missing pages. If the entry names a folder, returns entries for the
  /// pages in that folder.
  private mutating func present(_ entry: PageEntry, listed: inout Set<String>) -> [PageEntry] {
    var own = entry
    own.children = []
    if let folder = entry.folder, entry.isGroup, entry.children.isEmpty {
      // The entry represents all pages of the folder that are not listed yet.
      let inside = pageHeads.keys.filter { $0.hasPrefix(folder.isEmpty ? "" : folder + "/") && !listed.contains($0) }
      listed.formUnion(inside)
      return folders.entries(inside.sorted(by: NaturalOrder.pathPrecedes), in: folder)
    }
    if let page = entry.page {
      if pageHeads[page] != nil {
        listed.insert(page)
      } else {
        own.page = nil
        reportMissingPage(page, line: entry.line)
      }
    }
    for child in entry.children { own.children += present(child, listed: &listed) }
    if own.isGroup, own.title == nil {
      // If the page of a group is missing, the group is named after the page.
      own.title = entry.page.map(PageSummary.name)
    }
    return own.isGroup && own.children.isEmpty ? [] : [own]
  }

  private mutating func reportMissingPage(_ page: String, line: Int?) {
    let file = plan.file ?? source.name
    // An error about this page has already been reported.
    if unread.contains(page) { return }
    if source.hasFile(page) {
      builder.findings.countLoss("page that is neither Markdown nor a notebook", "left out")
      builder.findings.warning(
        file, line, "The page \(quoted: page) is neither Markdown nor a notebook, and is left out.")
    } else {
      builder.findings.countLoss("missing page", "left out")
      builder.findings.warning(
        file, line, "The page \(quoted: page) does not exist and is left out. Create it, or remove it from the list.")
    }
  }

  /// Returns the entries without drafts and without pages that have no text.
  private mutating func withText(_ entries: [PageEntry]) -> [PageEntry] {
    var counted: Set<String> = []
    return withText(entries, counted: &counted)
  }

  /// - Parameter counted: The pages without text that are counted. The navigation may list a page several times.
  private mutating func withText(_ entries: [PageEntry], counted: inout Set<String>) -> [PageEntry] {
    entries.compactMap { entry in
      var own = entry
      own.children = withText(entry.children, counted: &counted)
      if let page = entry.page, let head = pageHeads[page] {
        if let what = head.exclusionReason {
          builder.findings.countLoss(what, "left out")
          own.page = nil
        } else if !head.hasText {
          if counted.insert(page).inserted { builder.findings.countLoss("page without a text", "left out") }
          own.title = own.title ?? head.title
          own.summary = head.summary
          own.page = nil
          own.emptyPage = page
        }
      }
      return own.isGroup && own.children.isEmpty ? nil : own
    }
  }

  // MARK: Titles

  func title(of entry: PageEntry) -> String {
    // A title such as `<script>` consists of markup only.
    let written = entry.title.map { kind == .markdown ? PageMarkup.plainText($0, source.limits) : $0 } ?? ""
    if !written.isEmpty { return written }
    if let title = entry.page.flatMap({ unread[$0]?.title ?? pageHeads[$0]?.title }) { return title }
    // The home page of a site is named after the site, not "Index".
    if let page = entry.page, let title = plan.title, !title.isEmpty, kind == .markdown, PageName.isIndexPage(page),
      SourcePath.folder(of: page) == plan.pagesFolder
    {
      return title
    }
    return name(of: entry)
  }

  func name(of entry: PageEntry) -> String {
    if let folder = entry.folder, !folder.isEmpty { return PageKeys.title(of: SourcePath.name(of: folder)) }
    return entry.page.map(PageSummary.name) ?? entry.title ?? ""
  }

  /// Returns the summary of an entry.
  ///
  /// In a book, the summary contains the heading of the page if it differs from the title, because readers may search
  /// for either.
  ///
  /// - Parameter page: The page of the entry if it has been read.
  func summary(of entry: PageEntry, _ page: PageText?) -> String {
    if let heading = page?.heading, case let title = self.title(of: entry),
      Slug.make(from: heading, fallback: heading) != Slug.make(from: title, fallback: title)
    {
      return entry.summary + (entry.summary.isEmpty ? "" : " ") + "Headed “\(heading)”."
    }
    if let page = entry.page, let summary = unread[page]?.summary ?? pageHeads[page]?.summary, !summary.isEmpty {
      return summary
    }
    return entry.summary.isEmpty ? entry.folder.map(folders.summary) ?? "" : entry.summary
  }
}
