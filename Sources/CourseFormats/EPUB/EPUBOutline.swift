import LearningModel

/// The entries of a book: those of its table of contents, and one for each page that stands before or beside them.
struct EPUBOutline {
  /// One entry.
  struct Entry {
    var title: String
    /// Where its text begins; `nil` where it leads to no page that can be read.
    var address: EPUBAddress?
    /// Its key as a node: the path of its page below the package, and the place in it; empty where it leads nowhere.
    var key: String
    /// Where it leads out of the book.
    var link: String?
    var parent: Int?
    var children: [Int] = []
  }

  private(set) var entries: [Entry] = []
  private var main: [Int] = []
  private var before: [Int] = []
  private var beside: [Int] = []
  private var byPage: [String: [Int]] = [:]
  /// The pages that entries lead to, in their order.
  private(set) var pages: [String] = []
  /// What entries lead to and cannot be read, in their order.
  private(set) var unreadable: [String] = []
  private let folder: String

  /// Takes a table of contents.
  init(_ contents: [EPUBEntry], of package: EPUBPackage) {
    folder = SourcePath.folder(of: package.file)
    main = contents.map { add($0, parent: nil, package) }
  }

  private mutating func add(_ entry: EPUBEntry, parent: Int?, _ package: EPUBPackage) -> Int {
    let index = entries.count
    let page = entry.address.flatMap { package.page(at: $0.path) }
    entries.append(
      Entry(
        title: entry.title, address: page.map { EPUBAddress(path: $0, fragment: entry.address?.fragment) },
        key: entry.address.map(key) ?? "", link: entry.link, parent: parent))
    if let page { note(index, on: page) } else if let address = entry.address { unreadable.append(address.path) }
    entries[index].children = entry.children.map { add($0, parent: index, package) }
    return index
  }

  private mutating func note(_ index: Int, on page: String) {
    if byPage[page] == nil { pages.append(page) }
    byPage[page, default: []].append(index)
  }

  /// The path of a page below the folder of the package, so that a folder that is called otherwise changes no key.
  private func key(of address: EPUBAddress) -> String {
    let path = address.path
    let inside =
      folder.isEmpty
      ? path : path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.utf8.count + 1)) : "../" + path
    return inside + (address.fragment.map { "#" + $0 } ?? "")
  }

  /// The entries that lead to a page, in their order.
  func entries(on page: String) -> [Int] { byPage[page] ?? [] }

  /// The entry that has the text of each key: of several with one key, the innermost or the first.
  func owners(hasText: (Int) -> Bool) -> [String: Int] {
    Dictionary(entries.indices.filter(hasText).map { (entries[$0].key, $0) }) { first, _ in first }
  }

  /// Whether an entry stands below another one.
  func isBelow(_ inner: Int, _ outer: Int) -> Bool {
    var parent = entries[inner].parent
    while let above = parent {
      if above == outer { return true }
      parent = entries[above].parent
    }
    return false
  }

  /// Adds an entry for a page that none leads to: in front of all, or behind them.
  mutating func add(page: String, title: String, isInFront: Bool) -> Int {
    let address = EPUBAddress(path: page, fragment: nil)
    entries.append(Entry(title: title, address: address, key: key(of: address)))
    if isInFront { before.append(entries.count - 1) } else { beside.append(entries.count - 1) }
    return entries.count - 1
  }

  /// Gives an entry without words a title.
  mutating func name(_ index: Int, _ title: String) { entries[index].title = title }

  // MARK: What becomes nodes

  /// The entries that have a text or hold such: the book's own in its order, and those that stand beside it.
  ///
  /// - Parameters:
  ///   - hasText: Whether an entry has a text of its own.
  ///   - findings: Where the others are counted.
  func pageEntries(
    hasText: (Int) -> Bool, findings: inout Findings
  ) -> (main: [PageEntry], beside: [PageEntry]) {
    let front = before.compactMap { made($0, hasText, &findings) }
    let titles = TellingTitles.titles(
      front.map { $0.title ?? "" },
      names: front.map { PageKeys.title(of: SourcePath.stem(of: SourcePath.name(of: $0.page ?? ""))) })
    let named = zip(front, titles).map { entry, title in
      var entry = entry
      entry.title = title
      return entry
    }
    let main = main.compactMap { made($0, hasText, &findings) }
    return (named + main, beside.compactMap { made($0, hasText, &findings) })
  }

  private func made(_ index: Int, _ hasText: (Int) -> Bool, _ findings: inout Findings) -> PageEntry? {
    let entry = entries[index]
    var made = PageEntry(title: entry.title.isEmpty ? "Untitled" : entry.title, address: entry.link)
    if hasText(index) { made.page = entry.key } else if entry.link == nil { made.folder = groupKey(of: index) }
    for child in entry.children {
      if let child = self.made(child, hasText, &findings) { made.children.append(child) }
    }
    guard made.isGroup, made.children.isEmpty else { return made }
    findings.lose("entry of the contents without a text of its own", "left out")
    return nil
  }

  /// What tells a group from others: where it leads, else its titles from the top down.
  private func groupKey(of index: Int) -> String {
    let entry = entries[index]
    guard entry.key.isEmpty else { return entry.key + "!" }
    let above = entry.parent.map { groupKey(of: $0) + "/" } ?? ""
    return above + Slug.make(from: entry.title, fallback: "part") + "!"
  }
}
