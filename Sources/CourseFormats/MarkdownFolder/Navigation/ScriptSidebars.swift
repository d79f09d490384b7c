import LearningModel

/// Sidebars in the configuration of VitePress, VuePress and Starlight. The configuration is a program, of which only
/// the literal lists are read.
///
/// Sources: VitePress, "Sidebar"; VuePress, "Default Theme Config"; Starlight, "Sidebar Navigation".
extension NavigationFiles {
  /// Reads the sidebar of VitePress or VuePress. It may be in a separate file for a language.
  static func vitePress(_ files: inout NavigationFiles, _ folder: String) -> FolderPlan? {
    func paths(_ names: [String]) -> [String] {
      names.flatMap { name in ["ts", "mts", "js", "mjs"].map { "\(name).\($0)" } }
    }
    let tools = [".vitepress", ".vuepress"].flatMap { tool in
      ["config", "config/index", "config/en"].map { "\(tool)/\($0)" }
    }
    guard let main = files.first(of: paths(tools), in: folder), let program = files.text(of: main) else { return nil }
    let pages = SourcePath.resolve(ScriptLiteral.text(of: "srcDir", in: program) ?? "", in: folder) ?? folder
    var (file, part) = (main, program)
    if !program.contains("sidebar"),
      let other = files.first(of: paths([".vitepress/config/en", "config", "en/config"]), in: folder),
      let text = files.text(of: other)
    {
      (file, part) = (other, text)
    }
    guard let sidebar = files.literal(after: ["sidebar:"], in: part, file: &file) else { return nil }
    var entries = files.vitePressEntries(sidebar, in: pages, file: file)
    // The pages of the main language may be in a folder that is not part of their addresses.
    let inner = SourcePath.join(pages, "en")
    let source = files.source
    if !entries.flatMap(\.pages).contains(where: source.hasFile), (try? source.entries(in: inner)) != nil {
      entries = files.vitePressEntries(sidebar, in: inner, file: file)
      return files.scriptPlan(entries, in: inner, file: file, program: program)
    }
    return files.scriptPlan(entries, in: pages, file: file, program: program)
  }

  private mutating func vitePressEntries(_ sidebar: YAMLTree, in pages: String, file: String) -> [PageEntry] {
    var entries: [PageEntry] = []
    let groups = sidebar.fields.isEmpty ? [YAMLTree.Field(name: "", value: sidebar)] : sidebar.fields
    for group in groups {
      let base = group.value["base"]?.text ?? ""
      let items = group.value["items"]?.items ?? group.value.items
      let top = SourcePath.join(pages, group.name.trimmingSlashes)
      let own = items.flatMap { scriptEntries($0, base: base, folder: pages, file: file, depth: 0) }
        .map { rebased($0, from: pages, to: top) }
      if groups.count == 1 {
        entries += own
      } else if !own.isEmpty {
        entries.append(
          PageEntry(title: PageKeys.title(of: SourcePath.name(of: group.name.trimmingSlashes)), children: own))
      }
    }
    return entries
  }

  /// Returns an entry with pages in another folder for those that are missing. In VuePress, the paths in a list are
  /// relative to the name of the list.
  private func rebased(_ entry: PageEntry, from pages: String, to top: String) -> PageEntry {
    var own = entry
    own.children = entry.children.map { rebased($0, from: pages, to: top) }
    guard let missing = entry.page, !source.hasFile(missing), pages.isEmpty || missing.hasPrefix(pages + "/"),
      let found = page(String(missing.dropFirst(pages.isEmpty ? 0 : pages.utf8.count + 1)), in: top),
      source.hasFile(found)
    else { return own }
    own.page = found
    return own
  }

  /// Reads the sidebar of Starlight. Its pages are in `src/content/docs`.
  static func starlight(_ files: inout NavigationFiles, _ folder: String) -> FolderPlan? {
    let pages = SourcePath.join(folder, "src/content/docs")
    guard var file = files.first(of: ["mjs", "ts", "mts", "js"].map { "astro.config." + $0 }, in: folder),
      (try? files.source.entries(in: pages)) != nil, let program = files.text(of: file), program.contains("starlight"),
      let sidebar = files.literal(after: ["sidebar:"], in: program, file: &file)
    else { return nil }
    func entries(in pages: String) -> [PageEntry] {
      sidebar.items.flatMap { files.scriptEntries($0, base: "", folder: pages, file: file, depth: 0) }
    }
    // The pages of the main language may be in a folder that is part of their addresses, but not of the sidebar.
    let (direct, inner) = (entries(in: pages), SourcePath.join(pages, "en"))
    let source = files.source
    let isInner = !direct.flatMap(\.pages).contains(where: source.hasFile) && (try? source.entries(in: inner)) != nil
    let entries = isInner ? entries(in: inner) : direct
    return files.scriptPlan(entries, in: pages, file: file, program: program)
  }

  private mutating func scriptPlan(
    _ entries: [PageEntry], in pages: String, file: String, program: String
  ) -> FolderPlan? {
    guard !entries.isEmpty else {
      warnOfProgram(file)
      return nil
    }
    var plan = FolderPlan(
      file: file, title: ScriptLiteral.text(of: "title", in: program)?.onOneLine, pagesFolder: pages)
    let pages = entries.flatMap(\.pages).first.map { $0.hasPrefix(pages + "/en/") } == true ? pages + "/en" : pages
    let start = ["index.md", "index.mdx", "README.md"].map { SourcePath.join(pages, $0) }.first(where: source.hasFile)
    let isListed = entries.flatMap(\.pages).contains { $0 == start }
    plan.entries = (isListed ? [] : start.map { [PageEntry(page: $0)] } ?? []) + entries
    plan.keysFolder = ""
    return plan
  }

  /// Returns the literal after one of several beginnings in a program. If it is missing, adds a warning and returns
  /// `nil`.
  ///
  /// - Parameter file: The file of the program. Becomes the imported file that contains the literal.
  mutating func literal(after beginnings: [String], in program: String, file: inout String) -> YAMLTree? {
    let parts = [(file: file, text: program)] + imports(of: program, in: SourcePath.folder(of: file))
    if let (json, lines) = ScriptLiteral.json(after: beginnings, in: parts.map(\.text).joined(separator: "\n")) {
      var line = lines
      for part in parts {
        let count = part.text.utf8.count { $0 == 0x0A } + 1
        if line < count {
          file = part.file
          break
        }
        line -= count
      }
      if let tree = try? YAMLTree(json, file: file, firstLine: line + 1, limits: source.limits) { return tree }
    }
    if beginnings.contains(where: program.contains) { warnOfProgram(file) }
    return nil
  }

  /// Returns the texts of the files of the source that a program imports. A default export is given its imported name.
  ///
  /// Source: ECMAScript, "Imports"; Node.js, `require`.
  private mutating func imports(of program: String, in folder: String) -> [(file: String, text: String)] {
    guard program.contains("sidebar") || program.contains("Sidebar") else { return [] }
    let pattern =
      /(?:import\s+(?:(\w+)|[^'";]*?)\s*from\s*|(?:const|let|var)\s+(?:(\w+)|\{[^}]*\})\s*=\s*require\()['"](\.[^'"]+)['"]/
    return program.matches(of: pattern).prefix(20).compactMap { match in
      guard let path = SourcePath.resolve(match.3, in: folder) else { return nil }
      let stem = ["js", "mjs", "ts"].contains { SourcePath.hasExtension($0, path) } ? SourcePath.stem(of: path) : path
      let ends = ["ts", "mts", "js", "mjs", "cjs", "json"]
      let names = [path] + ends.map { stem + "." + $0 } + ends.map { path + "/index." + $0 }
      guard let file = names.first(where: source.hasFile), var text = text(of: file) else { return nil }
      if let name = match.1 ?? match.2 {
        if SourcePath.hasExtension("json", file) { text = "const \(name) = " + text }
        for export in ["export default ", "module.exports = "] {
          text = text.replacing(export, with: "const \(name) = ")
        }
      }
      return (file, text)
    }
  }

  /// Returns the literal of a `_meta` file, which is JSON or a program.
  mutating func meta(_ file: String) -> YAMLTree? {
    if SourcePath.hasExtension("json", file) { return tree(of: file) }
    return text(of: file).flatMap { ScriptLiteral.json(after: ["export default", "module.exports ="], in: $0) }
      .flatMap { try? YAMLTree($0.text, file: file, firstLine: $0.linesBefore + 1, limits: source.limits) }
  }

  private mutating func warnOfProgram(_ file: String) {
    findings.warning(
      file, nil,
      "The order is computed by a program, which is not run, so the pages are ordered by name. Write it as a list in "
        + "that file.")
  }

  /// The maximum nesting depth of entries.
  private static let deepest = 24

  /// Returns the entries for an item. A group without a title is replaced by its entries.
  private mutating func scriptEntries(
    _ item: YAMLTree, base: String, folder: String, file: String, depth: Int
  ) -> [PageEntry] {
    guard depth < Self.deepest else { return [] }
    if let name = item.text {
      return scriptPage(name, title: nil, folder: folder, file: file, line: item.line).map { [$0] } ?? []
    }
    // VuePress 1 has pairs of a path and a title.
    if item.items.count == 2, let name = item.items[0].text, let title = item.items[1].text {
      return scriptPage(name, title: title, folder: folder, file: file, line: item.line).map { [$0] } ?? []
    }
    if !item.items.isEmpty {
      return item.items.flatMap { scriptEntries($0, base: base, folder: folder, file: file, depth: depth + 1) }
    }
    let call = item["call"]?.text?.split(separator: ".").last.map { PageKeys.title(of: String($0)) }
    let title = (item["text"] ?? item["label"] ?? item["title"])?.text?.onOneLine ?? call
    if let directory = item["autogenerate"]?["directory"]?.text {
      let inner = PageEntry(folder: SourcePath.resolve(directory.trimmingSlashes, in: folder) ?? folder)
      return title == nil ? [inner] : [PageEntry(title: title, children: [inner], line: item.line)]
    }
    let base = item["base"]?.text ?? base
    let children = ((item["items"] ?? item["children"])?.items ?? []).flatMap {
      scriptEntries($0, base: base, folder: folder, file: file, depth: depth + 1)
    }
    let link = (item["link"] ?? item["slug"] ?? item["path"])?.text
    var own = PageEntry(title: title, line: item.line)
    if let link {
      let name = link.contains(":") || base.isEmpty ? link : base + link
      guard let page = scriptPage(name, title: title, folder: folder, file: file, line: item.line) else { return [] }
      own = page
    } else if title == nil {
      return children
    }
    own.children = children
    return own.isGroup && own.children.isEmpty ? [] : [own]
  }

  private mutating func scriptPage(
    _ name: String, title: String?, folder: String, file: String, line: Int
  ) -> PageEntry? {
    let isAddress = if case .address = LinkTarget(name) { true } else { false }
    let page = isAddress ? name : name.trimmingSlashes.replacing(".html", with: "")
    return entry(page: page, title: title, in: folder, file: file, line: line)
  }
}

extension String {
  /// The text without slashes at both ends.
  fileprivate var trimmingSlashes: String {
    var text = self[...]
    while text.first == "/" { text = text.dropFirst() }
    while text.last == "/" { text = text.dropLast() }
    return String(text)
  }
}
