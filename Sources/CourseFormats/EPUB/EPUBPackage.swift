import LearningModel

/// The package of a book: its metadata, its files, and their reading order.
///
/// Source: W3C, "EPUB 3.3", 5; IDPF, "Open Packaging Format 2.0.1".
struct EPUBPackage {
  struct Item {
    /// The path in the book.
    let path: String
    let mediaType: String
    let properties: Set<Substring>
    /// The `id` of the item that replaces this item if this item cannot be shown.
    let fallback: String?

    /// Whether the file is a page of text or an SVG image.
    var isPage: Bool {
      ["application/xhtml+xml", "image/svg+xml", "text/html", "text/x-oeb1-document"].contains(mediaType)
    }
  }

  /// The path of the package.
  let file: String
  private(set) var title: String?
  /// The authors and the beginning of the description.
  private(set) var summary = ""
  private(set) var language: String?
  private(set) var identifier: String?
  /// The paths of the pages in reading order. If `isLinear` is `false`, the page is outside the main order.
  private(set) var spine: [(path: String, isLinear: Bool)] = []
  /// The path of the table of contents of EPUB 3.
  private(set) var navigation: String?
  /// The path of the table of contents of EPUB 2.
  private(set) var contents: String?
  private(set) var findings = Findings()
  private var items: [String: Item] = [:]
  private var paths: [String: Item] = [:]

  /// Reads the package from a file.
  ///
  /// - Throws: ``CourseFormatError`` if the file does not exist or is not a package.
  init(_ file: String, in files: inout EPUBFiles) throws {
    self.file = file
    let limits = files.source.limits
    try files.withRoot(of: file) { root in
      guard root.name == "package", let spine = root.children(named: "spine").first else {
        throw CourseFormatError.malformed(
          file: file, line: nil, problem: "it is not a package document with a reading order",
          advice: "Get the book again.")
      }
      try readMetadata(root, limits: limits)
      for item in root.children(named: "manifest").flatMap({ $0.children(named: "item") }) { add(item) }
      readSpine(spine)
    }
  }

  // MARK: Files

  /// Returns the file at a path, or `nil` if the package does not list it.
  func item(at path: String) -> Item? { paths[path] }

  /// The paths of all pages, unordered.
  var pages: [String] { paths.values.filter(\.isPage).map(\.path) }

  /// Returns the page to show for a path: the file itself, or the first readable file in its chain of fallbacks.
  ///
  /// Source: W3C, "EPUB 3.3", 3.5.1, "Manifest fallbacks".
  func page(at path: String) -> String? {
    // A page that the manifest does not list can be read too.
    if paths[path] == nil {
      return ["xhtml", "html", "htm"].contains { SourcePath.hasExtension($0, path) } ? path : nil
    }
    return fallbackPage(for: path, where: \.isPage)
  }

  /// Returns the image to show for a path: the file itself, or the first supported image in its chain of fallbacks.
  func imagePath(at path: String) -> String {
    fallbackPage(for: path) { Self.imageTypes.contains($0.mediaType) } ?? path
  }

  private static let imageTypes: Set<String> = ["image/gif", "image/jpeg", "image/png", "image/svg+xml", "image/webp"]

  private func fallbackPage(for path: String, where isShown: (Item) -> Bool) -> String? {
    var item = paths[path]
    var seen: Set<String> = []
    while let current = item, seen.insert(current.path).inserted {
      if isShown(current) { return current.path }
      item = current.fallback.flatMap { items[$0] }
    }
    return nil
  }

  private mutating func add(_ node: HTMLNode) {
    guard let address = EPUBAddress(node.attribute("href") ?? "", in: file) else {
      findings.countLoss("file that is not in the book", "left out")
      return
    }
    let item = Item(
      path: address.path, mediaType: node.attribute("media-type")?.onOneLine.lowercased() ?? "",
      properties: Set((node.attribute("properties") ?? "").split(whereSeparator: \.isWhitespace)),
      fallback: node.attribute("fallback"))
    if let id = node.attribute("id"), items[id] == nil { items[id] = item }
    if paths[item.path] == nil { paths[item.path] = item }
    if item.properties.contains("nav"), navigation == nil { navigation = item.path }
    if item.mediaType == "application/x-dtbncx+xml", contents == nil { contents = item.path }
  }

  private mutating func readSpine(_ node: HTMLNode) {
    if let item = node.attribute("toc").flatMap({ items[$0] }) { contents = item.path }
    var seen: Set<String> = []
    for reference in node.children(named: "itemref") {
      guard let item = reference.attribute("idref").flatMap({ items[$0] }) else {
        findings.countLoss("page that is missing from the manifest", "left out")
        continue
      }
      guard seen.insert(item.path).inserted else {
        findings.countLoss("page that is listed twice", "shown as one page")
        continue
      }
      spine.append((item.path, reference.attribute("linear")?.onOneLine != "no"))
    }
  }

  // MARK: Metadata

  private mutating func readMetadata(_ root: HTMLNode, limits: SourceLimits) throws {
    var fields = root.children(named: "metadata").flatMap(\.children)
    // EPUB 2 may nest the fields one level deeper.
    fields += fields.filter { $0.name == "dc-metadata" || $0.name == "x-metadata" }.flatMap(\.children)
    func words(_ name: String) -> [(id: String?, text: String)] {
      fields.filter { $0.name == name }.map { ($0.attribute("id"), $0.textContent.onOneLine) }
        .filter { !$0.text.isEmpty }
    }
    let main = fields.first { $0.attribute("property") == "title-type" && $0.textContent.onOneLine == "main" }
    let mainTitle = main?.attribute("refines").map { $0.dropFirst() }
    let titles = words("title")
    title = (titles.first { $0.id != nil && $0.id.map { $0[...] } == mainTitle } ?? titles.first)?.text
    language = words("language").first?.text
    let identifiers = words("identifier")
    let unique = root.attribute("unique-identifier")
    identifier = (identifiers.first { $0.id != nil && $0.id == unique } ?? identifiers.first)?.text
    summary = try Self.summary(of: words("creator").map(\.text), words("description").first?.text ?? "", file, limits)
  }

  /// Returns the authors and the beginning of the description, which may be HTML.
  private static func summary(
    of authors: [String], _ description: String, _ file: String, _ limits: SourceLimits
  ) throws -> String {
    let names = authors.count > 3 ? authors.prefix(2) + ["others"] : authors[...]
    let written = names.isEmpty ? "" : "By " + names.joined(separator: ", ") + "."
    let plain =
      description.contains("<")
      ? try HTMLText.parse(description, file: file, limits: limits).blocks.map(\.block).plainText.onOneLine
      : description
    return [written, plain.beginning(of: 300)].filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension String {
  /// Returns the beginning of the text, at most `length` characters and ending with a complete word. If text was
  /// omitted, " …" is appended.
  fileprivate func beginning(of length: Int) -> String {
    guard count > length else { return self }
    let head = prefix(length)
    return (head.lastIndex(of: " ").map { head[..<$0] } ?? head) + " …"
  }
}
