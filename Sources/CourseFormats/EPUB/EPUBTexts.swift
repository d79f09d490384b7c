import LearningModel

/// Reads the pages of a book in order and assigns their text to the entries of the outline. The text is stored in a
/// temporary file, not in memory.
struct EPUBTexts {
  /// A section of an entry's text, which becomes one activity.
  struct Section {
    /// The heading at the start of the section; `nil` for the first section.
    let title: String?
    let anchor: String
    /// The names of the anchors in the section. A name consists of the path of the page and a fragment.
    let anchors: [String]
    /// For each anchor of a heading and each target, its name in the blocks of the section.
    let headings: [String: String]
    /// The page on which the entry begins.
    let path: String
    /// The first sentence.
    let summary: String
    fileprivate let number: Int
  }

  private var sections: [Int: [Section]] = [:]
  private var titleAnchors: [Int: [String]] = [:]
  private var spool: ContentSpool
  private var storedCount = 0
  /// The text of the last entry, to which pages without an entry are appended.
  private var open: EPUBText?
  /// If the current page has footnotes: the page and the total size in bytes of all sections made from it.
  private var noteBytes: (page: String, bytes: Int) = ("", 0)
  private var notes = EPUBNotes()
  private let limits: SourceLimits

  init(limits: SourceLimits) throws {
    self.limits = limits
    spool = try ContentSpool()
  }

  /// Returns the sections of an entry's text. Empty if the entry has no text of its own.
  func sections(of entry: Int) -> [Section] { sections[entry] ?? [] }

  /// Returns the anchors of headings that were removed because they repeat the title of the entry.
  func titleAnchors(of entry: Int) -> [String] { titleAnchors[entry] ?? [] }

  mutating func blocks(of part: Section) throws -> [Block] {
    guard case .reading(let blocks) = try spool.content(at: part.number) else { return [] }
    return blocks
  }

  /// Reads all pages: first those in reading order, then those that only the table of contents lists.
  mutating func read(
    _ package: EPUBPackage, _ outline: inout EPUBOutline, from files: inout EPUBFiles, findings: inout Findings
  ) throws {
    var seen: Set<String> = []
    let order = package.spine + outline.pages.map { ($0, true) }
    for (path, isLinear) in order {
      guard let page = package.page(at: path) else {
        if seen.insert(path).inserted { reportUnreadable(unreadable: path, package, &findings) }
        continue
      }
      guard seen.insert(page).inserted else { continue }
      if page == package.navigation {
        findings.countLoss("list of contents", "shown as the course's own lists")
        continue
      }
      guard let read = load(page, package, &files, &findings) else { continue }
      try addPage(read, isLinear: isLinear, package, &outline, &findings)
    }
    for path in outline.unreadable where seen.insert(path).inserted {
      reportUnreadable(unreadable: path, package, &findings)
    }
    try finish(outline, &findings)
    let left = package.pages.filter {
      !seen.contains($0) && $0 != package.navigation && package.item(at: $0)?.mediaType != "image/svg+xml"
    }
    findings.countLoss("page that is not in the reading order", "left out", count: left.count)
  }

  private func reportUnreadable(unreadable path: String, _ package: EPUBPackage, _ findings: inout Findings) {
    findings.countLoss("page that is not text", "left out")
    let type = package.item(at: path)?.mediaType ?? ""
    findings.warning(
      path, nil,
      type.isEmpty
        ? "The book does not declare its type, so it is left out."
        : "It is of the type \(quoted: type) without a readable fallback, and is left out.")
  }

  private mutating func load(
    _ path: String, _ package: EPUBPackage, _ files: inout EPUBFiles, _ findings: inout Findings
  ) -> EPUBPage? {
    do {
      return try EPUBPage(path, of: package, in: &files, notes: &notes)
    } catch CourseFormatError.fileMissing {
      findings.countLoss("missing page", "left out")
      findings.warning(package.file, nil, "The page \(quoted: path) does not exist and is left out.")
    } catch let error as CourseFormatError {
      findings.error(error)
    } catch {
      findings.error(path, nil, "It could not be read: \(error).")
    }
    return nil
  }

  // MARK: Assigning pages to entries

  private mutating func addPage(
    _ page: EPUBPage, isLinear: Bool, _ package: EPUBPackage, _ outline: inout EPUBOutline, _ findings: inout Findings
  ) throws {
    let named = outline.entries(on: page.path)
    guard !named.isEmpty || page.hasText else {
      findings.countLoss("page without text", "left out")
      let pictures = page.findings.losses.filter { $0.what == "image" }.map(\.count).reduce(0, +)
      findings.countLoss("image", "left out with its page", count: pictures)
      return
    }
    findings.add(page.findings)
    guard named.isEmpty else { return try splitPage(page, named, &outline, &findings) }
    if isLinear, open != nil {
      open?.append(page, 0..<page.blocks.count, anchors: page.anchors[...])
      return
    }
    let title = Self.title(of: page, in: package)
    let continued = open
    open = EPUBText(
      entry: outline.add(page: page.path, title: title, isInFront: isLinear), path: page.path)
    open?.append(page, 0..<page.blocks.count, anchors: page.anchors[...])
    try finish(outline, &findings)
    open = continued
  }

  /// Returns the title of a page to which no entry leads.
  private static func title(of page: EPUBPage, in package: EPUBPackage) -> String {
    if let heading = page.heading { return heading }
    if let title = page.title, title != package.title { return title }
    return PageKeys.title(of: SourcePath.stem(of: SourcePath.name(of: page.path)))
  }

  /// Assigns to each entry of a page the blocks between the entry's position and the next position.
  private mutating func splitPage(
    _ page: EPUBPage, _ named: [Int], _ outline: inout EPUBOutline, _ findings: inout Findings
  ) throws {
    var owners: [Int: Int] = [:]
    for entry in named {
      let fragment = outline.entries[entry].address?.fragment
      let place = fragment.map { page.index(of: $0) } ?? 0
      if place == nil { findings.countLoss("missing target of the table of contents", "shown as a link to its page") }
      // If several entries have the same position, the innermost entry gets the text.
      let before = owners[place ?? 0]
      if before.map({ outline.isBelow(entry, $0) }) ?? true { owners[place ?? 0] = entry }
      if outline.entries[entry].title.isEmpty {
        outline.name(entry, page.heading ?? PageKeys.title(of: SourcePath.stem(of: SourcePath.name(of: page.path))))
      }
    }
    let places = owners.keys.sorted()
    var anchors = page.anchors[...]
    func taken(before index: Int) -> ArraySlice<(name: String, index: Int)> {
      let head = anchors.prefix { $0.index < index }
      anchors = anchors[head.endIndex...]
      return head
    }
    var start = 0
    let lead = page.blocks[..<places[0]]
    // Blocks before the first position are appended to the previous text, unless they contain a heading.
    if open != nil, !lead.isEmpty, !lead.contains(where: \.isHeading) {
      open?.append(page, 0..<places[0], anchors: taken(before: places[0]))
      start = places[0]
    }
    for (number, place) in places.enumerated() {
      try finish(outline, &findings)
      let end = number + 1 < places.count ? places[number + 1] : page.blocks.count
      open = EPUBText(entry: owners[place]!, path: page.path)
      open?.append(page, start..<end, anchors: number + 1 < places.count ? taken(before: end) : anchors)
      start = end
    }
  }

  /// Splits the open text into sections and stores them.
  private mutating func finish(_ outline: EPUBOutline, _ findings: inout Findings) throws {
    guard var text = open else { return }
    open = nil
    // If the size limit has been exceeded, the remaining entries of the page are skipped.
    guard noteBytes.page != text.path || noteBytes.bytes <= limits.expandedSize else { return }
    let entry = outline.entries[text.entry]
    text.takeTitle(entry.title, mayBeEmpty: !entry.children.isEmpty)
    titleAnchors[text.entry] = text.titleAnchors
    do {
      for part in try PageSplitter.sections(of: text.parsed, file: text.path, limits: limits) {
        try checkNotes(of: part, text)
        storedCount += 1
        try spool.store(.reading(part.blocks), at: storedCount)
        // The heading at which a section begins is not part of its blocks.
        let targets = part.anchors.isEmpty ? [] : part.blocks.linkTargets
        let headings = part.anchors.compactMap { name in text.headings[name].map { (name, $0) } }
          .filter { targets.contains($0.1) }
        sections[text.entry, default: []].append(
          Section(
            title: part.title, anchor: part.anchor, anchors: part.anchors,
            headings: Dictionary(headings) { first, _ in first }, path: text.path,
            summary: FirstSentence.summary(of: part.blocks), number: storedCount))
      }
    } catch let error as CourseFormatError where error.kind == .badData {
      findings.error(error)
    }
  }

  /// Limits the total size of the sections of a page with footnotes. Each section repeats the footnotes to which it
  /// refers. A long footnote to which many sections refer would otherwise multiply the size of the book.
  private mutating func checkNotes(of part: PageSection, _ text: EPUBText) throws {
    guard text.parsed.footnotes.count > 0 else { return }
    if noteBytes.page != text.path { noteBytes = (text.path, 0) }
    noteBytes.bytes += part.blocks.plainText.utf8.count
    guard noteBytes.bytes <= limits.expandedSize else {
      throw CourseFormatError.limit(.expandedSize(limits.expandedSize), file: text.path, line: nil)
    }
  }
}

extension Block {
  fileprivate var isHeading: Bool {
    if case .heading = self { true } else { false }
  }
}

/// The text of one entry, collected from one page or from several consecutive pages.
struct EPUBText {
  /// The index of the entry in the outline.
  let entry: Int
  /// The page on which the text begins.
  let path: String
  private(set) var parsed = ParsedText()
  /// For each anchor of a heading and each target, named by the path of the page and a fragment, its name in the text.
  private(set) var headings: [String: String] = [:]
  /// The anchors of headings that were removed because they repeat the title of the entry.
  private(set) var titleAnchors: [String] = []
  private var names = Anchor.names

  init(entry: Int, path: String) {
    self.entry = entry
    self.path = path
  }

  /// Appends a part of a page.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - range: The indices of the blocks to append.
  ///   - anchors: The anchors in this range. The last range of a page includes the anchors after the last block.
  mutating func append(_ page: EPUBPage, _ range: Range<Int>, anchors: ArraySlice<(name: String, index: Int)>) {
    let shift = parsed.blocks.count - range.lowerBound
    // Links to the page lead to the section with its first block.
    if range.lowerBound == 0 { parsed.anchors[page.path] = parsed.blocks.count }
    var renamed: [Int: String] = [:]
    var targets: [String: String] = [:]
    for index in range {
      var block = page.blocks[index]
      if case .heading(let level, let words, let anchor) = block {
        // Several pages of one text may contain the same anchor.
        let name = Anchor.unique(anchor, among: &names)
        block = .heading(level: level, text: words, anchor: name)
        renamed[index] = name
      }
      if !anchors.isEmpty {
        block = block.mapTargets { target in
          let name = Anchor.unique(target, among: &names)
          targets[target] = name
          return name
        }
      }
      parsed.blocks.append(LocatedBlock(block: block, line: nil))
    }
    for anchor in anchors {
      let name = page.path + "#" + anchor.name
      parsed.anchors[name] = anchor.index + shift
      headings[name] = targets[anchor.name] ?? renamed[anchor.index]
    }
    parsed.footnotes.append(page.footnotes)
  }

  /// Removes headings at the beginning that only repeat the title.
  ///
  /// - Parameters:
  ///   - title: The title of the entry.
  ///   - mayBeEmpty: Whether the headings are removed even if no other text remains. `true` if the entry has children.
  mutating func takeTitle(_ title: String, mayBeEmpty: Bool) {
    let said = title.comparableWords
    var count = 0
    for located in parsed.blocks {
      guard case .heading(_, let words, _) = located.block, words.plainText.comparableWords.isContained(by: said) else {
        break
      }
      count += 1
    }
    guard count > 0, count < parsed.blocks.count || mayBeEmpty else { return }
    titleAnchors = parsed.anchors.filter { $0.value < count }.map(\.key).sorted()
    for anchor in titleAnchors { headings[anchor] = nil }
    parsed.blocks.removeFirst(count)
    parsed.anchors = parsed.anchors.mapValues { max(0, $0 - count) }
  }
}

extension String {
  /// The words in lower case, without punctuation.
  fileprivate var comparableWords: [String] {
    lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }
}

extension [String] {
  /// Returns whether a title contains all these words in sequence, or whether they are words with digits followed by
  /// the title.
  fileprivate func isContained(by title: [String]) -> Bool {
    if isEmpty { return true }
    if count <= title.count {
      return (0...title.count - count).contains { Array(title[$0..<$0 + count]) == self }
    }
    let front = dropLast(title.count)
    return !title.isEmpty && Array(suffix(title.count)) == title && front.allSatisfy { $0.contains(where: \.isNumber) }
  }
}

/// The footnotes of other pages to which the previous pages referred. Only a few such pages are kept, because most books
/// have all footnotes on one page.
struct EPUBNotes {
  /// The footnotes of a page.
  struct Page {
    /// The footnotes, named by the path of the page and an identifier.
    var texts = Footnotes()
    /// For each identifier, the name of the footnote that begins there.
    var identifiers: [String: (name: String, isDeclared: Bool, leads: [PageNoteScan.Address])] = [:]
  }

  private static let maximumPages = 4
  private var pages: [(path: String, page: Page)] = []

  /// Returns the footnotes of a page. Empty if the page cannot be read.
  ///
  /// Errors are ignored here. They are reported when the page is read as part of the reading order.
  mutating func page(at path: String, of package: EPUBPackage, in files: inout EPUBFiles) -> Page {
    if let stored = pages.first(where: { $0.path == path }) { return stored.page }
    let page = Self.read(path, of: package, in: &files)
    if pages.count == Self.maximumPages { pages.removeFirst() }
    pages.append((path, page))
    return page
  }

  private static func read(_ path: String, of package: EPUBPackage, in files: inout EPUBFiles) -> Page {
    guard package.page(at: path) == path, let text = try? files.text(of: path) else { return Page() }
    let limits = files.source.limits
    let page = try? XMLTree.withRoot(of: text) { root in
      let nodes = root.children.first { $0.name == "body" }?.children ?? []
      let (notes, identifiers) = PageNoteScan(nodes, of: path, limits: limits).notesOfOtherPages { path + "#" + $0 }
      guard !identifiers.isEmpty else { return Page() }
      let context = PublicationPage(
        path: path, destination: { EPUBPage.absolute($0, in: path) }, imageAddress: { _ in "" })
      let parsed = try HTMLText.parse(
        nodes, file: path, limits: limits, dialect: TextDialect(publication: context), notes: notes)
      return Page(texts: parsed.footnotes, identifiers: identifiers)
    }
    return page ?? Page()
  }
}
