import CourseFormats
import Foundation
import LearningModel
import Testing

private let samples = ProcessInfo.processInfo.environment["WAYMARK_SAMPLES"]

/// Tests with real books and the W3C's tests of reading systems, which are not part of this project.
/// `WAYMARK_SAMPLES` is the folder that contains `epub3` and `epub-w3c`; `reference/oracles/epub-ebooklib.json` is
/// next to it.
@Suite(.enabled(if: samples != nil, "WAYMARK_SAMPLES does not name the folder of samples"))
struct EPUBSamplesTests {
  private static let books = ["childrens-literature", "internallinks", "pride-and-prejudice"]

  private static var tests: [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: (samples ?? "") + "/epub-w3c")
    return (names ?? []).filter { $0.hasSuffix(".epub") }.map { String($0.dropLast(5)) }.sorted()
  }

  private func path(_ name: String) throws -> String {
    let folder = try #require(samples)
    return name.hasPrefix("w3c-") ? "\(folder)/epub-w3c/\(name).epub" : "\(folder)/epub3/\(name)"
  }

  private func read(_ name: String) throws -> CourseDraft {
    try FormatRegistry.read(CourseSource(path: path(name)))
  }

  // MARK: The table of contents

  private struct Oracle: Decodable {
    struct Entry: Decodable {
      let title: String
      let href: String
      let children: [Entry]?
    }
    let title: String?
    let toc: [Entry]?
  }

  /// An entry of the table of contents that has a target, with the title of its parent.
  private struct Line: Hashable {
    let title: String
    let href: String
    let parent: String?
  }

  private func lines(_ entries: [Oracle.Entry], parent: String? = nil) -> [Line] {
    entries.flatMap { entry -> [Line] in
      let words = entry.title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      // ebooklib does not read the descriptions of images.
      let title = words.isEmpty ? "Description of the Abbey of Sénanque" : words
      let own = entry.href.isEmpty ? [] : [Line(title: title, href: entry.href, parent: parent)]
      return own + lines(entry.children ?? [], parent: title)
    }
  }

  @Test(arguments: books + tests) func `the table of contents equals the output of ebooklib`(_ name: String) throws {
    let file = URL(filePath: try #require(samples)).deletingLastPathComponent()
      .appending(path: "reference/oracles/epub-ebooklib.json")
    let all = try JSONDecoder().decode([String: Oracle].self, from: Data(contentsOf: file))
    // ebooklib fails for three of the books, and four were not run.
    guard let oracle = all[name], let entries = oracle.toc else { return }

    let draft = try read(name)

    // ebooklib does not read the first of several packages.
    #expect(draft.nodes[0].title == (name == "w3c-ocf-package_multiple" ? "ocf-package_multiple" : oracle.title))
    var expected = lines(entries)
    if entries.count == 1, let root = entries.first, root.children?.isEmpty == false {
      // A single root is skipped.
      expected = lines(root.children ?? [])
    }
    // If the text of a parent entry is only its title, the goal replaces it.
    let keys = Set(draft.nodes.map(\.key))
    expected = expected.filter { line in
      keys.contains(line.href) || !draft.nodes.contains { $0.key == line.href + "!" && $0.title == line.title }
    }
    let lessons = draft.nodes.filter { $0.kind == .lesson && !$0.key.hasSuffix("!") }
    #expect(lessons.map { "\($0.title) → \($0.key)" } == expected.map { "\($0.title) → \($0.href)" })
    for (line, lesson) in zip(expected, lessons) {
      var above: [String] = []
      var next = lesson.parent
      while let index = next {
        above.append(draft.nodes[index].title)
        next = draft.nodes[index].parent
      }
      if let parent = line.parent { #expect(above.contains(parent)) } else { #expect(above.count == 2) }
    }
  }

  @Test(arguments: [
    ("childrens-literature", ContentCounts(course: 1, goal: 10, lesson: 21, activity: 26)),
    ("internallinks", ContentCounts(course: 1, goal: 5, lesson: 16, activity: 16)),
    ("pride-and-prejudice", ContentCounts(course: 1, goal: 8, lesson: 65, activity: 65)),
  ])
  func `each sample book is read without warnings`(_ name: String, _ counts: ContentCounts) throws {
    let draft = try read(name)

    #expect(draft.said == [])
    #expect(draft.counts == counts)
    #expect(Set(draft.nodes.map(\.key)).count == draft.nodes.count)
  }

  @Test func `a novel is divided into goals of ten chapters, with separate front and back matter`() throws {
    #expect(
      try read("pride-and-prejudice").nodes.filter { $0.kind == .goal }.map(\.title) == [
        "Titlepage – Imprint", "I – X", "XI – XX", "XXI – XXX", "XXXI – XL", "XLI – L", "LI – LXI",
        "Colophon – Uncopyright",
      ])
  }

  // MARK: Losses

  /// Returns the pages of a sample as written, without tables of contents.
  private func pages(_ name: String) throws -> [String] {
    var folder = URL(filePath: try path(name))
    let unpacked = try TestFolder(name: "book")
    if name.hasPrefix("w3c-") {
      let unzip = Process()
      unzip.executableURL = URL(filePath: "/usr/bin/env")
      unzip.arguments = ["unzip", "-qo", folder.path, "-d", unpacked.path]
      try unzip.run()
      unzip.waitUntilExit()
      folder = unpacked.url
    }
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
      .filter {
        let file = URL(filePath: $0).lastPathComponent
        // A page may be an SVG image.
        return file == "content_001.svg"
          || file.hasSuffix("html") && !["nav.xhtml", "toc.xhtml", "foo.xhtml"].contains(file)
      }
      .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
  }

  @Test(arguments: books + tests.filter { !$0.contains("package_") })
  func `every element of a page is shown or counted as a loss`(_ name: String) throws {
    let draft = try read(name)
    let text = try pages(name).joined(separator: "\n")
    func lost(_ what: String, _ treatment: String = "") -> Int {
      draft.losses.filter { $0.what == what && $0.treatment.hasPrefix(treatment) }.map(\.count).reduce(0, +)
    }
    var pictures = 0
    var links = 0
    var formulas = 0
    for content in try draft.allContents() {
      guard case .reading(let blocks) = content else { continue }
      let found = sketch(blocks).joined(separator: "\n")
      formulas += content.formulaSources.count
      pictures += found.matches(of: /!\[/).count
      links += found.matches(of: /\]\((waymark:|http|mailto:)/).count
    }

    let kept = try draft.digests().count
    let drawings = text.matches(of: /<svg\b/).count - text.matches(of: /<image\b/).count - lost("drawing")
    #expect(text.matches(of: /<img\b/).count + drawings == kept + lost("image"))
    let shown = ["image", "drawing"].map { lost($0, "shown as ") }.reduce(0, +)
    #expect(pictures == kept + shown)
    #expect(text.matches(of: /<math\b/).count == formulas)
    #expect(text.matches(of: /<(audio|video)\b/).count == lost("sound") + lost("video"))
    #expect(text.matches(of: /epub:type="pagebreak"/).count == lost("page number of the printed edition"))
    let notes = text.matches(of: /epub:type="(noteref|annoref)"/).count
    #expect(
      text.matches(of: /<a\s[^>]*href/).count
        == links + notes + ["linked file", "broken link", "unsafe link"].map { lost($0) }.reduce(0, +))
  }

  // MARK: The W3C's tests

  /// The text that each passing W3C test must show and the text that it must not show.
  private static let verdicts: [(test: String, shows: String, hides: String)] = [
    ("cnt-mathml-support", "x = (a + b)²", "x=a+b"),
    ("cnt-xhtml-support", "Test passes if you see this.", "fails"),
    ("nav-activation", "Test passes if the navigation link leads here.", "fails"),
    ("nav-spine_in-spine-hidden-toc-html", "Hello", "rendered in the spine. Only one item"),
    ("ocf-metainf-manifest", "Test passes if only this page of the book is accessible", "fails"),
    ("ocf-metainf-inc", "can be accessed without any error", "fails"),
    ("ocf-package_arbitrary", "Test passes if you see this.", "fails"),
    ("ocf-package_multiple", "Test passes if you see this.", "fails"),
    ("ocf-url_manifest", "Test passes if this page opens.", "fails"),
    ("ocf-url_relative", "Test passes if this page opens.", "fails"),
    ("ocf-url_link-relative", "](media/imgs/monastery.jpg)", "../"),
    ("ocf-url_link-path-absolute", "](media/imgs/monastery.jpg)", "(/"),
    ("ocf-url_link-leaking-relative", "](media/imgs/monastery.jpg)", "../"),
    ("pub-external-links", "[External Links](https://www.w3.org/", "fails"),
    ("pub-external-links_consent", "(mailto:public-epub-wg@w3.org)", "fails"),
    ("pub-file-urls", "Iframe referring to", "(file:"),
    ("pub-foreign_image", "](EPUB/Snowflake.png)", ".psd"),
    ("pub-foreign_json-spine", "Test passes if you see this text.", "Ishmael"),
    ("pub-foreign_xml-spine", "Test passes if you see this text.", "Ishmael"),
    ("pub-foreign_xml-suffix-spine", "Test passes if you see this text.", "Ishmael"),
    ("pub-xml-external-id", "Test passes unless a failure statement", "xxe"),
    ("pub-xml-non-validating_comment", "the invalid navigation document is not included", "see this nav document"),
    ("pub-data-urls_browsing-context", "![]()", "base64"),
  ]

  @Test(arguments: verdicts.indices) func `each W3C test shows the text that it requires`(_ index: Int) throws {
    let verdict = Self.verdicts[index]
    let draft = try read("w3c-" + verdict.test)
    let text = try draft.allContents().map { content -> String in
      guard case .reading(let blocks) = content else { return "" }
      return (sketch(blocks) + [blocks.plainText]).joined(separator: "\n")
    }.joined(separator: "\n")

    #expect(text.contains(verdict.shows), "\(verdict.test)")
    #expect(!text.contains(verdict.hides), "\(verdict.test)")
  }

  @Test func `a page that is not XML is reported with the line`() throws {
    #expect(
      try read("w3c-pub-xml-names").said == [
        "warning EPUB/content_001.xhtml:6: The page is not well-formed XML (Failed to parse QName 'p:'), and was read "
          + "like HTML. Correct this line."
      ])
    #expect(
      try read("w3c-pub-xml-non-validating_unclosed").said.first?.hasPrefix("warning EPUB/content_001.xhtml:8: ")
        == true)
  }

  @Test func `a book whose only page cannot be read is rejected`() throws {
    #expect(
      try read("w3c-pub-foreign_bad-fallback").said == [
        "warning EPUB/foo.dmg: It is of the type 'application/octet-stream' without a readable fallback, and is left "
          + "out.",
        "error EPUB/package.opf: No page of the book has a text that can be read.",
      ])
  }
}
