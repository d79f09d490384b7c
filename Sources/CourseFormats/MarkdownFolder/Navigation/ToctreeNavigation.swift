import LearningModel

/// The order of the pages in a folder for Sphinx, read from the `toctree` directives of its pages in MyST or
/// reStructuredText.
///
/// Sources: Sphinx, "Directives", `toctree`; MyST-Parser, "Organising content".
struct ToctreeNavigation {
  private var files: NavigationFiles
  private let top: String
  private var visited: Set<String> = []

  /// The maximum depth of pages that list other pages.
  private static let deepest = 24

  /// Returns the plan for a folder whose start page lists other pages, or `nil` if there is no such page.
  static func plan(_ files: inout NavigationFiles, _ folder: String) -> FolderPlan? {
    let starts = ["index", "contents", "README", "intro"].flatMap { name in ["md", "ipynb"].map { "\(name).\($0)" } }
    for start in starts.map({ SourcePath.join(folder, $0) }) where files.source.hasFile(start) {
      guard SourcePath.hasExtension("md", start), let text = files.text(of: start), text.contains("toctree") else {
        continue
      }
      var navigation = ToctreeNavigation(files: files, top: folder, visited: [start])
      let entries = navigation.entries(of: text, on: start, depth: 0)
      files = navigation.files
      guard !entries.isEmpty else { continue }
      var listed: Set<String> = [start]
      var plan = FolderPlan(file: start, pagesFolder: folder)
      plan.entries = [PageEntry(page: start)] + PageEntry.withoutRepetitions(entries, listed: &listed)
      plan.program = .myst
      // Keys contain the whole path, as in earlier versions of Waymark.
      plan.keysFolder = ""
      return plan
    }
    return nil
  }

  /// Returns the plan for a folder of reStructuredText. The start page is an `index.rst` or `contents.rst` in the same
  /// folder as a `conf.py`. If there is no such page, any `index.rst` or `contents.rst` can be the start page. If
  /// several pages can be the start page, the page at the highest level is used.
  static func plan(ofDocuments pages: [String], in source: CourseSource) -> FolderPlan {
    let starts = pages.filter { ["index.rst", "contents.rst"].contains(SourcePath.name(of: $0)) }
    let depth = { (path: String) in path.utf8.count { $0 == UInt8(ascii: "/") } }
    let configured = starts.filter { source.hasFile(SourcePath.join(SourcePath.folder(of: $0), "conf.py")) }
    var files = NavigationFiles(source)
    guard let start = (configured.isEmpty ? starts : configured).min(by: { (depth($0), $0) < (depth($1), $1) }),
      let text = files.text(of: start)
    else { return FolderPlan() }
    var navigation = ToctreeNavigation(files: files, top: SourcePath.folder(of: start), visited: [start])
    let entries = navigation.entries(of: text, on: start, depth: 0)
    guard !entries.isEmpty else { return FolderPlan() }
    var listed: Set<String> = [start]
    var plan = FolderPlan(pagesFolder: SourcePath.folder(of: start))
    plan.entries = [PageEntry(page: start)] + PageEntry.withoutRepetitions(entries, listed: &listed)
    return plan
  }

  private mutating func entries(of text: String, on page: String, depth: Int) -> [PageEntry] {
    guard depth < Self.deepest else { return [] }
    let trees = Toctree.all(in: text)
    return trees.flatMap { tree -> [PageEntry] in
      var entries = tree.lines.flatMap { self.entries($0.text, line: $0.number, on: page, depth: depth) }
      if tree.isReversed { entries.reverse() }
      guard let caption = tree.caption, trees.count > 1, !entries.isEmpty else { return entries }
      return [PageEntry(title: caption, children: entries, line: depth == 0 ? tree.line : nil)]
    }
  }

  private mutating func entries(_ line: String, line number: Int, on page: String, depth: Int) -> [PageEntry] {
    var (name, title): (String, String?) = (line, nil)
    if line.hasSuffix(">"), let open = line.lastIndex(of: "<"), open > line.startIndex {
      title = String(line[..<open]).onOneLine
      name = String(line[line.index(after: open)...].dropLast())
    }
    if name == "self" { return [] }
    let folder = name.hasPrefix("/") ? top : SourcePath.folder(of: page)
    let bare = String(name.drop { $0 == "/" })
    if bare.contains("*") { return files.globbed(bare, folder: folder).map { completed($0, depth: depth) } }
    guard var entry = files.entry(page: bare, title: title, in: folder, file: page, line: depth == 0 ? number : nil)
    else { return [] }
    if let path = entry.page, !PageName.isPage(path) {
      let document = ["rst", "txt"].map { path + "." + $0 }.first(where: files.source.hasFile)
      // Some pages of reStructuredText are generated, so missing pages are not reported.
      if document == nil, SourcePath.hasExtension("rst", page), !files.source.hasFile(path) { return [] }
      entry.page = document ?? path
    }
    return [completed(entry, depth: depth)]
  }

  private mutating func completed(_ entry: PageEntry, depth: Int) -> PageEntry {
    var own = entry
    guard let page = entry.page, SourcePath.hasExtension("md", page) || SourcePath.hasExtension("rst", page),
      visited.insert(page).inserted,
      let text = files.text(of: page), text.contains("toctree")
    else { return own }
    own.children = entries(of: text, on: page, depth: depth + 1)
    return own
  }
}

/// A `toctree` directive of a Markdown page.
struct Toctree: Equatable {
  struct Line: Equatable {
    let text: String
    let number: Int
  }

  var caption: String?
  var isReversed = false
  /// The line number of the directive, from 1.
  var line: Int
  var lines: [Line] = []

  /// Returns all directives of a page: `{toctree}` between backticks, tildes or colons, and `.. toctree::` in
  /// reStructuredText inside Markdown.
  static func all(in text: String) -> [Toctree] {
    var trees: [Toctree] = []
    /// The characters that close the directive, or `nil` outside of a directive.
    var fence: Substring?
    /// Whether the fence encloses other text, such as an example.
    var isExample = false
    /// The indentation of a directive in reStructuredText.
    var indentation: Int?
    var isInOptions = false
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let bare = line.trimmingBlanks
      if let open = fence {
        if bare.hasPrefix(open), bare.allSatisfy({ $0 == open.first }) {
          fence = nil
        } else if !isExample {
          trees[trees.count - 1].add(bare, number: index + 1, isInOptions: &isInOptions)
        }
        continue
      }
      if let outer = indentation, !bare.isEmpty {
        if line.prefix(while: { $0 == " " }).count > outer {
          trees[trees.count - 1].add(bare, number: index + 1, isInOptions: &isInOptions)
          continue
        }
        indentation = nil
      }
      if bare == ".. toctree::" {
        indentation = line.prefix { $0 == " " }.count
        trees.append(Toctree(line: index + 1))
      } else if let mark = bare.first, "`~:".contains(mark) {
        let marks = bare.prefix { $0 == mark }
        let name = bare[marks.endIndex...].trimmingBlanks
        guard marks.count >= 3 else { continue }
        isExample = !name.hasPrefix("{toctree}")
        // Colons, and reStructuredText inside Markdown, may contain directives.
        if isExample, mark == ":" || name.hasPrefix("{eval-rst}") || name.isEmpty { continue }
        fence = marks
        if isExample { continue }
        trees.append(Toctree(line: index + 1))
      }
    }
    return trees
  }

  private mutating func add(_ line: Substring, number: Int, isInOptions: inout Bool) {
    if line == "---" {
      isInOptions.toggle()
    } else if isInOptions || line.first == ":" {
      let option = line.drop { $0 == ":" }
      guard let colon = option.firstIndex(of: ":") else { return }
      let value = option[option.index(after: colon)...].trimmingBlanks
      switch option[..<colon] {
      case "caption": caption = value.isEmpty ? nil : String(value).quoteless.onOneLine
      case "reversed": isReversed = value != "false"
      default: break
      }
    } else if !line.isEmpty, !line.hasPrefix("%") {
      lines.append(Line(text: String(line), number: number))
    }
  }
}
