package import CourseKit
import Foundation
import LearningModel
import TextCanvas

/// Writes a course as a web site that needs no server and, except for its search, no script.
///
/// Each node becomes a page. Addresses are relative, so that the site can be opened from a folder. Texts of the course are
/// escaped, and a policy in each page forbids scripts and files of other sites.
///
/// Source: W3C, "Content Security Policy Level 3".
package struct CourseSite {
  private let course: ExportedCourse
  private let files: CourseFiles

  /// The folder of the style sheet, the scripts and the images.
  private static let folder = "files"
  private static let searchPage = "search.html"
  /// The maximum number of nodes of each level that the side of a page lists.
  private static let listedSiblings = 100
  /// The maximum number of bytes of all texts in the search.
  private static let searchedBytes = 8 << 20

  /// Plans the pages of a course.
  package init(_ course: ExportedCourse) {
    self.course = course
    files = CourseFiles(course.nodes, layout: .site, reserved: ["index", "search", Self.folder])
  }

  /// Writes the files of the site.
  ///
  /// - Parameter write: Receives each file with its path, which is relative to the folder of the site.
  /// - Throws: The errors of `write`, and an error if a content cannot be read.
  package func write(to write: @escaping (_ path: String, _ bytes: [UInt8]) throws -> Void) throws {
    var references = CourseReferences(of: course, files, folder: Self.folder, embedsDrawings: true, write: write)
    let texts = files.nodes.indices.filter { files.nodes[$0].kind == .activity }
    let limit = max(200, Self.searchedBytes / max(1, texts.count))
    var entries: [String] = []
    for (index, node) in files.nodes.enumerated() {
      guard node.kind == .activity else {
        try write(files.paths[index], Array(page(ofContents: index).utf8))
        continue
      }
      let content = try course.contents.content(at: index)
      let pageBlocks = try content.pageBlocks { try course.contents.bytes(of: $0) }
      let blocks = try PageText(page: index).prepared(pageBlocks, &references)
      try write(files.paths[index], Array(page(of: index, content.type, blocks).utf8))
      let text = String(content.textWithoutAnswers.prefix(limit)).split(whereSeparator: \.isWhitespace)
      let entry = [node.title, files.paths[index], ancestors(of: index).map(title).joined(separator: " › ")]
      entries.append("[" + (entry + [text.joined(separator: " ")]).map(\.quotedInJSON).joined(separator: ",") + "]")
    }
    try write(Self.searchPage, Array(searchPage().utf8))
    let list = "\"use strict\";\nconst pages = [\n" + entries.joined(separator: ",\n") + "\n];\n"
    try write(Self.folder + "/pages.js", Array(list.utf8))
    try write(Self.folder + "/search.js", PackageResources.search_js)
    try write(Self.folder + "/style.css", PackageResources.style_css)
  }

  // MARK: Pages

  private func page(of index: Int, _ type: ActivityType, _ blocks: [Block]) -> String {
    let node = files.nodes[index]
    let facts = [Self.name(of: type), node.minutes.map { DisplayFormat.about(minutes: $0) }].compactMap(\.self)
    return document(
      title: node.title, at: index,
      main: """
        <article>
        \(title(of: node))\(facts.isEmpty ? "" : "<p class=\"facts\">\(facts.joined(separator: " · "))</p>\n")\
        \(HTMLWriter(isForSite: true).text(blocks))
        </article>
        \(steps(from: index))
        """, before: sidebar(of: index), after: headings(in: blocks))
  }

  /// Returns the page of a course, goal or lesson: its summary and its contents.
  private func page(ofContents index: Int) -> String {
    let node = files.nodes[index]
    return document(
      title: node.title, at: index,
      main: """
        \(title(of: node))<nav aria-label="Contents">
        \(contents(of: index, from: index, depth: 3))
        </nav>
        \(steps(from: index))
        """)
  }

  private func title(of node: DraftNode) -> String {
    "<h1>\(node.title.escapedForXML())</h1>\n"
      + (node.summary.isEmpty ? "" : "<p class=\"summary\">\(node.summary.escapedForXML())</p>\n")
  }

  private func searchPage() -> String {
    document(
      title: "Search", at: nil,
      main: """
        <h1>Search</h1>
        <noscript><p>The search needs JavaScript. All other pages work without it.</p></noscript>
        <input type="search" id="query" aria-label="Search" autocomplete="off" autofocus=""/>
        <p id="count" role="status"></p>
        <ol id="results"></ol>
        <script src="\(Self.folder)/pages.js"></script>
        <script src="\(Self.folder)/search.js"></script>
        """)
  }

  /// Returns a complete page.
  ///
  /// - Parameter index: The node of the page, or `nil` for the search, which is next to the page of the course.
  private func document(title: String, at index: Int?, main: String, before: String = "", after: String = "") -> String
  {
    let page = index ?? 0
    let name = course.nodes[0].title
    let language = course.language.map { " lang=\"\($0.escapedForXML())\"" } ?? ""
    let trail = (index == nil ? [0] : ancestors(of: page)).map { "<li>\(link(to: $0, from: page))</li>" }
    let policy =
      "default-src 'none'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; media-src 'self'; "
      + (index == nil ? "script-src 'self'; " : "") + "base-uri 'none'; form-action 'none'"
    return """
      <!DOCTYPE html>
      <html\(language)>
      <head>
      <meta charset="utf-8"/>
      <meta http-equiv="Content-Security-Policy" content="\(policy)"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="referrer" content="no-referrer"/>
      <title>\((title == name ? name : "\(title) – \(name)").escapedForXML())</title>
      <link rel="stylesheet" href="\(files.address(of: Self.folder + "/style.css", from: page))"/>
      </head>
      <body>
      <a class="skip" href="#page:text">Skip to the text</a>
      <header>
      <nav aria-label="Breadcrumb"><ol>\(trail.joined())</ol></nav>
      <a href="\(files.address(of: Self.searchPage, from: page))" rel="search">Search</a>
      </header>
      <div class="columns">
      \(before)<main id="page:text">
      \(main)
      </main>
      \(after)</div>
      </body>
      </html>

      """
  }

  private static func name(of type: ActivityType) -> String? {
    switch type {
    case .reading: nil
    case .flashcards: "Flashcards"
    case .quiz: "Quiz"
    case .link: "Link"
    case .exercise: "Exercise"
    }
  }

  // MARK: Navigation

  private func title(_ index: Int) -> String { files.nodes[index].title }

  /// Returns the only text of a lesson if both have the same title, which is then listed in place of the lesson.
  private func listed(_ index: Int) -> Int {
    let children = files.children[index]
    return children.count == 1 && title(children[0]) == title(index) ? listed(children[0]) : index
  }

  /// Returns the ancestors of a node that are listed, from the course.
  private func ancestors(of index: Int) -> [Int] {
    var ancestors: [Int] = []
    var next = files.nodes[index].parent
    while let ancestor = next {
      if listed(ancestor) == ancestor || ancestor == 0 { ancestors.append(ancestor) }
      next = files.nodes[ancestor].parent
    }
    return ancestors.reversed()
  }

  private func link(to target: Int, from page: Int, attributes: String = "") -> String {
    let address = files.address(of: files.paths[target], from: page)
    return "<a href=\"\(address)\"\(attributes)>\(title(target).escapedForXML())</a>"
  }

  /// Returns the nodes below a node as nested lists. Each page lists a limited number of levels, so that the size of all
  /// pages together is proportional to the number of nodes.
  private func contents(of index: Int, from page: Int, depth: Int) -> String {
    let items = files.children[index].map(listed).map { child in
      let summary = files.nodes[child].summary
      return "<li>\(link(to: child, from: page))"
        + (summary.isEmpty ? "" : " <span class=\"summary\">\(summary.escapedForXML())</span>")
        + (depth > 1 ? contents(of: child, from: page, depth: depth - 1) : "") + "</li>"
    }
    return items.isEmpty ? "" : "\n<ol class=\"contents\">\n\(items.joined(separator: "\n"))\n</ol>\n"
  }

  /// Returns the contents of the course around a text: its siblings, and the siblings of each ancestor. A level with one
  /// node is left out.
  private func sidebar(of index: Int) -> String {
    var path = [index]
    while let parent = files.nodes[path[0]].parent { path.insert(parent, at: 0) }
    return """
      <nav class="sidebar" aria-label="Contents of the course">
      <p>\(link(to: path[0], from: index))</p>
      \(sidebarList(below: path[...]))
      </nav>

      """
  }

  /// Returns the children of the first node of a path as a list. Below the next node of the path are its children. If the
  /// children are too many, those next to that node are listed, with links to the page that lists all.
  private func sidebarList(below path: ArraySlice<Int>) -> String {
    guard let parent = path.first, let child = path.dropFirst().first, let page = path.last else { return "" }
    let siblings = files.children[parent]
    let inner = listed(child) == page ? "" : sidebarList(below: path.dropFirst())
    if siblings.count == 1, !inner.isEmpty { return inner }
    let count = min(siblings.count, Self.listedSiblings)
    let start = min(max(0, files.positions[child] - 1 - count / 2), siblings.count - count)
    func rest(_ count: Int) -> [String] {
      let address = files.address(of: files.paths[parent], from: page)
      return count == 0 ? [] : ["<li><a href=\"\(address)\">… \(count) more</a></li>"]
    }
    let items = siblings[start..<start + count].map { sibling in
      let isPage = listed(sibling) == page
      let link = link(to: listed(sibling), from: page, attributes: isPage ? " aria-current=\"page\"" : "")
      return "<li>\(link)\(sibling == child ? inner : "")</li>"
    }
    let all = rest(start) + items + rest(siblings.count - start - count)
    return "\n<ul>\n\(all.joined(separator: "\n"))\n</ul>\n"
  }

  /// Returns links to the previous and the next text.
  private func steps(from index: Int) -> String {
    let isText = { (node: Int) in files.nodes[node].kind == .activity }
    let isOfText = isText(index)
    let previous = isOfText ? files.nodes[..<index].indices.last(where: isText) : nil
    let next = files.nodes[(index + 1)...].indices.first(where: isText)
    let links =
      (previous.map { ["<span>Previous: \(link(to: $0, from: index, attributes: " rel=\"prev\""))</span>"] } ?? [])
      + (next.map {
        ["<span>\(isOfText ? "Next" : "Start"): \(link(to: $0, from: index, attributes: " rel=\"next\""))</span>"]
      } ?? [])
    return links.isEmpty ? "" : "<nav class=\"steps\" aria-label=\"Previous and next\">\(links.joined())</nav>"
  }

  /// Returns links to the headings of a text, unless it has fewer than two.
  private func headings(in blocks: [Block]) -> String {
    var items: [String] = []
    blocks.visit {
      guard case .heading(let level, let text, let anchor) = $0, !anchor.isEmpty else { return }
      let address = "#" + CourseFiles.encoded(anchor)
      items.append("<li class=\"level-\(level)\"><a href=\"\(address)\">\(text.plainText.escapedForXML())</a></li>")
    } inline: { _ in
    }
    guard items.count > 1 else { return "" }
    return """
      <nav class="headings" aria-label="On this page">
      <p>On this page</p>
      <ul>\(items.joined(separator: "\n"))</ul>
      </nav>

      """
  }
}

/// Prepares the text of one page: links and images get the addresses of files, and each identifier occurs once.
private struct PageText {
  let page: Int

  func prepared(_ blocks: [Block], _ references: inout CourseReferences) throws -> [Block] {
    var identifiers: Set<String> = []
    var top = 6
    blocks.visit {
      if case .heading(let level, _, _) = $0 { top = min(top, level) }
    } inline: { _ in
    }
    func target(_ name: String) -> [Inline] { identifiers.insert(name).inserted ? [.target(name)] : [] }
    func line(_ inlines: [Inline]) throws -> [Inline] {
      try inlines.flatMap { inline -> [Inline] in
        switch inline {
        case .target(let name): return target(CourseReferences.identifier(name))
        case .image(_, let alternative, _):
          return [try references.located(inline, from: page) ?? .text(inline.soundName ?? alternative)]
        case .link(let destination, let text):
          let text = try line(text)
          func link(_ address: String) -> [Inline] { [.link(destination: address, text: text)] }
          if let number = FootnoteLink.number(of: destination) {
            return target("reference:\(number)") + link(destination)
          }
          if let number = FootnoteLink.backlinkNumber(destination) {
            return target("note:\(number)") + link(destination)
          }
          return try references.address(destination, from: page).map(link) ?? text
        default: return [try inline.mapChildren(line)]
        }
      }
    }
    func prepared(_ blocks: [Block]) throws -> [Block] {
      try blocks.map { block in
        guard case .heading(let level, let text, let anchor) = block else {
          return try block.mapChildren(line: line, blocks: prepared)
        }
        let name = CourseReferences.identifier(anchor)
        let isNew = !name.isEmpty && identifiers.insert(name).inserted
        // The title of the page is the only heading of the first level.
        return .heading(level: min(6, level + max(0, 2 - top)), text: try line(text), anchor: isNew ? name : "")
      }
    }
    return try prepared(blocks)
  }
}

extension ActivityContent {
  /// Returns the blocks of a page. Answers are collapsed.
  ///
  /// - Parameter bytes: Returns the content of a file of an exercise.
  fileprivate func pageBlocks(bytes: (ExerciseFile) throws -> [UInt8]?) rethrows -> [Block] {
    switch self {
    case .reading, .link: readBlocks.withFootnoteLinks
    case .flashcards(let introduction, let cards): introduction + cards.flatMap(\.pageBlocks)
    case .quiz(let introduction, let questions, _): introduction + questions.flatMap(\.pageBlocks)
    case .exercise(let exercise): try exercise.siteBlocks(bytes: bytes).withFootnoteLinks
    }
  }

  /// The text for the search, without the backs of cards and the explanations of questions.
  fileprivate var textWithoutAnswers: String {
    switch self {
    case .reading, .link, .exercise: searchedText
    case .flashcards(let introduction, let cards):
      (introduction + cards.flatMap { card in card.variants.prefix(1).flatMap { card.faces($0).question } }).plainText
    case .quiz(let introduction, let questions, _):
      (introduction + questions.flatMap { [.paragraph($0.question)] + $0.details + $0.choiceList { $0 } }).plainText
    }
  }
}

extension Flashcard {
  /// Each card as a collapsed section whose summary is the question. The cards from back to front are left out.
  fileprivate var pageBlocks: [Block] {
    variants.filter { $0 != .reversed }.map { variant in
      let faces = faces(variant)
      let line: [Inline] = if case .paragraph(let line)? = faces.question.first { line } else { [] }
      return .details(summary: line, blocks: faces.answer)
    }
  }
}

extension QuizQuestion {
  fileprivate func choiceList(_ filter: ([Choice]) -> [Choice]) -> [Block] {
    let items = filter(choices).map { ListItem(blocks: [.paragraph($0.text)]) }
    return items.isEmpty ? [] : [.bulletList(items: items)]
  }

  fileprivate var pageBlocks: [Block] {
    [.heading(level: 2, text: question, anchor: "")] + details + choiceList { $0 } + [
      .details(summary: [.text("Answer")], blocks: choiceList { $0.filter(\.isRight) } + explanation)
    ]
  }
}
