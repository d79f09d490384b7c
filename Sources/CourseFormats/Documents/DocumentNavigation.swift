/// The order of the pages in a folder of documents: the navigation of Antora, the `toctree` directives of Sphinx, the files
/// that the main document of AsciiDoc or LaTeX includes, or the list of O'Reilly's Atlas.
struct DocumentNavigation {
  private let source: CourseSource
  private(set) var plan: FolderPlan
  private var main: DocumentText?
  /// The attributes or macros that the documents in a folder inherit.
  private(set) var preambles: [Preamble] = []
  /// The documents that are inserted into others.
  private(set) var included: Set<String> = []
  /// The other main documents, such as one for each paper size. They include only chapters of ``main``.
  private(set) var otherMains: Set<String> = []
  private var texts: [String: DocumentText] = [:]

  /// The attributes of a component of Antora, or the attributes or macros of the main document.
  struct Preamble {
    let format: ForeignFormat
    /// The main document, or the folder of the component.
    let path: String
    /// The folder of the main document, to which paths of LaTeX are relative; `nil` for a component.
    var folder: String?
    let text: String

    /// Returns whether a document inherits the attributes or macros.
    func applies(to page: String, _ format: ForeignFormat) -> Bool {
      guard format == self.format, page != path, !text.isEmpty else { return false }
      return folder != nil || path.isEmpty || page.hasPrefix(path + "/")
    }
  }

  /// The maximum number of documents that are searched for the main document.
  private static let maximumDocuments = 2_000

  /// - Parameters:
  ///   - pages: All documents.
  ///   - components: The folders with an `antora.yml`.
  init(_ source: CourseSource, pages: [String], components: [String]) {
    self.source = source
    plan = FolderPlan()
    if readAntora(components) { return }
    plan = ToctreeNavigation.plan(ofDocuments: pages, in: source)
    if plan.entries == nil { readMain(of: pages) }
    if plan.entries == nil { readAtlas(pages) }
    if let main {
      preambles = [
        Preamble(
          format: main.format, path: main.path, folder: SourcePath.folder(of: main.path), text: main.preamble)
      ]
    }
  }

  // MARK: - Main documents

  private mutating func readMain(of pages: [String]) {
    for page in pages.prefix(Self.maximumDocuments) where !PageFiles.isAboutRepository(page) {
      guard [.asciiDoc, .latex].contains(ForeignFormat.named(page)), let bytes = try? source.bytes(of: page) else {
        continue
      }
      texts[page] = DocumentText(bytes, of: page, in: source, main: SourcePath.folder(of: page))
    }
    included = texts.values.reduce(into: []) { $0.formUnion($1.included) }
    let inner = included.union(texts.values.flatMap { $0.chapters.compactMap(\.page) })
    let roots = texts.values.filter { $0.isMain && !inner.contains($0.path) && !$0.chapters.isEmpty }
    let ranked = roots.map { root in (root: root, count: entries(of: root.path, below: []).flatMap(\.pages).count) }
    let best = ranked.max { left, right in
      left.count == right.count
        ? (left.root.path.utf8.count, left.root.path) > (right.root.path.utf8.count, right.root.path)
        : left.count < right.count
    }
    guard let best else { return }
    main = best.root
    let chapters = Set(best.root.chapters.compactMap(\.page))
    otherMains = Set(
      roots.filter { $0.path != best.root.path && chapters.isSuperset(of: $0.chapters.compactMap(\.page)) }.map(\.path))
    plan.title = best.root.title
    plan.file = best.root.path
    plan.pagesFolder = ""
    var listed: Set<String> = [best.root.path]
    plan.entries =
      [PageEntry(page: best.root.path)]
      + PageEntry.withoutRepetitions(entries(of: best.root.path, below: []), listed: &listed)
  }

  /// Returns the entries for the documents that a document includes.
  private func entries(of page: String, below outer: Set<String>) -> [PageEntry] {
    guard let text = texts[page], outer.count < source.limits.includeDepth, !outer.contains(page) else { return [] }
    var entries: [PageEntry] = []
    var isInPart = false
    for chapter in text.chapters {
      switch chapter {
      case .part(let title):
        entries.append(PageEntry(title: title.onOneLine))
        isInPart = true
      case .page(let path):
        let entry = PageEntry(page: path, children: self.entries(of: path, below: outer.union([page])))
        if isInPart { entries[entries.count - 1].children.append(entry) } else { entries.append(entry) }
      }
    }
    return entries.filter { !$0.isGroup || !$0.children.isEmpty }
  }

  /// Reads the list of the files of a book in Atlas, such as `{"files": ["cover.html", "ch01.asciidoc"]}`.
  private mutating func readAtlas(_ pages: [String]) {
    guard let text = source.head(of: Self.atlas, count: 1 << 16),
      let files = (try? YAMLTree(text, file: Self.atlas, limits: source.limits))?["files"]?.items
    else { return }
    let listed = files.compactMap(\.text).filter(Set(pages).contains)
    guard !listed.isEmpty else { return }
    (plan.file, plan.entries) = (Self.atlas, listed.map { PageEntry(page: $0) })
  }

  private static let atlas = "atlas.json"

  // MARK: - Antora

  /// Source: Antora, "Component Version Descriptor" and "Navigation Files and Lists".
  private mutating func readAntora(_ components: [String]) -> Bool {
    var entries: [PageEntry] = []
    var titles: [String] = []
    for folder in components.sorted(by: NaturalOrder.pathPrecedes) {
      let file = SourcePath.join(folder, "antora.yml")
      guard let yaml = (try? source.bytes(of: file)).flatMap({ try? TextDecoding.decode($0, file: file) }),
        let tree = try? YAMLTree(yaml, file: file, limits: source.limits)
      else { continue }
      let navigation = (tree["nav"]?.items ?? []).compactMap { $0.text.flatMap { SourcePath.resolve($0, in: folder) } }
      let attributes = (tree["asciidoc"]?["attributes"]?.fields ?? []).compactMap { field in
        field.value.text.map {
          ":\(field.name): \($0.onOneLine.hasSuffix("@") ? $0.onOneLine.dropLast() : $0.onOneLine[...])"
        }
      }
      preambles.append(Preamble(format: .asciiDoc, path: folder, text: attributes.joined(separator: "\n")))
      let own = navigation.flatMap { Self.entries(ofNavigation: $0, in: source) }
      guard !own.isEmpty else { continue }
      let title = (tree["title"] ?? tree["name"])?.text?.onOneLine ?? SourcePath.name(of: folder)
      titles.append(title)
      entries.append(PageEntry(title: title, children: own))
    }
    guard let first = entries.first else { return false }
    plan = FolderPlan(title: entries.count == 1 ? titles[0] : nil, program: .antora)
    plan.entries = entries.count == 1 ? first.children : entries
    return true
  }

  private static func entries(ofNavigation file: String, in source: CourseSource) -> [PageEntry] {
    guard let bytes = try? source.bytes(of: file), let text = DocumentText(bytes, of: file, in: source)?.text else {
      return []
    }
    return entries(SidebarFile(text.split(separator: "\n").compactMap(markdown).joined(separator: "\n")).items)
  }

  /// Returns a line of a navigation file as a line of a Markdown list. A link without a text is named ``untitled``.
  private static func markdown(_ line: Substring) -> String? {
    let stars = line.prefix { $0 == "*" }
    let words = line[stars.endIndex...].trimmingBlanks
    if stars.isEmpty { return line.hasPrefix(".") && !line.hasPrefix("..") ? "# " + line.dropFirst() : nil }
    let indentation = String(repeating: "  ", count: stars.count - 1) + "- "
    guard let open = words.firstIndex(of: "["), let end = words.lastIndex(of: "]"), open < end else {
      return indentation + words
    }
    let title = words[words.index(after: open)..<end].trimmingBlanks
    let target = words[..<open].drop { $0 != ":" }.dropFirst()
    let destination = words.hasPrefix("xref:") ? target : words.hasPrefix("link:") ? target : words[..<open]
    return "\(indentation)[\(title.isEmpty ? untitled : String(title))](\(destination))"
  }

  private static let untitled = "-"

  private static func entries(_ items: [SidebarFile.Item]) -> [PageEntry] {
    items.map { item in
      var entry = PageEntry(
        title: item.title == untitled ? nil : item.title.onOneLine, children: entries(item.children))
      switch item.destination.map({ LinkTarget($0) }) {
      case .address(let address): entry.address = address
      case .file(let path, let anchor): (entry.page, entry.anchor) = (String(path.drop { $0 == "/" }), anchor)
      default: break
      }
      return entry
    }
  }
}
