import LearningModel

/// Reads a book: the nodes are created from the table of contents, and the pages become their texts.
struct EPUBBook {
  let source: CourseSource
  var builder: DraftBuilder
  private var files: EPUBFiles
  /// The texts of the outline's entries, by the index of the entry.
  private var texts: EPUBTexts
  private var links = EPUBLinks()
  private var groupKeys = UniqueNames(numberedFrom: 2)
  private let package: EPUBPackage
  /// For each key, the index of the outline entry that has the text.
  private var owners: [String: Int] = [:]

  init(_ source: CourseSource, options: ReadOptions) throws {
    self.source = source
    files = EPUBFiles(source, top: EPUBContainer.top(of: source) ?? "")
    builder = try DraftBuilder(source, options: options)
    builder.imagePaths = { [top = files.top] name, _ in [SourcePath.join(top, name)] }
    package = try EPUBPackage(EPUBContainer.package(in: &files), in: &files)
    texts = try EPUBTexts(limits: source.limits)
  }

  mutating func read(format: String) throws -> CourseDraft {
    let package = package
    try EPUBContainer.checkReadable(&files) { path in
      package.item(at: path)?.isPage == true || path == package.file || path == package.contents
    }
    builder.findings.add(package.findings)
    if !files.top.isEmpty {
      let others = try PageFiles(in: source, of: .html).otherTexts.filter { $0.key != "EPUB book" }
      for (format, paths) in others.sorted(by: { $0.key < $1.key }) {
        builder.findings.countLoss(format, "left out", count: paths.count)
      }
    }
    var outline = EPUBOutline(try contents(), of: package)
    try texts.read(package, &outline, from: &files, findings: &builder.findings)

    let title = package.title ?? PageKeys.title(of: source.stem)
    let key = builder.courseKey(written: package.identifier, fallback: "book")
    let course = try builder.add(
      DraftNode(parent: nil, key: key, kind: .course, title: title, summary: package.summary), file: package.file)
    groupKeys = UniqueNames(usedNames: [key], numberedFrom: 2)
    links.begin(at: course, contents: package.navigation)
    let texts = texts
    let hasText = { !texts.sections(of: $0).isEmpty }
    let (main, beside) = outline.pageEntries(hasText: hasText, findings: &builder.findings)
    owners = outline.owners(hasText: hasText)
    try addGoals(of: main, title: title, course: course)
    try addSupplements(beside, course: course)
    if !builder.nodes.contains(where: { $0.kind == .activity }), builder.findings.errors == 0 {
      builder.findings.error(package.file, nil, "No page of the book has a text that can be read.")
    }
    try resolveLinks()
    return try builder.finish(format: format, digest: files.digest.hexadecimal(), language: package.language)
  }

  /// Returns the entries of the table of contents: from the navigation document of EPUB 3, otherwise from the NCX of
  /// EPUB 2. Empty if the book has neither.
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
      } catch let error as CourseFormatError where error.kind == .badData {
        builder.findings.warning(
          file, error.diagnostic.line, "The table of contents is not read. " + error.diagnostic.message)
      }
    }
    return []
  }

  // MARK: The tree

  private mutating func addGoals(of entries: [PageEntry], title: String, course: Int) throws {
    for goal in PlannedGoal.goals(of: entries, course: title, title: { $0.title ?? "" }) {
      let first = goal.entry ?? goal.lessons.first
      let isGroup = goal.entry?.isGroup == true
      let index = try builder.add(
        DraftNode(
          parent: course, key: groupKeys.makeUnique((first.map(key) ?? "goal") + (isGroup ? "" : "!")), kind: .goal,
          title: goal.title ?? first?.title ?? title),
        file: package.file)
      for lesson in goal.lessons { try add(lesson, parent: index) }
    }
  }

  /// Adds a goal for pages outside the book's reading order, such as answers.
  private mutating func addSupplements(_ entries: [PageEntry], course: Int) throws {
    guard !entries.isEmpty else { return }
    let goal = try builder.add(
      DraftNode(parent: course, key: groupKeys.makeUnique("also!"), kind: .goal, title: "Also in this book"),
      file: package.file)
    for entry in entries { try add(entry, parent: goal) }
  }

  private func key(of entry: PageEntry) -> String { entry.page ?? entry.folder ?? entry.address ?? "" }

  private mutating func add(_ entry: PageEntry, parent: Int) throws {
    let title = entry.title ?? ""
    let key = entry.page ?? groupKeys.makeUnique(key(of: entry))
    let summary = entry.page.flatMap { owners[$0] }.flatMap { texts.sections(of: $0).first?.summary } ?? ""
    let lesson = try builder.add(
      DraftNode(parent: parent, key: key, kind: .lesson, title: title, summary: summary), file: package.file)
    if let address = entry.address {
      let link = try builder.add(
        DraftNode(parent: lesson, key: key + "#", kind: .activity, title: title), file: package.file)
      try builder.store(.link(destination: address, text: []), at: link)
    }
    if let page = entry.page.flatMap({ owners[$0] }) {
      links.record(texts.titleAnchors(of: page), node: lesson)
      for part in texts.sections(of: page) {
        let index = try builder.add(
          DraftNode(parent: lesson, key: key + "#" + part.anchor, kind: .activity, title: part.title ?? title),
          file: part.path)
        links.record(part.anchors, node: index, inText: part.headings, builder: &builder)
        try builder.store(.reading(texts.blocks(of: part)), at: index)
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

/// Reads books in EPUB 3 and EPUB 2.
///
/// Source: W3C, "EPUB 3.3" and "EPUB Reading Systems 3.3"; IDPF, "Open Packaging Format 2.0.1".
struct EPUBReader: CourseReader {
  let name = "epub"
  let summary = "A book in EPUB 3 or 2: the file, or the folder that it unpacks to."
  let requirements = "a file 'META-INF/container.xml'"
  let mapping = FormatMapping(
    goal: "an entry at the top of the table of contents", lesson: "an entry below it; of a flat book, each entry",
    activity: "the text of an entry; for a long one, a group of its sections")
  let hasPathKeys = false
  let fileExtensions = ["epub": "a book"]

  /// Returns whether the source is a folder or an archive with a container, is declared as EPUB by its `mimetype`
  /// file, or has the extension `epub`.
  func recognises(_ source: CourseSource) -> Bool {
    guard source.isFolder else { return hasExtension(source.name) }
    guard let top = EPUBContainer.top(of: source), !top.isEmpty else {
      return EPUBContainer.top(of: source) != nil || EPUBContainer.isTyped(source)
    }
    // A folder that contains the book and other texts is read as the larger of both.
    return PageFiles.Overview(source).markdownSize <= EPUBContainer.textSize(in: top, of: source)
  }

  func read(_ source: CourseSource, options: ReadOptions) throws -> CourseDraft {
    guard recognises(source) else {
      throw CourseFormatError.notOfFormat(source: source.name, format: name, needs: requirements)
    }
    guard source.isFolder else {
      throw CourseFormatError.malformed(
        file: source.name, line: nil, problem: "its name is that of an EPUB book, but it is not a zip archive",
        advice: "Get the book again, because the file is incomplete.")
    }
    var book = try EPUBBook(source, options: options)
    return try book.read(format: name)
  }
}

/// Records the nodes of pages and anchors, and resolves links with them.
struct EPUBLinks {
  /// The node of each page and anchor. If the text of the node contains a heading or another link target with the
  /// anchor, `anchor` is the name of the target in that text; otherwise it is `nil`.
  private var places: [String: (node: Int, anchor: String?)] = [:]
  /// For each anchor, the name of the only place that has it, or `nil` if several pages have it.
  private var placesByAnchor: [String: String?] = [:]

  /// Makes links to the table of contents lead to the course.
  mutating func begin(at course: Int, contents: String?) {
    if let contents { places[contents] = (course, nil) }
  }

  /// Makes links to pages and anchors lead to a node. If a name is recorded several times, links to it lead to the
  /// first node.
  mutating func record(_ names: [String], node: Int) {
    for name in names {
      if places[name] == nil { places[name] = (node, nil) }
      let page = String(name.prefix { $0 != "#" })
      if places[page] == nil { places[page] = (node, nil) }
    }
  }

  /// Records that anchors are in the text of a node.
  mutating func record(
    _ names: [String], node: Int, inText headings: [String: String], builder: inout DraftBuilder
  ) {
    for name in names where places[name] == nil {
      places[name] = (node, headings[name])
      if let hash = name.lastIndex(of: "#") {
        let anchor = String(name[name.index(after: hash)...])
        placesByAnchor.updateValue(placesByAnchor[anchor] == nil ? name : nil, forKey: anchor)
      }
      if let heading = headings[name] { builder.recordAnchor(anchor: heading, at: node) }
    }
    record(names, node: node)
  }

  /// Resolves a link whose path is relative to the root of the book.
  func resolve(_ destination: String, in files: EPUBFiles, _ builder: DraftBuilder) -> LinkResolution {
    switch LinkTarget(destination) {
    case .address(let address): return .link(address)
    case .unsafe, .node: return .unresolved("unsafe link")
    // The anchor belongs to a footnote without text.
    case .anchor: return .unresolved("broken link")
    case .file(let name, let anchor):
      guard let path = EPUBAddress.path(name, in: "") else { return .unresolved("broken link") }
      guard let page = places[path] else {
        return .unresolved(files.has(path) ? "linked file" : "broken link")
      }
      let whole = CourseLink(key: builder.nodes[page.node].key).destination
      guard let anchor else { return .link(whole) }
      // If the page does not have the anchor, the only other place with this anchor is used. When a publisher splits a
      // page into several files, the links in it are often left unchanged.
      let elsewhere = placesByAnchor[anchor]?.flatMap { places[$0] }
      guard let place = places[path + "#" + anchor] ?? elsewhere else {
        return .inexact(whole, "link to a missing place in a page")
      }
      let key = builder.nodes[place.node].key
      let isItself = place.anchor.map { key.hasSuffix("#" + $0) } ?? true
      return .link(CourseLink(key: key, anchor: isItself ? nil : place.anchor).destination)
    }
  }
}
