import CourseFormats
import Foundation
import LearningModel
import Testing

private let samples = ProcessInfo.processInfo.environment["WAYMARK_SAMPLES"]

/// What real courses written in Markdown have, counted in their files by other means, is shown or lost, kind by kind.
@Suite(.enabled(if: samples != nil, "WAYMARK_SAMPLES does not name the folder of samples"))
struct SampleSumsTests {
  /// The pages of a course as they are written, without program text and comments. Directives stay.
  private func pages(_ name: String) throws -> [String] {
    let folder = try #require(samples) + "/" + name
    return try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
      .filter { $0.hasSuffix(".md") && !$0.hasSuffix(".en.md") && !$0.hasPrefix("_") }
      .map { withoutCode(try String(contentsOfFile: folder + "/" + $0, encoding: .utf8)) }
  }

  private func withoutCode(_ text: String) -> String {
    var lines: [Substring] = []
    var fence: Substring?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let opening = line.firstMatch(of: #/^\s*(`{3,}|~{3,})(.*)$/#)
      if let open = fence {
        if let mark = opening?.1, mark.first == open.first, mark.count >= open.count,
          opening!.2.allSatisfy(\.isWhitespace)
        {
          fence = nil
        }
      } else if let opening, opening.2.firstMatch(of: #/^\s*\{[a-z]+\}/#) == nil || opening.2.hasPrefix("{code") {
        fence = opening.1
      } else {
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n").replacing(#/(?s)<!--.*?-->/#, with: "")
      .replacing(#/(?s)(`+)[^`].*?\1/#, with: "")
  }

  private func pictures(in contents: [ActivityContent]) -> Int {
    contents.map { content in
      guard case .reading(let blocks) = content else { return 0 }
      return sketch(blocks).joined(separator: "\n").matches(of: #/!\[[^\]]*\]\(/#).count
    }.reduce(0, +)
  }

  @Test(arguments: [
    "markdown/carpentries-shell-novice", "markdown/hugo-docs", "markdown/jupyterbook-scientific-python",
    "markdown/mkdocs-cs-self-learning", "mdbook/rust-book",
  ])
  func `every picture that is written is a picture of a text`(_ name: String) throws {
    let written = try pages(name).map { page in
      page.matches(of: #/!\[[^\]]*\][\(\[]|<img\b|\{\{< img|```\{(?:figure|image)\}/#).count
    }.reduce(0, +)

    let draft = try FormatRegistry.read(CourseSource(path: #require(samples) + "/" + name))

    #expect(try pictures(in: draft.allContents()) == written)
  }

  @Test func `every include of the book is shown or named`() throws {
    let folder = try #require(samples) + "/mdbook/rust-book/src"
    let written = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") }
      .map { file in
        try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
          .matches(of: #/(?:^|[^\\])\{\{#(?:rustdoc_)?include /#).count
      }.reduce(0, +)

    let draft = try FormatRegistry.read(CourseSource(path: #require(samples) + "/mdbook/rust-book"))

    // The programs that it includes are no part of the sample.
    #expect(draft.losses.first { $0.what == "missing include" }?.count == written)
  }
}
