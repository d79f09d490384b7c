import LearningModel

/// Reads a book: the nodes are created from the table of contents, and the pages become activities.
struct Book {
  private let source: CourseSource
  var builder: DraftBuilder
  private var digest = SourceDigest()
  private var includes: BookIncludes
  private var configuration = BookConfiguration()
  /// The number of times that each page has been listed so far.
  private var listed: [String: Int] = [:]
  private var repeated = RepeatedPages()
  /// The anchors with which the table of contents lists each page.
  private var listing = PagePart.Listing()
  private var unread: UnreadPages
  /// Whether at least one page with a text was read.
  private var hasReadText = false
  /// The anchors that are already in use for parts and for chapters without a page.
  private var draftAnchors = Anchor.names
  private var links = BookLinks()

  init(_ source: CourseSource, options: ReadOptions) throws {
    self.source = source
    builder = try DraftBuilder(source, options: options)
    unread = UnreadPages(of: source, options: options)
    includes = BookIncludes(source)
  }

  mutating func read(format: String) throws -> CourseDraft {
    do {
      configuration = try BookConfiguration(text(of: "book.toml"), file: "book.toml")
    } catch let error as CourseFormatError where error.kind == .badData {
      builder.findings.error(error)
    }
    guard let folder = SourcePath.resolve(configuration.source, in: "") else {
      throw CourseFormatError.leavesSource(file: configuration.source)
    }
    links.folder = folder
    let summaryFile = SourcePath.join(folder, "SUMMARY.md")
    let summary = BookSummary(
      try text(of: summaryFile), file: summaryFile, limits: source.limits, findings: &builder.findings)

    for chapter in summary.allChapters { record(chapter) }
    let title = configuration.title ?? summary.title.map(plain) ?? NumberedName(source.stem, isFolder: true).title
    if configuration.title == nil {
      builder.findings.warning(
        "book.toml", nil, "The book has no title, so it is named \(quoted: title). Add 'title = \"…\"' below [book].")
    }
    let course = try builder.add(
      DraftNode(
        parent: nil, key: builder.courseKey(fallback: "book"), kind: .course, title: title,
        summary: configuration.description ?? ""),
      file: "book.toml")
    try addChapters(of: summary, course: course, file: summaryFile)
    unread.report(to: &builder.findings, isNothingLeft: !hasReadText)
    if builder.nodes.count == 1, builder.findings.errors == 0 {
      builder.findings.error(summaryFile, nil, "The table of contents lists no page. Write '- [Title](page.md)'.")
    }

    try reportUnlisted(in: folder, summaryFile: summaryFile)
    builder.findings.add(includes.findings)
    try resolveLinks()
    return try builder.finish(format: format, digest: digest.hexadecimal(), language: configuration.language)
  }

  private mutating func text(of file: String) throws -> String {
    let bytes = try source.bytes(of: file)
    digest.add(bytes, of: file)
    return try TextDecoding.decode(bytes, file: file)
  }

  /// Returns a title of the table of contents as plain text.
  private func plain(_ markdown: String) -> String {
    let parsed = try? MarkdownText.parse(markdown, file: "SUMMARY.md", limits: source.limits)
    let words = parsed?.blocks.map(\.block).plainText.onOneLine ?? ""
    return words.isEmpty ? markdown.onOneLine : words
  }

  // MARK: The tree

  private mutating func addChapters(of summary: BookSummary, course: Int, file: String) throws {
    try addImpliedGoal("before", "Before the chapters", summary.before, course: course, file: file)
    for part in summary.parts {
      if let title = part.title {
        let words = plain(title)
        let anchor = Anchor.unique(Anchor.make(from: words), among: &draftAnchors)
        let goal = try builder.add(
          DraftNode(parent: course, key: "SUMMARY.md#\(anchor)!", kind: .goal, title: words), file: file,
          line: part.line)
        try addLessons(part.chapters, parent: goal, file: file)
      } else if summary.hasParts {
        try addImpliedGoal("chapters", "First chapters", part.chapters, course: course, file: file)
      } else {
        for chapter in part.chapters { try addGoal(chapter, course: course, file: file) }
      }
    }
    try addImpliedGoal("after", "After the chapters", summary.after, course: course, file: file)
  }

  /// Adds a goal for chapters that do not belong to a part.
  private mutating func addImpliedGoal(
    _ name: String, _ title: String, _ chapters: [BookSummary.Chapter], course: Int, file: String
  ) throws {
    guard let first = chapters.first else { return }
    let goal = try builder.add(
      DraftNode(parent: course, key: "SUMMARY.md!\(name)", kind: .goal, title: title), file: file, line: first.line)
    try addLessons(chapters, parent: goal, file: file)
  }

  /// Adds a chapter of a book without parts as a goal. The page of the chapter becomes the first lesson.
  private mutating func addGoal(_ chapter: BookSummary.Chapter, course: Int, file: String) throws {
    let page = try load(chapter, file: file)
    guard !isLeftOut(page.path) || !chapter.nested.isEmpty else { return }
    let edition = edition(of: page.path)
    let (title, summary) = edition.map { ($0.title, $0.summary) } ?? names(of: chapter, heading: page.content?.title)
    let goal = try builder.add(
      DraftNode(parent: course, key: page.key + "!", kind: .goal, title: title, summary: summary), file: file,
      line: chapter.line)
    if edition != nil || page.content?.sections.isEmpty == false {
      let lesson = try builder.add(
        DraftNode(parent: goal, key: page.key, kind: .lesson, title: title, summary: summary), file: file,
        line: chapter.line)
      if let content = page.content {
        try addSections(of: content, key: page.key, path: page.path, title: title, lesson: lesson)
      } else if let path = page.path, let edition {
        try add(edition, path: path, lesson: lesson)
      }
    } else if let path = page.path {
      links.record(page: path, anchors: page.content?.titleAnchors ?? [], node: goal)
    }
    try addLessons(chapter.nested, parent: goal, file: file)
  }

  /// Adds chapters as lessons of a node. If all chapters are left out, removes the node, and links to it then lead to
  /// its parent.
  private mutating func addLessons(_ chapters: [BookSummary.Chapter], parent: Int, file: String) throws {
    for chapter in chapters { try addLesson(chapter, parent: parent, file: file) }
    guard !chapters.isEmpty, let other = builder.removeLast(ifEmpty: parent) else { return }
    links.move(from: parent, to: other)
  }

  private mutating func addLesson(_ chapter: BookSummary.Chapter, parent: Int, file: String) throws {
    let page = try load(chapter, file: file)
    guard !isLeftOut(page.path) || !chapter.nested.isEmpty else { return }
    let edition = edition(of: page.path)
    let (title, summary) = edition.map { ($0.title, $0.summary) } ?? names(of: chapter, heading: page.content?.title)
    let lesson = try builder.add(
      DraftNode(parent: parent, key: page.key, kind: .lesson, title: title, summary: summary), file: file,
      line: chapter.line)
    if let content = page.content {
      try addSections(of: content, key: page.key, path: page.path, title: title, lesson: lesson)
    } else if let path = page.path, let edition {
      try add(edition, path: path, lesson: lesson)
    }
    try addLessons(chapter.nested, parent: lesson, file: file)
  }

  /// Returns whether a page cannot be read and has no earlier edition.
  private func isLeftOut(_ path: String?) -> Bool {
    path.map { unread.contains($0) && edition(of: $0) == nil } ?? false
  }

  /// Returns the last good edition of a page that cannot be read. If the page is listed again, returns `nil`.
  private func edition(of path: String?) -> PageEdition? {
    path.flatMap { listed[$0] == 1 ? unread[$0] : nil }
  }

  private mutating func add(_ edition: PageEdition, path: String, lesson: Int) throws {
    links.record(page: path, anchors: [Anchor.make(from: edition.title)], node: lesson)
    try builder.add(edition, of: path, to: lesson) { links.record(page: path, anchors: $0, node: $1) }
  }

  /// Returns the title and the summary of a chapter, from its line in the table of contents.
  ///
  /// If the first heading of the page differs from the title, it is added to the summary, because readers may search
  /// for either.
  private func names(of chapter: BookSummary.Chapter, heading: String?) -> (title: String, summary: String) {
    let listed = plain(chapter.title)
    let title = listed.isEmpty ? heading ?? chapter.page ?? "" : listed
    let isSame = heading.map { Slug.make(from: $0, fallback: $0) == Slug.make(from: title, fallback: title) } ?? true
    let sentences = [chapter.note.isEmpty ? "" : plain(chapter.note), isSame ? "" : "Headed “\(heading ?? "")”."]
    return (title, sentences.filter { !$0.isEmpty }.joined(separator: " "))
  }

  private mutating func addSections(
    of page: BookPage, key: String, path: String?, title: String, lesson: Int
  ) throws {
    if let path { links.record(page: path, anchors: page.titleAnchors, node: lesson) }
    if !page.sections.isEmpty { hasReadText = true }
    for part in page.sections {
      let index = try builder.add(
        DraftNode(parent: lesson, key: key + "#" + part.anchor, kind: .activity, title: part.title ?? title),
        file: path ?? "")
      for anchor in part.anchors where anchor != part.anchor { builder.recordAnchor(anchor: anchor, at: index) }
      if let path {
        links.record(page: path, anchors: part.anchors + (part.anchor.isEmpty ? [] : [part.anchor]), node: index)
      }
      try builder.store(.reading(part.blocks), at: index)
    }
  }

  // MARK: Pages

  private mutating func record(_ chapter: BookSummary.Chapter) {
    if let page = chapter.page.flatMap({ SourcePath.resolve($0, in: links.folder) }) {
      listing.add(page: page, anchor: chapter.anchor)
    }
    for nested in chapter.nested { record(nested) }
  }

  /// Loads the page of a chapter.
  ///
  /// - Returns: The key, the path relative to the book, and the page. For a draft, the path and the page are `nil`. If
  ///   the file is missing or invalid, only the page is `nil`.
  private mutating func load(
    _ chapter: BookSummary.Chapter, file: String
  ) throws -> (key: String, path: String?, content: BookPage?) {
    func draft() -> String {
      "SUMMARY.md#" + Anchor.unique(Anchor.make(from: plain(chapter.title)), among: &draftAnchors)
    }
    guard let name = chapter.page else {
      builder.findings.countLoss("draft chapter", "shown as its title")
      return (draft(), nil, nil)
    }
    guard let path = SourcePath.resolve(name, in: links.folder) else {
      let message = "The page \(quoted: name) is outside the book. Copy it into the book and use its new path."
      if unread.isStrict {
        builder.findings.error(file, chapter.line, message)
      } else {
        builder.findings.countLoss("page outside the book", "left out")
        builder.findings.warning(file, chapter.line, message)
      }
      return (draft(), nil, nil)
    }
    let first = links.key(of: path)
    let times = (listed[path] ?? 0) + 1
    listed[path] = times
    let key = times == 1 ? first : "\(first)~\(times)"
    let part = listing.part(of: path, anchor: chapter.anchor)
    if times > 1, part == nil {
      builder.findings.warning(
        file, chapter.line,
        "The page \(quoted: name) is listed again, so it is read again with the key \(quoted: key). Links open the first one."
      )
    }
    try repeated.count(path, limits: source.limits, listedIn: file, line: chapter.line)
    do {
      let written = try text(of: path)
      repeated.record(path, size: written.utf8.count)
      let matter = PageFrontMatter(written, file: path, limits: source.limits, findings: &builder.findings)
      var marks = PreprocessorMarkup()
      let expanded = marks.expanded(try includes.expand(String(matter.body), of: path))
      if times == 1 || part == nil { builder.findings.add(marks.findings) }
      var parsed = try MarkdownText.parse(
        expanded, file: path, firstLine: matter.bodyLine, limits: source.limits,
        dialect: BookDialect.dialect(formulas: configuration.formulas, limits: source.limits))
      if times == 1 || part == nil { builder.findings.add(parsed.findings) }
      parsed = part?.text(of: parsed) ?? parsed
      let code = BookCode(hiddenPrefixes: configuration.hiddenPrefixes)
      let page = try BookPage(parsed, code: code, file: path, limits: source.limits)
      if page.sections.isEmpty, chapter.nested.isEmpty {
        builder.findings.warning(path, nil, "The page has no text. Write one, or remove it from SUMMARY.md.")
      }
      return (key, path, page)
    } catch CourseFormatError.fileMissing {
      builder.findings.countLoss("missing page", "shown as its title")
      builder.findings.warning(
        file, chapter.line, "The page \(quoted: name) does not exist. Create it, or remove it from SUMMARY.md.")
      return (key, path, nil)
    } catch let error as CourseFormatError where error.kind == .badData || error.kind == .noPermission {
      unread.record(path, error, edition: try unread.lastEdition(of: key, course: builder.nodes[0].key))
      return (key, path, nil)
    }
  }

  /// Adds warnings about pages that are neither listed in the table of contents nor included in another page.
  private mutating func reportUnlisted(in folder: String, summaryFile: String) throws {
    var folders = [folder]
    var count = 0
    var teachingFiles: [String] = []
    while let next = folders.popLast() {
      for entry in (try? source.entries(in: next)) ?? [] {
        count += 1
        guard count <= source.limits.entries else {
          throw CourseFormatError.limit(.entries(source.limits.entries), file: source.name, line: nil)
        }
        if entry.isFolder {
          folders.append(entry.path)
        } else if SourcePath.hasExtension("md", entry.name), entry.path != summaryFile, listed[entry.path] == nil,
          !includes.included.contains(entry.path)
        {
          builder.findings.countLoss("unlisted page", "left out")
          builder.findings.warning(
            entry.path, nil, "The page is not in SUMMARY.md and is left out. List it there to import it.")
        } else if !includes.included.contains(entry.path) {
          teachingFiles.append(entry.path)
        }
      }
    }
    builder.findings.countTeachingFiles(teachingFiles)
  }

  // MARK: Links

  private mutating func resolveLinks() throws {
    let (source, links) = (source, links)
    try builder.resolveLinks { builder, index, destination in
      links.resolve(destination, from: index, in: source, builder)
    }
  }
}

/// Reads books of mdBook: a `book.toml`, a table of contents in `SUMMARY.md`, and pages of Markdown.
///
/// Source: the mdBook documentation, "Format"; for details that are not documented there, the behaviour of mdBook.
struct MdBookReader: CourseReader {
  let name = "mdbook"
  let summary = "A book of mdBook, such as those of the Rust project: book.toml and src/SUMMARY.md."
  let requirements = "a file 'book.toml'"
  let mapping = FormatMapping(
    goal: "a part; in a book without parts, a chapter", lesson: "a chapter; in a book without parts, a nested chapter",
    activity: "a page; for a long page, a group of its sections")
  let hasPathKeys = false
  let hasWrittenKeys = false
  let hasWrittenAnchors = true

  /// Returns whether the source is a folder with a `book.toml`.
  func recognises(_ source: CourseSource) -> Bool {
    source.isFolder && source.hasFile("book.toml")
  }

  func read(_ source: CourseSource, options: ReadOptions) throws -> CourseDraft {
    guard recognises(source) else {
      throw CourseFormatError.notOfFormat(source: source.name, format: name, needs: requirements)
    }
    var book = try Book(source, options: options)
    return try book.read(format: name)
  }
}

/// The settings that Waymark reads from `book.toml`.
struct BookConfiguration: Equatable {
  var title: String?
  var description: String?
  /// The language of the texts.
  var language: String?
  /// The folder of the pages, relative to the book.
  var source = "src"
  /// The rule for text between two dollar signs. mdBook reads it as a formula only with a preprocessor.
  ///
  /// Source: mdbook-katex, "Usage".
  var formulas = FormulaRule.cautious
  /// The prefix of hidden lines of code, by language. Rust is not included, because its prefix `#` has special rules.
  var hiddenPrefixes: [String: String] = [:]

  /// Parses the file.
  ///
  /// - Throws: ``CourseFormatError/malformed(file:line:problem:advice:)``.
  init(_ toml: String, file: String) throws {
    if toml.contains("[preprocessor.katex") { formulas = .tight }
    var scanner = TOMLScanner(toml, file: file)
    for (path, value) in try scanner.strings() {
      switch path {
      case ["book", "title"]: title = value.onOneLine
      case ["book", "description"]: description = value.onOneLine
      case ["book", "language"]: language = value.onOneLine
      case ["book", "src"]: source = value
      default:
        if path.count == 5, path.starts(with: ["output", "html", "code", "hidelines"]) {
          hiddenPrefixes[path[4]] = value
        }
      }
    }
  }

  /// Makes the configuration of a book without a readable `book.toml`.
  init() {}
}

/// A page of a book, split into sections of a readable length.
struct BookPage {
  /// The first heading, of any level, or `nil` if the page has no heading.
  private(set) var title: String?
  /// The anchors of the first heading.
  private(set) var titleAnchors: [String] = []
  /// The sections, in order. Empty if the page has no text.
  private(set) var sections: [PageSection] = []

  /// Splits a page into sections.
  ///
  /// - Parameters:
  ///   - text: The page.
  ///   - code: The rules for showing blocks of code.
  ///   - file: The file name for errors.
  ///   - limits: The maximum size of a section with its footnotes.
  init(_ text: ParsedText, code: BookCode, file: String, limits: SourceLimits) throws {
    var text = text
    removeTitle(off: &text)
    // Hidden lines are removed first, so that they do not count as text when the page is split.
    text.blocks = text.blocks.map { located in
      LocatedBlock(block: [located.block].mapCode(code.block)[0], line: located.line)
    }
    text.footnotes.mapBlocks { $0.mapCode(code.block) }
    sections = try PageSplitter.sections(of: text, file: file, limits: limits)
  }

  /// Removes the first heading, which is the title of the lesson.
  private mutating func removeTitle(off text: inout ParsedText) {
    let index = text.blocks.firstIndex { located in
      if case .heading = located.block { true } else { false }
    }
    guard let index, case .heading(_, let words, _) = text.blocks[index].block else { return }
    let said = words.plainText.onOneLine
    title = said.isEmpty ? nil : said
    titleAnchors = text.anchors.filter { $0.value == index }.map(\.key).sorted()
    text.blocks.remove(at: index)
    text.anchors = text.anchors.mapValues { $0 > index ? $0 - 1 : $0 }
  }
}

/// Records the nodes of pages and anchors, and uses them to resolve links.
struct BookLinks {
  /// The folder of the pages, relative to the book.
  var folder = "src"
  private var places = LinkTargets()

  /// Returns the key of a page: its path relative to the folder of the pages.
  func key(of path: String) -> String {
    guard !folder.isEmpty else { return path }
    return path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : "../" + path
  }

  /// Records that a node contains anchors of a page. Links to the page lead to the node that was recorded first.
  mutating func record(page: String, anchors names: [String], node: Int) {
    places.add(page: page, node: node)
    places.add(anchors: names, of: page, node: node)
  }

  /// Makes links to a removed node lead to another one.
  mutating func move(from removed: Int, to node: Int) { places.move(from: removed, to: node) }

  /// Resolves a link in the text of a node.
  func resolve(_ destination: String, from node: Int, in source: CourseSource, _ builder: DraftBuilder)
    -> LinkResolution
  {
    let page = places.page(of: node)
    switch LinkTarget(destination) {
    case .address(let address): return .link(address)
    case .unsafe, .node: return .unresolved("unsafe link")
    case .anchor(let anchor): return places.resolve(page: page, anchors: [anchor], builder)
    case .file(let name, let anchor):
      // On the web site, paths with a leading slash begin at the folder of the pages.
      let folderOfPage = name.hasPrefix("/") ? folder : SourcePath.folder(of: page)
      guard let path = SourcePath.resolve(String(name.drop { $0 == "/" }), in: folderOfPage) else {
        return .unresolved("link outside the book")
      }
      if let target = candidates(path).first(where: places.has(page:)) {
        return places.resolve(page: target, anchors: anchor.map { [$0] } ?? [], builder)
      }
      // mdBook builds the web site from the folder of the pages. Files outside that folder are not part of it.
      guard folder.isEmpty || path.hasPrefix(folder + "/") else { return .unresolved("link outside the book") }
      return .unresolved(source.hasFile(path) ? "linked file" : "broken link")
    }
  }

  /// Returns the pages to which a path may refer. A link may contain the name of a file of the built web site, such as
  /// `page.html` or `folder/index.html`.
  private func candidates(_ path: String) -> [String] {
    let stem = SourcePath.hasExtension("html", path) ? SourcePath.stem(of: path) : path
    let folder = SourcePath.name(of: stem) == "index" ? SourcePath.folder(of: stem) : stem
    return [path, stem + ".md", SourcePath.join(folder, "README.md"), SourcePath.join(folder, "index.md")]
  }
}
