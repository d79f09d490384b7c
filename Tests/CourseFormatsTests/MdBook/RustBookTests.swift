import CourseFormats
import Foundation
import LearningModel
import Testing

private let samples = ProcessInfo.processInfo.environment["WAYMARK_SAMPLES"]

/// Tests with a real book of 111 pages, which is not part of this project. `WAYMARK_SAMPLES` is the folder that
/// contains `mdbook/rust-book`.
@Suite(.enabled(if: samples != nil, "WAYMARK_SAMPLES does not name the folder of samples"))
struct RustBookTests {
  /// Read once for all tests, because the book is large.
  private static let book = Result { try FormatRegistry.read(CourseSource(path: samples! + "/mdbook/rust-book")) }

  @Test func `the Rust book is read without errors, and its losses are counted`() throws {
    let draft = try Self.book.get()

    #expect(draft.diagnostics == [])
    #expect(draft.counts == ContentCounts(course: 1, goal: 23, lesson: 111, activity: 172))
    #expect(
      draft.losses == [
        Loss(
          what: "image", count: 28, treatment: "shown as its description because its file is missing",
          examples: [
            "src/ch00-00-introduction.md: img/ferris/does_not_compile.svg",
            "src/ch00-00-introduction.md: img/ferris/panics.svg",
            "src/ch00-00-introduction.md: img/ferris/not_desired_behavior.svg",
            "src/ch04-01-what-is-ownership.md: img/trpl04-01.svg",
            "src/ch04-01-what-is-ownership.md: img/trpl04-02.svg",
          ]),
        Loss(what: "missing include", count: 707, treatment: "shown as its name"),
        Loss(what: "link outside the book", count: 33, treatment: "shown as text"),
      ])
  }

  @Test func `each of the 111 lessons begins with the first words of its page`() throws {
    let folder = try #require(samples) + "/mdbook/rust-book/src/"
    let draft = try Self.book.get()
    let summary = try String(contentsOfFile: folder + "SUMMARY.md", encoding: .utf8)
    let pages = summary.matches(of: /\]\((.+)\)/).map { String($0.1) }

    #expect(pages.count == 111)
    for page in pages {
      let lesson = try #require(draft.nodes.firstIndex { $0.key == page })
      let first = try #require(draft.nodes.firstIndex { $0.parent == lesson && $0.kind == .activity })
      let written = try String(contentsOfFile: folder + page, encoding: .utf8)
        .replacing(/(?s)<!--.*?-->/, with: "")
      let paragraph = written.split(separator: "\n\n").first { !["#", "<"].contains($0.first { !$0.isWhitespace }) }
      let words = try #require(paragraph).split { !$0.isLetter }.prefix(4)
      let shown = try draft.contents.content(at: first).plainText.split { !$0.isLetter }.prefix(4)
      #expect(shown == words, "\(page)")
    }
  }

  @Test func `the Rust book is unchanged after it is written and read back`() throws {
    let draft = try Self.book.get()

    let text = try WaymarkWriter.text(of: draft)
    let again = try FormatRegistry.read(CourseSource(name: "rust-book.json", bytes: Array(text.utf8)))

    #expect(again.diagnostics == [])
    #expect(again.nodes == draft.nodes)
    #expect(try again.allContents() == draft.allContents())
  }
}
