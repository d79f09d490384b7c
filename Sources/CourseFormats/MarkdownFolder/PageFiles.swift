import LearningModel

/// The pages of a folder, Markdown files and notebooks, by their names alone.
struct PageFiles {
  /// What their names end in.
  static let extensions = ["md", "markdown", "mdx", "mkd", "mdown", "rmd", "qmd", notebook]
  private static let notebook = "ipynb"
  /// What a folder's own page is called, without its extension, by authority.
  static let ownPages = ["_index", "index", "README", "readme", "Readme"]

  /// Folders that hold tools, parts of pages, or what is made of the pages.
  private static let leftOut: Set<String> = [
    "node_modules", "__pycache__", "_build", "_site", "_static", "_templates", "_includes", "_layouts", "_sass",
    "layouts", "archetypes", "themes", "venv", "site-packages",
  ]

  /// Whether a folder of that name is not looked into.
  static func isLeftOut(_ name: String) -> Bool { leftOut.contains(name) }

  /// Their paths below the source, in the order of their folders' and own names.
  private(set) var paths: [String] = []

  /// Looks through the whole source.
  ///
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` where it has too many entries.
  init(in source: CourseSource) throws {
    try walk(source, from: [""], most: source.limits.entries) { paths.append($0) }
    paths.sort(by: NaturalOrder.pathPrecedes)
  }

  /// What a short look tells of a source: of a large disk that was named by mistake not all is read.
  struct Look {
    /// Whether there is a Markdown file.
    var hasMarkdown = false
    /// Whether there is one that teaches something: no `README` and no licence.
    var hasTeachingMarkdown = false
    /// Whether there is a notebook.
    var hasNotebook = false

    init(_ source: CourseSource) {
      guard source.isFolder else {
        note(source.name)
        return
      }
      var count = 0
      var folders = [""][...]
      while let folder = folders.popFirst(), count < 2_000, !(hasTeachingMarkdown && hasNotebook) {
        for entry in (try? source.entries(in: folder)) ?? [] {
          count += 1
          if !entry.isFolder { note(entry.path) } else if !leftOut.contains(entry.name) { folders.append(entry.path) }
        }
      }
    }

    private mutating func note(_ path: String) {
      if isNotebook(path) {
        hasNotebook = true
      } else if isPage(path) {
        hasMarkdown = true
        if !isOwnPage(path), !GoalShape.isHousekeeping(path) { hasTeachingMarkdown = true }
      }
    }
  }

  /// Whether a name is that of a page.
  static func isPage(_ path: String) -> Bool {
    extensions.contains { SourcePath.hasExtension($0, path) }
  }

  /// Whether a name is that of a notebook.
  static func isNotebook(_ path: String) -> Bool { SourcePath.hasExtension(notebook, path) }

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
        } else if Self.isPage(entry.path) {
          found(entry.path)
        }
      }
    }
  }
}
