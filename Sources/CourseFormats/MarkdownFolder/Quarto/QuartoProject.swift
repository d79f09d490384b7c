/// A project of Quarto or bookdown: the settings that all its pages share.
struct QuartoProject {
  var settings = QuartoSettings()
  /// The entries of the bibliographies that the project names.
  var bibliography = Bibliography()
  /// The values of the shortcodes `var` and `meta`, by their names in lower case.
  var variables: [String: String] = [:]
  /// Whether the project is a book of bookdown, in which some headings are titles of parts.
  var isBookdown = false
}

/// The settings of a project or a page that change how its text is read.
struct QuartoSettings {
  /// Whether the code of cells is shown, or `nil` if this is not set.
  var showsCode: Bool?
  /// The files with bibliographies.
  var bibliographies: [String] = []
  /// The title and other texts of the fields, for the shortcode `meta`.
  var texts: [String: String] = [:]

  init() {}

  /// Reads the settings from the fields of a page or a project.
  ///
  /// Source: Quarto, "Execution options" and "Citations".
  init(_ tree: YAMLTree) {
    showsCode = tree["execute"]?["echo"]?.text.map { !Self.isFalse($0) }
    let files = tree["bibliography"]
    bibliographies = files?.items.compactMap(\.text) ?? []
    if let file = files?.text { bibliographies.append(file) }
    for field in tree.fields {
      if let text = field.value.text { texts[field.name.lowercased()] = text.onOneLine }
    }
  }

  /// Combines the settings of a project with those of a page, which take precedence. ``bibliographies`` contains only
  /// the files of the page, because ``QuartoProject/bibliography`` contains the entries of the project's files.
  init(_ project: QuartoSettings?, _ page: QuartoSettings) {
    showsCode = page.showsCode ?? project?.showsCode
    bibliographies = page.bibliographies
    texts = (project?.texts ?? [:]).merging(page.texts) { _, own in own }
  }

  /// Returns whether a value of an option means false, in YAML or in R.
  static func isFalse(_ value: String) -> Bool { ["false", "f", "no", "off"].contains(value.lowercased()) }
}

/// The heading of a part of a bookdown book, such as `# (PART) Baking {-}`.
///
/// Source: Yihui Xie, "bookdown", 2.2.2 "Special headers".
struct BookdownPart: Equatable {
  let title: String

  init?(_ line: Substring) {
    guard line.hasPrefix("# ") else { return nil }
    let heading = line.dropFirst(2).trimmingBlanks
    guard let mark = ["(PART)", "(PART\\*)", "(APPENDIX)"].first(where: { heading.hasPrefix($0) }) else { return nil }
    let words = heading.dropFirst(mark.count).trimmingBlanks
    title = String(words.hasSuffix("}") ? words[..<(words.lastIndex(of: "{") ?? words.endIndex)].trimmingBlanks : words)
  }
}
