import CourseFormats
import Foundation
import LearningModel
import Testing

struct MdBookFixtureTests {
  private func read(_ name: String) throws -> CourseDraft {
    try FormatRegistry.read(CourseSource(path: fixtures.appending(path: "mdbook/\(name)").path))
  }

  @Test func `with parts, a part is a goal and a chapter a lesson`() throws {
    #expect(
      try read("with-parts").outline == [
        "c with-parts | Reading a Map",
        "  g SUMMARY.md!before | Before the chapters",
        "    l before.md | Before you unfold it",
        "      a before.md# | Before you unfold it",
        "    l how-to-use.md | How to use this book",
        "      a how-to-use.md# | How to use this book",
        "  g SUMMARY.md#first-look! | First look",
        "    l first-look/left-out.md | What a map leaves out",
        "      a first-look/left-out.md# | What a map leaves out",
        "    l first-look/legend.md | The legend",
        "      a first-look/legend.md# | The legend",
        "      l first-look/lines.md | Lines",
        "        a first-look/lines.md# | Lines",
        "        l first-look/dotted.md | Dotted lines and path=no",
        "          a first-look/dotted.md# | Dotted lines and path=no",
        "      l SUMMARY.md#colours | Colours",
        "    l first-look/scale.md | Scale",
        "      a first-look/scale.md# | Scale",
        "  g SUMMARY.md#out-of-doors! | Out of doors",
        "    l outdoors/north.md | Three norths",
        "      a outdoors/north.md# | Three norths",
        "    l outdoors/contours.md | Contour lines",
        "      a outdoors/contours.md# | Contour lines",
        "      l outdoors/slope.md | How steep is it?",
        "        a outdoors/slope.md# | How steep is it?",
        "    l SUMMARY.md#getting-lost-properly | Getting lost properly",
        "    l outdoors/measuring.md | Measuring with haversine",
        "      a outdoors/measuring.md# | Measuring with haversine",
        "    l first-look/scale.md~2 | Scale, once more",
        "      a first-look/scale.md~2# | Scale, once more",
        "  g SUMMARY.md!after | After the chapters",
        "    l words.md | Words",
        "      a words.md# | Words",
        "    l paper.md | The paper",
        "      a paper.md# | The paper",
      ])
  }

  @Test func `without parts, a chapter is a goal whose own page is its first lesson`() throws {
    #expect(
      try read("without-parts").outline == [
        "c without-parts | Bees on a Balcony",
        "  g SUMMARY.md!before | Before the chapters",
        "    l foreword.md | Read this first",
        "      a foreword.md# | Read this first",
        "  g before/README.md! | Before the bees",
        "    l before/README.md | Before the bees",
        "      a before/README.md# | Before the bees",
        "    l before/balcony.md | Is the balcony fit?",
        "      a before/balcony.md# | Is the balcony fit?",
        "    l before/neighbours.md | The neighbours",
        "      a before/neighbours.md# | The neighbours",
        "  g hive.md! | The hive",
        "    l hive.md | The hive",
        "      a hive.md# | The hive",
        "    l hive/parts.md | Parts of a hive",
        "      a hive/parts.md# | Parts of a hive",
        "      l hive/queen-excluder.md | The queen excluder",
        "        a hive/queen-excluder.md# | The queen excluder",
        "    l SUMMARY.md#painting-it | Painting it",
        "  g year.md! | A year in nine lines",
        "    l year.md | A year in nine lines",
        "      a year.md# | A year in nine lines",
        "  g SUMMARY.md#swarms! | Swarms",
        "  g SUMMARY.md#sharing! | Sharing",
        "    l sharing/honey.md | Honey",
        "      a sharing/honey.md# | Honey",
        "  g SUMMARY.md!after | After the chapters",
        "    l thanks.md | Thanks",
        "      a thanks.md# | Thanks",
      ])
  }

  @Test func `the table of contents gives every page a title and a place, however its line is written`() throws {
    let draft = try read("other-programs")

    #expect(
      draft.outline == [
        "c other-programs | Pickles",
        "  g salt.md! | Salt",
        "    l salt.md | Salt",
        "      a salt.md# | Salt",
        "  g fermenting/cabbage.md! | Cabbage",
        "    l fermenting/cabbage.md | Cabbage",
        "      a fermenting/cabbage.md# | Cabbage",
        "    l fermenting/cucumbers.md | Cucumbers",
        "      a fermenting/cucumbers.md# | Cucumbers",
        "    l fermenting/beetroot.md | Beetroot",
        "      a fermenting/beetroot.md# | Beetroot",
        "      l fermenting/slices.md | Slices",
        "        a fermenting/slices.md# | Slices",
        "  g jars.md! | jars",
        "    l jars.md | jars",
        "      a jars.md# | jars",
      ])
    #expect(
      draft.nodes.filter { $0.kind == .lesson }.map(\.summary) == [
        "(read this first) Headed “How much salt?”.", "", "Headed “Gherkins”.", "", "", "",
      ])
    #expect(draft.diagnostics == [])
    #expect(
      draft.losses == [
        Loss(what: "identifier of a rule", count: 2, treatment: "left out; links to it lead there"),
        Loss(what: "mark of another program", count: 1, treatment: "left out"),
        Loss(what: "quiz of mdbook-quiz", count: 1, treatment: "left out"),
      ])
  }

  @Test func `what other programs add to pages is shown or counted, and never raw`() throws {
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

  @Test func `rustdoc_include takes every region of an anchor, include the first`() throws {
    #expect(
      try read("other-programs").sketch("fermenting/cucumbers.md#") == [
        "```rust", "fn brine(litres: f64) -> f64 {", "    litres * salt", "}", "```",
        "```rust", "fn brine(litres: f64) -> f64 {", "```",
      ])
  }

  @Test func `what is lost is counted, and what is odd is told`() throws {
    let draft = try read("with-parts")

    #expect(
      draft.losses == [
        Loss(what: "image", count: 2, treatment: "its description is shown, for its file is not there"),
        Loss(what: "draft chapter", count: 2, treatment: "kept without a text"),
        Loss(what: "unlisted page", count: 1, treatment: "left out"),
        Loss(what: "missing include", count: 2, treatment: "named in the text"),
        Loss(what: "include from outside the book", count: 1, treatment: "named in the text"),
        Loss(what: "include that includes itself", count: 1, treatment: "named in the text"),
      ])
    #expect(
      draft.diagnostics.map(\.description) == [
        "src/SUMMARY.md:24: warning: The page 'first-look/scale.md' is listed again, so it is read again under the key "
          + "'first-look/scale.md~2'. Links lead to the first one.",
        "src/forgotten.md: warning: The page is not in SUMMARY.md and is left out. List it there to import it.",
      ])
    #expect(draft.language == "en")
    #expect(draft.nodes[0].summary == "A short book about paper, hills and the way home.")
  }

  @Test func `nothing from outside the book is in it`() throws {
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

  @Test func `a footnote is read where it is referred to`() throws {
    #expect(
      try read("with-parts").content("outdoors/north.md#")?.plainText.hasSuffix(
        "[1] It has slowed down lately. Nobody has been able to ask it why.") == true)
  }

  @Test func `includes by lines and anchors give those lines`() throws {
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
}
