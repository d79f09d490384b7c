import LearningModel

/// Reads the files that determine the order of pages, in order of preference.
///
/// To support another format: write a function like ``mkDocs(_:_:)``, and add it to ``plan(in:)``.
struct NavigationFiles {
  let source: CourseSource
  /// The warnings about the files.
  var findings = Findings()
  /// The digest of the files that were read.
  var digest = SourceDigest()

  /// The entries of folders that have their own navigation files, if none of these files determines the order of the
  /// course.
  private(set) var parts: [String: [PageEntry]] = [:]
  /// For each folder, its pages by their field `id`.
  var identifiers: [String: [String: String]] = [:]

  /// The folders that are searched for navigation files, relative to the source.
  private static let folders = [
    "", "docs", "doc", "book", "content", "src", "website", "site", "source",
    "docs/source", "doc/source",
  ]

  init(_ source: CourseSource) {
    self.source = source
  }

  /// Returns the plan that the files of the folder determine.
  ///
  /// If a navigation file cannot be read or does not list any existing page, adds a warning and tries the next file.
  ///
  /// - Parameters:
  ///   - pages: All pages.
  ///   - names: The names of the files that may determine an order, by folder.
  mutating func plan(for pages: [String], files names: [String: [String]] = [:]) throws -> FolderPlan {
    var known = FolderPlan()
    for folder in Self.folders {
      guard let plan = plan(in: folder) else { continue }
      known = plan
      if plan.entries?.isEmpty == false { return completed(plan, in: folder) }
    }
    // A file in another folder determines the order of the course if it is the only one, or if it lists most pages.
    let others = names.keys.filter { !Self.folders.contains($0) && names[$0]!.contains(where: Self.determinesOrder) }
    var plans: [(folder: String, plan: FolderPlan, reader: NavigationFiles)] = []
    for folder in others.sorted(by: NaturalOrder.pathPrecedes).prefix(Self.maximumFolders) {
      var reader = self
      guard let plan = reader.plan(in: folder), plan.entries?.isEmpty == false else { continue }
      plans.append((folder, plan, reader))
    }
    let all = Set(pages)
    let main = plans.first { plan in
      let count = Set((plan.plan.entries ?? []).flatMap(\.pages)).count(where: all.contains)
      return count > 0 && (plans.count == 1 || count * 2 > all.count)
    }
    guard var main else {
      for other in plans { parts[other.folder] = other.plan.entries }
      return completed(known, in: "")
    }
    self = main.reader
    // Keys contain the whole path, as in folders without a navigation file.
    main.plan.keysFolder = ""
    return completed(main.plan, in: main.folder)
  }

  /// Returns the plan of the first file in a folder that lists entries, otherwise the last plan without entries.
  private mutating func plan(in folder: String) -> FolderPlan? {
    var known: FolderPlan?
    for find in [
      Self.mkDocs, Self.jupyterBook, Self.myst, Self.quarto, Self.bookdown, Self.huggingFace, Self.sidebars,
      Self.carpentries, Self.docsify, Self.vitePress, Self.starlight, Self.summary, ToctreeNavigation.plan, Self.docC,
    ] {
      guard let plan = find(&self, folder) else { continue }
      known = plan
      if plan.entries?.isEmpty == false { break }
    }
    return known
  }

  /// The maximum number of folders other than ``folders`` whose navigation files are read.
  private static let maximumFolders = 100

  private static let orderFiles: Set<String> = [
    "mkdocs.yml", "mkdocs.yaml", "_toc.yml", "_toc.yaml", "myst.yml", "_quarto.yml", "_bookdown.yml", "_toctree.yml",
    "_sidebar.md", "SUMMARY.md", ".vitepress", ".vuepress",
  ]

  /// Returns whether a file or folder of that name determines the order of several folders.
  private static func determinesOrder(_ name: String) -> Bool {
    orderFiles.contains(name) || name.hasPrefix("sidebars.") || name.hasPrefix("astro.config.")
  }

  /// Returns whether a file may determine the order of the whole course.
  static func determinesCourse(_ path: String) -> Bool {
    determinesOrder(SourcePath.name(of: path)) && folders.contains(SourcePath.folder(of: path))
  }

  /// Returns whether a file of that name may determine the order of pages.
  static func isNavigation(_ name: String) -> Bool {
    determinesOrder(name) || name.hasPrefix("_category_.") || name.hasPrefix("_meta.") || name == "antora.yml"
  }

  /// Returns the plan completed with the title and other information from files that do not determine an order.
  private mutating func completed(_ plan: FolderPlan, in folder: String) -> FolderPlan {
    var plan = plan
    for other in siteConfigurations(in: folder) {
      plan.title = plan.title ?? other.title
      plan.summary = plan.summary ?? other.summary
      plan.language = plan.language ?? other.language
      if plan.file == nil, plan.pagesFolder.isEmpty { plan.pagesFolder = other.pagesFolder }
      if plan.program == .unknown { plan.program = other.program }
      plan.substitutions.merge(other.substitutions) { own, _ in own }
      plan.projects.merge(other.projects) { own, _ in own }
      if plan.bibliography.entries.isEmpty { plan.bibliography = other.bibliography }
    }
    return plan
  }

  /// Returns the entries of the BibTeX files in a list of names.
  mutating func bibliography(_ names: YAMLTree?, in folder: String) -> Bibliography {
    var project = QuartoProject()
    addBibliographies(names?.text.map { [$0] } ?? names?.items.compactMap(\.text) ?? [], in: folder, to: &project)
    return project.bibliography
  }

  // MARK: Reading files

  /// Returns the text of a file. If the file cannot be read, adds a warning and returns `nil`. If it does not exist,
  /// returns `nil`.
  mutating func text(of file: String) -> String? {
    guard source.hasFile(file) else { return nil }
    do {
      let bytes = try source.bytes(of: file)
      digest.add(bytes, of: file)
      return try TextDecoding.decode(bytes, file: file)
    } catch {
      warn(error, file)
      return nil
    }
  }

  /// Returns the tree of a YAML or JSON file, or `nil` if it does not exist or cannot be parsed.
  mutating func tree(of file: String) -> YAMLTree? {
    guard let yaml = text(of: file) else { return nil }
    do {
      return try YAMLTree(yaml, file: file, limits: source.limits)
    } catch {
      warn(error, file)
      return nil
    }
  }

  private mutating func warn(_ error: any Error, _ file: String) {
    guard let error = error as? CourseFormatError else { return }
    findings.warning(error.diagnostic.file, error.diagnostic.line, error.diagnostic.message + " It is ignored.")
  }

  func first(of names: [String], in folder: String) -> String? {
    names.map { SourcePath.join(folder, $0) }.first(where: source.hasFile)
  }

  /// Returns the path of a page. The name may lack the extension, or be that of a folder with an index page. If there
  /// is no such page, returns the name itself as a path.
  ///
  /// - Returns: `nil` if the name leads out of the source.
  func page(_ name: String, in folder: String) -> String? {
    guard case .file(let file, _) = LinkTarget(name), let path = SourcePath.resolve(file, in: folder) else {
      return nil
    }
    if PageName.isPage(path) || source.hasFile(path) { return path }
    let found = PageName.extensions.map { path + "." + $0 }.first(where: source.hasFile)
    if let found { return found }
    let own = PageKind.markdown.indexPageNames.map { SourcePath.join(path, $0) }.first(where: source.hasFile)
    return own ?? path
  }

  /// Returns an entry for a page that a navigation file lists.
  mutating func entry(page name: String, title: String?, in folder: String, file: String, line: Int?) -> PageEntry? {
    if case .address(let address) = LinkTarget(name) {
      return PageEntry(title: title ?? address, address: address, line: line)
    }
    guard let path = page(name, in: folder) else {
      findings.countLoss("page outside the folder", "left out")
      findings.warning(
        file, line, "The page \(quoted: name) is outside the folder and is left out. Copy it into the folder.")
      return nil
    }
    var entry = PageEntry(title: title?.onOneLine, page: path, line: line)
    if case .file(_, let anchor) = LinkTarget(name) { entry.anchor = anchor }
    return entry
  }
}

extension NavigationFiles {
  /// Reads The Carpentries' `config.yaml`: the order in the folders `episodes`, `learners`, `instructors` and
  /// `profiles`. An empty or missing list means all pages of that folder.
  ///
  /// Source: The Carpentries Workbench, "config.yaml".
  static func carpentries(_ files: inout NavigationFiles, _ folder: String) -> FolderPlan? {
    guard let file = files.first(of: ["config.yaml"], in: folder), let tree = files.tree(of: file),
      tree.fields.contains(where: { $0.name == "episodes" })
    else { return nil }
    var plan = FolderPlan(
      file: file, title: tree["title"]?.text?.onOneLine, language: tree["lang"]?.text, pagesFolder: folder)
    var entries = ["index.md", "README.md"].map { SourcePath.join(folder, $0) }.filter(files.source.hasFile).prefix(1)
      .map { PageEntry(page: $0) }
    for name in ["episodes", "learners", "instructors", "profiles"] {
      let inside = SourcePath.join(folder, name)
      let listed = tree[name]
      var children = (listed?.items ?? []).compactMap { item in
        item.text.flatMap { files.entry(page: $0, title: nil, in: inside, file: file, line: item.line) }
      }
      if children.isEmpty {
        children = ((try? files.source.entries(in: inside)) ?? []).filter {
          !$0.isFolder && PageName.isPage($0.path)
        }
        .map(\.path).sorted(by: NaturalOrder.pathPrecedes).map { PageEntry(page: $0) }
      }
      guard !children.isEmpty else { continue }
      let title = name.prefix(1).uppercased() + name.dropFirst()
      entries.append(PageEntry(title: title, folder: inside, children: children, line: listed?.line))
    }
    plan.entries = Array(entries)
    return plan
  }

  /// Reads DocC catalogs: the topics of their root pages, and those of the pages that are listed there.
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
      // If the root page has no text other than the summary of the course, it serves only as a table of contents.
      plan.file = only.root
      (plan.title, plan.summary, plan.pagesFolder) = (only.title, only.summary, only.folder)
      plan.entries = entries
    } else {
      plan.entries = ordered.map { PageEntry(title: $0.catalog.title, folder: $0.catalog.folder, children: $0.entries) }
    }
    return plan
  }

  /// Reads `_toc.yml`: a root page, and below it `parts` with `chapters`, or `chapters`, or nested `sections`.
  ///
  /// Source: sphinx-external-toc, "User Guide". The plain list of Jupyter Book 0.11 is read too.
  static func jupyterBook(_ files: inout NavigationFiles, _ folder: String) -> FolderPlan? {
    guard let file = files.first(of: ["_toc.yml", "_toc.yaml"], in: folder), let tree = files.tree(of: file) else {
      return nil
    }
    var entries: [PageEntry] = []
    if let root = tree["root"]?.text, let page = files.page(root, in: folder) {
      entries.append(PageEntry(page: page, line: tree["root"]?.line))
    }
    entries += files.tocChildren(of: tree, folder: folder, file: file)
    entries += files.tocItems(tree.items, folder: folder, file: file)
    return FolderPlan(file: file, pagesFolder: folder, program: .myst, entries: entries)
  }

  /// Reads `myst.yml`: the `toc` of its `project`.
  ///
  /// Source: MyST Markdown, "Table of Contents".
  static func myst(_ files: inout NavigationFiles, _ folder: String) -> FolderPlan? {
    guard let file = files.first(of: ["myst.yml", "myst.yaml"], in: folder), let tree = files.tree(of: file) else {
      return nil
    }
    let project = tree["project"]
    var plan = FolderPlan(
      file: file, title: project?["title"]?.text?.onOneLine, summary: project?["description"]?.text?.onOneLine,
      pagesFolder: folder, program: .myst)
    plan.entries = files.tocItems(project?["toc"]?.items ?? [], folder: folder, file: file)
    plan.bibliography = files.bibliography(project?["bibliography"], in: folder)
    if plan.entries?.isEmpty == true { plan.file = nil }
    return plan
  }

  /// Returns the children of an entry. The field with the children may have any of several names.
  private mutating func tocChildren(of tree: YAMLTree, folder: String, file: String) -> [PageEntry] {
    ["parts", "subtrees", "chapters", "sections", "entries", "children"].flatMap { name in
      tocItems(tree[name]?.items ?? [], folder: folder, file: file)
    }
  }

  mutating func tocItems(_ items: [YAMLTree], folder: String, file: String) -> [PageEntry] {
    var entries: [PageEntry] = []
    for item in items {
      let children = tocChildren(of: item, folder: folder, file: file)
      let title = (item["title"] ?? item["caption"] ?? item["part"])?.text?.onOneLine
      if let name = (item["file"] ?? item["local"] ?? item["url"])?.text {
        guard var own = entry(page: name, title: title, in: folder, file: file, line: item.line) else { continue }
        own.children = children
        entries.append(own)
        // In courses of Hugging Face, an entry may have a page for each framework.
        for other in item["local_fw"]?.fields ?? [] {
          guard let name = other.value.text, let words = title.map({ "\($0) (\(other.name))" }),
            let page = entry(page: name, title: words, in: folder, file: file, line: item.line), page.page != own.page
          else { continue }
          entries.append(page)
        }
      } else if let pattern = item["glob"]?.text ?? item["pattern"]?.text {
        entries += globbed(pattern, folder: folder)
      } else if let title {
        entries.append(PageEntry(title: title, children: children, line: item.line))
      } else {
        entries += children
      }
    }
    return entries
  }

  /// Returns the pages that match a pattern such as `chapters/*`.
  func globbed(_ pattern: String, folder: String) -> [PageEntry] {
    let beginning = SourcePath.join(folder, String(pattern.prefix { $0 != "*" }))
    let end = pattern.split(separator: "*", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    let inside = SourcePath.folder(of: beginning)
    let names = ((try? source.entries(in: inside)) ?? []).filter { entry in
      !entry.isFolder && (PageName.isPage(entry.path) || SourcePath.hasExtension("rst", entry.path))
        && entry.path.hasPrefix(beginning)
        && (entry.path.hasSuffix(end) || SourcePath.stem(of: entry.path).hasSuffix(end))
    }
    return names.map(\.path).sorted(by: NaturalOrder.pathPrecedes).map { PageEntry(page: $0) }
  }

  /// Reads `mkdocs.yml`. Its `nav` is a list of pages, of titles with a page, and of titles with such a list.
  ///
  /// Source: MkDocs 1.6, "nav".
  static func mkDocs(_ files: inout NavigationFiles, _ folder: String) -> FolderPlan? {
    guard let file = files.first(of: ["mkdocs.yml", "mkdocs.yaml"], in: folder), let tree = files.tree(of: file) else {
      return nil
    }
    let pages = SourcePath.resolve(tree["docs_dir"]?.text ?? "docs", in: folder) ?? folder
    var plan = FolderPlan(
      file: file, title: tree["site_name"]?.text?.onOneLine, summary: tree["site_description"]?.text?.onOneLine,
      language: tree["theme"]?["language"]?.text, pagesFolder: pages)
    if let nav = tree["nav"] {
      plan.entries = nav.items.compactMap { files.mkDocsEntry($0, pages: pages, file: file) }
    } else {
      plan.file = nil
    }
    for field in tree["extra"]?.fields ?? [] { plan.substitutions[field.name] = field.value.text }
    return plan
  }

  private mutating func mkDocsEntry(_ item: YAMLTree, pages: String, file: String) -> PageEntry? {
    let field = item.fields.first
    if let name = item.text ?? field?.value.text {
      var own = entry(page: name, title: field?.name, in: pages, file: file, line: item.line)
      if name.hasSuffix("/"), let folder = SourcePath.resolve(name, in: pages) {
        own?.children = pagesInOrder(of: folder)
        if own?.page == folder {
          own?.page = nil
          own?.folder = folder
        }
      }
      return own
    }
    guard let field else { return nil }
    return PageEntry(
      title: field.name.onOneLine, children: field.value.items.compactMap { mkDocsEntry($0, pages: pages, file: file) },
      line: item.line)
  }

  /// Returns the pages of a folder: first those to which its `SUMMARY.md` or index page leads, in this order.
  ///
  /// Source: mkdocs-literate-nav, "Usage".
  private func pagesInOrder(of folder: String) -> [PageEntry] {
    let inside = ((try? source.entries(in: folder)) ?? []).filter { entry in
      !entry.isFolder && PageName.isPage(entry.path) && !PageName.isIndexPage(entry.path) && entry.name != "SUMMARY.md"
    }.map(\.path)
    let list = first(of: ["SUMMARY.md"] + PageKind.markdown.indexPageNames, in: folder)
    let text = list.flatMap { source.head(of: $0, count: 1 << 16) } ?? ""
    let listed = text.split(separator: "\n").flatMap { SummaryLinks($0, references: [:]).links }
      .compactMap { SourcePath.resolve($0.page, in: folder) }.filter(Set(inside).contains)
    var known: Set<String> = []
    return PageEntry.withoutRepetitions(
      (listed + NaturalOrder.sorted(inside)).map { PageEntry(page: $0) }, listed: &known)
  }

  /// Reads `SUMMARY.md` of GitBook and HonKit, without the `book.toml` of mdBook.
  ///
  /// Sources: HonKit, "Pages and Summary"; GitBook, "Content configuration" (`.gitbook.yaml`).
  static func summary(_ files: inout NavigationFiles, _ folder: String) -> FolderPlan? {
    let configuration = files.first(of: [".gitbook.yaml"], in: folder).flatMap { files.tree(of: $0) }
    let folder = SourcePath.resolve(configuration?["root"]?.text ?? "", in: folder) ?? folder
    let name = configuration?["structure"]?["summary"]?.text ?? "SUMMARY.md"
    guard let file = SourcePath.resolve(name, in: folder), let text = files.text(of: file) else { return nil }
    // In GitBook, the parts are headings of the second level, below the title of the table.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("##") ? "# " + line.drop { $0 == "#" }.trimmingBlanks : line
    }
    let summary = BookSummary(
      lines.joined(separator: "\n"), file: file, limits: files.source.limits, findings: &files.findings)
    func entries(_ chapters: [BookSummary.Chapter]) -> [PageEntry] {
      chapters.compactMap { chapter in
        var own =
          chapter.page.map {
            files.entry(
              page: $0 + (chapter.anchor.map { "#" + $0 } ?? ""), title: chapter.title, in: folder, file: file,
              line: chapter.line)
          } ?? PageEntry(title: chapter.title, line: chapter.line)
        own?.children = entries(chapter.nested)
        return own
      }
    }
    var all = entries(summary.before)
    for part in summary.parts {
      let chapters = entries(part.chapters)
      if let title = part.title {
        all.append(PageEntry(title: title.onOneLine, children: chapters, line: part.line))
      } else {
        all += chapters
      }
    }
    return FolderPlan(file: file, pagesFolder: folder, entries: all + entries(summary.after))
  }
}
