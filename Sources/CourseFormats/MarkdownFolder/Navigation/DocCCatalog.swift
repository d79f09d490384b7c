import LearningModel

/// A DocC catalog of a source: its pages by their names, and what their headings say.
struct DocCCatalog {
  /// The folder, below the source; empty for the source itself.
  let folder: String
  /// The page that the others stand below; `nil` where no page says so.
  private(set) var root: String?
  /// The title of the root, without the marks of program text.
  private(set) var title: String?
  /// The first paragraph of the root.
  private(set) var summary: String?
  /// Whether the root says more than that.
  private(set) var hasOverview = false
  /// Pictures by their names, with and without extension.
  private(set) var pictures: [String: String] = [:]
  private var pages: [String: String] = [:]
  /// The words of each page's title by its name, and of each heading by name and anchor.
  private var words: [String: String] = [:]
  private var topics: [String: [DocCPage.Group]] = [:]

  /// The catalogs of a source.
  static func all(_ files: inout NavigationFiles) -> [DocCCatalog] {
    let source = files.source
    if SourcePath.hasExtension("docc", source.name) { return [DocCCatalog("", &files)] }
    var found: [DocCCatalog] = []
    var count = 0
    // As deep as `Sources/Module/Module.docc`, and one step more.
    var folders = [(path: "", depth: 0)][...]
    while let (folder, depth) = folders.popFirst(), count < 2_000 {
      for entry in (try? source.entries(in: folder)) ?? [] where entry.isFolder {
        count += 1
        if SourcePath.hasExtension("docc", entry.path) {
          found.append(DocCCatalog(entry.path, &files))
        } else if depth < 3, entry.name != "Tests", !PageFiles.isLeftOut(entry.name) {
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
          note(entry.path, &files, &roots)
        } else {
          note(picture: entry.path)
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

  private mutating func note(
    _ path: String, _ files: inout NavigationFiles, _ roots: inout [(rank: Int, path: String, page: DocCPage)]
  ) {
    let name = Self.name(path)
    if pages[name] == nil { pages[name] = path }
    guard let text = files.text(of: path) else { return }
    let page = DocCPage(text)
    topics[path] = page.topics
    if page.isRoot { roots.append((0, path, page)) }
    // The page of the module itself is called after it; its symbols' have a path behind that.
    if let title = page.title, title.hasPrefix("``"), !title.contains("/") { roots.append((1, path, page)) }
    for (index, heading) in PageHead.headings(of: page.text[...], most: 2_000).enumerated() {
      let said = heading.words.filter { $0 != "`" }
      if index == 0, heading.level == 1 { words[name] = said }
      words[name + "#" + Self.letters(heading.words)] = said
    }
  }

  private mutating func note(picture path: String) {
    let name = SourcePath.name(of: path)
    guard let dot = name.lastIndex(of: "."), !name[..<dot].hasSuffix("~dark") else { return }
    let bare = name[..<dot].replacing("~light", with: "").split(separator: "@").first.map(String.init) ?? ""
    let isLarger = name.contains("@2x") || name.contains("@3x")
    for key in [bare, bare + name[dot...]] where pictures[key] == nil || isLarger { pictures[key] = path }
  }

  /// A page's name in lower case, without folder and extension.
  private static func name(_ path: String) -> String { SourcePath.stem(of: SourcePath.name(of: path)).lowercased() }

  /// Anchors are headings with hyphens for blanks, and without some signs: what is left in either is the same.
  private static func letters(_ heading: some StringProtocol) -> String {
    heading.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// Whether a path is that of a page in it.
  func has(_ path: String) -> Bool { folder.isEmpty || path.hasPrefix(folder + "/") }

  // MARK: Order

  /// The entries that the topics of the root give; a page that is not there is a warning.
  ///
  /// - Parameter showsRoot: Whether the root is one of them, first of all.
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
          if !topic.isSymbol { noteAbsent(topic, on: page, &findings) }
          continue
        }
        guard seen.insert(path).inserted else { continue }
        let below = entries(below: path, &seen, &findings, depth: depth + 1)
        children.append(PageEntry(page: path, children: below, line: depth == 0 ? topic.line : nil))
      }
      // Below a page its groups are no level of their own.
      if depth > 0 || group.title == nil {
        result += children
      } else if !children.isEmpty {
        result.append(PageEntry(title: group.title, children: children))
      }
    }
    return result
  }

  private func noteAbsent(_ topic: DocCPage.Topic, on page: String, _ findings: inout Findings) {
    findings.lose("missing page", "left out")
    findings.warning(
      page, topic.line,
      "The page '\(topic.name)' does not exist and is left out. Write it, or take it out of the topics.")
  }

  /// The name and the anchor of what `doc:` names: `Name`, `Name#Heading`, `/documentation/Module/Name`.
  private static func target(_ name: String) -> (page: String, anchor: String?) {
    let parts = name.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let page = parts[0].split(separator: "/").last.map { $0.lowercased() } ?? ""
    return (page, parts.count > 1 ? String(parts[1]) : nil)
  }

  // MARK: Text

  /// A page of it as a page of any folder is written: links by name, no topics, known directives.
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
      // Dashes between blanks are written with hyphens.
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

  /// `<doc:Name#Heading>` has the words of what it leads to.
  private func link(_ reader: inout InlineReader, on path: String) {
    guard let end = reader.find(">", within: 400) else { return reader.copy(1) }
    let named = reader.text(from: reader.position + 5, to: end)
    let (page, anchor) = Self.target(named)
    let name = page.isEmpty ? Self.name(path) : page
    let last = (anchor ?? String(named.split(separator: "/").last ?? "")).replacing(
      "-", with: anchor == nil ? "-" : " ")
    let said = words[anchor.map { name + "#" + Self.letters($0) } ?? name] ?? last
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
    // Another catalog may have a page of that name too.
    return (pages[name].map { "/" + $0 } ?? PageMarks.pageScheme + name)
      + (anchor.map { "#" + Anchor.make(from: $0) } ?? "")
  }
}
