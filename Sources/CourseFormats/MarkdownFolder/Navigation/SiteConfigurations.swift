import LearningModel

extension NavigationFiles {
  /// What files say that know a course's title or language, and nothing of an order.
  mutating func siteConfigurations(in folder: String) -> [FolderPlan] {
    Set([folder, ""]).sorted(by: >).flatMap { folder in
      [hugo(in: folder), jekyll(in: folder), docusaurus(in: folder)].compactMap { $0 }
    }
  }

  /// Hugo: its pages are in `content`, those of one language in a folder there.
  ///
  /// Source: Hugo, "All settings".
  private mutating func hugo(in folder: String) -> FolderPlan? {
    let names = ["hugo", "config"].flatMap { stem in ["toml", "yaml", "yml", "json"].map { "\(stem).\($0)" } }
    let content = SourcePath.join(folder, "content")
    guard let file = first(of: names, in: folder), (try? source.entries(in: content)) != nil else { return nil }
    var values: [String: String] = [:]
    if SourcePath.hasExtension("toml", file) {
      guard let toml = text(of: file) else { return nil }
      var scanner = TOMLScanner(toml, file: file)
      for (path, value) in (try? scanner.strings()) ?? [] { values[path.joined(separator: ".").lowercased()] = value }
    } else {
      for field in tree(of: file)?.fields ?? [] { values[field.name.lowercased()] = field.value.text }
    }
    let language = values["defaultcontentlanguage"] ?? values["languagecode"]?.lowercased()
    var plan = FolderPlan(title: values["title"]?.onOneLine, language: language)
    plan.pages = SourcePath.resolve(values["contentdir"] ?? "content", in: folder) ?? content
    for (name, value) in values where name.hasPrefix("params.") {
      plan.substitutions[String(name.dropFirst("params.".count))] = value
    }
    if let language {
      let own = SourcePath.join(plan.pages, language)
      if (try? source.entries(in: own)) != nil { plan.pages = own }
    }
    return plan
  }

  /// Jekyll and Jupyter Book: `_config.yml`.
  private mutating func jekyll(in folder: String) -> FolderPlan? {
    guard let file = first(of: ["_config.yml", "_config.yaml"], in: folder), let tree = self.tree(of: file) else {
      return nil
    }
    var plan = FolderPlan(
      title: tree["title"]?.text?.onOneLine, summary: tree["description"]?.text?.onOneLine,
      language: tree["lang"]?.text)
    for field in tree["parse"]?["myst_substitutions"]?.fields ?? [] {
      plan.substitutions[field.name] = field.value.text
    }
    return plan
  }

  /// Docusaurus: `docusaurus.config.js` is a program; that it is there says that the pages are in `docs`.
  private func docusaurus(in folder: String) -> FolderPlan? {
    let programs = ["js", "ts", "mjs", "cjs"].map { "docusaurus.config." + $0 }
    let docs = SourcePath.join(folder, "docs")
    guard first(of: programs, in: folder) != nil, (try? source.entries(in: docs)) != nil else { return nil }
    return FolderPlan(pages: docs)
  }
}
