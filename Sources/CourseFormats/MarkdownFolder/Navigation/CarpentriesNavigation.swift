import LearningModel

extension NavigationFiles {
  /// The Carpentries' `config.yaml`: the order inside `episodes`, `learners`, `instructors` and `profiles`; an empty one
  /// means all pages of that folder.
  ///
  /// Source: The Carpentries Workbench, "config.yaml".
  static func carpentries(_ files: inout NavigationFiles, _ folder: String) -> FolderPlan? {
    guard let file = files.first(of: ["config.yaml"], in: folder), let tree = files.tree(of: file),
      tree.fields.contains(where: { $0.name == "episodes" })
    else { return nil }
    var plan = FolderPlan(
      file: file, title: tree["title"]?.text?.onOneLine, language: tree["lang"]?.text, pages: folder)
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
          !$0.isFolder && PageFiles.isPage($0.path)
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
}
