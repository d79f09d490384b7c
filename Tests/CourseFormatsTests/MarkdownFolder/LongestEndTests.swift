import LearningModel
import Testing

@testable import CourseFormats

struct LongestEndTests {
  @Test func `a link with the base path of the site leads to the page with the longest matching end`() throws {
    let folder = try TestFolder([
      "index.md": """
      # Start

      See [one](/course/chapter1/1) and [two](/course/en/chapter1/2#part) and [plain](/chapter1/1) and
      [html](/course/chapter1/1.html) and [relative](../site/chapter1/1.md) and [none](/course/chapter9/1).
      ![picture](/course/img/x.svg)
      """,
      "chapter1/1.mdx": "# One\n\nText.", "chapter1/2.mdx": "# Two\n\nText.\n\n## Part\n\nMore.",
      "img/x.svg": "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"100\"/>",
    ])

    let draft = try folder.read()

    #expect(
      try draft.sketch("index#") == [
        "See [one](waymark:chapter1/1) and [two](waymark:chapter1/2##part) and [plain](waymark:chapter1/1) and "
          + "[html](waymark:chapter1/1) and [relative](waymark:chapter1/1) and none. ![picture](/course/img/x.svg)"
      ])
    #expect(draft.lost == ["1 broken link: shown as text"])
  }

  @Test func `a link with the address of a page leads to the file whose name has blanks`() throws {
    let folder = try TestFolder([
      "docs/a.md": "[by address](/docs/basics/aaa-test)", "docs/basics/8 - aaa - test.md": "Text.",
    ])

    #expect(try folder.read().sketch("docs/a#") == ["[by address](waymark:docs/basics/aaa - test)"])
  }

  @Test func `a link to a folder leads to the group of the navigation with its pages`() throws {
    let folder = try TestFolder([
      "_toctree.yml": """
      - title: 1. Dough
        sections:
        - local: chapter1/1
          title: Mixing
        - local: chapter1/2
          title: Kneading
      - title: 2. Oven
        sections:
        - local: chapter2/1
          title: Heat
      """,
      "chapter1/1.mdx": """
      # Mixing

      See [Chapter 2](/course/chapter2), [the oven](/course/chapter2/) and [it](../chapter2).
      """,
      "chapter1/2.mdx": "# Kneading\n\nSee [Chapter 3](/course/chapter3) and [Chapter 2](/course/chapter2/1).",
      "chapter2/1.mdx": "# Heat\n\nText.",
    ])

    let draft = try folder.read()

    #expect(
      try draft.sketch("chapter1/1#") == [
        "See [Chapter 2](waymark:chapter2/), [the oven](waymark:chapter2/) and [it](waymark:chapter2/)."
      ])
    #expect(try draft.sketch("chapter1/2#") == ["See Chapter 3 and [Chapter 2](waymark:chapter2/1)."])
    #expect(draft.lost == ["1 broken link: shown as text"])
  }

  @Test func `a single name does not match a page of another folder`() throws {
    let folder = try TestFolder([
      "a/b.md": "[x](../c/index.md) [y](/other/index) [z](d/e.md)", "index.md": "Text.", "e.md": "E.",
    ])

    #expect(try folder.read().sketch("a/b#") == ["x y z"])
  }

  @Test func `a navigation entry with an anchor is the section of that heading`() throws {
    let folder = try TestFolder([
      "mkdocs.yml": """
      site_name: Paints
      nav:
        - Colours: colors.md
        - Blue: colors.md#blue
        - Green: colors.md#green
        - Rust: rust.md#iron
        - Ash: ash.md
        - Birch: ash.md#birch
      """,
      "docs/colors.md":
        "# Colours\n\nRed first.\n\n## Red\n\nWarm.\n\n## Blue\n\nCold.\n\n### Sky\n\nWide.\n\n## End\n\nLast.",
      "docs/rust.md": "# Rust\n\nOld.\n\n## Iron\n\nHard.",
      "docs/ash.md": "# Ash\n\nWood.",
    ])

    let draft = try folder.read()

    #expect(
      draft.outline.filter { $0.hasPrefix("    l") } == [
        "    l colors | Colours", "    l colors~2 | Blue", "    l colors~3 | Green", "    l rust | Rust",
        "    l ash | Ash", "    l ash~2 | Birch",
      ])
    // Each block is shown once: the page's own entry ends where the first of the other entries begins.
    #expect(try draft.sketch("colors#") == ["Red first.", "## Red {red}", "Warm."])
    #expect(try draft.sketch("colors~2#") == ["Cold.", "### Sky {sky}", "Wide.", "## End {end}", "Last."])
    // No other entry shows the rest of the page, so the whole page is shown.
    #expect(try draft.sketch("rust#") == ["Old.", "## Iron {iron}", "Hard."])
    #expect(draft.said == [])
    // The page has neither the anchor of its second entry nor another one, so both entries show it.
    #expect(draft.lost == ["1 missing target of the navigation: shown as the whole page"])
  }
}
