/// The program for which the pages of a folder are written, if its Markdown differs from that of other programs.
enum PageProgram: Sendable {
  case unknown
  /// MyST and Sphinx.
  case myst
  case docusaurus
  case docsify
  case huggingFace
  case antora

  /// The components that pages with any extension may contain. Pages with the extension `mdx` may contain those of MDX
  /// in every program.
  var components: PageMarkup.ComponentSyntax {
    switch self {
    case .docusaurus: .mdx
    case .huggingFace: .svelte
    default: .none
    }
  }

  /// Returns whether a page is only a part of other pages. The names of such pages begin with an underscore.
  ///
  /// Sources: Docusaurus, "Importing Markdown"; docsify, "Custom navbar" and "Cover"; Quarto, "Includes"; Astro,
  /// "Excluding pages". In other programs, `_notes.md` is a page.
  func isPartial(_ path: String) -> Bool {
    if self == .antora { return AntoraFile(path).isPart }
    let name = SourcePath.name(of: path)
    guard name.hasPrefix("_"), !PageName.isIndexPage(path) else { return false }
    return self == .docusaurus || self == .docsify
      || ["mdx", "qmd", "rmd"].contains { SourcePath.hasExtension($0, name) }
  }
}
