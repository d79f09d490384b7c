import CourseFormats
import Foundation
import LearningModel
import Snapshots
import Testing

struct PlainTextTests {
  private func read(_ name: String) throws -> CourseDraft {
    try FormatRegistry.read(CourseSource(path: fixtures.appending(path: "text/" + name).path))
  }

  @Test func `notes keep lines, indentation and columns, and have no markup`() throws {
    let draft = try read("notes.txt")

    #expect(draft.format == "text")
    #expect(draft.outline.last == "      a notes.txt# | Ladders")
    #expect(
      try draft.sketch("notes.txt#") == [
        "A ladder *stands* at an angle,\\one foot out for every four up.\\# Not a heading, <b>not bold</b>",
        "```", "  - look up", "      - then climb", "", "Height   Distance", "4 m      1 m", "```",
        "Carry it with two people_and_care.",
      ])
    guard case .reading(let blocks) = try draft.content("notes.txt#") else { return }
    #expect(
      blocks.first
        == .paragraph([
          .text("A ladder *stands* at an angle,"), .lineBreak, .text("one foot out for every four up."), .lineBreak,
          .text("# Not a heading, <b>not bold</b>"),
        ]))
  }

  @Test func `the output of man loses its overstrikes, and its sections become headings`() throws {
    try expectSnapshot(read("ladder.txt").sketch("ladder.txt#"))
  }

  @Test func `page breaks of a paginated memo are removed and counted`() throws {
    let draft = try read("memo.txt")

    try expectSnapshot(draft.sketch("memo.txt#"))
    #expect(draft.losses == [Loss(what: "page break of the printed edition", count: 1, treatment: "left out")])
  }

  @Test(arguments: [
    ("README", "Just words.\n", "text"), ("README", "# Title\n\nWords.\n", "markdown"),
    ("TODO", "See [this](a.md).\n", "markdown"), ("a.text", "# Title\n", "text"), ("a.txt", "```\nx\n```\n", "text"),
    ("a.TXT", "Words.\n", "text"), ("LICENSE", "x \u{8}y\n# b\n", "text"), ("a.md", "Words.\n", "markdown"),
  ])
  func `a file without extension is plain text unless it contains Markdown`(
    _ name: String, _ text: String, _ format: String
  ) throws {
    #expect(try FormatRegistry.reader(for: CourseSource(name: name, bytes: Array(text.utf8))).name == format)
  }

  @Test(arguments: [
    ("N\u{8}NA\u{8}A\n", true), ("\u{1B}[1mNAME\u{1B}[0m\n", true),
    ("NAME\n       ls\n\nSYNOPSIS\n       ls -l\n       # a comment\n", true),
    ("One\n\nTwo\nThree\nFour\n", false), ("# One\n\n    a\n    b\n    c\n    d\n", false),
  ])
  func `the output of a program for a terminal is recognised`(_ text: String, _ isOutput: Bool) {
    #expect(PlainText.isProgramOutput(text) == isOutput)
  }

  @Test func `incomplete escape sequences and leading backspaces keep the text`() throws {
    let folder = try TestFolder(["a.txt": "\u{8}x\u{1B}[1mbold\u{1B}[22m \u{1B}\u{1B}[4mline\u{8}\n\u{8}end\u{1B}["])

    #expect(try folder.read().sketch("a#") == ["xbold lin\\end"])
  }

  @Test func `a folder of texts is a course in the natural order of names`() throws {
    let folder = try TestFolder([
      "10.txt": "Ten\n\nx", "9.txt": "Nine\n\nx", "sub/README": "Own\n\nx", "Makefile": "all:",
    ])

    #expect(
      try folder.read().outline.filter { $0.hasPrefix("    l") || $0.hasPrefix("  g") } == [
        "  g 9! | Course", "    l 9 | Nine", "    l 10 | Ten", "    l sub/README | Own",
      ])
  }

  @Test func `a long text without headings is parsed in linear time`() throws {
    let lines = String(repeating: "   indented words of a long text\n\n", count: 20_000)

    guard case .reading(let blocks)? = try TestFolder(["a.txt": lines]).read().content("a#") else { return }

    #expect(blocks.count == 1)
  }
}
