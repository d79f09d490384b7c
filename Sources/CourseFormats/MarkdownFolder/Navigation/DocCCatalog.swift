import LearningModel

/// A DocC catalog of a source: its pages by name, and the text of their headings.
struct DocCCatalog {
  /// The folder, relative to the source; empty for the source itself.
  let folder: String
  /// The root page of the catalog, or `nil` if no page is marked as root.
  private(set) var root: String?
  /// The title of the root page without backticks.
  private(set) var title: String?
  /// The first paragraph of the root page.
  private(set) var summary: String?
  /// Whether the root page has more text than its first paragraph.
  private(set) var hasOverview = false
  /// The images by name, with and without extension.
  private(set) var images: [String: String] = [:]
  private var pages: [String: String] = [:]
  /// The title of each page by its name, and the text of each heading by the page's name and the heading's anchor.
  private var titles: [String: String] = [:]
  private var topics: [String: [DocCPage.Group]] = [:]

  static func all(_ files: inout NavigationFiles) -> [DocCCatalog] {
    let source = files.source
    if SourcePath.hasExtension("docc", source.name) { return [DocCCatalog("", &files)] }
    var found: [DocCCatalog] = []
    var count = 0
    // Catalogs are usually as deep as `Sources/Module/Module.docc`. One more level is searched.
    var folders = [(path: "", depth: 0)][...]
    while let (folder, depth) = folders.popFirst(), count < 2_000 {
      for entry in (try? source.entries(in: folder)) ?? [] where entry.isFolder {
        count += 1
        if SourcePath.hasExtension("docc", entry.path) {
          found.append(DocCCatalog(entry.path, &files))
        } else if depth < 3, entry.name != "Tests", !source.isExcluded(entry.path) {
          folders.append((entry.path, depth + 1))
        }
      }
    }
    return found.sorted { NaturalOrder.pathPrecedes($0.folder, $1.folder) }
  }

  private init(_ folder: String, _ files: inout NavigationFiles) {
    self.folder = folder
    var roots: [(rank: Int, path: String, page: DocCPage)] = []
    var folders = [folder]
    var count = 0
    while let inner = folders.popLast(), count < files.source.limits.entries {
      for entry in (try? files.source.entries(in: inner)) ?? [] {
        count += 1
        if entry.isFolder {
          folders.append(entry.path)
        } else if SourcePath.hasExtension("md", entry.path) {
          register(entry.path, &files, &roots)
        } else {
          registerImage(image: entry.path)
        }
      }
    }
    guard let first = roots.min(by: { ($0.rank, $0.path) < ($1.rank, $1.path) }) else { return }
    root = first.path
    title = first.page.title.map { $0.filter { $0 != "`" } }
    let paragraphs = first.page.text.split(separator: "\n", omittingEmptySubsequences: false)
      .split { $0.allSatisfy(\.isWhitespace) }.map { $0.map(\.trimmingBlanks).joined(separator: " ") }
      .filter { !$0.hasPrefix("# ") && !$0.hasPrefix("<!--") }
    summary = paragraphs.first.flatMap { $0.hasPrefix("#") ? nil : $0 }
    hasOverview = paragraphs.count > 1
  }

  private mutating func register(
    _ path: String, _ files: inout NavigationFiles, _ roots: inout [(rank: Int, path: String, page: DocCPage)]
  ) {
    let name = Self.name(path)
    if pages[name] == nil { pages[name] = path }
    guard let text = files.text(of: path) else { return }
    let page = DocCPage(text)
    topics[path] = page.topics
    if page.isRoot { roots.append((0, path, page)) }
    // The title of a module's page is the name of the module. The titles of symbols' pages contain a slash.
    if let title = page.title, title.hasPrefix("``"), !title.contains("/") { roots.append((1, path, page)) }
    for (index, heading) in page.text[...].headings(limit: 2_000).enumerated() {
      let said = heading.words.filter { $0 != "`" }
      if index == 0, heading.level == 1 { titles[name] = said }
      titles[name + "#" + Self.letters(heading.words)] = said
    }
  }

  private mutating func registerImage(image path: String) {
    let name = SourcePath.name(of: path)
    guard let dot = name.lastIndex(of: "."), !name[..<dot].hasSuffix("~dark") else { return }
    let bare = name[..<dot].replacing("~light", with: "").split(separator: "@").first.map(String.init) ?? ""
    let isLarger = name.contains("@2x") || name.contains("@3x")
    for key in [bare, bare + name[dot...]] where images[key] == nil || isLarger { images[key] = path }
  }

  /// Returns the name of a page in lower case, without folder and extension.
  private static func name(_ path: String) -> String { SourcePath.stem(of: SourcePath.name(of: path)).lowercased() }

  /// Returns the letters and digits of a heading in lower case. They are the same for a heading and its anchor,
  /// although the anchor has hyphens in place of blanks and lacks some characters.
  private static func letters(_ heading: some StringProtocol) -> String {
    heading.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// Returns whether a path is in the catalog.
  func has(_ path: String) -> Bool { folder.isEmpty || path.hasPrefix(folder + "/") }

  // MARK: Order

  /// Returns the entries for the topics of the root page. If a topic's page is missing, adds a warning.
  ///
  /// - Parameter showsRoot: Whether the root page is the first entry.
  func entries(showsRoot: Bool, _ findings: inout Findings) -> [PageEntry] {
    guard let root else { return [] }
    var seen: Set<String> = [root]
    let groups = entries(below: root, &seen, &findings, depth: 0)
    return (showsRoot && !groups.isEmpty ? [PageEntry(page: root)] : []) + groups
  }

  private func entries(
    below page: String, _ seen: inout Set<String>, _ findings: inout Findings, depth: Int
  ) -> [PageEntry] {
    guard depth < 8 else { return [] }
    var result: [PageEntry] = []
    for group in topics[page] ?? [] {
      var children: [PageEntry] = []
      for topic in group.topics {
        guard let path = pages[Self.target(topic.name).page] else {
          if !topic.isSymbol { reportMissing(topic, on: page, &findings) }
          continue
        }
        guard seen.insert(path).inserted else { continue }
        let below = entries(below: path, &seen, &findings, depth: depth + 1)
        children.append(PageEntry(page: path, children: below, line: depth == 0 ? topic.line : nil))
      }
      // On pages below the root, groups do not add a level: their pages are added directly.
      if depth > 0 || group.title == nil {
        result += children
      } else if !children.isEmpty {
        result.append(PageEntry(title: group.title, children: children))
      }
    }
    return result
  }

  private func reportMissing(_ topic: DocCPage.Topic, on page: String, _ findings: inout Findings) {
    findings.countLoss("missing page", "left out")
    findings.warning(
      page, topic.line,
      "The page \(quoted: topic.name) does not exist and is left out. Create it, or remove it from the topics.")
  }

  /// Returns the page and the anchor in a `doc:` link: `Name`, `Name#Heading`, or `/documentation/Module/Name`.
  private static func target(_ name: String) -> (page: String, anchor: String?) {
    let parts = name.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let page = parts[0].split(separator: "/").last.map { $0.lowercased() } ?? ""
    return (page, parts.count > 1 ? String(parts[1]) : nil)
  }

  // MARK: Text

  /// Returns a page of the catalog converted to the Markdown of other folders: with links by name, without topics,
  /// and with known directives.
  func markdown(_ page: String, path: String) -> String { DocCPage(page) { inline($0, on: path) }.text }

  private func inline(_ text: String, on path: String) -> String {
    guard text.contains("doc:") || text.contains("--") else { return text }
    var reader = InlineReader(text)
    while let byte = reader.peek {
      switch byte {
      case UInt8(ascii: "`"):
        if let span = reader.codeSpan(at: reader.position) {
          reader.copy(span.end - reader.position)
        } else {
          while reader.peek == byte { reader.copy(1) }
        }
      case UInt8(ascii: "<") where reader.starts(with: "<doc:"): link(&reader, on: path)
      case UInt8(ascii: "(") where reader.last == UInt8(ascii: "]") && reader.starts(with: "(doc:"):
        destination(&reader, on: path)
      // A sequence of hyphens between blanks is a dash.
      case UInt8(ascii: "-") where reader.last == UInt8(ascii: " ") && reader.starts(with: "--- "):
        reader.skip(to: reader.position + 3)
        reader.write("—")
      case UInt8(ascii: "-") where reader.last == UInt8(ascii: " ") && reader.starts(with: "-- "):
        reader.skip(to: reader.position + 2)
        reader.write("–")
      default: reader.copy(1)
      }
    }
    return reader.result
  }

  /// Converts a link such as `<doc:Name#Heading>`. The title of the target becomes the text of the link.
  private func link(_ reader: inout InlineReader, on path: String) {
    guard let end = reader.find(">", within: 400) else { return reader.copy(1) }
    let named = reader.text(from: reader.position + 5, to: end)
    let (page, anchor) = Self.target(named)
    let name = page.isEmpty ? Self.name(path) : page
    let last = (anchor ?? String(named.split(separator: "/").last ?? "")).replacing(
      "-", with: anchor == nil ? "-" : " ")
    let said = titles[anchor.map { name + "#" + Self.letters($0) } ?? name] ?? last
    reader.skip(to: end + 1)
    reader.write("[\(said.filter { !"[]".contains($0) })](<\(address(named, on: path))>)")
  }

  private func destination(_ reader: inout InlineReader, on path: String) {
    guard let end = reader.find(")", within: 400) else { return reader.copy(1) }
    let named = reader.text(from: reader.position + 5, to: end)
    reader.skip(to: end + 1)
    reader.write("(<\(address(named, on: path))>)")
  }

  private func address(_ named: String, on path: String) -> String {
    let (page, anchor) = Self.target(named)
    let name = page.isEmpty ? Self.name(path) : page
    // The page may be in another catalog, so the link is resolved later by the name of the page.
    return (pages[name].map { "/" + $0 } ?? LinkScheme.page + name)
      + (anchor.map { "#" + Anchor.make(from: $0) } ?? "")
  }
}
