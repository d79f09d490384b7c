import LearningModel

extension PageMarkup {
  /// The information about a page and its folder that the conversion of its markup depends on.
  struct Context {
    var file = ""
    var limits = SourceLimits.standard
    /// The number of bytes that includes have added to all pages.
    var includedBytes = IncludedBytes()
    /// The language of a notebook's cells.
    var codeLanguage: String?
    /// Whether the page is written for MyST. In MyST, `+++` separates cells and `%` begins a comment.
    var isNotebook = false
    /// The programs whose components the page may contain. If `none`, a page with the extension of MDX contains those
    /// of MDX.
    var components = ComponentSyntax.none
    /// The values for placeholders of the form `{{ name }}`, by name.
    var substitutions: [String: String] = [:]
    /// The addresses of other projects, by the names before the colon in references such as `` {doc}`python:list` ``.
    var projects: [String: String] = [:]
    /// The entries to which roles such as `{cite}` refer.
    var bibliography = Bibliography()
    /// Returns the path and the text of another file of the source, or `nil` if it does not exist.
    var text: (_ name: String) -> (path: String, text: String)? = { _ in nil }
    /// Returns whether there is a page with that name in any folder.
    var isPage: (_ name: String) -> Bool = { _ in false }
    var vault = VaultMarkup.Folder()
    /// The project of Quarto or bookdown, or `nil` for other folders.
    var quarto: QuartoProject?
    /// The settings of a page that is written for pandoc, or `nil` for other pages.
    var pandoc: QuartoSettings?

    /// Returns the value of a variable of the project or of a field of the page, for Quarto's shortcodes.
    func projectValue(of name: String) -> String? {
      quarto?.variables[name.lowercased()] ?? pandoc?.texts[name.lowercased()]
    }
  }
}
