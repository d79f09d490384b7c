import CourseKit
import Foundation
import LearningModel
import Snapshots
import TestSupport
import Testing

@testable import CoursePages

#if canImport(FoundationXML)
import FoundationXML
#endif

struct CourseSiteTests {
  private static let digest = String(repeating: "a1", count: 32)
  private static let drawing = String(repeating: "b2", count: 32)
  private static let sound = String(repeating: "c3", count: 32)
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0]

  private static func course() throws -> ExportedCourse {
    let size = StoredImage.PixelSize(width: 30, height: 20)
    let image = try #require(StoredImage(digest: digest, size: size))
    let drawing = try #require(StoredImage(digest: drawing, size: nil))
    let sound = try #require(StoredImage(digest: sound, size: nil))
    let text: [Block] = [
      .heading(level: 1, text: .words("Flour"), anchor: "flour"),
      .paragraph([
        .text("Take "), .math("x^2"), .text(" of it[1], as in "),
        .link(destination: "waymark:text-1#why-1", text: .words("the quiz")), .text(" or "),
        .link(destination: "https://example.org/?a&b", text: .words("the web")), .text("."),
      ]),
      .paragraph([
        .image(source: "a.png", alternative: "A loaf", stored: image),
        .image(source: "b.svg", alternative: "A mill", stored: drawing),
        .image(source: "https://example.org/c.png", alternative: "not stored"),
        .image(source: "d.mp3", alternative: "The mill", stored: sound),
      ]),
      .code(language: "swift", text: "let a = \"<b>\""), .math("\\frac{a}{b}"),
      .heading(level: 2, text: .words("Water & salt"), anchor: "water--salt"),
      .table(
        alignments: [.left, .right], header: [.words("g"), .words("%")], rows: [[.words("500"), .words("100")]]),
      .rule, .paragraph(.words("[1] More for rye.")),
    ]
    let quiz = ActivityContent.quiz(
      introduction: [],
      questions: [
        QuizQuestion(
          question: .words("Why salt?"), details: [],
          choices: [
            .init(text: .words("Taste"), isRight: true), .init(text: .words("Colour"), isRight: false),
          ], explanation: [.paragraph(.words("Secret reason."))])
      ])
    let cards = ActivityContent.flashcards(
      introduction: [.paragraph(.words("Two cards."))],
      cards: [
        Flashcard(front: .words("crumb"), back: [.paragraph(.words("The inside."))], isReversed: true),
        Flashcard(front: .words("{{c1::Yeast}} eats sugar."), back: []),
      ])
    return .ofTexts(
      [
        ("What you need", .reading(text)), ("Quiz", quiz), ("Words", cards),
        ("More", .link(destination: "https://example.org", text: [.paragraph(.words("A page."))])),
      ],
      images: [Self.digest: png, Self.drawing: Array("<svg><script>alert(1)</script></svg>".utf8), Self.sound: [1, 2]])
  }

  @Test func `a text becomes a page with its navigation`() throws {
    let files = try WrittenFiles(site: Self.course())

    expectSnapshot(files["baking/dough/what-you-need.html"])
  }

  @Test func `each node becomes a page, next to the images, the search and the style sheet`() throws {
    let files = try WrittenFiles(site: Self.course())

    #expect(
      files.paths == [
        "baking/dough/index.html", "baking/dough/more.html", "baking/dough/quiz.html",
        "baking/dough/what-you-need.html", "baking/dough/words.html", "baking/index.html",
        "files/\(Self.digest.prefix(20)).png", "files/\(Self.sound.prefix(20)).mp3", "files/pages.js",
        "files/search.js", "files/style.css", "index.html", "search.html",
      ])
    expectSnapshot(files["index.html"], "course")
    expectSnapshot(files["search.html"], "search")
  }

  @Test func `answers are collapsed, and are not part of the search`() throws {
    let files = try WrittenFiles(site: Self.course())

    let quiz = files["baking/dough/quiz.html"]
    let cards = files["baking/dough/words.html"]
    let index = files["files/pages.js"]
    #expect(
      quiz.contains("<details>\n<summary>Answer</summary>\n<ul>\n<li><p>Taste</p></li>\n</ul>\n<p>Secret reason.</p>"))
    #expect(cards.contains("<details>\n<summary>crumb</summary>\n<p>The inside.</p>\n</details>"))
    #expect(
      cards.contains("<summary><strong>[…]</strong> eats sugar.</summary>\n<p><strong>Yeast</strong> eats sugar.</p>"),
      "\(cards)")
    #expect(index.contains("Why salt? Taste Colour") && index.contains("crumb"))
    #expect(!index.contains("Secret") && !index.contains("inside") && !index.contains("Yeast"))
  }

  @Test func `the page of an exercise shows the files to edit, and collapses other files, hints and the solution`()
    throws
  {
    let files = try WrittenFiles(site: SiteExercise.course.course)

    expectSnapshot(files["baking/dough/sum.html"])
    #expect(files["files/pages.js"].contains("Use +.") && !files["files/pages.js"].contains("Write +."))
  }

  @Test func `links lead to existing pages and headings`() throws {
    let files = try WrittenFiles(site: Self.course())

    expectNoBrokenLinks(files)
  }

  @Test func `pages contain no scripts, styles or addresses of a hostile course`() throws {
    let attack = "\"><script>alert(1)</script><img src=x onerror=alert(1)>"
    let links = ["javascript:alert(1)", "data:text/html,<script>", "vbscript:x", "file:///etc/passwd", " javascript:x"]
    let blocks: [Block] =
      [
        .heading(level: 2, text: .words(attack), anchor: attack), .code(language: attack, text: attack),
        .math("\\text{\(attack)}"), .paragraph([.target(attack), .key(attack), .code(attack), .math(attack)]),
        .details(summary: .words(attack), blocks: []), .tabs([ContentTab(label: .words(attack), blocks: [])]),
        .admonition(Admonition(kind: .box, title: .words(attack), blocks: [])),
        .orderedList(start: 1, items: [ListItem(number: "a'; x", blocks: [])]),
      ]
      + links.map {
        .paragraph([.link(destination: $0, text: .words(attack)), .image(source: $0, alternative: attack)])
      }
    let course = ExportedCourse.ofTexts(
      [(attack, .reading(blocks)), (attack, .link(destination: "javascript:alert(1)", text: blocks))], course: attack)

    let files = try WrittenFiles(site: course)

    for page in files.pages {
      let inventory = try Inventory(page: files[page])
      let isSearch = page == "search.html"
      #expect(inventory.scripts == (isSearch ? ["files/pages.js", "files/search.js"] : []))
      #expect(inventory.attributes.filter { $0.hasPrefix("on") } == [])
      #expect(inventory.addresses.filter { $0.contains(":") && !$0.hasPrefix("https:") && $0 != "#page:text" } == [])
      #expect(files[page].contains("default-src 'none'") && files[page].contains("script-src") == isSearch)
    }
    #expect(files.pages.count == 6)
    expectNoBrokenLinks(files)
  }

  @Test func `an SVG image is part of the page, where its scripts do not run`() throws {
    let page = try WrittenFiles(site: Self.course())["baking/dough/what-you-need.html"]

    let data = Data("<svg><script>alert(1)</script></svg>".utf8).base64EncodedString()
    #expect(page.contains("<img src=\"data:image/svg+xml;base64,\(data)\" alt=\"A mill\"/>"))
  }

  @Test func `names are valid and unique on every file system`() throws {
    let titles = [
      "CON", "nul", "com1", "Index", "index", "Search", "a/../b", "..", "é è", "E e", "第一章", "第二章", "ΑΒΓ", "",
      String(repeating: "long word ", count: 40), String(repeating: "long word ", count: 41), "\u{202E}evil", "a:b*c?",
    ]
    var nodes = [DraftNode(parent: nil, key: "c", kind: .course, title: "Names")]
    for (index, title) in (["files", "search"] + titles).enumerated() {
      nodes.append(DraftNode(parent: 0, key: "g\(index)", kind: .goal, title: title))
    }
    var parent = 1
    for depth in 0..<12 {
      nodes.append(DraftNode(parent: parent, key: "l\(depth)", kind: .lesson, title: titles[14]))
      parent = nodes.count - 1
      for (index, title) in titles.enumerated() {
        nodes.append(
          DraftNode(parent: parent, key: "a\(depth)-\(index)", kind: .activity, title: title, type: .reading))
      }
    }

    let files = try WrittenFiles(
      site: ExportedCourse(nodes: nodes, language: nil, contents: IllustratedContents(contents: [:])))

    let name = /[a-z0-9]+(-[a-z0-9]+)*(\.html|\.js|\.css)?/
    let devices: Set<Substring> = ["con", "nul", "com1"]
    let names = files.paths.flatMap { $0.split(separator: "/") }
    #expect(names.allSatisfy { $0.wholeMatch(of: name) != nil && !devices.contains($0.prefix { $0 != "." }) })
    #expect(files.pages.count == nodes.count + 1)
    #expect(files.paths.map(\.count).max() ?? 0 < 200)
    expectNoBrokenLinks(files)
  }

  @Test func `the side of a text lists its whole lesson, the lessons of its goal and the goals`() throws {
    var nodes = [DraftNode(parent: nil, key: "c", kind: .course, title: "Bread")]
    for goal in 1...3 {
      nodes.append(DraftNode(parent: 0, key: "g\(goal)", kind: .goal, title: "Goal \(goal)"))
      let parent = nodes.count - 1
      for lesson in 1...2 {
        nodes.append(
          DraftNode(parent: parent, key: "l\(goal)\(lesson)", kind: .lesson, title: "Lesson \(goal)\(lesson)"))
        let parent = nodes.count - 1
        for text in 1...(goal == 2 ? 40 : 120) {
          let title = "Text \(goal)\(lesson)-\(text)"
          nodes.append(DraftNode(parent: parent, key: title, kind: .activity, title: title, type: .reading))
        }
      }
    }
    let files = try WrittenFiles(
      site: ExportedCourse(nodes: nodes, language: nil, contents: IllustratedContents(contents: [:])))
    func sidebar(_ path: String) throws -> [String] {
      let page = files[path]
      let start = try #require(page.range(of: "<nav class=\"sidebar\"")?.upperBound)
      let end = try #require(page[start...].range(of: "</nav>")?.lowerBound)
      return page[start..<end].matches(of: /<a href="[^"]*"([^>]*)>([^<]*)</).map { String($0.output.1 + $0.output.2) }
    }

    let whole = try sidebar("goal-2/lesson-21/text-21-1.html")
    let cut = try sidebar("goal-3/lesson-32/text-32-90.html")

    #expect(
      whole
        == ["Bread", "Goal 1", "Goal 2", "Lesson 21", " aria-current=\"page\"Text 21-1"]
        + (2...40).map { "Text 21-\($0)" } + ["Lesson 22", "Goal 3"])
    #expect(
      cut
        == ["Bread", "Goal 1", "Goal 2", "Goal 3", "Lesson 31", "Lesson 32", "… 20 more"]
        + (21...120).map { ($0 == 90 ? " aria-current=\"page\"" : "") + "Text 32-\($0)" })
    expectNoBrokenLinks(files)
  }

  @Test func `the size of all pages grows with the number of texts, and not with its square`() throws {
    func size(_ count: Int) throws -> Int {
      let files = try WrittenFiles(
        site: .ofTexts((0..<count).map { ("Text \($0)", .reading([.paragraph(.words("A b c."))])) }))
      #expect(files.pages.count == count + 4)
      return files.bytes.values.reduce(0) { $0 + $1.count }
    }

    let (small, large) = (try size(1_000), try size(10_000))

    #expect(large < small * 11)
  }

  @Test(.enabled(if: HTML5Parser.isAvailable, "the Python package html5lib is missing; 'make test' installs it"))
  func `a parser of HTML reports no errors`() throws {
    let files = try WrittenFiles(site: Self.course())
    let folder = try TemporaryFolder()
    for (index, page) in files.pages.enumerated() {
      try folder.write(Data(files.bytes[page] ?? []), to: "\(index).html")
    }

    #expect(try HTML5Parser.errors(in: files.pages.indices.map { folder.file("\($0).html") }) == "")
  }

  private func expectNoBrokenLinks(_ files: WrittenFiles, location: SourceLocation = #_sourceLocation) {
    do {
      var identifiers: [String: Set<String>] = [:]
      var addresses: [String: [String]] = [:]
      for page in files.pages {
        let inventory = try Inventory(page: files[page])
        #expect(Set(inventory.identifiers).count == inventory.identifiers.count, sourceLocation: location)
        (identifiers[page], addresses[page]) = (Set(inventory.identifiers), inventory.addresses)
      }
      for (page, addresses) in addresses {
        for address in addresses where !address.hasPrefix("https:") && !address.hasPrefix("data:") {
          let parts = address.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
          var folder = page.split(separator: "/").dropLast().map(String.init)
          for part in parts[0].split(separator: "/") {
            if part == ".." { folder.removeLast() } else { folder.append(String(part)) }
          }
          let target = parts[0].isEmpty ? page : folder.joined(separator: "/")
          #expect(files.bytes[target] != nil, "\(page): \(address)", sourceLocation: location)
          if parts.count > 1, let name = parts[1].removingPercentEncoding {
            #expect(identifiers[target]?.contains(name) == true, "\(page): \(address)", sourceLocation: location)
          }
        }
      }
    } catch {
      Issue.record(error, sourceLocation: location)
    }
  }
}

/// The elements of a page that lead to other files or could run a script.
private final class Inventory: NSObject, XMLParserDelegate {
  private(set) var identifiers: [String] = []
  private(set) var addresses: [String] = []
  private(set) var scripts: [String] = []
  private(set) var attributes: Set<String> = []

  /// - Throws: The error of the parser if the page is not well-formed.
  init(page: String) throws {
    super.init()
    let parser = XMLParser(data: Data(page.utf8))
    parser.delegate = self
    guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes values: [String: String]
  ) {
    identifiers += values["id"].map { [$0] } ?? []
    addresses += [values["href"], values["src"]].compactMap(\.self)
    if name == "script" { scripts.append(values["src"] ?? "inline") }
    attributes.formUnion(values.keys)
  }
}

/// The parser of the Python package html5lib, which reports the errors of the HTML standard.
private enum HTML5Parser {
  static let python = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../.build/test-python/bin/python").standardizedFileURL
  static let isAvailable = (try? run(["-c", "import html5lib"])) != nil

  static func errors(in files: [String]) throws -> String {
    let program = """
      import html5lib, sys
      for name in sys.argv[1:]:
        parser = html5lib.HTMLParser()
        parser.parse(open(name, 'rb'))
        for position, code, values in parser.errors: print(name, position, code, values)
      """
    return try run(["-c", program] + files)
  }

  private static func run(_ arguments: [String]) throws -> String {
    let process = Process()
    (process.executableURL, process.arguments) = (python, arguments)
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    return String(decoding: text, as: UTF8.self)
  }
}
