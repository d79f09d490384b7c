import LearningModel

extension NavigationFiles {
  /// `mkdocs.yml`: `nav` is a list of pages, of a title and a page, and of a title and such a list.
  ///
  /// Source: MkDocs 1.6, "nav".
  static func mkDocs(_ files: inout NavigationFiles, _ folder: String) -> FolderPlan? {
    guard let file = files.first(of: ["mkdocs.yml", "mkdocs.yaml"], in: folder), let tree = files.tree(of: file) else {
      return nil
    }
    let pages = SourcePath.resolve(tree["docs_dir"]?.text ?? "docs", in: folder) ?? folder
    var plan = FolderPlan(
      file: file, title: tree["site_name"]?.text?.onOneLine, summary: tree["site_description"]?.text?.onOneLine,
      language: tree["theme"]?["language"]?.text, pages: pages)
    if let nav = tree["nav"] {
      plan.entries = nav.items.compactMap { files.mkDocsEntry($0, pages: pages, file: file) }
    } else {
      plan.file = nil
    }
    for field in tree["extra"]?.fields ?? [] { plan.substitutions[field.name] = field.value.text }
    return plan
  }

  private mutating func mkDocsEntry(_ item: YAMLTree, pages: String, file: String) -> PageEntry? {
    if let name = item.text { return entry(page: name, title: nil, in: pages, file: file, line: item.line) }
    guard let field = item.fields.first else { return nil }
    if let name = field.value.text {
      return entry(page: name, title: field.name, in: pages, file: file, line: item.line)
    }
    return PageEntry(
      title: field.name.onOneLine, children: field.value.items.compactMap { mkDocsEntry($0, pages: pages, file: file) },
      line: item.line)
  }
}
