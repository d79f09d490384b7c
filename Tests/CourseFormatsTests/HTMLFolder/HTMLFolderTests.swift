import CourseFormats
import Foundation
import LearningModel
import Snapshots
import Testing

struct HTMLFolderTests {
  private func read(_ name: String) throws -> CourseDraft {
    try FormatRegistry.read(CourseSource(path: fixtures.appending(path: "html/" + name).path))
  }

  @Test func `Sphinx output is read in toctree order without indexes and sidebars`() throws {
    let draft = try read("sphinx")

    #expect(draft.format == "html")
    expectSnapshot(draft.outline)
    #expect(draft.losses.contains { $0.what == "page of a search or an index" && $0.count == 2 })
    #expect(draft.language == "en")
  }

  @Test func `a page of Sphinx keeps code, formulas and links without heading anchors`() throws {
    let draft = try read("sphinx")

    #expect(
      try draft.sketch("ropes#") == [
        "Tie a knot, as [in the guide](waymark:guide/ladders##setting-up).",
        "```python", "print(1)", "```",
        "A rope of $l$ metres.",
        "$$m = l \\cdot d$$",
      ])
    #expect(
      try draft.sketch("guide/ladders#") == [
        "! warning", "  Look up first.", "## Setting up {setting-up}",
        "Three points of contact, see [ropes](waymark:ropes).",
      ])
  }

  @Test func `rustdoc output is read without source pages and redirections`() throws {
    let draft = try read("rustdoc")

    expectSnapshot(draft.outline)
    #expect(
      try draft.sketch("safety/struct.Ladder#") == [
        "```rust", "pub struct Ladder;", "```", "A way up.", "## Examples {examples}", "```rust",
        "let ladder = Ladder;", "```", "#### pub fn climb(&self) {pub-fn-climbself}",
        "Goes up, with a [rope](waymark:safety/rope/index).",
      ])
    #expect(
      Set(draft.losses.map(\.what)).isSuperset(of: [
        "page of source code", "page that redirects to another", "page of a search or an index", "navigation of a page",
      ]))
  }

  @Test func `a mirrored site is read in the order of its navigation`() throws {
    let draft = try read("mirror")

    expectSnapshot(draft.outline.filter { !$0.hasPrefix("      a") })
    #expect(
      try draft.sketch("index#") == [
        "Welcome. See our [oak doors](waymark:shop/doors/front##oak) and windows."
      ])
    // The page declares ISO 8859-1.
    #expect(
      try draft.sketch("shop/doors/front#") == [
        "In oak, à la carte.", "See [all doors](waymark:shop/doors/index).", "## Oak {oak}", "Heavy.",
      ])
    #expect(draft.diagnostics.isEmpty)
  }

  @Test func `a Sphinx site with a custom start page is read in the order of its contents page`() throws {
    let tree = { (links: String) in "<div class='toctree-wrapper'><ul>\(links)</ul></div>" }
    let folder = try TestFolder([
      "index.html": "<h1>Start</h1><p>Words.", "README.html": "<h1>Notes</h1><p>Words.",
      "contents.html": "<h1>Contents</h1>"
        + tree("<li><a href='b/index.html'>B</a></li><li><a href='a.html'>A</a></li>"),
      "a.html": "<h1>A</h1><p>Words.",
      "b/index.html": "<h1>B</h1><p>Words."
        + tree("<li><a href='2.html'>Two</a></li><li><a href='1.html'>One</a></li>"),
      "b/1.html": "<h1>One</h1><p>Words.", "b/2.html": "<h1>Two</h1><p>Words.",
    ])

    let lessons = try folder.read().outline.filter { $0.hasPrefix("    l") }

    #expect(
      lessons == [
        "    l index | Start", "    l b/index | B", "    l b/2 | Two", "    l b/1 | One", "    l a | A",
        "    l README | Notes", "    l contents | Contents",
      ])
  }

  @Test func `a single HTML page is a course`() throws {
    let draft = try read("page.html")

    #expect(
      draft.outline == [
        "c page | Ladders", "  g page.html! | Ladders", "    l page.html | Ladders", "      a page.html# | Ladders",
      ])
    #expect(try draft.sketch("page.html#") == ["Three points of contact."])
  }

  @Test func `an unreadable page of a site is skipped with a warning`() throws {
    let folder = try TestFolder(["index.html": "<p>Words.", "b.html": "<p>More."])
    try folder.write(Data([0x3C, 0x70, 0x3E, 0xFF]), to: "c.html")

    let draft = try folder.read()

    #expect(draft.counts.activity == 2)
    #expect(draft.diagnostics.map(\.file) == ["c.html"])
    #expect(draft.diagnostics.allSatisfy { $0.severity == .warning })
    #expect(draft.losses.contains { $0.what == "page that cannot be read" && $0.count == 1 })
  }

  @Test func `without a navigation, pages are in the natural order of their names`() throws {
    let folder = try TestFolder([
      "index.html": "<h1>Start</h1><p>x", "10.html": "<h1>Ten</h1><p>x", "9.html": "<h1>Nine</h1><p>x",
    ])

    #expect(
      try folder.read().outline.filter { $0.hasPrefix("    l") } == [
        "    l index | Start", "    l 9 | Nine", "    l 10 | Ten",
      ])
  }

  @Test func `hundreds of pages that link to each other are one course`() throws {
    let folder = try TestFolder(["index.html": "<p>Start <a href='p/1.html'>here</a>."])
    for number in 1...300 {
      let next = "<a href='\(number % 300 + 1).html'>next</a> <a href='/index.html'>top</a>"
      try folder.write(Data("<h1>Page \(number)</h1><p>Words. \(next)".utf8), to: "p/\(number).html")
    }

    let draft = try folder.read()

    #expect(draft.counts.activity == 301)
    #expect(try draft.sketch("p/300#") == ["Words. [next](waymark:p/1) [top](waymark:index)"])
    #expect(!draft.losses.contains { $0.what.contains("link") })
  }

  @Test func `a few pages of another kind do not change the format of a folder`() throws {
    let notes = try TestFolder(["a.md": "Words.", "index.html": "<p>x"])
    let site = try TestFolder(["README.md": "Words.", "index.html": "<p>x", "a.html": "<p>x"])

    #expect(try FormatRegistry.reader(for: CourseSource(path: notes.path)).name == "markdown")
    #expect(try FormatRegistry.reader(for: CourseSource(path: site.path)).name == "html")
  }

  @Test func `text between TeX delimiters is a formula, but amounts of money are not`() throws {
    let folder = try TestFolder([
      "a.html": "<p>If \\(x^2\\) and <b>\\(y\\)</b>, \\[z = 1\\] then $5 or $6. \\$sqrt 2\\$ \\(open</p>"
    ])

    #expect(
      try folder.read().sketch("a#") == [
        "If $x^2$ and **$y$**,", "$$z = 1$$", "then $5 or $6. `sqrt 2` \\(open",
      ])
  }

  @Test func `text after an optional line break is kept`() throws {
    let folder = try TestFolder(["a.html": "<p>one::<wbr>two <b>three</b></p>"])

    #expect(try folder.read().sketch("a#") == ["one::two **three**"])
  }

  @Test func `packages of learning management systems are read as HTML only on request`() throws {
    let folder = try TestFolder(["imsmanifest.xml": "<manifest/>", "a.html": "<p>Words."])
    let source = try CourseSource(path: folder.path)

    #expect(throws: ForeignFormat.contentPackage.refusal(of: "course")) {
      try FormatRegistry.reader(for: source)
    }
    #expect(try FormatRegistry.read(source, from: "html").counts.activity == 1)
  }
}
