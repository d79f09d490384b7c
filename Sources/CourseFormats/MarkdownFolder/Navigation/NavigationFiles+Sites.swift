extension NavigationFiles {
  /// Returns plans from files that contain a title or a language but do not determine an order.
  mutating func siteConfigurations(in folder: String) -> [FolderPlan] {
    Set([folder, ""]).sorted(by: >).flatMap { folder in
      [hugo(in: folder), jekyll(in: folder), docusaurus(in: folder), sphinx(in: folder)].compactMap { $0 }
    }
  }

  /// Reads the configuration of Hugo. The pages are in `content`, which may have a folder for each language.
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
    plan.pagesFolder = SourcePath.resolve(values["contentdir"] ?? "content", in: folder) ?? content
    for (name, value) in values where name.hasPrefix("params.") {
      plan.substitutions[String(name.dropFirst("params.".count))] = value
    }
    if let language {
      let own = SourcePath.join(plan.pagesFolder, language)
      if (try? source.entries(in: own)) != nil { plan.pagesFolder = own }
    }
    return plan
  }

  /// Reads `_config.yml` of Jekyll and Jupyter Book.
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
    // Source: Sphinx, "sphinx.ext.intersphinx", `intersphinx_mapping`.
    for field in tree["sphinx"]?["config"]?["intersphinx_mapping"]?.fields ?? [] {
      guard let address = field.value.items.first?.text, address.hasPrefix("http") else { continue }
      plan.projects[field.name] = address.hasSuffix("/") ? address : address + "/"
    }
    // Source: Jupyter Book 1, "Citations and bibliographies".
    let files = tree["bibtex_bibfiles"] ?? tree["sphinx"]?["config"]?["bibtex_bibfiles"]
    plan.bibliography = bibliography(files, in: folder)
    return plan
  }

  /// Returns a plan for the folder `docs` if there is a `docusaurus.config.js`. That file is a program, which is not
  /// run.
  mutating func docusaurus(in folder: String) -> FolderPlan? {
    let docs = SourcePath.join(folder, "docs")
    guard first(of: Self.docusaurusPrograms, in: folder) != nil, (try? source.entries(in: docs)) != nil else {
      return nil
    }
    let title = docusaurusText("title", in: folder)?.onOneLine
    return FolderPlan(title: title, pagesFolder: docs, program: .docusaurus)
  }

  /// Returns a plan without an order if the `conf.py` of Sphinx names a parser of MyST. That file is a program, which
  /// is not run; the title is its `project` if that is a text.
  private mutating func sphinx(in folder: String) -> FolderPlan? {
    guard let file = first(of: ["conf.py"], in: folder), let text = text(of: file),
      text.contains("myst_parser") || text.contains("myst_nb")
    else { return nil }
    let title = text.firstMatch(of: /(?m)^project\s*=\s*["']([^"'\n]+)["']/).map { String($0.1).onOneLine }
    return FolderPlan(title: title, program: .myst)
  }
}
