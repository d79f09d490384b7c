import LearningModel

/// The files that say in which order pages stand, by their authority.
///
/// To add one: write a type with a `plan` function as the others have it, and add it to ``plan``.
struct NavigationFiles {
  let source: CourseSource
  /// What there is to say about them.
  var findings = Findings()
  /// The bytes of what was read, for the source's digest.
  var digest = SourceDigest()

  /// The folders that are looked into for such a file, beside the source's own top.
  private static let folders = ["", "docs", "doc", "book", "content", "src", "website", "site", "source"]

  init(_ source: CourseSource) {
    self.source = source
  }

  /// What the folder says about itself.
  ///
  /// A file of navigation that cannot be read, or that names no page that is there, is a warning, and the next one counts.
  mutating func plan() throws -> FolderPlan {
    var known = FolderPlan()
    for folder in Self.folders {
      for find in [Self.mkDocs, Self.jupyterBook, Self.myst, Self.sidebars, Self.carpentries, Self.summary, Self.docC] {
        guard let plan = find(&self, folder) else { continue }
        known = plan
        if plan.entries?.isEmpty == false { return completed(plan, in: folder) }
      }
    }
    return completed(known, in: "")
  }

  /// The plan with the title and so on of the files that know those and no order.
  private mutating func completed(_ plan: FolderPlan, in folder: String) -> FolderPlan {
    var plan = plan
    for other in siteConfigurations(in: folder) {
      plan.title = plan.title ?? other.title
      plan.summary = plan.summary ?? other.summary
      plan.language = plan.language ?? other.language
      if plan.file == nil, plan.pages.isEmpty { plan.pages = other.pages }
      plan.substitutions.merge(other.substitutions) { own, _ in own }
    }
    return plan
  }

  // MARK: Reading them

  /// The text of a file; `nil` where it is not there. What is wrong with it is a warning.
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

  /// The tree of a file of YAML or JSON; `nil` where it is not there or cannot be read.
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
    findings.warning(error.diagnostic.file, error.diagnostic.line, error.diagnostic.message + " It is not taken.")
  }

  /// The first of some files that is there.
  func first(of names: [String], in folder: String) -> String? {
    names.map { SourcePath.join(folder, $0) }.first(where: source.hasFile)
  }

  /// The page that a name means, which may lack its extension; the name as a path where there is no such page.
  ///
  /// - Returns: `nil` where the name leads out of the source.
  func page(_ name: String, in folder: String) -> String? {
    guard case .file(let file, _) = LinkTarget(name), let path = SourcePath.resolve(file, in: folder) else {
      return nil
    }
    if PageFiles.isPage(path) || source.hasFile(path) { return path }
    let found = PageFiles.extensions.map { path + "." + $0 }.first(where: source.hasFile)
    if let found { return found }
    let own = PageFiles.ownPages.map { SourcePath.join(path, $0 + ".md") }.first(where: source.hasFile)
    return own ?? path
  }

  /// An entry for a page that a navigation names.
  mutating func entry(page name: String, title: String?, in folder: String, file: String, line: Int?) -> PageEntry? {
    if case .address(let address) = LinkTarget(name) {
      return PageEntry(title: title ?? address, address: address, line: line)
    }
    guard let path = page(name, in: folder) else {
      findings.lose("page outside the folder", "left out")
      findings.warning(
        file, line, "The page '\(name)' lies outside the folder and is left out. Copy it into the folder.")
      return nil
    }
    return PageEntry(title: title?.onOneLine, page: path, line: line)
  }
}
