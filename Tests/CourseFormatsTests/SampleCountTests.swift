import CourseFormats
import Foundation
import LearningModel
import Testing

private let samples = ProcessInfo.processInfo.environment["WAYMARK_SAMPLES"]

/// Compares the content of real Markdown courses with independent counts in their files: every element is either
/// shown or counted as a loss.
@Suite(.enabled(if: samples != nil, "WAYMARK_SAMPLES does not name the folder of samples"))
struct SampleCountTests {
  /// Returns the pages of a course as written, without code and comments. Directives are kept.
  private func pages(_ name: String) throws -> [String] { try files(name).map { withoutCode($0) } }

  private func files(_ name: String) throws -> [String] {
    let folder = try #require(samples) + "/" + name
    return try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
      .filter { $0.hasSuffix(".md") && !$0.hasSuffix(".en.md") && !$0.hasPrefix("_") }
      .map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8).replacing(#/(?s)<!--.*?-->/#, with: "") }
  }

  private func withoutCode(_ text: String) -> String {
    var fences = 0
    return withoutFences(text, &fences).replacing(#/(?s)(`+)[^`].*?\1/#, with: "")
  }

  /// - Parameter fences: Incremented for each fenced code block.
  private func withoutFences(_ text: String, _ fences: inout Int) -> String {
    var lines: [Substring] = []
    var fence: Substring?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let opening = line.firstMatch(of: #/^[ \t>]*(?:[-*+] +|\d+[.)] +)?[ \t>]*(`{3,}|~{3,})(.*)$/#)
      if let open = fence {
        if let mark = opening?.1, mark.first == open.first, mark.count >= open.count,
          opening!.2.allSatisfy(\.isWhitespace)
        {
          fence = nil
        }
      } else if let opening, opening.2.firstMatch(of: #/^\s*\{[a-z]+\}/#) == nil || opening.2.hasPrefix("{code") {
        fence = opening.1
        fences += 1
      } else {
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n")
  }

  private func pictures(in contents: [ActivityContent]) -> Int {
    contents.map { content in
      guard case .reading(let blocks) = content else { return 0 }
      return sketch(blocks).joined(separator: "\n").matches(of: #/!\[[^\]]*\]\(/#).count
    }.reduce(0, +)
  }

  @Test(arguments: written) func `every image in a sample is an image in a text`(_ name: String) throws {
    let written = try pages(name).map { page in
      page.matches(of: #/!\[[^\]]*\][\(\[]|<img\b|\{\{< img|```\{(?:figure|image)\}/#).count
    }.reduce(0, +)

    let draft = try FormatRegistry.read(CourseSource(path: #require(samples) + "/" + name))

    #expect(try pictures(in: draft.allContents()) == written)
  }

  private static let written = [
    "markdown/carpentries-shell-novice", "markdown/hugo-docs", "markdown/jupyterbook-scientific-python",
    "markdown/mkdocs-cs-self-learning", "mdbook/rust-book",
  ]

  /// Returns all blocks of a course, including nested ones.
  private func blocks(of draft: CourseDraft) throws -> [Block] {
    func all(_ blocks: [Block]) -> [Block] {
      blocks.flatMap { block -> [Block] in
        let inner = block.children.flatMap { part -> [Block] in
          if case .blocks(let inner) = part { all(inner) } else { [] }
        }
        return [block] + inner
      }
    }
    return try draft.allContents().flatMap { content -> [Block] in
      guard case .reading(let blocks) = content else { return [] }
      return all(blocks)
    }
  }

  @Test(arguments: written) func `every code block and table in a sample is shown or counted as a loss`(_ name: String)
    throws
  {
    var fences = 0
    let pages = try files(name).map { withoutFences($0, &fences) }
    func count(_ pattern: Regex<Substring>) -> Int { pages.map { $0.matches(of: pattern).count }.reduce(0, +) }

    let draft = try FormatRegistry.read(CourseSource(path: #require(samples) + "/" + name))
    let shown = try blocks(of: draft)

    // The sample contains a licence that is indented by spaces.
    let indented = name.hasSuffix("hugo-docs") ? 2 : 0
    let hidden = draft.losses.first { $0.what == "hidden cell" }?.count ?? 0
    #expect(
      fences + count(#/<pre>|\{\{< code-toggle/#) + indented == shown.count {
        if case .code = $0 { true } else { false }
      } + hidden)
    let rules = count(#/(?m)^[ >\t]*\|?[ :]*-{2,}[ :|-]*\|[ :|-]*$/#)
    #expect(rules + count(#/\{list-table\}/#) == shown.count { if case .table = $0 { true } else { false } })
  }

  @Test(arguments: written) func `every heading in a sample is a heading or a title`(_ name: String)
    throws
  {
    /// Returns the letters and digits of a heading without markup and attributes.
    func letters(_ words: String) -> String {
      words.replacing(#/\{[^}]*\}\s*$|\{[a-z]+\}(?=`)|<[^>]*>/#, with: "").replacing(#/\]\([^)]*\)/#, with: "")
        .filter { $0.isLetter || $0.isNumber }
    }
    // The first heading of a page is its title, for which the table of contents may have another text.
    var fences = 0
    let written = try files(name).flatMap { page in
      withoutFences(page, &fences).matches(of: #/(?m)^#{1,6} +(.*?)[ #]*$/#).dropFirst().map { letters(String($0.1)) }
    }

    let draft = try FormatRegistry.read(CourseSource(path: #require(samples) + "/" + name))
    var shown = Set(draft.nodes.map { letters($0.title) })
    for block in try blocks(of: draft) {
      switch block {
      case .heading(_, let text, _), .details(let text, _): shown.insert(letters(text.plainText))
      case .admonition(let box):
        // "Exercise: Loops"
        let title = box.title.plainText
        shown.formUnion([letters(title), letters(title.split(separator: ": ").dropFirst().joined(separator: ": "))])
      default: continue
      }
    }

    #expect(written.filter { !shown.contains($0) } == [])
  }

  @Test func `every include of the Rust book is shown or named in the text`() throws {
    let folder = try #require(samples) + "/mdbook/rust-book/src"
    let written = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") }
      .map { file in
        try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
          .matches(of: #/(?:^|[^\\])\{\{#(?:rustdoc_)?include /#).count
      }.reduce(0, +)

    let draft = try FormatRegistry.read(CourseSource(path: #require(samples) + "/mdbook/rust-book"))

    // The included programs are not part of the sample.
    #expect(draft.losses.first { $0.what == "missing include" }?.count == written)
  }
}
