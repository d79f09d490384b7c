import CourseFormats
import Foundation
import LearningModel
import Testing

private let samples = ProcessInfo.processInfo.environment["WAYMARK_SAMPLES"]

/// Tests with real folders of Markdown, which are not part of this project. `WAYMARK_SAMPLES` is the folder that
/// contains `markdown`.
@Suite(.enabled(if: samples != nil, "WAYMARK_SAMPLES does not name the folder of samples"))
struct MarkdownSamplesTests {
  private static let names = [
    "carpentries-shell-novice", "hugo-docs", "jupyterbook-scientific-python", "mkdocs-cs-self-learning",
  ]

  /// Read once for all tests, because the folders are large.
  private static let drafts = names.map { name in
    Result { try FormatRegistry.read(CourseSource(path: samples! + "/markdown/" + name), from: "markdown") }
  }

  private func folder(_ name: String) throws -> String { try #require(samples) + "/markdown/" + name }

  private func read(_ name: String) throws -> CourseDraft {
    try Self.drafts[#require(Self.names.firstIndex(of: name))].get()
  }

  // MARK: Whole courses

  @Test(arguments: [
    ("carpentries-shell-novice", ContentCounts(course: 1, goal: 4, lesson: 13, activity: 27)),
    ("hugo-docs", ContentCounts(course: 1, goal: 3, lesson: 28, activity: 28)),
    ("jupyterbook-scientific-python", ContentCounts(course: 1, goal: 4, lesson: 31, activity: 38)),
    ("mkdocs-cs-self-learning", ContentCounts(course: 1, goal: 29, lesson: 143, activity: 148)),
  ])
  func `each sample is read without errors`(_ name: String, _ counts: ContentCounts) throws {
    let draft = try read(name)

    #expect(!draft.isRefused)
    #expect(draft.counts == counts)
    #expect(Set(draft.nodes.map(\.key)).count == draft.nodes.count)
  }

  @Test(arguments: names) func `every Markdown file of a sample becomes a lesson or is counted`(_ name: String) throws {
    let all = try FileManager.default.subpathsOfDirectory(atPath: folder(name))
    let files = all.filter { $0.hasSuffix(".md") }

    let draft = try read(name)

    let withText = Set(draft.nodes.indices.filter { draft.nodes[$0].kind == .activity }.map { draft.nodes[$0].parent })
    let lost = draft.losses.filter {
      ["translation", "draft", "page without a text", "page that others include"].contains($0.what)
    }.map(\.count)
    #expect(withText.count + lost.reduce(0, +) == files.count)
  }

  @Test(arguments: names) func `no markup of a site generator remains in a sample`(_ name: String) throws {
    for content in try read(name).allContents() { #expect(content.rawMarks() == []) }
  }

  @Test func `activities of The Carpentries take 3 to 15 minutes`() throws {
    let words = try read("carpentries-shell-novice").allContents().map { content in
      content.plainText.split(whereSeparator: \.isWhitespace).count
    }

    // 3 to 15 minutes at 150 words of prose and code per minute.
    #expect(words.count { (450...2_250).contains($0) } * 100 >= words.count * 88)
    #expect(words.max()! <= 2_400)
  }

  // MARK: Navigation

  /// The path of a Python with PyYAML and MkDocs 1.6, which reads the navigation for comparison.
  private static let python = ProcessInfo.processInfo.environment["WAYMARK_ORACLE_PYTHON"]

  private struct Entry: Hashable, Codable {
    var above: [String]
    var page: String
  }

  private func oracle(_ kind: String, _ name: String) throws -> [Entry] {
    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.python))
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "navigation-oracle.py")
    process.arguments = [script.path, kind, try folder(name)]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return try data.split(separator: 0x0A).map { try JSONDecoder().decode(Entry.self, from: $0) }
  }

  /// Returns the lessons with text, in order, with the titles of the groups and the keys of the pages above each.
  private func entries(_ draft: CourseDraft) -> [Entry] {
    let withText = Set(draft.nodes.indices.filter { draft.nodes[$0].kind == .activity }.map { draft.nodes[$0].parent })
    return draft.nodes.indices.filter { withText.contains($0) }.compactMap { index in
      var above: [String] = []
      var parent = draft.nodes[index].parent
      while let next = parent, let node = Optional(draft.nodes[next]), node.kind != .course {
        if node.key == "also/" { return nil }
        // A goal shared by adjacent pages is not part of the author's navigation.
        if !node.key.hasSuffix("!") { above.insert(node.key.hasSuffix("/") ? node.title : node.key, at: 0) }
        parent = node.parent
      }
      return Entry(above: above, page: draft.nodes[index].key)
    }
  }

  @Test(
    .enabled(if: python != nil, "WAYMARK_ORACLE_PYTHON does not name a Python with PyYAML and MkDocs"),
    arguments: [
      ("mkdocs", "mkdocs-cs-self-learning", "docs/"), ("toc", "jupyterbook-scientific-python", ""),
      ("carpentries", "carpentries-shell-novice", ""), ("hugo", "hugo-docs", "content/en/"),
    ])
  func `every existing page of the navigation keeps its order and nesting`(
    _ kind: String, _ name: String, _ pages: String
  ) throws {
    func key(_ page: String) -> String {
      page.hasSuffix(".md") ? String(page.dropLast(3)).replacing(/(^|\/)\d+[-_. ]+(?=\p{L})/) { $0.1 } : page
    }
    let named = try oracle(kind, name)
    let expected = try named.filter { entry in
      FileManager.default.fileExists(atPath: try folder(name) + "/" + pages + entry.page)
    }

    let draft = try read(name)

    #expect(
      entries(draft) == expected.map { Entry(above: $0.above.map(key), page: key($0.page)) })
    let missing = draft.losses.first { $0.what == "missing page" }?.count ?? 0
    #expect(missing == named.count - expected.count)
  }

  // MARK: Losses

  /// Returns the number of lines in a sample's files that match a pattern.
  private func count(_ pattern: String, in name: String, below: String = "") throws -> Int {
    let pattern = try Regex(pattern)
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder(name)).filter {
      $0.hasSuffix(".md") && $0.hasPrefix(below)
    }
    return try files.map { file in
      try String(contentsOfFile: folder(name) + "/" + file, encoding: .utf8).split(separator: "\n")
        .count { $0.firstMatch(of: pattern) != nil }
    }.reduce(0, +)
  }

  @Test func `the boxes of The Carpentries are shown, with collapsed solutions`() throws {
    let name = "carpentries-shell-novice"
    let blocks = try read(name).allContents().flatMap(\.allBlocks)

    #expect(blocks.count { $0.frameHeading?.hasPrefix("Challenge") == true } == (try count("^:+ *challenge", in: name)))
    #expect(blocks.count { $0.isDetails } == (try count("^:+ *(solution|spoiler)", in: name)))
    #expect(blocks.count { $0.frameHeading == "Objectives" } == (try count("^:+ *objectives", in: name)))
  }

  @Test func `the cells, exercises and solutions of Jupyter Book are converted`() throws {
    let name = "jupyterbook-scientific-python"
    let draft = try read(name)
    let blocks = try draft.allContents().flatMap(\.allBlocks)
    func lost(_ what: String) -> Int { draft.losses.first { $0.what == what }?.count ?? 0 }

    // Listings and fences of plain Python are code like cells.
    let written = try count("^ *```+ *(\\{code-cell\\}|python *$)", in: name)
    #expect(blocks.count { $0.language == "python" } + lost("hidden cell") == written)
    #expect(
      blocks.count { $0.frameHeading?.hasPrefix("Exercise") == true } == (try count("\\{exercise-start\\}", in: name)))
    #expect(
      blocks.count { $0.isDetails && $0.plainText.hasPrefix("Solution") }
        == (try count("\\{solution-start\\}", in: name)))
    #expect(lost("computed figure") == (try count("\\{glue\\}", in: name)))
  }

  @Test func `the shortcodes of a Hugo sample are converted or counted`() throws {
    let name = "hugo-docs"
    let draft = try read(name)
    func lost(_ what: String) -> Int { draft.losses.first { $0.what == what }?.count ?? 0 }

    #expect(lost("missing include") == (try count("^\\{\\{% include", in: name)))
    #expect(lost("shortcode 'glossary-term'") == (try count("^\\{\\{% glossary-term", in: name)))
    #expect(lost("image") == (try count("\\{\\{< img", in: name)))
  }
}

extension ActivityContent {
  /// All blocks of a text, including nested ones.
  fileprivate var allBlocks: [Block] {
    guard case .reading(let blocks) = self else { return [] }
    return blocks.flatMap(\.withInner)
  }
}

extension Block {
  fileprivate var withInner: [Block] {
    [self]
      + children.flatMap { part -> [Block] in
        if case .blocks(let blocks) = part { blocks.flatMap(\.withInner) } else { [] }
      }
  }

  fileprivate var isDetails: Bool { if case .details = self { true } else { false } }
  fileprivate var language: String? { if case .code(let language, _) = self { language } else { nil } }

  /// The heading of a frame.
  fileprivate var frameHeading: String? {
    if case .admonition(let frame) = self { frame.heading.plainText } else { nil }
  }
}
