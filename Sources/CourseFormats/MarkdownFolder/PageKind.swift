/// The files that a reader of folders takes for pages.
enum PageKind: CaseIterable, Sendable {
  /// Markdown and notebooks.
  case markdown
  /// HTML pages.
  case html
  /// Documents that a program of the system converts.
  case document
  /// Plain text.
  case text

  /// The extensions of pages, in the order in which they are tried for a link without an extension.
  var extensions: [String] {
    switch self {
    case .markdown: PageFiles.extensions
    case .html: ["html", "htm", "xhtml"]
    case .document: ForeignFormat.convertedExtensions
    case .text: ["txt", "text"]
    }
  }

  /// The names of a folder's own page that links may leave out, with their extension.
  var ownPages: [String] {
    let extensions = self == .markdown ? ["md"] : self.extensions
    return PageFiles.ownPages.flatMap { name in extensions.map { name + "." + $0 } }
  }

  /// Whether a name is that of a page.
  func isPage(_ path: String) -> Bool {
    switch self {
    case .document: ForeignFormat.converted(named: SourcePath.name(of: path)) != nil
    case .text where SourcePath.name(of: path) == "README": true
    default: extensions.contains { SourcePath.hasExtension($0, path) }
    }
  }

  /// Folders that a generator of sites fills with other things than pages.
  var leftOutFolders: Set<String> { self == .html ? ["_sources", "_modules", "static.files"] : [] }
}
