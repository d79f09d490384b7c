import Foundation
import TestSupport
import Testing

private let samples = ProcessInfo.processInfo.environment["WAYMARK_SAMPLES"]

/// The main use cases with a real book of 111 pages, which is not part of this project. `WAYMARK_SAMPLES` must name the
/// folder that contains `mdbook/rust-book`.
@Suite(.enabled(if: samples != nil, "WAYMARK_SAMPLES does not name the folder of samples"))
struct RealBookTests {
  /// An entry of the summary, with its title without markup and its page.
  private struct Entry {
    let title: String
    let page: String
  }

  private static func entries(in folder: String) throws -> [Entry] {
    try String(contentsOfFile: folder + "SUMMARY.md", encoding: .utf8)
      .matches(of: /\[([^\]]+)\]\(([^)]+\.md)\)/)
      .map { Entry(title: String($0.1).replacing(/[`*_]/, with: ""), page: String($0.2)) }
  }

  /// Returns the first words of a page's first paragraph as displayed, without comments, headings and addresses.
  private static func firstWords(of page: String) throws -> [Substring] {
    let text = try String(contentsOfFile: page, encoding: .utf8)
      .replacing(/(?s)<!--.*?-->/, with: "")
      .replacing(/\](\([^)]*\)|\[[^\]]*\])/, with: "]")
    let paragraph = text.split(separator: "\n\n").first { !["#", "<"].contains($0.first { !$0.isWhitespace }) }
    return words(of: String(try #require(paragraph)))
  }

  private static func words(of text: String) -> [Substring] {
    Array(text.split { !$0.isLetter }.prefix(10))
  }

  @Test func `each entry of a book is imported, shown and found by its title`() throws {
    let folder = try #require(samples) + "/mdbook/rust-book"
    let home = try HomeFixture()
    let report = try home.waymark("import", folder, "--format", "json")
    let rows = try home.waymark("tree", "--format", "jsonl").output.lines.compactMap { $0.json as? [String: Any] }
    let entries = try Self.entries(in: folder + "/src/")

    let imported = try #require((report.output.json as? [[String: Any]])?.first)
    let diagnostics = try #require(imported["diagnostics"] as? [[String: Any]])
    #expect(report.code == 0)
    #expect(imported["imported"] as? Bool == true)
    #expect(!diagnostics.contains { $0["severity"] as? String == "error" })
    let lessons = rows.indices.filter { rows[$0]["kind"] as? String == "lesson" }
    #expect(entries.count == 111)
    #expect(lessons.count == entries.count)
    // Tests of the format compare every page. Here, only some pages are checked through the commands.
    let step = Tier.count(4, long: 1)
    for (lesson, entry) in zip(lessons, entries).enumerated().filter({ $0.offset % step == 0 }).map(\.element) {
      let path = try #require(rows[lesson]["path"] as? String)
      let opening = try #require(rows[lesson + 1]["path"] as? String)
      let printed = try home.waymark("show", opening)
      let opened = try home.waymark("nav", "open", opening)
      let hits = try home.waymark("search", "--format", "jsonl", "--", entry.title).output.lines

      // In a pipe, an external link is followed by its address.
      let body = (printed.output.split(separator: "\n\n", maxSplits: 1).last.map(String.init) ?? "")
        .replacing(/\s\(https?:[^)]*\)/, with: "")
      #expect(Self.words(of: body) == (try Self.firstWords(of: folder + "/src/" + entry.page)), "\(entry.page)")
      #expect(opened.code == 0)
      #expect(opened.output.hasSuffix("  \(opening)\n"))
      let paths = hits.compactMap { ($0.json as? [String: Any])?["path"] as? String }
      #expect(paths.contains { $0 == path || $0.hasPrefix(path + "/") }, "\(entry.title)")
    }
  }

  @Test func `a search result can be opened, and both breadcrumbs are reported`() throws {
    let home = try HomeFixture()
    #expect(try home.waymark("import", try #require(samples) + "/mdbook/rust-book").code == 0)

    let hits = try home.waymark("search", "lifetimes", "--kind", "activity", "--format", "jsonl").output.lines
    let first = try #require(hits.first?.json as? [String: Any])
    let path = try #require(first["path"] as? String)
    _ = try home.waymark("nav", "open", "the-rust-programming-language/getting-started")
    #expect(try home.waymark("nav", "open", path).code == 0)

    let location = try #require(try home.waymark("where", "--format", "json").output.json as? [String: Any])
    #expect((location["stack"] as? [String])?.last == path)
    #expect(location["pathTaken"] as? [String] == ["/", "the-rust-programming-language/getting-started", path])
  }
}
