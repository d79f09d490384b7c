import LearningModel

/// The Markdown files of a source, by their names alone.
struct MarkdownFiles {
  /// What their names end in.
  static let extensions = ["md", "markdown", "mdx", "mkd", "mdown", "rmd", "qmd"]
  /// What a folder's own page is called, without its extension, by authority.
  static let ownPages = ["_index", "index", "README", "readme", "Readme"]

  /// Folders that hold tools, parts of pages, or what is made of the pages.
  private static let leftOut: Set<String> = [
    "node_modules", "__pycache__", "_build", "_site", "_static", "_templates", "_includes", "_layouts", "_sass",
    "layouts", "archetypes", "themes", "venv", "site-packages",
  ]

  /// Their paths below the source, in the order of their folders' and own names.
  private(set) var paths: [String] = []

  /// Looks through the whole source.
  ///
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` where it has too many entries.
  init(in source: CourseSource) throws {
    try walk(source, from: [""], most: source.limits.entries) { paths.append($0) }
    paths.sort(by: NaturalOrder.pathPrecedes)
  }

  /// Whether there is any, as far as a short look tells: of a large disk that was named by mistake not all is read.
  static func any(in source: CourseSource) -> Bool {
    var count = 0
    var folders = [""]
    while !folders.isEmpty, count < 2_000 {
      for entry in (try? source.entries(in: folders.removeFirst())) ?? [] {
        count += 1
        if !entry.isFolder, isMarkdown(entry.path) { return true }
        if entry.isFolder, !leftOut.contains(entry.name) { folders.append(entry.path) }
      }
    }
    return false
  }

  /// Whether a name is that of a Markdown file.
  static func isMarkdown(_ path: String) -> Bool {
    extensions.contains { SourcePath.hasExtension($0, path) }
  }

  /// Whether a page is its folder's own.
  static func isOwnPage(_ path: String) -> Bool {
    ownPages.contains(SourcePath.stem(of: SourcePath.name(of: path)))
  }

  private func walk(_ source: CourseSource, from: [String], most: Int, _ found: (String) -> Void) throws {
    var folders = from
    var count = 0
    while let folder = folders.popLast() {
      for entry in try source.entries(in: folder) {
        count += 1
        guard count <= most else {
          throw CourseFormatError.limit(.entries(most), file: source.name, line: nil)
        }
        if entry.isFolder {
          if !Self.leftOut.contains(entry.name) { folders.append(entry.path) }
        } else if Self.isMarkdown(entry.path) {
          found(entry.path)
        }
      }
    }
  }
}
