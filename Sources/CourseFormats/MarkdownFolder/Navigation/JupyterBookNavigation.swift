import LearningModel

extension NavigationFiles {
  /// `_toc.yml`: a root page, and below it `parts` with `chapters`, or `chapters`, or `sections` in `sections`.
  ///
  /// Source: sphinx-external-toc, "User Guide"; the list that Jupyter Book 0.11 had in its place is read too.
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
    return FolderPlan(file: file, pages: folder, entries: entries)
  }

  /// `myst.yml`: the `toc` of its `project`.
  ///
  /// Source: MyST Markdown, "Table of Contents".
  static func myst(_ files: inout NavigationFiles, _ folder: String) -> FolderPlan? {
    guard let file = files.first(of: ["myst.yml", "myst.yaml"], in: folder), let tree = files.tree(of: file) else {
      return nil
    }
    let project = tree["project"]
    var plan = FolderPlan(
      file: file, title: project?["title"]?.text?.onOneLine, summary: project?["description"]?.text?.onOneLine,
      pages: folder)
    plan.entries = files.tocItems(project?["toc"]?.items ?? [], folder: folder, file: file)
    if plan.entries?.isEmpty == true { plan.file = nil }
    return plan
  }

  /// What stands below an entry, under whichever of its names.
  private mutating func tocChildren(of tree: YAMLTree, folder: String, file: String) -> [PageEntry] {
    ["parts", "subtrees", "chapters", "sections", "entries", "children"].flatMap { name in
      tocItems(tree[name]?.items ?? [], folder: folder, file: file)
    }
  }

  private mutating func tocItems(_ items: [YAMLTree], folder: String, file: String) -> [PageEntry] {
    var entries: [PageEntry] = []
    for item in items {
      let children = tocChildren(of: item, folder: folder, file: file)
      let title = (item["title"] ?? item["caption"] ?? item["part"])?.text?.onOneLine
      if let name = (item["file"] ?? item["url"])?.text {
        guard var own = entry(page: name, title: title, in: folder, file: file, line: item.line) else { continue }
        own.children = children
        entries.append(own)
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

  /// The pages that a pattern such as `chapters/*` means: what it has before its first star is a beginning.
  private func globbed(_ pattern: String, folder: String) -> [PageEntry] {
    let beginning = SourcePath.join(folder, String(pattern.prefix { $0 != "*" }))
    let end = pattern.split(separator: "*", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    let inside = SourcePath.folder(of: beginning)
    let names = ((try? source.entries(in: inside)) ?? []).filter { entry in
      !entry.isFolder && PageFiles.isPage(entry.path) && entry.path.hasPrefix(beginning)
        && (entry.path.hasSuffix(end) || SourcePath.stem(of: entry.path).hasSuffix(end))
    }
    return names.map(\.path).sorted(by: NaturalOrder.pathPrecedes).map { PageEntry(page: $0) }
  }
}
