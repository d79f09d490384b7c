import LearningModel
import Testing

@testable import CourseFormats

struct PageTitleTests {
  private func title(_ text: String) -> String? { PageSummary.title(of: text[...]) }

  @Test func `a page is named by a heading of level 1 or by a heading that is the first block`() {
    #expect(title("# One\n\nText.") == "One")
    #expect(title("## Two\n\nText.") == "Two")
    #expect(title("Text.\n\n# One") == "One")
    #expect(title("Text.\n\n## Section\n\n# One") == "One")
    #expect(title("One\n===\n\nText.") == "One")
    #expect(title("Text.\n\n## Section") == nil)
    #expect(title("Text.") == nil)
  }

  @Test(arguments: [
    "<!-- a comment\nof two lines -->", "![](logo.png)", "[![badge](b.svg)](x)", "(label)=", "<a id=\"x\"></a>",
    "import X from \"./x\";", "{/* a comment */}", "{% raw %}", "[TOC]",
  ])
  func `comments, images and labels above a heading are not text`(_ lead: String) {
    #expect(title("\(lead)\n\n## Title\n\nText.") == "Title")
  }

  @Test func `an HTML heading above all text is the title`() throws {
    #expect(title("<p align=\"center\">\n<h1 align=\"center\">Bread</h1>\n\nText.\n\n## Flour") == "Bread")
    let folder = try TestFolder(["a.md": "<h1 align=\"center\">Bread</h1>\n\nText.\n\n## Flour\n\nMore."])

    let draft = try folder.read()

    #expect(draft.nodes.last?.title == "Bread")
    #expect(try draft.sketch("a#") == ["Text.", "## Flour {flour}", "More."])
  }

  @Test func `an image in a heading is part of the title only if there is no other text`() throws {
    let draft = try TestFolder([
      "a.md": "# <a href='https://example.org'><img src='https://example.org/x.png' alt='A loaf'/>Bread</a>\n\nx",
      "b.md": "# ![Ovens](https://example.org/y.png)\n\nx",
    ]).read()

    #expect(draft.nodes.filter { $0.kind == .lesson }.map(\.title) == ["Bread", "Ovens"])
    #expect(try draft.sketch("a#") == ["x"])
  }

  @Test func `the configurations of Docusaurus and Sphinx contain the title of the course`() throws {
    let first = try TestFolder([
      "docusaurus.config.ts": "const config = {\n  title: 'Bread',\n  navbar: { title: 'x' },\n}",
      "docs/a.md": "# A\n\nx", "README.md": "# About\n\nx",
    ]).read()
    let second = try TestFolder([
      "conf.py": "project = \"Ovens\"\nextensions = ['myst_parser']",
      "index.md": "# Overview\n\n```{toctree}\na\n```\n", "a.md": "# A\n\nx",
    ]).read()

    #expect(first.nodes.first?.title == "Bread")
    #expect(second.nodes.first?.title == "Ovens")
  }

  @Test func `a page without such a heading is named after its file`() throws {
    let folder = try TestFolder([
      "docs/8 - aaa - test.md": "Text of the test.\n\n## Part of test\n\nMore.",
      "docs/Sour dough 0123456789abcdef0123456789abcdef.md": "Flour.\n\n## Water\n\nMore.",
      "docs/beef.md": "Text.",
    ])

    #expect(
      try folder.read().nodes.filter { $0.kind == .lesson }.map(\.title) == ["Aaa test", "Beef", "Sour dough"])
  }

  @Test func `a notebook is named by its only heading of level 1 and not by a section`() throws {
    func notebook(_ cells: String...) -> String {
      let cells = cells.map { "{\"cell_type\": \"markdown\", \"metadata\": {}, \"source\": \"\($0)\"}" }
      return "{\"nbformat\": 4, \"nbformat_minor\": 5, \"metadata\": {}, \"cells\": [\(cells.joined(separator: ","))]}"
    }
    let folder = try TestFolder([
      "one.ipynb": notebook("Text.", "# Main"), "two.ipynb": notebook("Text.", "## Section"),
    ])

    #expect(try folder.read().nodes.filter { $0.kind == .lesson }.map(\.title) == ["Main", "Two"])
  }

  @Test(arguments: ["docs", "en", "content", "src", "book"])
  func `a course is not named after a folder with a generic name`(_ name: String) throws {
    let folder = try TestFolder(["sour-dough/\(name)/a.md": "Text.", "sour-dough/\(name)/b.md": "Text."])

    let draft = try withExtendedLifetime(folder) {
      try FormatRegistry.read(CourseSource(path: folder.path + "/sour-dough/" + name))
    }

    #expect(draft.nodes[0].title == "Sour dough")
    #expect(draft.nodes[0].key == name)
  }

  @Test(arguments: [("units/en", "Sour dough"), ("units", "Units")])
  func `a translation in a folder of units is named after the course`(_ place: String, _ title: String) throws {
    let folder = try TestFolder(["sour-dough/\(place)/a.md": "Text.", "sour-dough/\(place)/b.md": "Text."])

    let draft = try withExtendedLifetime(folder) {
      try FormatRegistry.read(CourseSource(path: folder.path + "/sour-dough/" + place))
    }

    #expect(draft.nodes[0].title == title)
  }

  @Test func `a page with only a heading produces no empty goal, and links to it lead to the course`() throws {
    let folder = try TestFolder(
      [
        "README.md": "# Dairy", "notes/01-cheese.md": "# Cheese\n\nA text about cheese. See [all](../README.md).",
        "notes/02-milk.md": "# Milk\n\nMilk comes first.",
      ], name: "dairy-folder")

    let draft = try folder.read()

    #expect(
      draft.outline == [
        "c dairy-folder | Dairy", "  g notes/ | Notes", "    l notes/cheese | Cheese",
        "      a notes/cheese# | Cheese", "    l notes/milk | Milk", "      a notes/milk# | Milk",
      ])
    #expect(draft.lost == ["1 page without a text: left out"])
    #expect(try draft.sketch("notes/cheese#") == ["A text about cheese. See [all](waymark:dairy-folder)."])
  }

  @Test func `the summary of a lesson is the first sentence of its text`() throws {
    let folder = try TestFolder([
      "a.md": "# A\n\n![](x.png)\n\nBread, e.g. rye, is **old**[^1]. It is good.\n\n[^1]: Very.",
      "b.md": "---\ndescription: Written by hand.\n---\n# B\n\nText.", "c.md": "# C\n\n- An item.",
    ])

    #expect(
      try folder.read().nodes.filter { $0.kind == .lesson }.map(\.summary) == [
        "Bread, e.g. rye, is old.", "Written by hand.", "",
      ])
  }

  @Test(arguments: [
    ("One. Two.", "One."), ("Is it? Yes.", "Is it?"), ("“One.” Two.", "“One.”"),
    ("Dr. A. Smith came. He left.", "Dr. A. Smith came."),
    ("Version 1.5 is new. Yes.", "Version 1.5 is new."), ("面包很好。第二句。", "面包很好。"), ("No end", "No end"),
    (String(repeating: "word ", count: 60), String(repeating: "word ", count: 31) + "word…"),
  ])
  func `a sentence ends at its punctuation mark and not at an abbreviation`(_ text: String, _ sentence: String) {
    #expect(FirstSentence.summary(of: [.paragraph([.text(text)])]) == sentence)
  }
}
