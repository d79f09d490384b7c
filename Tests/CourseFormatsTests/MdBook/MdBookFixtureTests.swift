import CourseFormats
import Foundation
import LearningModel
import Snapshots
import Testing

struct MdBookFixtureTests {
  private func read(_ name: String) throws -> CourseDraft {
    try FormatRegistry.read(CourseSource(path: fixtures.appending(path: "mdbook/\(name)").path))
  }

  @Test func `in a book with parts, parts are goals and chapters are lessons`() throws {
    try expectSnapshot(read("with-parts").outline)
  }

  @Test func `in a book without parts, a chapter's own page is the first lesson`() throws {
    try expectSnapshot(read("without-parts").outline)
  }

  @Test func `every link in a table of contents becomes a page with a title`() throws {
    let draft = try read("other-programs")

    expectSnapshot(draft.outline)
    #expect(
      draft.nodes.filter { $0.kind == .lesson }.map(\.summary) == [
        "(read this first) Headed “How much salt?”.", "", "Headed “Gherkins”.", "", "", "",
      ])
    #expect(draft.diagnostics == [])
    #expect(
      draft.losses == [
        Loss(what: "markup of another program", count: 1, treatment: "left out"),
        Loss(what: "quiz of mdbook-quiz", count: 1, treatment: "left out"),
        Loss(what: "identifier of a rule", count: 2, treatment: "left out, except as the target of links"),
      ])
  }

  @Test func `the markup of other programs is converted or removed`() throws {
    let draft = try read("other-programs")

    #expect(
      try draft.sketch("salt.md#") == [
        "Two parts in a hundred, by weight; `{{%segment outline}}` is only written about.",
        "! note", "  Sea salt will do.",
        "! box Edition 2018", "  Grandmother threw in a fistful.",
        "! box Kitchen: Weigh it", "  On a scale.",
      ])
    #expect(
      try draft.sketch("fermenting/cabbage.md#") == [
        "Wait three weeks, as [the rule](waymark:fermenting/cabbage.md##r-cabbage.wait) says.",
        "## Press it {press-it}", "Below the brine. `r[no.rule]` is only written about.", "```", "r[no.rule.either]",
        "> [!NO-BOX]", "```",
      ])
  }

  @Test func `rustdoc_include includes every region of an anchor, and include only the first`() throws {
    #expect(
      try read("other-programs").sketch("fermenting/cucumbers.md#") == [
        "```rust", "fn brine(litres: f64) -> f64 {", "    litres * salt", "}", "```",
        "```rust", "fn brine(litres: f64) -> f64 {", "```",
      ])
  }

  @Test func `a book reports its losses and warnings`() throws {
    let draft = try read("with-parts")

    #expect(
      draft.losses == [
        Loss(what: "draft chapter", count: 2, treatment: "shown as its title"),
        Loss(
          what: "image", count: 2, treatment: "shown as its description because its file is missing",
          examples: ["src/first-look/legend.md: legend.png", "src/paper.md: folds.svg"]),
        Loss(what: "missing include", count: 2, treatment: "shown as its name"),
        Loss(what: "include from outside the book", count: 1, treatment: "shown as its name"),
        Loss(what: "include that includes itself", count: 1, treatment: "shown as its name"),
        Loss(what: "unlisted page", count: 1, treatment: "left out"),
      ])
    #expect(
      draft.diagnostics.map(\.description) == [
        "src/outdoors/contours.md: warning: 'src/snippets/echo.md' includes itself on this page. The repetition is left "
          + "out. Remove the include.",
        "src/SUMMARY.md:24: warning: The page 'src/first-look/scale.md' is listed again and read again. Links open the "
          + "first one.",
        "src/forgotten.md: warning: The page is not in SUMMARY.md and is left out. List it there to import it.",
      ])
    #expect(draft.language == "en")
    #expect(draft.nodes[0].summary == "A short book about paper, hills and the way home.")
  }

  @Test func `files outside the book are not included`() throws {
    let draft = try read("with-parts")
    let outside = try String(contentsOf: fixtures.appending(path: "mdbook/outside.md"), encoding: .utf8)

    let texts = try draft.allContents().map(\.plainText).joined(separator: "\n")

    #expect(!texts.contains(outside.prefix(40)))
    #expect(!texts.contains("A page that nobody listed"))
  }

  @Test func `links between pages lead to lessons and sections`() throws {
    let draft = try read("with-parts")
    let start = "Nothing stands between the title and the end but this, so the page is one activity and no more. "
    let expected: [Inline] = [
      .text(start + "More about lines that are not there is in "),
      .link(destination: "waymark:first-look/lines.md##imaginary", text: [.text("Lines")]),
      .text(", and a good deal about distance in "),
      .link(destination: "waymark:first-look/scale.md", text: [.text("Scale")]), .text("."),
    ]

    guard case .reading(let blocks) = try draft.content("first-look/dotted.md#") else {
      Issue.record("the page is no reading")
      return
    }

    #expect(blocks.last == .paragraph(expected))
  }

  @Test func `a footnote is shown below the section that refers to it`() throws {
    #expect(
      try read("with-parts").content("outdoors/north.md#")?.plainText.hasSuffix(
        "[1] It has slowed down lately. Nobody has been able to ask it why.") == true)
  }

  @Test func `an include by line numbers or an anchor shows these lines`() throws {
    let content = try read("with-parts").content("outdoors/measuring.md#")
    guard case .reading(let blocks) = content else {
      Issue.record("the page is no reading")
      return
    }
    let start = blocks.firstIndex { block in
      if case .heading(_, _, let anchor) = block { anchor == "calling-it" } else { false }
    }

    let shown = blocks.dropFirst((start ?? 0) + 1).prefix(3)

    let expected: [Block] = [
      .code(
        language: "rust",
        text: """
              let lisbon = (38.7, -9.1);
              let ghent = (51.1, 3.7);
              let way = distance(lisbon, ghent);
              println!("{way:.0} km");
          """),
      .code(language: "rust", text: "println!(\"Are we there yet?\");"),
      .code(
        language: "rust",
        text: """
          /// Metres on the ground for centimetres of paper.
          fn metres(centimetres: f64, scale: f64) -> f64 {
              centimetres * scale / 100.0
          }

          fn main() {
              println!("{} m", metres(4.0, 25_000.0));
          }
          """),
    ]
    #expect(Array(shown) == expected)
  }

  @Test func `chapters with an anchor show the text from that heading, and a page may have a space in its name`() throws
  {
    let draft = try read("anchors")

    #expect(
      draft.outline.filter { !$0.hasPrefix("      a") } == [
        "c anchors | Balcony garden",
        "  g soil.md! | Soil",
        "    l soil.md | Soil",
        "    l soil.md~2 | Clay",
        "    l soil.md~3 | Sand",
        "  g Watering Cans.md! | Watering cans",
        "    l Watering Cans.md | Watering cans",
        "  g pests.md! | Pests",
        "    l pests.md | Pests",
        "    l pests/snails.md | Snails",
        "  g harvest.md! | Harvest",
        "    l harvest.md | Harvest",
      ])
    #expect(try draft.sketch("soil.md#") == ["Soil holds the roots."])
    #expect(try draft.sketch("soil.md~2#") == ["Heavy and cold."])
    #expect(
      try draft.sketch("soil.md~3#") == [
        "Light and dry. See mulch and [a rooted page](waymark:pests/snails.md) and "
          + "[html](waymark:pests/snails.md##slime)."
      ])
    #expect(
      draft.losses == [
        Loss(what: "unlisted page", count: 1, treatment: "left out"),
        Loss(what: "linked file", count: 1, treatment: "shown as text"),
      ])
    #expect(
      draft.diagnostics.map(\.description) == [
        "src/mulch.md: warning: The page is not in SUMMARY.md and is left out. List it there to import it."
      ])
  }

  @Test(arguments: [("", "Of $5$ or $n$th."), ("[preprocessor.katex]\n", "Of ¤5¤ or ¤n¤th.")])
  func `dollar signs enclose numbers only with a preprocessor`(_ table: String, _ text: String) throws {
    let book = try TestFolder([
      "book.toml": "[book]\ntitle = \"B\"\n" + table, "src/SUMMARY.md": "# S\n\n- [A](a.md)\n",
      "src/a.md": "# A\n\nOf $5$ or $n$th.\n",
    ])

    guard case .reading(let blocks)? = try book.read().content("a.md#"), case .paragraph(let line)? = blocks.first
    else {
      Issue.record("no paragraph")
      return
    }
    let shown = line.map { if case .math(let source) = $0 { "¤\(source)¤" } else { [$0].plainText } }.joined()
    #expect(shown == text)
  }
}
