import LearningModel

/// A navigation that is a nested Markdown list of links, as in docsify. Items without a link are groups.
///
/// Source: docsify, "Sidebar".
struct SidebarFile: Equatable {
  struct Item: Equatable {
    /// The title as Markdown.
    var title: String
    /// The destination of the link, or `nil` for a group.
    var destination: String?
    /// The line number, from 1.
    var line: Int
    var children: [Item] = []
  }

  private(set) var items: [Item] = []

  /// The maximum nesting depth of items. Items at a greater depth become siblings.
  private static let deepest = 24

  init(_ text: String) {
    var open: [(indent: Int, path: [Int])] = []
    var fence = CodeFence()
    let references = SummaryLinks.references(in: text)
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      fence.process(line)
      guard !fence.isOpen, let (indent, words) = Self.item(line) else { continue }
      let link = SummaryLinks(words, references: references).links.first
      let title = (link?.title ?? String(words)).trimmingMarks
      guard !title.isEmpty else { continue }
      while let last = open.last, last.indent >= indent || open.count >= Self.deepest { open.removeLast() }
      let path = open.last?.path ?? []
      let place = Self.append(
        Item(title: title, destination: link?.page, line: index + 1), to: &items, path: path[...])
      open.append((indent, path + [place]))
    }
  }

  /// Returns the indentation and the text of an item. The text of a heading or of another line has no indentation, so
  /// the items after it belong to it.
  private static func item(_ line: Substring) -> (indent: Int, words: Substring)? {
    let page = PageLine(line)
    guard page.quoteDepth == 0, !page.content.isEmpty, !page.content.hasPrefix("<!--") else { return nil }
    if page.hasListMarker { return (PageLine.columns(of: line), page.content) }
    if let heading = page.heading { return (-1, heading.text) }
    let isRule = page.content.allSatisfy { "-*_ ".contains($0) }
    return isRule || page.indent > 0 ? nil : (-1, page.content)
  }

  private static func append(_ item: Item, to items: inout [Item], path: ArraySlice<Int>) -> Int {
    guard let first = path.first else {
      items.append(item)
      return items.count - 1
    }
    return append(item, to: &items[first].children, path: path.dropFirst())
  }
}

extension String {
  /// The text without emphasis around it.
  fileprivate var trimmingMarks: String {
    var text = self[...].trimmingBlanks
    for mark in ["**", "__", "*", "_"] where text.hasPrefix(mark) && text.hasSuffix(mark) && text.count > 2 * mark.count
    {
      text = text.dropFirst(mark.count).dropLast(mark.count)
    }
    return String(text)
  }
}

extension NavigationFiles {
  /// Reads `_sidebar.md` of docsify. Unlisted pages in the sidebars of its subfolders are added after its entries.
  ///
  /// Source: docsify, "Sidebar" and "Nested Sidebars".
  static func docsify(_ files: inout NavigationFiles, _ folder: String) -> FolderPlan? {
    let page = files.first(of: ["index.html"], in: folder)
    guard let file = files.first(of: ["_sidebar.md"], in: folder) else {
      guard let page, let text = files.text(of: page), text.contains("$docsify") else { return nil }
      var plan = FolderPlan(pagesFolder: folder)
      plan.program = .docsify
      return plan
    }
    guard let text = files.text(of: file) else { return nil }
    var plan = FolderPlan(file: file, pagesFolder: folder)
    plan.entries = SidebarFile(text).items.compactMap { files.docsifyEntry($0, folder: folder, file: file) }
    plan.program = .docsify
    plan.keysFolder = ""
    var listed = Set((plan.entries ?? []).flatMap(\.pages))
    // The home page is shown even if no item leads to it.
    if let home = files.first(of: ["README.md"], in: folder), listed.insert(home).inserted {
      plan.entries?.insert(PageEntry(page: home), at: 0)
    }
    for inner in (try? files.source.entries(in: folder)) ?? []
    where inner.isFolder && !Translations.isLanguage(inner.name) {
      guard let file = files.first(of: ["_sidebar.md"], in: inner.path), let text = files.text(of: file) else {
        continue
      }
      let entries = SidebarFile(text).items.compactMap { files.docsifyEntry($0, folder: folder, file: file) }
      let others = PageEntry.withoutRepetitions(entries, listed: &listed)
      guard others.contains(where: { !$0.pages.isEmpty }) else { continue }
      plan.entries?.append(PageEntry(folder: inner.path, children: others))
    }
    return plan
  }

  private mutating func docsifyEntry(_ item: SidebarFile.Item, folder: String, file: String) -> PageEntry? {
    let children = item.children.compactMap { docsifyEntry($0, folder: folder, file: file) }
    guard let destination = item.destination, !destination.isEmpty else {
      return children.isEmpty ? nil : PageEntry(title: item.title.onOneLine, children: children, line: item.line)
    }
    // Destinations are relative to the sidebar, and those with a leading slash to the folder of the site.
    let target = LinkSpelling.converted(destination)
    let base = target.hasPrefix("/") ? folder : SourcePath.folder(of: file)
    let path = target.hasPrefix("/") ? String(target.drop { $0 == "/" }) : target
    var own = entry(page: path, title: item.title, in: base, file: file, line: item.line)
    own?.children = children
    return own
  }

  /// Reads `_toctree.yml` of Hugging Face, which is in the folder or in one of its folders for a language.
  ///
  /// Source: Hugging Face doc-builder, "Writing documentation", `_toctree.yml`.
  static func huggingFace(_ files: inout NavigationFiles, _ folder: String) -> FolderPlan? {
    var candidates = [(folder: folder, language: String?.none)]
    for outer in ["", "chapters", "units", "source"].map({ SourcePath.join(folder, $0) }) {
      let inner = ((try? files.source.entries(in: outer)) ?? []).filter {
        $0.isFolder && Translations.isLanguage($0.name)
      }
      let names = inner.map(\.name).filter { files.source.hasFile(SourcePath.join(outer, $0) + "/_toctree.yml") }
      if let name = names.first(where: { $0 == "en" }) ?? names.min() {
        candidates.append((SourcePath.join(outer, name), name))
      }
    }
    for (folder, language) in candidates {
      guard let file = files.first(of: ["_toctree.yml", "_toctree.yaml"], in: folder), let tree = files.tree(of: file)
      else { continue }
      var plan = FolderPlan(file: file, language: language, pagesFolder: folder)
      plan.entries = files.tocItems(tree.items, folder: folder, file: file)
      plan.program = .huggingFace
      plan.keysFolder = ""
      return plan
    }
    return nil
  }
}
