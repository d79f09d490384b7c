import LearningModel

/// The text of a page, split into sections.
struct PageText {
  /// The sections, in order. Empty if the page has no text.
  private(set) var sections: [PageSection] = []
  /// The anchors of the first heading, if it was removed because it is the title of the page.
  private(set) var titleAnchors: [String] = []
  /// The first heading of a page of mdBook, which is not a part of its text.
  private(set) var heading: String?
  /// The labels on the page to which other pages may refer, with the text of the heading at each label.
  private(set) var labels: [(label: String, title: String?)] = []
  /// The files whose text is included.
  private(set) var included: Set<String> = []
  private(set) var findings = Findings()

  /// Makes the text of a page that cannot be read.
  init() {}

  /// Parses a page.
  ///
  /// - Parameters:
  ///   - content: The content of the page.
  ///   - path: The path relative to the source.
  ///   - title: The title of the lesson.
  ///   - limits: The limits for reading.
  ///   - substitutions: The values of placeholders.
  ///   - top: The folder with all pages, to which paths with a leading slash are relative.
  ///   - program: The program for which the pages are written.
  ///   - bibliography: The entries to which roles such as `{cite}` refer.
  ///   - projects: The addresses of other projects, by the names in references.
  ///   - part: The part of the page to read, or `nil` for the whole page.
  ///   - source: The source, for included files.
  ///   - vault: The folder of notes.
  ///   - quarto: The project of Quarto or bookdown, or `nil` for other folders.
  ///   - book: The settings of mdBook, or `nil` for other folders.
  ///   - isPage: Returns whether there is a page with that name.
  /// - Throws: ``CourseFormatError`` if the page is nested too deeply or becomes too large.
  init(
    _ content: PageContent, path: String, title: String, limits: SourceLimits, substitutions: [String: String],
    top: String, program: PageProgram = .unknown, bibliography: Bibliography = Bibliography(),
    projects: [String: String] = [:], part: PagePart? = nil, source: CourseSource,
    vault: VaultMarkup.Folder = VaultMarkup.Folder(), quarto: QuartoProject? = nil, book: BookConfiguration? = nil,
    isPage: @escaping (String) -> Bool
  ) throws {
    var context = PageMarkup.Context(file: path, limits: limits)
    context.includedBytes = source.includedBytes
    context.vault = vault
    context.quarto = quarto
    context.substitutions = substitutions
    context.bibliography = bibliography
    context.projects = projects
    context.components = program.components
    context.isNotebook = program == .myst
    context.isPage = isPage
    context.text = { name in
      guard source.isFolder else { return nil }
      for folder in name.hasPrefix("/") ? [top, ""] : [SourcePath.folder(of: path), top, ""] {
        let bare = name.hasPrefix("/") ? String(name.dropFirst()) : name
        guard let file = SourcePath.resolve(bare, in: folder), source.hasFile(file),
          let bytes = try? source.bytes(of: file),
          let text = try? TextDecoding.decode(bytes, file: file)
        else { continue }
        return (file, text)
      }
      return nil
    }
    var parsed: ParsedText
    var hasTypographicDashes = context.isNotebook
    let labelNames: Set<String>
    var labelTitles: [String: String] = [:]
    switch content {
    case .markdown(let text) where book != nil:
      (parsed, labelNames) = (try parse(text, of: book!, path: path, in: source), [])
    case .markdown(let text):
      (parsed, labelNames, labelTitles) = try parse(text, context)
      hasTypographicDashes = hasTypographicDashes || PandocMarkup.isWritten(in: path, of: quarto)
    case .notebook(let notebook):
      let (_, rest) = notebook.separatingFrontMatter(file: path, limits: limits, findings: &findings)
      let cells = try NotebookText(rest, context, dialect: Self.dialect)
      (parsed, labelNames, included) = (cells.parsed, cells.labels, cells.included)
      labelTitles = cells.references.titles
    case .html(let text):
      parsed = try HTMLPage.parse(text, path: path, limits: limits)
      labelNames = Set(parsed.anchors.keys)
    case .text(let text):
      (parsed, labelNames) = (text.parsed, [])
      findings.countLoss("page break of the printed edition", "left out", count: text.pageBreaks)
    }
    findings.add(parsed.findings)
    if hasTypographicDashes {
      for index in parsed.blocks.indices {
        let block = parsed.blocks[index].block
        parsed.blocks[index].block = TypographicDashes.replaced(in: [block]).only ?? block
      }
      parsed.footnotes.mapBlocks { TypographicDashes.replaced(in: $0) }
    }
    for index in parsed.blocks.indices {
      parsed.blocks[index].block = ListTable.resolved([parsed.blocks[index].block]).only ?? parsed.blocks[index].block
    }
    labels = labelNames.sorted().map { label in
      if let title = labelTitles[label] { return (label, title) }
      let index = parsed.anchors[label].flatMap { parsed.blocks.indices.contains($0) ? $0 : nil }
      if let index, let title = parsed.blocks[index].block.frameTitle { return (label, title) }
      guard let index, case .heading(_, let words, _) = parsed.blocks[index].block else { return (label, nil) }
      return (label, words.plainText.onOneLine)
    }
    if let part {
      if let text = part.text(of: parsed) {
        parsed = text
      } else {
        findings.countLoss("missing target of the navigation", "shown as the whole page")
      }
    }
    if let book {
      removeHeading(off: &parsed)
      parsed.show(book)
    } else {
      removeTitle(off: &parsed, title: title)
    }
    sections = try PageSplitter.sections(of: parsed, file: path, limits: limits)
  }

  private mutating func parse(_ text: String, _ context: PageMarkup.Context) throws
    -> (ParsedText, labels: Set<String>, titles: [String: String])
  {
    let matter = PageFrontMatter(text, file: context.file, limits: context.limits, findings: &findings)
    var context = context
    context.codeLanguage = matter.codeLanguage
    context.isNotebook = context.isNotebook || matter.isNotebook
    context.substitutions.merge(matter.substitutions) { _, own in own }
    if PandocMarkup.isWritten(in: context.file, of: context.quarto) {
      context.pandoc = QuartoSettings(context.quarto?.settings, matter.quarto)
    }
    try TableLimits.checkElements(matter.body, file: context.file, limits: context.limits)
    var marks = PageMarkup(context)
    let expanded = marks.expanded(page: matter.body)
    if let error = marks.includes.error { throw error }
    guard expanded.utf8.count <= context.limits.expandedSize else {
      throw CourseFormatError.limit(.expandedSize(context.limits.expandedSize), file: context.file, line: nil)
    }
    findings.add(marks.findings)
    findings.countLoss("quiz of LiaScript", "shown as text", count: LiaScriptQuizzes.count(in: String(matter.body)))
    included = marks.included
    var dialect = Self.dialect
    if context.isNotebook || SourcePath.hasExtension("qmd", context.file) { dialect.formulas = .spaced }
    let parsed = try MarkdownText.parse(
      expanded, file: context.file, firstLine: matter.bodyLine, limits: context.limits, dialect: dialect)
    let headings = context.pandoc == nil ? [] : parsed.headingAnchors
    return (parsed, marks.labels.union(headings), marks.references.titles)
  }

  /// Parses a page of mdBook after its preprocessors.
  private mutating func parse(
    _ text: String, of book: BookConfiguration, path: String, in source: CourseSource
  ) throws -> ParsedText {
    let matter = PageFrontMatter(text, file: path, limits: source.limits, findings: &findings)
    var (marks, includes) = (PreprocessorMarkup(), BookIncludes(source))
    let expanded = marks.expanded(try includes.expand(String(matter.body), of: path))
    included = includes.included
    findings.add(includes.findings)
    findings.add(marks.findings)
    return try MarkdownText.parse(
      expanded, file: path, firstLine: matter.bodyLine, limits: source.limits,
      dialect: BookDialect.dialect(formulas: book.formulas, limits: source.limits))
  }

  /// Removes the first heading of any level, which is the title of a page of mdBook.
  private mutating func removeHeading(off parsed: inout ParsedText) {
    let index = parsed.blocks.firstIndex { located in
      if case .heading = located.block { true } else { false }
    }
    guard let index, case .heading(_, let words, _) = parsed.blocks[index].block else { return }
    let said = words.plainText.onOneLine
    heading = said.isEmpty ? nil : said
    titleAnchors = parsed.anchors.filter { $0.value == index }.map(\.key).sorted()
    parsed.blocks.remove(at: index)
    parsed.anchors = parsed.anchors.mapValues { $0 > index ? $0 - 1 : $0 }
  }

  /// Removes the first heading if it repeats the title.
  private mutating func removeTitle(off parsed: inout ParsedText, title: String) {
    if case .paragraph(let line) = parsed.blocks.first?.block, case .strong(let words) = line.first, line.count == 1,
      words.plainText.onOneLine.lowercased() == title.lowercased()
    {
      // The title of a notebook may be bold text and not a heading.
      parsed.blocks.removeFirst()
      parsed.anchors = parsed.anchors.mapValues { max(0, $0 - 1) }
      return
    }
    guard case .heading(let level, let words, _) = parsed.blocks.first?.block else { return }
    let isHighest = parsed.blocks.dropFirst().allSatisfy { located in
      if case .heading(let other, _, _) = located.block { other > level } else { true }
    }
    let said = words.titleText
    let isSame = said.lowercased() == title.lowercased()
    guard isHighest || isSame else { return }
    titleAnchors = parsed.anchors.filter { $0.value == 0 }.map(\.key).sorted()
    // If the page has another title in the navigation, its own title remains in the text.
    guard isSame else { return }
    parsed.blocks.removeFirst()
    parsed.anchors = parsed.anchors.mapValues { max(0, $0 - 1) }
  }

  /// The dialect: attributes of headings, and frames that are written in HTML.
  private static let dialect = TextDialect(
    frameClasses: ["admonition", "note", "warning", "tip", "alert"], hasHeadingAttributes: true)
}

extension PageMarkup {
  /// Returns the text to show for a link whose destination does not exist.
  static func plainText(of destination: String) -> String {
    for scheme in [LinkScheme.label, LinkScheme.page] where destination.hasPrefix(scheme) {
      return String(destination.dropFirst(scheme.count))
    }
    // A link of MyST to an object of another project, such as `inv:python#str.join`.
    if destination.hasPrefix("inv:"), let mark = destination.firstIndex(of: "#") {
      return String(destination[destination.index(after: mark)...])
    }
    return destination
  }
}

extension ParsedText {
  /// The anchors of the headings at the top level.
  fileprivate var headingAnchors: [String] {
    blocks.compactMap { located in
      if case .heading(_, _, let anchor) = located.block { anchor } else { nil }
    }
  }
}

extension Block {
  /// The title of a frame, or its kind if it has no title; `nil` for other blocks.
  fileprivate var frameTitle: String? {
    guard case .admonition(let box) = self else { return nil }
    let title = box.title.plainText.onOneLine
    return title.isEmpty ? (box.kind == .box ? nil : box.kind.word) : title
  }
}

extension Array {
  /// The element if the array contains exactly one, otherwise `nil`.
  fileprivate var only: Element? { count == 1 ? first : nil }
}

/// Counts the quizzes of LiaScript in a page, which are shown as text.
///
/// Source: LiaScript, documentation, "Quizzes": `[[X]]` and `[[ ]]` for several right choices, `[(X)]` and `[( )]`
/// for one, `[[solution]]` on a line for a text, and `[[?]]` for a hint below.
enum LiaScriptQuizzes {
  /// Returns the number of quizzes in a page. A wikilink alone on a line is not a quiz.
  static func count(in text: String) -> Int {
    guard text.contains("[[") || text.contains("[(") else { return 0 }
    var (count, fence) = (0, CodeFence())
    /// Whether the line above belongs to a quiz that has been counted, and whether it may be a solution.
    var (isInQuiz, isBelowSolution) = (false, false)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      fence.process(line)
      guard !fence.isOpen else { continue }
      var words = line.trimmingBlanks
      if let mark = words.first, "-*+".contains(mark), words.dropFirst().first == " " {
        words = words.dropFirst(2).trimmingBlanks
      }
      let isWrong = words.hasPrefix("[[ ]] ") || words.hasPrefix("[( )] ")
      let isRight = ["[[X]] ", "[[x]] ", "[(X)] ", "[(x)] "].contains { words.hasPrefix($0) }
      let isHint = words.hasPrefix("[[?]]")
      if isWrong || isHint && isBelowSolution, !isInQuiz {
        isInQuiz = true
        count += 1
      }
      if isWrong || isRight || isHint { continue }
      isInQuiz = false
      isBelowSolution = words.hasPrefix("[[") && words.hasSuffix("]]") && words.count > 4
    }
    return count
  }
}
