import LearningModel

extension NavigationFiles {
  /// Reads `_bookdown.yml`: the files of the book in order, otherwise `index.Rmd` and the other files by name. Headings
  /// of parts in the files begin goals.
  ///
  /// Source: Yihui Xie, "bookdown", 1.2 "Get started", 2.2.2 "Special headers", 4.4 "Configuration".
  static func bookdown(_ files: inout NavigationFiles, _ folder: String) -> FolderPlan? {
    let index = files.first(of: ["index.Rmd", "index.rmd"], in: folder)
    let file = files.first(of: ["_bookdown.yml", "_bookdown.yaml"], in: folder)
    let head = index.flatMap { files.text(of: $0) }
    guard file != nil || head.map({ $0.prefix(4_096).contains("bookdown::") }) == true else { return nil }
    var plan = FolderPlan(file: file ?? index, pagesFolder: folder)
    var project = QuartoProject(isBookdown: true)
    if let index, let head {
      var ignored = Findings()
      let matter = PageFrontMatter(head, file: index, limits: files.source.limits, findings: &ignored)
      (plan.title, plan.summary) = (matter["title"], matter["description"])
      plan.language = matter["lang"]
      project.settings = matter.quarto
      files.addBibliographies(matter.quarto.bibliographies, in: folder, to: &project)
    }
    plan.quarto = project
    plan.leavesOutPartials = true
    let tree = file.flatMap { files.tree(of: $0) }
    let paths = files.bookdownFiles(tree, in: folder, index: index)
    plan.entries = files.bookdownEntries(paths, index: index, line: tree?["rmd_files"]?.line)
    return plan
  }

  /// Returns the paths of the files of the book.
  private func bookdownFiles(_ tree: YAMLTree?, in folder: String, index: String?) -> [String] {
    func pages(in folder: String, isDeep: Bool, depth: Int = 0) -> [String] {
      guard depth < source.limits.pathDepth, let entries = try? source.entries(in: folder) else { return [] }
      return entries.flatMap { entry -> [String] in
        guard !entry.name.hasPrefix("_") else { return [] }
        if entry.isFolder {
          let isSkipped = !isDeep || source.isExcluded(entry.path)
          return isSkipped ? [] : pages(in: entry.path, isDeep: true, depth: depth + 1)
        }
        return SourcePath.hasExtension("rmd", entry.name) ? [entry.path] : []
      }.sorted(by: NaturalOrder.pathPrecedes)
    }
    let rmdFiles = tree?["rmd_files"]
    var listed = rmdFiles?.items.isEmpty == false ? rmdFiles!.items : rmdFiles?["html"]?.items ?? []
    if listed.isEmpty, let only = rmdFiles?.text { listed = [YAMLTree(text: only, line: rmdFiles!.line)] }
    let subfolders = tree?["rmd_subdir"]
    var paths = listed.compactMap { $0.text.flatMap { SourcePath.resolve($0, in: folder) } }
    if paths.isEmpty {
      paths = pages(in: folder, isDeep: subfolders?.text.map { !QuartoSettings.isFalse($0) } ?? false)
    }
    for name in (subfolders?.items ?? []).compactMap(\.text) {
      if let inside = SourcePath.resolve(name, in: folder) { paths += pages(in: inside, isDeep: true) }
    }
    if let index, let place = paths.firstIndex(of: index) {
      paths.remove(at: place)
      paths.insert(index, at: 0)
    }
    var unique: Set<String> = []
    return paths.filter { unique.insert($0).inserted }
  }

  /// Returns the entries for pages. The pages after the heading of a part are its children.
  private mutating func bookdownEntries(_ paths: [String], index: String?, line: Int?) -> [PageEntry] {
    var entries: [PageEntry] = []
    var isInPart = false
    for path in paths {
      let (opening, closing) = parts(in: path)
      if let opening {
        entries.append(PageEntry(title: opening))
        isInPart = true
      }
      let page = PageEntry(title: path == index ? firstHeading(of: path) : nil, page: path, line: line)
      if isInPart { entries[entries.count - 1].children.append(page) } else { entries.append(page) }
      if let closing {
        entries.append(PageEntry(title: closing))
        isInPart = true
      }
    }
    return entries.filter { !$0.isGroup || !$0.children.isEmpty }
  }

  /// Returns the first heading of `index.Rmd`. The field `title` of that file is the title of the book.
  private mutating func firstHeading(of path: String) -> String? {
    guard let text = text(of: path) else { return nil }
    var ignored = Findings()
    let matter = PageFrontMatter(text, file: path, limits: source.limits, findings: &ignored)
    return matter.body.headings(limit: 1).first?.words
  }

  /// Returns the part that begins with a page, and the last part that begins after the text of the page.
  private mutating func parts(in path: String) -> (opening: String?, closing: String?) {
    guard let text = text(of: path), text.contains("(PART") || text.contains("(APPENDIX") else { return (nil, nil) }
    var ignored = Findings()
    let matter = PageFrontMatter(text, file: path, limits: source.limits, findings: &ignored)
    var (opening, closing): (String?, String?) = (nil, nil)
    var (fence, hasText) = (CodeFence(), false)
    for line in matter.body.split(separator: "\n") {
      fence.process(line)
      if !fence.isOpen, let part = BookdownPart(line.trimmingBlanks) {
        if hasText { closing = part.title } else { opening = part.title }
      } else if !fence.isOpen, line.hasPrefix("#") {
        hasText = true
        closing = nil
      }
    }
    return (opening, closing)
  }
}
