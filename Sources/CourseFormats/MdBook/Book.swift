import LearningModel

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
    var course = try FolderCourse(source, options: options, pages: .markdown)
    course.plan = try FolderPlan(
      ofBook: source, isStrict: course.unread.isStrict, &course.digest, &course.builder.findings)
    return try course.read(format: name)
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

  /// The addresses that lead to other pages. Source: mdBook, "Renderers" (`output.html.redirect`).
  var redirects: [FormerAddress] = []

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
        } else if path.count == 4, path.starts(with: ["output", "html", "redirect"]) {
          redirects.append(FormerAddress(path[3], of: value))
        }
      }
    }
  }

  /// Makes the configuration of a book without a readable `book.toml`.
  init() {}
}

extension FolderPlan {
  /// Reads the plan of a book: the settings in `book.toml`, and the table of contents in `SUMMARY.md`.
  ///
  /// - Parameters:
  ///   - isStrict: Whether a page outside the book is an error.
  ///   - digest: Receives the files that are read.
  /// - Throws: ``CourseFormatError`` if there is no table of contents.
  init(ofBook source: CourseSource, isStrict: Bool, _ digest: inout SourceDigest, _ findings: inout Findings) throws {
    func text(of file: String) throws -> String {
      let bytes = try source.bytes(of: file)
      digest.add(bytes, of: file)
      return try TextDecoding.decode(bytes, file: file)
    }
    var book = BookConfiguration()
    do {
      book = try BookConfiguration(text(of: "book.toml"), file: "book.toml")
    } catch let error as CourseFormatError where error.kind == .badData {
      findings.error(error)
    }
    guard let folder = SourcePath.resolve(book.source, in: "") else {
      throw CourseFormatError.leavesSource(file: book.source)
    }
    let file = SourcePath.join(folder, "SUMMARY.md")
    let summary = BookSummary(try text(of: file), file: file, limits: source.limits, findings: &findings)
    let title =
      book.title ?? summary.title.map { PageMarkup.plainText($0, source.limits) }
      ?? NumberedName(source.stem, isFolder: true).title
    if book.title == nil {
      findings.warning(
        "book.toml", nil, "The book has no title, so it is named \(quoted: title). Add 'title = \"…\"' below [book].")
    }
    self.init(
      file: file, title: title, summary: book.description, language: book.language, pagesFolder: folder, book: book)
    var table = BookTable(folder: folder, file: file, limits: source.limits, isStrict: isStrict)
    entries = table.entries(of: summary)
    findings.add(table.findings)
  }
}

/// Makes the entries of a book from its table of contents.
private struct BookTable {
  let folder: String
  let file: String
  let limits: SourceLimits
  let isStrict: Bool
  private(set) var findings = Findings()
  /// The anchors that are already in use for parts and for chapters without a page.
  private var anchors = Anchor.names

  init(folder: String, file: String, limits: SourceLimits, isStrict: Bool) {
    (self.folder, self.file, self.limits, self.isStrict) = (folder, file, limits, isStrict)
  }

  /// Returns the entries that become goals: the parts or, in a book without parts, the chapters.
  mutating func entries(of summary: BookSummary) -> [PageEntry] {
    var all = implied("before", "Before the chapters", summary.before)
    for part in summary.parts {
      if let title = part.title {
        let key = key(for: title) + "!"
        all.append(PageEntry(title: title, children: entries(part.chapters), line: part.line, key: key))
      } else if summary.hasParts {
        all += implied("chapters", "First chapters", part.chapters)
      } else {
        all += entries(part.chapters).map { chapter in
          var goal = chapter
          goal.key = chapter.key.map { $0 + "!" }
          return goal
        }
      }
    }
    return all + implied("after", "After the chapters", summary.after)
  }

  /// Returns an entry for chapters that do not belong to a part.
  private mutating func implied(_ name: String, _ title: String, _ chapters: [BookSummary.Chapter]) -> [PageEntry] {
    guard let first = chapters.first else { return [] }
    return [PageEntry(title: title, children: entries(chapters), line: first.line, key: "SUMMARY.md!" + name)]
  }

  private mutating func entries(_ chapters: [BookSummary.Chapter]) -> [PageEntry] {
    chapters.map { chapter in
      var entry = PageEntry(
        title: chapter.title.isEmpty ? nil : chapter.title, anchor: chapter.anchor,
        summary: PageMarkup.plainText(chapter.note, limits), line: chapter.line)
      entry.page = chapter.page.flatMap { SourcePath.resolve($0, in: folder) }
      if entry.page == nil {
        entry.key = key(for: chapter.title)
        report(draft: chapter)
      }
      entry.children = entries(chapter.nested)
      return entry
    }
  }

  private mutating func key(for title: String) -> String {
    "SUMMARY.md#" + Anchor.unique(Anchor.make(from: PageMarkup.plainText(title, limits)), among: &anchors)
  }

  private mutating func report(draft chapter: BookSummary.Chapter) {
    guard let name = chapter.page else { return findings.countLoss("draft chapter", "shown as its title") }
    let message = "The page \(quoted: name) is outside the book. Copy it into the book and use its new path."
    if isStrict { return findings.error(file, chapter.line, message) }
    findings.countLoss("page outside the book", "left out")
    findings.warning(file, chapter.line, message)
  }
}
