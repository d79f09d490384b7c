import LearningModel

/// The pages of a folder, determined only from their names.
struct PageFiles {
  /// Hidden folders of tools. Their pages are neither read nor counted.
  private static let tools: Set<String> = [
    ".git", ".github", ".gitlab", ".hg", ".svn", ".venv", ".tox", ".cache", ".ipynb_checkpoints", ".obsidian", ".trash",
    ".idea", ".vscode", ".quarto", ".jekyll-cache", ".docusaurus", ".foam",
  ]

  /// The paths relative to the source, in natural order of their folders and names.
  private(set) var paths: [String] = []
  /// The number of pages that are skipped because they are in a hidden folder, by the name of the folder, such as
  /// `.docs`. Pages whose own names begin with a dot are counted under the empty name.
  private(set) var hidden: [String: Int] = [:]
  /// The files with texts in formats that the reader does not read, by the name of the format.
  private(set) var otherTexts: [String: [String]] = [:]
  /// The names of the files that may determine the order of a folder, by the folder.
  private(set) var navigationFiles: [String: [String]] = [:]
  /// The images, sounds and other files that notes may embed, in no particular order.
  private(set) var media: [String] = []
  /// The other files that belong to the content, such as program texts, in no particular order.
  private(set) var teachingFiles: [String] = []

  private let kind: PageKind

  /// Searches the whole source.
  ///
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` if the source has too many entries.
  init(in source: CourseSource, of kind: PageKind = .markdown) throws {
    self.kind = kind
    try walk(source, limit: source.limits.entries)
    paths = NaturalOrder.sorted(paths)
  }

  /// An overview of a source. Only about 2,000 entries are examined, so that a large disk that was given by mistake is
  /// not searched completely.
  struct Overview {
    var hasMarkdown = false
    /// Whether there is a Markdown file other than an index page or a file about the repository, such as a licence.
    var hasTeachingMarkdown = false
    var hasNotebook = false
    /// The number of pages of the other kinds.
    private(set) var counts: [PageKind: Int] = [:]
    /// Whether the folder has an `index.html` at its top.
    private(set) var hasIndex = false
    /// The bytes of all Markdown files, and of all documents that are written as text, without files about the
    /// repository.
    private(set) var markdownSize = 0
    private var documentSize = 0
    /// The names of Markdown files without extension, and the files in the usual folders that determine an order.
    private var (stems, navigation) = (Set<String>(), [String]())
    /// Whether more text is in documents than in Markdown files, and no file determines the order of Markdown files.
    private(set) var isMostlyDocuments = false

    init(_ source: CourseSource) {
      guard source.isFolder else {
        record(source.name, nil)
        return
      }
      var count = 0
      var folders = [""][...]
      while let folder = folders.popFirst(), count < 2_000 {
        for entry in (try? source.entries(in: folder)) ?? [] {
          count += 1
          if !entry.isFolder {
            record(entry.path, source)
            if NavigationFiles.determinesCourse(entry.path) { navigation.append(entry.path) }
          } else if !source.isExcluded(entry.path) {
            folders.append(entry.path)
          }
        }
      }
      isMostlyDocuments = documentSize > markdownSize && !navigation.contains { listsMarkdown($0, source) }
    }

    /// Returns whether a navigation file names a Markdown file.
    private func listsMarkdown(_ file: String, _ source: CourseSource) -> Bool {
      let text = source.head(of: file, count: 1 << 16) ?? ""
      return text.split { $0.isWhitespace || "\"'()[]<>,:".contains($0) }.contains { word in
        let name = SourcePath.name(of: String(word))
        return stems.contains(PageName.isPage(name) ? SourcePath.stem(of: name) : name)
      }
    }

    private mutating func record(_ path: String, _ source: CourseSource?) {
      if PageName.isNotebook(path) {
        hasNotebook = true
      } else if PageName.isPage(path) {
        hasMarkdown = true
        if !PageName.isIndexPage(path), !PlannedGoal.isHousekeeping(path) { hasTeachingMarkdown = true }
        if let source, !isAboutRepository(path) {
          markdownSize += source.size(of: path)
          stems.insert(SourcePath.stem(of: SourcePath.name(of: path)))
        }
      } else if let kind = PageKind.allCases.first(where: { $0 != .markdown && $0.isPage(path) }) {
        counts[kind, default: 0] += 1
        if let source, kind == .document, !isAboutRepository(path),
          ForeignFormat.file(at: path, in: source)?.isWrittenAsText == true
        {
          documentSize += source.size(of: path)
        }
        if path.lowercased() == "index.html" || path.lowercased() == "index.htm" { hasIndex = true }
      }
    }
  }

  /// Returns whether a page is about the repository and not about the subject of the course: a licence, or the `README`
  /// at the top.
  static func isAboutRepository(_ path: String) -> Bool {
    PlannedGoal.isHousekeeping(path) || SourcePath.stem(of: path).lowercased() == "readme"
  }

  /// Returns the name of the format of a text that the reader does not read, in the singular.
  private func otherFormat(_ path: String, in source: CourseSource) -> String? {
    if SourcePath.hasExtension("epub", path) || path.hasSuffix("/META-INF/container.xml") { return "EPUB book" }
    if Self.isAboutRepository(path) { return nil }
    if kind != .markdown, PageName.isPage(path) {
      return PageName.isNotebook(path) ? "Jupyter notebook" : "Markdown text"
    }
    // Questions in GIFT are counted with other quizzes.
    guard let format = ForeignFormat.file(at: path, in: source), format != .gift else { return nil }
    // The macros of a book in another format are not a text.
    if format == .latex, kind != .document {
      let head = source.head(of: path, count: 1 << 16) ?? ""
      guard ["\\chapter", "\\section", "\\begin{document}"].contains(where: head.contains) else { return nil }
    }
    return kind == .document && format.conversion != nil && kind.isPage(path) ? nil : format.noun
  }

  private mutating func walk(_ source: CourseSource, limit: Int) throws {
    var folders = [""]
    var hiddenFolders: [String] = []
    var count = 0
    while let folder = folders.popLast() {
      let entries = try source.allEntries(in: folder)
      // A PDF next to a file with the same name in another format is a printed text or a drawing.
      func isPDF(_ path: String) -> Bool { SourcePath.hasExtension("pdf", path) }
      let others = kind == .document ? entries.filter { !$0.isFolder && !isPDF($0.path) } : []
      let stems = Set(others.map { SourcePath.stem(of: $0.path) })
      for entry in entries {
        let isHidden = entry.name.hasPrefix(".")
        if !isHidden { count += 1 }
        guard count <= limit else {
          throw CourseFormatError.limit(.entries(limit), file: source.name, line: nil)
        }
        if entry.isFolder {
          if entry.name == ".vitepress" || entry.name == ".vuepress" {
            navigationFiles[folder, default: []].append(entry.name)
          }
          guard !Self.tools.contains(entry.name), !kind.excludedFolders.contains(entry.name) else { continue }
          let isTemplates = source.isGeneratorFolder(entry.path)
          if !isTemplates, source.isExcluded(entry.path) { continue }
          if isHidden || isTemplates { hiddenFolders.append(entry.path) } else { folders.append(entry.path) }
          continue
        }
        if NavigationFiles.isNavigation(entry.name) { navigationFiles[folder, default: []].append(entry.name) }
        if !stems.isEmpty, isPDF(entry.path), stems.contains(SourcePath.stem(of: entry.path)) {
          otherTexts[ForeignFormat.pdf.noun, default: []].append(entry.path)
        } else if kind.isPage(entry.path), kind != .document || !isSignature(entry.path, in: source) {
          if isHidden { hidden["", default: 0] += 1 } else { paths.append(entry.path) }
        } else if !isHidden {
          if let format = otherFormat(entry.path, in: source) {
            otherTexts[format, default: []].append(entry.path)
          } else if kind == .markdown, MediaFile.isMedia(entry.path) {
            media.append(entry.path)
          } else if kind == .markdown, TeachingFile.kind(of: entry.path) != nil {
            teachingFiles.append(entry.path)
          }
        }
      }
    }
    count = 0
    for folder in hiddenFolders { countPages(in: source, below: folder, &count) }
  }

  /// Returns whether a file with the extension of AsciiDoc is a key or a signature.
  private func isSignature(_ path: String, in source: CourseSource) -> Bool {
    SourcePath.hasExtension("asc", path) && ForeignFormat.file(at: path, in: source) == nil
  }

  /// The maximum number of entries of hidden folders that are examined.
  private static let maximumHiddenEntries = 100_000

  /// Counts the pages in a hidden folder. Subfolders that cannot be read are skipped.
  private mutating func countPages(in source: CourseSource, below folder: String, _ count: inout Int) {
    var folders = [folder]
    while let next = folders.popLast(), count < Self.maximumHiddenEntries {
      for entry in (try? source.allEntries(in: next)) ?? [] {
        count += 1
        if entry.isFolder {
          if !source.isExcluded(entry.path), !Self.tools.contains(entry.name) { folders.append(entry.path) }
        } else if kind.isPage(entry.path) {
          hidden[SourcePath.name(of: folder), default: 0] += 1
        }
      }
    }
  }
}

/// The kind of files that a reader of folders accepts as pages.
enum PageKind: CaseIterable, Sendable {
  /// Markdown files and notebooks.
  case markdown
  case html
  /// Documents that an installed program converts.
  case document
  case text

  /// The extensions of pages. If a link has no extension, they are tried in this order.
  var extensions: [String] {
    switch self {
    case .markdown: PageName.extensions
    case .html: ["html", "htm", "xhtml"]
    case .document: ForeignFormat.convertedExtensions
    case .text: ["txt", "text"]
    }
  }

  /// The names of index pages with extensions, which links may omit.
  var indexPageNames: [String] {
    let extensions = self == .markdown ? ["md", "mdx"] : self.extensions
    return PageName.indexPageNames.flatMap { name in extensions.map { name + "." + $0 } }
  }

  /// Returns whether a name is that of a page.
  func isPage(_ path: String) -> Bool {
    switch self {
    case .document: ForeignFormat.converted(named: SourcePath.name(of: path)) != nil
    case .text where SourcePath.name(of: path) == "README": true
    default: extensions.contains { SourcePath.hasExtension($0, path) }
    }
  }

  /// The folders in which site generators put files other than pages.
  var excludedFolders: Set<String> { self == .html ? ["_sources", "_modules", "static.files"] : [] }
}

/// The content of a page before its text is parsed.
enum PageContent {
  case markdown(String)
  case notebook(Notebook)
  case html(String)
  case text(PlainText)

  /// Decodes a page of Markdown, a notebook, an HTML page or a plain text.
  ///
  /// - Throws: ``CourseFormatError`` if the bytes are not text, or if a file with the name of a notebook is not a
  ///   notebook.
  init(_ bytes: [UInt8], path: String, kind: PageKind, limits: SourceLimits) throws {
    switch kind {
    case .html: self = .html(try HTMLPage.text(of: bytes, file: path))
    case .text: self = .text(PlainText(try TextDecoding.decode(bytes, file: path)))
    default:
      self =
        PageName.isNotebook(path)
        ? .notebook(try NotebookFile.read(bytes, file: path, limits: limits))
        : .markdown(try TextDecoding.decode(bytes, file: path))
    }
  }
}

extension PageKind {
  /// Returns the bytes of a page. A notebook or a document contains its images, so it may be as large as a course in a
  /// single file. Any other page has the same limit in a folder and as a single file.
  func bytes(of path: String, in source: CourseSource) throws -> [UInt8] {
    let limits = source.limits
    let size = self == .document || PageName.isNotebook(path) ? limits.sourceSize : limits.fileSize
    if !source.isFolder, path == source.name { return try source.bytes(upTo: size) }
    return try source.linkedBytes(of: path, upTo: size)
  }
}
