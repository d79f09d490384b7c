import LearningModel

/// A page of a book: its blocks and the positions of its anchors.
struct EPUBPage {
  let path: String
  private(set) var blocks: [Block] = []
  /// The anchors, each with the index of the block that contains or follows it, in the order of these indices.
  private(set) var anchors: [(name: String, index: Int)] = []
  private(set) var footnotes = Footnotes()
  private(set) var findings = Findings()
  /// The title in the head of the page.
  private(set) var title: String?
  private var places: [String: Int] = [:]

  /// Reads a page.
  ///
  /// A page that is not well-formed XML is parsed as HTML, with a warning.
  ///
  /// - Throws: ``CourseFormatError`` if the file does not exist, is not text, or is nested too deeply.
  init(_ path: String, of package: EPUBPackage, in files: inout EPUBFiles, notes: inout EPUBNotes) throws {
    self.path = path
    let text = try files.text(of: path)
    if ["text/html", "text/x-oeb1-document"].contains(package.item(at: path)?.mediaType) {
      try HTMLDocument.withRoot(of: text) { try read($0, of: package, in: &files, notes: &notes) }
    } else {
      do {
        try XMLTree.withRoot(of: text) { try read($0, of: package, in: &files, notes: &notes) }
      } catch let fault as XMLTree.Fault {
        findings.warning(
          path, fault.line,
          "The page is not well-formed XML (\(fault.reason)), and was read like HTML. Correct this line.")
        try HTMLDocument.withRoot(of: text) { try read($0, of: package, in: &files, notes: &notes) }
      }
    }
  }

  /// Returns the index of the block that contains or follows an anchor, or `nil` if the page has no such anchor.
  func index(of anchor: String) -> Int? { places[anchor] }

  /// Whether the page contains text, and not only images.
  var hasText: Bool { blocks.contains(where: \.hasText) }

  /// The text of the first heading that is not empty.
  var heading: String? {
    for case .heading(_, let words, _) in blocks where !words.plainText.onOneLine.isEmpty {
      return words.plainText.onOneLine
    }
    return nil
  }

  private mutating func read(
    _ root: HTMLNode?, of package: EPUBPackage, in files: inout EPUBFiles, notes: inout EPUBNotes
  ) throws {
    guard let root else { return }
    let limits = files.source.limits
    let head = root.children.first { $0.name == "head" }?.children.first { $0.name == "title" }
    title = head.map(\.textContent.onOneLine).flatMap { $0.isEmpty ? nil : $0 }
    let body = root.children.first { $0.name == "body" || $0.name == "frameset" }
    // The page may be an SVG image, which has no `body`.
    let nodes = body?.children ?? [root]
    let path = path
    let scan = PageNoteScan(nodes, of: path, limits: limits)
    var pageNotes = scan.notes { path + "#" + $0 }
    let context = PublicationPage(
      path: path,
      destination: { Self.absolute($0, in: path) },
      imageAddress: { reference in
        if reference.isDataURL { return reference }
        if case .unsafe = LinkTarget(reference) { return "" }
        guard let address = EPUBAddress(reference, in: path) else { return reference }
        return package.imagePath(at: address.path)
      })
    let elsewhere = addNotes(of: scan, to: &pageNotes) { notes.page(at: $0, of: package, in: &files) }
    let parsed = try HTMLText.parse(
      nodes, file: path, limits: limits, dialect: TextDialect(publication: context), notes: pageNotes)
    blocks = parsed.blocks.map(\.block)
    footnotes = parsed.footnotes
    for note in elsewhere { footnotes.append(note) }
    findings.add(parsed.findings)
    places = parsed.anchors
    if let anchor = body?.attribute("id"), places[anchor] == nil { places[anchor] = 0 }
    anchors = places.map { ($0.key, $0.value) }.sorted { ($0.index, $0.name) < ($1.index, $1.name) }
  }

  /// The maximum number of other pages in which the footnotes of a page are looked up.
  private static let maximumNotePages = 4

  /// Adds the references to footnotes on other pages, and returns these footnotes.
  private func addNotes(
    of scan: PageNoteScan, to pageNotes: inout PageNotes, page: (String) -> EPUBNotes.Page
  ) -> [Footnote] {
    let references = scan.externalReferences
    var paths: [String] = []
    // Targets of declared references are looked up first.
    for reference in references.filter(\.isDeclared) + references where !paths.contains(reference.address.path) {
      guard paths.count < Self.maximumNotePages else { break }
      paths.append(reference.address.path)
    }
    let pages = Dictionary(paths.map { ($0, page($0)) }) { first, _ in first }
    var footnotes: [Footnote] = []
    var added: [String: PageNotes.Note] = [:]
    for reference in references {
      guard let other = pages[reference.address.path],
        let target = other.identifiers[reference.address.fragment],
        reference.isDeclared && target.isDeclared || scan.leadsBack(target.leads, to: reference),
        let blocks = other.texts.blocks(of: target.name)
      else { continue }
      let note = added[target.name] ?? PageNotes.Note(name: target.name, label: reference.label)
      pageNotes.references[reference.link] = note
      guard added.updateValue(note, forKey: target.name) == nil else { continue }
      footnotes.append(
        Footnote(anchor: note.name, label: note.label, blocks: blocks.withoutTargets.withoutLabel(note.label)))
    }
    return footnotes
  }

  /// Returns a reference as a path from the book's root, so that its meaning does not depend on the file that contains
  /// it.
  static func absolute(_ reference: String, in path: String) -> String {
    guard let address = EPUBAddress(reference, in: path) else { return reference }
    return "/" + address.path.percentEncoded + (address.fragment.map { "#" + $0.percentEncoded } ?? "")
  }
}

extension PageNoteScan {
  /// Examines a page of a book.
  init(_ nodes: [HTMLNode], of path: String, limits: SourceLimits) {
    self.init(nodes, path: path, depth: limits.nestingDepth) { destination in
      EPUBAddress(destination, in: path).flatMap { address in
        address.fragment.map { Address(path: address.path, fragment: $0) }
      }
    }
  }
}

extension String {
  /// The text with `%`, `#` and `?` percent-encoded. Otherwise, these characters would be decoded or end a path.
  fileprivate var percentEncoded: String {
    guard contains(where: { "%#?".contains($0) }) else { return self }
    return replacing("%", with: "%25").replacing("#", with: "%23").replacing("?", with: "%3F")
  }
}

extension Block {
  fileprivate var hasText: Bool {
    if case .paragraph(let line) = self {
      return line.contains { piece in
        if case .image = piece { false } else { piece.plainText.contains { !$0.isWhitespace } }
      }
    }
    return plainText.contains { !$0.isWhitespace }
  }
}
