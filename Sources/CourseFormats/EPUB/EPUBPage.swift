import LearningModel

/// A page of a book: its blocks, and where its anchors are.
struct EPUBPage {
  let path: String
  private(set) var blocks: [Block] = []
  /// The anchors in it by the index of the block that they stand in or before, in that order.
  private(set) var anchors: [(name: String, index: Int)] = []
  private(set) var footnotes = Footnotes()
  private(set) var findings = Findings()
  /// What its head calls it.
  private(set) var title: String?
  private var places: [String: Int] = [:]

  /// Reads a page.
  ///
  /// One that is no well-formed XML is read as a browser reads it, and that is said.
  ///
  /// - Throws: ``CourseFormatError`` where it is not there, no text, or nested too deeply.
  init(_ path: String, of package: EPUBPackage, in files: inout EPUBFiles) throws {
    self.path = path
    let text = try files.text(of: path)
    let limits = files.source.limits
    if ["text/html", "text/x-oeb1-document"].contains(package.item(at: path)?.mediaType) {
      try HTMLDocument.withRoot(of: text) { try read($0, of: package, limits: limits) }
    } else {
      do {
        try XMLTree.withRoot(of: text) { try read($0, of: package, limits: limits) }
      } catch let fault as XMLTree.Fault {
        findings.warning(
          path, fault.line,
          "The page is no well-formed XML (\(fault.reason)), and was read as a browser reads it. Correct it there.")
        try HTMLDocument.withRoot(of: text) { try read($0, of: package, limits: limits) }
      }
    }
  }

  /// The first block that an anchor stands in or before; `nil` where the page has no such anchor.
  func index(of anchor: String) -> Int? { places[anchor] }

  /// Whether it says anything in words, not only in pictures.
  var hasWords: Bool { blocks.contains(where: \.hasWords) }

  /// The words of its first heading.
  var heading: String? {
    for case .heading(_, let words, _) in blocks where !words.plainText.onOneLine.isEmpty {
      return words.plainText.onOneLine
    }
    return nil
  }

  private mutating func read(_ root: HTMLNode?, of package: EPUBPackage, limits: SourceLimits) throws {
    guard let root else { return }
    let head = root.children.first { $0.name == "head" }?.children.first { $0.name == "title" }
    title = head.map(\.textContent.onOneLine).flatMap { $0.isEmpty ? nil : $0 }
    let body = root.children.first { $0.name == "body" || $0.name == "frameset" }
    // A drawing is a page too.
    let nodes = body?.children ?? [root]
    let path = path
    let (notes, waysBack) = PublicationPage.notes(in: nodes, path: path, depth: limits.nestingDepth)
    let context = PublicationPage(
      path: path, notes: notes, waysBack: waysBack,
      destination: { Self.absolute($0, in: path) },
      picture: { reference in
        if case .unsafe = LinkTarget(reference) { return "" }
        guard let address = EPUBAddress(reference, in: path) else { return reference }
        return package.picture(at: address.path)
      })
    let parsed = try HTMLText.parse(nodes, file: path, limits: limits, dialect: TextDialect(publication: context))
    blocks = parsed.blocks.map(\.block)
    footnotes = parsed.footnotes
    findings.add(parsed.findings)
    places = parsed.anchors
    if let anchor = body?.attribute("id"), places[anchor] == nil { places[anchor] = 0 }
    anchors = places.map { ($0.key, $0.value) }.sorted { ($0.index, $0.name) < ($1.index, $1.name) }
  }

  /// A reference to a file of the book as a path from the book's top, so that it means the same wherever it stands.
  private static func absolute(_ reference: String, in path: String) -> String {
    guard let address = EPUBAddress(reference, in: path) else { return reference }
    return "/" + address.path.percentEncoded + (address.fragment.map { "#" + $0.percentEncoded } ?? "")
  }
}

extension String {
  /// The text with `%`, `#` and `?` encoded, which would end a path or be decoded in it.
  fileprivate var percentEncoded: String {
    guard contains(where: { "%#?".contains($0) }) else { return self }
    return replacing("%", with: "%25").replacing("#", with: "%23").replacing("?", with: "%3F")
  }
}

extension Block {
  fileprivate var hasWords: Bool {
    if case .paragraph(let line) = self {
      return line.contains { piece in
        if case .image = piece { false } else { piece.plainText.contains { !$0.isWhitespace } }
      }
    }
    return plainText.contains { !$0.isWhitespace }
  }
}
