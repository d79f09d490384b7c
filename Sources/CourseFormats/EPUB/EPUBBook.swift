import LearningModel

/// Reads one book: its table of contents gives the tree, its pages the texts.
struct EPUBBook {
  let source: CourseSource
  private let options: ReadOptions
  var builder: DraftBuilder
  private var files: EPUBFiles
  /// What becomes of the pages, by the keys of entries.
  private var texts: EPUBTexts
  private var links = EPUBLinks()
  private var groupKeys = UniqueNames(numberedFrom: 2)
  private let package: EPUBPackage
  /// The entry of the outline that each key means.
  private var owners: [String: Int] = [:]

  init(_ source: CourseSource, options: ReadOptions) throws {
    self.source = source
    self.options = options
    files = EPUBFiles(source, top: EPUBContainer.top(of: source) ?? "")
    builder = try DraftBuilder(source, options: options)
    builder.picturePaths = { [top = files.top] name, _ in [SourcePath.join(top, name)] }
    package = try EPUBPackage(EPUBContainer.package(in: &files), in: &files)
    texts = try EPUBTexts(limits: source.limits)
  }

  /// Reads the whole book.
  mutating func read(format: String) throws -> CourseDraft {
    let package = package
    try EPUBContainer.checkReadable(&files) { path in
      package.item(at: path)?.isPage == true || path == package.file || path == package.contents
    }
    builder.findings.add(package.findings)
    var outline = EPUBOutline(try contents(), of: package)
    try texts.read(package, &outline, from: &files, findings: &builder.findings)

    let title = package.title ?? PageKeys.title(of: source.stem)
    let key = options.key ?? package.identifier ?? Slug.make(from: source.stem, fallback: "book")
    let course = try builder.add(
      DraftNode(parent: nil, key: key, kind: .course, title: title, summary: package.summary), file: package.file)
    groupKeys = UniqueNames(taken: [key], numberedFrom: 2)
    links.begin(at: course, contents: package.navigation)
    let texts = texts
    let hasText = { !texts.parts(of: $0).isEmpty }
    let (main, beside) = outline.pageEntries(hasText: hasText, findings: &builder.findings)
    owners = outline.owners(hasText: hasText)
    try addGoals(of: main, title: title, course: course)
    try addBeside(beside, course: course)
    if !builder.nodes.contains(where: { $0.kind == .activity }), builder.findings.errors == 0 {
      builder.findings.error(package.file, nil, "No page of the book has a text that can be read.")
    }
    try resolveLinks()
    return try builder.finish(format: format, digest: files.digest.hexadecimal(), language: package.language)
  }

  /// The entries of the book's own table: of the newer form, else of the older one; without either, none.
  private mutating func contents() throws -> [EPUBEntry] {
    let ways: [(String?, (String, inout EPUBFiles) throws -> EPUBContents)] = [
      (package.navigation, { try EPUBContents(navigation: $0, in: &$1) }),
      (package.contents, { try EPUBContents(ncx: $0, in: &$1) }),
    ]
    for (file, read) in ways {
      guard let file else { continue }
      do {
        let contents = try read(file, &files)
        builder.findings.add(contents.findings)
        if !contents.entries.isEmpty { return contents.entries }
      } catch let error as CourseFormatError where error.category == .content {
        builder.findings.warning(
          file, error.diagnostic.line, "The table of contents is not read. " + error.diagnostic.message)
      }
    }
    return []
  }

  // MARK: The tree

  private mutating func addGoals(of entries: [PageEntry], title: String, course: Int) throws {
    for goal in GoalShape.goals(of: entries, course: title, title: { $0.title ?? "" }) {
      let first = goal.entry ?? goal.lessons.first
      let isGroup = goal.entry?.isGroup == true
      let index = try builder.add(
        DraftNode(
          parent: course, key: groupKeys.take((first.map(key) ?? "goal") + (isGroup ? "" : "!")), kind: .goal,
          title: goal.title ?? first?.title ?? title),
        file: package.file)
      for lesson in goal.lessons { try add(lesson, parent: index) }
    }
  }

  /// Pages that stand beside the book's order, such as answers.
  private mutating func addBeside(_ entries: [PageEntry], course: Int) throws {
    guard !entries.isEmpty else { return }
    let goal = try builder.add(
      DraftNode(parent: course, key: groupKeys.take("also!"), kind: .goal, title: "Also in this book"),
      file: package.file)
    for entry in entries { try add(entry, parent: goal) }
  }

  private func key(of entry: PageEntry) -> String { entry.page ?? entry.folder ?? entry.address ?? "" }

  private mutating func add(_ entry: PageEntry, parent: Int) throws {
    let title = entry.title ?? ""
    let key = entry.page ?? groupKeys.take(key(of: entry))
    let lesson = try builder.add(
      DraftNode(parent: parent, key: key, kind: .lesson, title: title), file: package.file)
    if let address = entry.address {
      let link = try builder.add(
        DraftNode(parent: lesson, key: key + "#", kind: .activity, title: title), file: package.file)
      try builder.keep(.link(destination: address, text: []), at: link)
    }
    if let page = entry.page.flatMap({ owners[$0] }) {
      links.note(texts.titleAnchors(of: page), node: lesson)
      for part in texts.parts(of: page) {
        let index = try builder.add(
          DraftNode(parent: lesson, key: key + "#" + part.anchor, kind: .activity, title: part.title ?? title),
          file: part.path)
        links.note(part.anchors, node: index, inText: part.headings, builder: &builder)
        try builder.keep(.reading(texts.blocks(of: part)), at: index)
      }
    }
    for child in entry.children { try add(child, parent: lesson) }
  }

  // MARK: Links

  private mutating func resolveLinks() throws {
    let (files, links) = (files, links)
    try builder.resolveLinks { builder, _, destination in links.resolve(destination, in: files, builder) }
  }
}
