/// Functions for the names of Markdown files and notebooks.
enum PageName {
  /// The extensions of pages.
  static let extensions = ["md", "markdown", "mdx", "mkd", "mdown", "rmd", "qmd", notebook]
  private static let notebook = "ipynb"
  /// The names of the index page of a folder without extension, in order of preference.
  static let indexPageNames = ["_index", "index", "README", "readme", "Readme"]

  /// Returns whether a name is that of a Markdown file or a notebook.
  static func isPage(_ path: String) -> Bool {
    extensions.contains { SourcePath.hasExtension($0, path) }
  }

  static func isNotebook(_ path: String) -> Bool { SourcePath.hasExtension(notebook, path) }

  /// Returns whether a page is the index page of its folder.
  ///
  /// Source: Next.js, "page.js", which Nextra uses too.
  static func isIndexPage(_ path: String) -> Bool {
    indexPageNames.contains(SourcePath.stem(of: SourcePath.name(of: path))) || path.hasSuffix("/page.mdx")
  }
}
