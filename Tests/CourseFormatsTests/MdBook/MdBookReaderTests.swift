import CourseFormats
import Foundation
import LearningModel
import Testing

struct MdBookReaderTests {
  private func read(_ files: [String: String], limits: SourceLimits = .standard) throws -> CourseDraft {
    let book = ["book.toml": "[book]\ntitle = \"Book\"\n"].merging(files) { $1 }
    return try TestFolder(book, name: "My Book").read(limits: limits)
  }

  @Test func `the key of the course is the slug of the folder, and its title is that of the book`() throws {
    let draft = try read(["src/SUMMARY.md": "- [A](a.md)", "src/a.md": "# A\n\nx"])

    #expect(draft.outline.first == "c my-book | Book")
    #expect(draft.format == "mdbook")
    #expect(draft.diagnostics == [])
  }

  @Test func `a heading that differs from the title in the table becomes the summary`() throws {
    let draft = try read([
      "src/SUMMARY.md": "- [A `b`](a.md)\n  - [C](c.md)", "src/a.md": "# Other\n\nx", "src/c.md": "# c!\n\nx",
    ])

    #expect(draft.nodes.map(\.title) == ["Book", "A b", "A b", "A b", "C", "C"])
    #expect(draft.nodes.map(\.summary) == ["", "Headed “Other”.", "Headed “Other”.", "", "", ""])
  }

  @Test func `a table of contents that repeats pages too often is rejected`() throws {
    var limits = SourceLimits()
    limits.repeatedSize = 5000
    let files = [
      "src/SUMMARY.md": String(repeating: "- [A](a.md)\n", count: 4), "src/a.md": String(repeating: "x", count: 2000),
    ]

    #expect(throws: CourseFormatError.limit(.repeatedSize(5000), file: "src/SUMMARY.md", line: 4)) {
      try read(files, limits: limits)
    }
    limits.repeatedSize = 6000
    #expect(try read(files, limits: limits).nodes.count { $0.kind == .goal } == 4)
  }

  @Test func `chapters before the first part get a separate goal`() throws {
    let draft = try read([
      "src/SUMMARY.md": "- [A](a.md)\n\n# Part\n\n- [B](b.md)", "src/a.md": "# A\n\nx", "src/b.md": "# B\n\nx",
    ])

    // The first heading follows a chapter, so it is a part instead of the title of the table.
    #expect(
      draft.outline == [
        "c my-book | Book", "  g SUMMARY.md!chapters | First chapters", "    l a.md | A", "      a a.md# | A",
        "  g SUMMARY.md#part! | Part", "    l b.md | B", "      a b.md# | B",
      ])
  }

  @Test func `a short page is one activity with all headings except the first`() throws {
    let draft = try read([
      "src/SUMMARY.md": "- [A](a.md)", "src/a.md": "first\n\n## A\n\nx\n\n### S\n\ny\n\n# U\n\nz",
    ])

    #expect(draft.outline.suffix(2) == ["    l a.md | A", "      a a.md# | A"])
    #expect(try draft.sketch("a.md#") == ["first", "x", "### S {s}", "y", "# U {u}", "z"])
  }

  @Test func `a long page is split at headings, and short sections are joined`() throws {
    let long = Array(repeating: "word", count: 900).joined(separator: " ")
    let draft = try read([
      "src/SUMMARY.md": "- [A](a.md)\n- [B](b.md)",
      "src/a.md": "# A\n\n\(long)\n\n## One\n\n\(long)\n\n## Two\n\nfew\n\n## Three\n\n\(long)\n",
      "src/b.md":
        "[two](a.md#two) [three](a.md#three)\n\n```rust\n\(String(repeating: "# hidden words\n", count: 900))x\n```\n",
    ])

    #expect(
      draft.outline.filter { $0.contains(" a ") } == [
        "      a a.md# | A", "      a a.md#one | One", "      a a.md#three | Three", "      a b.md# | B",
      ])
    #expect(
      try draft.sketch("b.md#") == ["[two](waymark:a.md#one#two) [three](waymark:a.md#three)", "```rust", "x", "```"])
  }

  @Test func `links are resolved whether they contain file names or web addresses`() throws {
    let draft = try read([
      "src/SUMMARY.md": "- [A](a.md)\n- [B](b/README.md)",
      "src/a.md":
        "# A\n\n[1](b/README.md) [2](b/index.html) [3](b/) [4](b/index.html#s) [5](b/index.html#t) [6](#old) [7](a.html#a) "
        + "[8](../std/x.html) [9](gone.html) [10](pic.pdf) [11](b/README.md#nowhere) [12](https://e.org) [13](javascript:x)\n\n"
        + "<a id=\"old\"></a>\n\n## Renamed\n\nx",
      "src/b/README.md": "# B\n\n## S\n\nx\n\n### T\n\ny", "src/pic.pdf": "",
    ])

    let content = try draft.content("a.md#")

    #expect(
      content
        == .reading([
          .paragraph([
            .link(destination: "waymark:b/README.md", text: [.text("1")]), .text(" "),
            .link(destination: "waymark:b/README.md", text: [.text("2")]), .text(" "),
            .link(destination: "waymark:b/README.md", text: [.text("3")]), .text(" "),
            .link(destination: "waymark:b/README.md##s", text: [.text("4")]), .text(" "),
            .link(destination: "waymark:b/README.md##t", text: [.text("5")]), .text(" "),
            .link(destination: "waymark:a.md##old", text: [.text("6")]), .text(" "),
            .link(destination: "waymark:a.md", text: [.text("7")]), .text(" 8 9 10 "),
            .link(destination: "waymark:b/README.md", text: [.text("11")]), .text(" "),
            .link(destination: "https://e.org", text: [.text("12")]), .text(" 13"),
          ]),
          .heading(level: 2, text: [.text("Renamed"), .target("old")], anchor: "renamed"), .paragraph([.text("x")]),
        ]))
    #expect(
      draft.losses == [
        Loss(what: "PDF document", count: 1, treatment: "left out, but can be imported as “document”"),
        Loss(what: "link outside the book", count: 1, treatment: "shown as text"),
        Loss(what: "broken link", count: 1, treatment: "shown as text"),
        Loss(what: "linked file", count: 1, treatment: "shown as text"),
        Loss(what: "link to a missing heading", count: 1, treatment: "shown as a link to the page"),
        Loss(what: "unsafe link", count: 1, treatment: "shown as text"),
      ])
  }

  @Test func `listings of the Rust project become code with captions`() throws {
    let draft = try read([
      "src/SUMMARY.md": "- [A](a.md)",
      "src/a.md": """
      # A

      <Listing number="1-1" file-name="main.rs" caption="A program that prints `Hi`">

      ```rust,ignore
      # hidden
      fn main() {}
      ```

      </Listing>

      <Listing file-name="lib.rs">

      ```rust
      mod a;
      ```

      </Listing>

      <span class="filename">Filename: src/main.rs</span>

      ```rust
      x
      ```
      """,
    ])

    #expect(
      try draft.content("a.md#")
        == .reading([
          .paragraph([
            .strong([.text("Listing 1-1")]), .text(": "), .text("A program that prints "), .code("Hi"), .text(" ("),
            .code("main.rs"), .text(")"),
          ]),
          .code(language: "rust", text: "fn main() {}"), .paragraph([.text("File: "), .code("lib.rs")]),
          .code(language: "rust", text: "mod a;"), .paragraph([.emphasis([.text("Filename: src/main.rs")])]),
          .code(language: "rust", text: "x"),
        ]))
  }

  @Test func `mdbook-admonish fences become frames, except inside code`() throws {
    let draft = try read([
      "src/SUMMARY.md": "- [A](a.md)",
      "src/a.md": """
      # A

      ```admonish
      One.
      ```

      Between.

      ````admonish Warning.wide title="Mind the *gap*"
      | a | b |
      |---|---|
      | 1 | 2 |

      ```admonish tip title=""
      Inside.
      ```
      ````

      - item

        ```admonish example collapsible=true
        - Closed.
        ```

      ````text
      ```admonish
      ```
      ````

      ```admonish bug title="Open to the end"
      """,
    ])

    #expect(
      try draft.sketch("a.md#") == [
        "! note", "  One.", "Between.", "! warning Mind the *gap*", "  | a | b |", "  | 1 | 2 |", "  ! box",
        "    Inside.", "- item", "  ? Example", "    - Closed.", "```text", "```admonish", "```", "```",
        "! box Bug: Open to the end",
      ])
  }

  private static let diagnosed: [(files: [String: String], messages: [String])] = [
    (
      ["book.toml": "[book]\n", "src/SUMMARY.md": "# Contents of *B*\n\n- [A](a.md)", "src/a.md": "# A\n\nx"],
      [
        "book.toml: warning: The book has no title, so it is named 'Contents of B'. Add 'title = \"…\"' below [book]."
      ]
    ),
    (
      ["book.toml": "[book\n", "src/SUMMARY.md": "- [A](a.md)", "src/a.md": "# A\n\nx"],
      [
        "book.toml:1: error: The TOML is invalid: ']' is missing. Correct the line.",
        "book.toml: warning: The book has no title, so it is named 'My Book'. Add 'title = \"…\"' below [book].",
      ]
    ),
    (
      ["src/SUMMARY.md": "- [A](a.md)\n- [B](b.md)", "src/a.md": "# A\n\nx"],
      ["src/SUMMARY.md:2: warning: The page 'src/b.md' does not exist. Create it, or remove it from SUMMARY.md."]
    ),
    (
      ["src/SUMMARY.md": "- [A](../../a.md)"],
      [
        "src/SUMMARY.md:1: warning: The page '../../a.md' is outside the book. Copy it into the book and use its new "
          + "path."
      ]
    ),
    (
      ["src/SUMMARY.md": "- [A](a.md)", "src/a.md": "# A\n"],
      ["src/a.md: warning: The page has no text. Write one, or remove it from SUMMARY.md."]
    ),
    (
      ["src/SUMMARY.md": "nothing"],
      [
        "src/SUMMARY.md:1: warning: The line is not a chapter, part or separator, and is left out. "
          + "Write '- [Title](page.md)'.",
        "src/SUMMARY.md: error: The table of contents lists no page. Write '- [Title](page.md)'.",
      ]
    ),
    (
      ["src/SUMMARY.md": "- [A](a.md)", "src/a.md": "# A\n\n" + String(repeating: "> ", count: 80) + "x"],
      [
        "src/a.md:3: error: Its content is nested more than 64 levels deep. Reduce the nesting."
      ]
    ),
  ]

  @Test(arguments: diagnosed.indices)
  func `errors in a book are reported with file and line`(_ index: Int) throws {
    let (files, messages) = Self.diagnosed[index]

    #expect(try read(files).diagnostics.map(\.description) == messages)
  }

  @Test func `a book without a table of contents, or with pages outside, is rejected`() {
    #expect(throws: CourseFormatError.fileMissing(file: "src/SUMMARY.md")) { try read([:]) }
    #expect(throws: CourseFormatError.leavesSource(file: "../x")) { try read(["book.toml": "[book]\nsrc = \"../x\""]) }
  }

  @Test func `pages may be in the same folder as the configuration of the book`() throws {
    let draft = try read([
      "book.toml": "[book]\ntitle = \"B\"\nsrc = \".\"", "SUMMARY.md": "- [A](a.md)", "a.md": "# A\n\n[b](a.md)",
    ])

    #expect(draft.outline.last == "      a a.md# | A")
    #expect(draft.diagnostics == [])
  }
}
