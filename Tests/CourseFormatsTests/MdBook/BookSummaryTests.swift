import LearningModel
import Testing

@testable import CourseFormats

struct BookSummaryTests {
  private func read(_ text: String) -> (BookSummary, [String]) {
    var findings = Findings()
    let summary = BookSummary(text, file: "SUMMARY.md", findings: &findings)
    return (summary, findings.diagnostics.map(\.description))
  }

  @Test func `titles, parts, drafts and unnumbered chapters of a table of contents are read`() {
    let (summary, said) = read(
      """
      # Summary

      [Before](before.md)

      # One
      - [A](a.md)
        - [B *b*](b/c.md "title")
      \t- [C](<c d.md>)
        - [D]()

      ---
      # Two
      1. [E](./e.md#anchor)
      * [F [g] \\] h](f%20g.md)

      [After](after.md)
      """)

    #expect(said == [])
    #expect(summary.title == "Summary")
    #expect(summary.before == [.init(title: "Before", page: "before.md", line: 3)])
    #expect(
      summary.parts == [
        .init(
          title: "One", line: 5,
          chapters: [
            .init(
              title: "A", page: "a.md", line: 6,
              nested: [
                .init(
                  title: "B *b*", page: "b/c.md", line: 7, nested: [.init(title: "C", page: "c d.md", line: 8)]),
                .init(title: "D", page: nil, line: 9),
              ])
          ]),
        .init(
          title: "Two", line: 12,
          chapters: [
            .init(title: "E", page: "./e.md", anchor: "anchor", line: 13),
            .init(title: "F [g] \\] h", page: "f g.md", line: 14),
          ]),
      ])
    #expect(summary.after == [.init(title: "After", page: "after.md", line: 16)])
    #expect(summary.hasParts)
  }

  @Test func `a line may contain text, emphasis, several links and references`() {
    let (summary, said) = read(
      """
      - **[A](a.md)** – see *below*
      - [B][one], [C](c_(d).md) and [Two][]
        - [x] [two]
      - [ ] Nothing
      - [gone][nowhere]

      [one]: b.md "title"
      [TWO]: <e f.md>
      """)

    #expect(
      summary.parts.flatMap(\.chapters) == [
        .init(title: "A", page: "a.md", line: 1, note: "– see below"), .init(title: "B", page: "b.md", line: 2),
        .init(title: "C", page: "c_(d).md", line: 2),
        .init(
          title: "Two", page: "e f.md", line: 2,
          nested: [.init(title: "two", page: "e f.md", line: 3, note: "[x]")]),
      ])
    #expect(said.map { $0.prefix(22) } == ["SUMMARY.md:4: warning:", "SUMMARY.md:5: warning:"])
  }

  @Test func `chapters are nested up to the limit`() {
    let deep = (0..<2_000).map { String(repeating: " ", count: $0) + "- [C](\($0).md)\n" }.joined()

    let (summary, said) = read(deep)

    var depth = 0
    var chapters = summary.parts.flatMap(\.chapters)
    while !chapters.isEmpty {
      depth += 1
      chapters = chapters.flatMap(\.nested)
    }
    #expect(depth == 64)
    #expect(said.count == 2_000 - 64)
    #expect(
      said.first
        == "SUMMARY.md:65: error: Its content is nested more than 64 levels deep. Reduce the nesting.")
  }

  @Test func `a book without parts has a single untitled part`() {
    let (summary, _) = read("- [A](a.md)\n    - [B](b.md)\n- [C](c.md)\n")

    #expect(summary.title == nil && !summary.hasParts)
    #expect(summary.parts.map(\.title) == [nil])
    #expect(summary.parts[0].chapters.map(\.title) == ["A", "C"])
    #expect(summary.parts[0].chapters[0].nested.map(\.title) == ["B"])
  }

  @Test func `comments and separators are ignored, and other lines cause warnings`() {
    let (summary, said) = read("<!-- one\n- [A](a.md)\n-->\n***\n- - -\n- [B](b.md)\nwhat?\n- [broken\n")

    #expect(summary.parts[0].chapters.map(\.title) == ["B"])
    #expect(
      said
        == [7, 8].map {
          "SUMMARY.md:\($0): warning: The line is not a chapter, part or separator, and is left out. "
            + "Write '- [Title](page.md)'."
        })
  }
}

struct BookConfigurationTests {
  @Test func `title, folder and hidden lines are read from a configuration in any TOML syntax`() throws {
    let configuration = try BookConfiguration(
      """
      # comment = "x"
      [book] # here
      title = "A \\"map\\" \\u00e9" # there
      authors = ["a", 'b', # "c"
        "d"]
      description = \"""
      Two \\
        lines \\\t
        # of it\"""
      language = 'en'
      \tsrc\t=\t"text"\t
      edition = 2024
      other = "\\r\\b\\f\\t"
      [output.html]
      code.hidelines.python = "~"
      "quoted".key = { a = "x", b = [1] }
      [[list]]
      title = "no"
      """, file: "book.toml")

    var expected = BookConfiguration()
    expected.title = "A \"map\" é"
    expected.description = "Two lines # of it"
    expected.language = "en"
    expected.source = "text"
    expected.hiddenPrefixes = ["python": "~"]
    #expect(configuration == expected)
  }

  @Test(arguments: [
    ("[book]\ntitle = \"A", 2, "a closing quote is missing"), ("[book\ntitle = 1", 1, "']' is missing"),
    ("title.", 1, "a line ends too early"), ("= 1", 1, "a name is missing"),
    ("a = [1,\n2", 2, "a closing bracket is missing"),
    ("a = \"x\" y", 1, "there is text after a value"), ("a = \"\\q\"", 1, "'\\q' is not an escape sequence"),
    ("a = \"\\ud800\"", 1, "a character escape is invalid"),
  ])
  func `malformed TOML is reported with its line number`(_ toml: String, _ line: Int, _ found: String) {
    #expect(
      throws: CourseFormatError.malformed(
        file: "book.toml", line: line, problem: "the TOML is invalid: \(found)", advice: "Correct the line.")
    ) {
      try BookConfiguration(toml, file: "book.toml")
    }
  }
}
