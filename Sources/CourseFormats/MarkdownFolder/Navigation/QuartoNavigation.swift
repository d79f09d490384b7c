import LearningModel

extension NavigationFiles {
  /// Reads `_quarto.yml`: the chapters of a book, or the sidebars and the navigation bar of a web site.
  ///
  /// Source: Quarto, "Book Structure", "Website Navigation", "Includes" (names that begin with an underscore).
  static func quarto(_ files: inout NavigationFiles, _ folder: String) -> FolderPlan? {
    guard let file = files.first(of: ["_quarto.yml", "_quarto.yaml"], in: folder), let tree = files.tree(of: file)
    else {
      return nil
    }
    var trees = [tree]
    for name in (tree["metadata-files"]?.items ?? []).prefix(16).compactMap(\.text) {
      if let path = SourcePath.resolve(name, in: folder), let other = files.tree(of: path) { trees.append(other) }
    }
    func field(_ name: String) -> YAMLTree? { trees.lazy.compactMap { $0[name] }.first }
    let book = field("book")
    let site = field("website") ?? field("manuscript")
    let main = book ?? site
    var plan = FolderPlan(
      file: file, title: (main?["title"] ?? field("title"))?.text?.onOneLine,
      summary: (main?["description"] ?? main?["subtitle"])?.text?.onOneLine, language: field("lang")?.text,
      pagesFolder: folder)
    plan.quarto = files.project(trees, main, in: folder)
    plan.leavesOutPartials = true
    if let book {
      plan.entries = files.quartoItems(book["chapters"], in: folder, file: file)
      let appendices = files.quartoItems(book["appendices"], in: folder, file: file)
      if !appendices.isEmpty {
        plan.entries?.append(PageEntry(title: "Appendices", children: appendices, line: book["appendices"]?.line))
      }
    } else if let site {
      plan.entries = files.quartoSite(site, in: folder, file: file)
    }
    if plan.entries?.isEmpty != false { plan.file = nil }
    return plan
  }

  private mutating func project(_ trees: [YAMLTree], _ main: YAMLTree?, in folder: String) -> QuartoProject {
    var project = QuartoProject()
    for tree in trees.reversed() { project.settings = QuartoSettings(project.settings, QuartoSettings(tree)) }
    let named = (trees + [main].compactMap(\.self)).flatMap { QuartoSettings($0).bibliographies }
    addBibliographies(named, in: folder, to: &project)
    if let variables = first(of: ["_variables.yml", "_variables.yaml"], in: folder).flatMap({ tree(of: $0) }) {
      add(variables, below: "", to: &project.variables)
    }
    return project
  }

  private func add(_ tree: YAMLTree, below name: String, to variables: inout [String: String]) {
    for field in tree.fields {
      let full = name.isEmpty ? field.name.lowercased() : "\(name).\(field.name.lowercased())"
      if let text = field.value.text { variables[full] = text.onOneLine }
      add(field.value, below: full, to: &variables)
    }
  }

  mutating func addBibliographies(_ names: [String], in folder: String, to project: inout QuartoProject) {
    for name in names.prefix(16) {
      guard let path = SourcePath.resolve(name, in: folder), SourcePath.hasExtension("bib", path),
        let text = text(of: path)
      else { continue }
      project.bibliography.add(text)
    }
  }

  // MARK: Books

  /// Returns the entries of a list of chapters or of the contents of a sidebar.
  private mutating func quartoItems(_ tree: YAMLTree?, in folder: String, file: String) -> [PageEntry] {
    guard let tree else { return [] }
    if let text = tree.text { return quartoAutomatic(text, in: folder, line: tree.line) }
    if tree.items.isEmpty, !tree.fields.isEmpty { return quartoItem(tree, in: folder, file: file) }
    return tree.items.flatMap { quartoItem($0, in: folder, file: file) }
  }

  private mutating func quartoItem(_ item: YAMLTree, in folder: String, file: String) -> [PageEntry] {
    if let name = item.text { return quartoPage(name, title: nil, in: folder, file: file, line: item.line) }
    if let auto = item["auto"] {
      return auto.items.isEmpty
        ? quartoAutomatic(auto.text ?? "", in: folder, line: item.line)
        : auto.items.flatMap { quartoAutomatic($0.text ?? "", in: folder, line: item.line) }
    }
    let group = (item["part"] ?? item["section"])?.text
    let children = quartoItems(item["chapters"] ?? item["contents"] ?? item["menu"], in: folder, file: file)
    let page = (item["href"] ?? item["file"])?.text
    let text = item["text"]?.text?.onOneLine
    if let group {
      // The name of a part is its title or its page.
      if page == nil, PageName.isPage(group),
        var own = quartoPage(group, title: nil, in: folder, file: file, line: item.line).first
      {
        own.children = children
        return [own]
      }
      var own = PageEntry(title: group.onOneLine, children: children, line: item.line)
      own.page = page.flatMap { quartoPage($0, title: nil, in: folder, file: file, line: item.line).first?.page }
      return [own]
    }
    if let page {
      guard var own = quartoPage(page, title: text, in: folder, file: file, line: item.line).first else { return [] }
      own.children = children
      return [own]
    }
    return text.map { [PageEntry(title: $0, children: children, line: item.line)] } ?? children
  }

  /// Returns the entry for a page, a folder or an address. Separators and links to other targets have no entry.
  private mutating func quartoPage(
    _ name: String, title: String?, in folder: String, file: String, line: Int?
  ) -> [PageEntry] {
    if name.allSatisfy({ $0 == "-" }) { return [] }
    if name.contains("*") || name.hasSuffix("/") { return quartoAutomatic(name, in: folder, line: line) }
    guard case .file(let path, _) = LinkTarget(name), !path.isEmpty else {
      guard case .address(let address) = LinkTarget(name) else { return [] }
      return [PageEntry(title: title ?? address, address: address, line: line)]
    }
    // A path with a leading slash is relative to the project.
    let bare = String(path.drop { $0 == "/" })
    let source = SourcePath.hasExtension("html", bare) ? SourcePath.stem(of: bare) : bare
    if !PageName.isPage(source), let inside = SourcePath.resolve(source, in: folder),
      (try? self.source.entries(in: inside)) != nil
    {
      return [PageEntry(title: title, folder: inside, line: line)]
    }
    return entry(page: source, title: title, in: folder, file: file, line: line).map { [$0] } ?? []
  }

  /// Returns the entries of the pages that a pattern or the name of a folder selects. The value `true` or `auto` selects
  /// all pages.
  private func quartoAutomatic(_ text: String, in folder: String, line: Int?) -> [PageEntry] {
    if ["true", "auto", ""].contains(text) { return [PageEntry(folder: folder, line: line)] }
    if text == "false" { return [] }
    let bare = String(text.drop { $0 == "/" }.prefix { $0 != "*" })
    if text.contains("*"), text.last != "*", !text.hasSuffix("/") {
      return globbed(String(text.drop { $0 == "/" }), folder: folder)
    }
    guard let inside = SourcePath.resolve(bare, in: folder), (try? source.entries(in: inside)) != nil else { return [] }
    return [PageEntry(folder: inside, line: line)]
  }

  // MARK: Web sites

  /// Returns the entries of the sidebars, followed by the pages of the navigation bar that no sidebar contains.
  private mutating func quartoSite(_ site: YAMLTree, in folder: String, file: String) -> [PageEntry] {
    var entries: [PageEntry] = []
    let sidebars = site["sidebar"].map { $0.items.isEmpty ? [$0] : $0.items } ?? []
    for sidebar in sidebars where sidebar.text == nil {
      let contents = quartoItems(sidebar["contents"], in: folder, file: file)
      guard !contents.isEmpty else { continue }
      let title = sidebar["title"]?.text?.onOneLine ?? sidebar["id"]?.text.map(PageKeys.title)
      if sidebars.count == 1 || title == nil {
        entries += contents
      } else {
        entries.append(PageEntry(title: title, children: contents, line: sidebar.line))
      }
    }
    var listed = Set(entries.flatMap(\.pages))
    for side in ["left", "right"] {
      for entry in quartoItems(site["navbar"]?[side], in: folder, file: file) {
        let pages = entry.pages.filter { !listed.contains($0) }
        guard entry.folder == nil, entry.address == nil, !pages.isEmpty else { continue }
        listed.formUnion(pages)
        entries.append(
          entry.children.isEmpty
            ? entry
            : PageEntry(
              title: entry.title,
              children: entry.children.filter {
                $0.address == nil
              }, line: entry.line))
      }
    }
    return entries
  }
}
