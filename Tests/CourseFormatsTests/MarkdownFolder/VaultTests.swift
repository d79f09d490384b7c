import CourseFormats
import Foundation
import LearningModel
import TestSupport
import Testing

@testable import CourseFormats

/// Tests with notes of Obsidian, Logseq and Foam.
struct VaultTests {
  private func read(_ files: [String: String], pictures: [String] = []) throws -> CourseDraft {
    let folder = try TestFolder(files, name: "vault")
    for picture in pictures { try folder.write(tinyPNG(), to: picture) }
    return try folder.read()
  }

  private func losses(_ draft: CourseDraft) -> [String] {
    draft.losses.map { "\($0.count) \($0.what): \($0.treatment)" }
  }

  // MARK: Links

  @Test func `wikilinks lead to pages, headings, blocks and parts of the same page`() throws {
    let draft = try read([
      "a/Flour.md": "# Flour\n\nFrom grain. ^grain\n\n## Rye & wheat\n\n- dark ^dark\n",
      "Home.md": """
      # Home

      [[Flour]] [[a/flour.md]] [[Flour#Rye & wheat]] [[Flour#Flour#Rye & wheat|rye]] [[Flour#^grain]] [[flour^dark|d]]
      [[#Below]] [[#Below|b]]

      | a | b |
      |---|---|
      | [[Flour\\|f]] | x |

      ## Below

      `[[Flour]]`, [[1, 2], [3, 4]]
      """,
    ])

    #expect(
      try draft.sketch("Home#") == [
        "[Flour](waymark:a/Flour) [a/flour](waymark:a/Flour) [Flour > Rye & wheat](waymark:a/Flour##rye--wheat) "
          + "[rye](waymark:a/Flour##rye--wheat) [Flour](waymark:a/Flour##^grain) [d](waymark:a/Flour##^dark) "
          + "[Below](waymark:Home##below) [b](waymark:Home##below)",
        "| a | b |", "| [f](waymark:a/Flour) | x |", "## Below {below}", "`[[Flour]]`, [[1, 2], [3, 4]]",
      ])
    #expect(try draft.sketch("a/Flour#") == ["From grain.", "## Rye & wheat {rye--wheat}", "- dark"])
    #expect(losses(draft) == [])
  }

  @Test func `a link to a missing note is shown as its text and counted`() throws {
    let draft = try read(["A.md": "# A\n\n[[B]], [[Nowhere]], [[Nowhere#x|shown]], ![[Nowhere]].", "B.md": "# B\n\nx"])

    #expect(try draft.sketch("A#") == ["[B](waymark:B), Nowhere, shown, Nowhere."])
    #expect(losses(draft) == ["3 broken link: shown as text"])
  }

  @Test func `a wikilink leads to a page by its alias, and prefers pages in the same folder`() throws {
    let draft = try read([
      "Sour dough.md": "---\naliases: [Starter, Levain]\n---\n# Sour dough\n\nAlive.",
      "x/Note.md": "# One\n\nx", "y/Note.md": "# Two\n\nx", "y/See.md": "# See\n\n[[starter]] [[Note]] [[x/Note]]",
    ])

    #expect(
      try draft.sketch("y/See#") == [
        "[starter](waymark:Sour dough) [Note](waymark:y/Note) [x/Note](waymark:x/Note)"
      ])
  }

  // MARK: Embeds

  @Test func `an embedded picture is found by its name in any folder, and its size is not shown`() throws {
    let draft = try read(
      [
        "a/P.md":
          "# P\n\n![[loaf.png]]\n\nText ![[loaf.png|100]] ![[Loaf.png|a caption]] ![a|30x20](loaf.png)\n\n![[no.png]]"
      ],
      pictures: ["pictures/loaf.png"])

    #expect(
      try draft.images() == [
        "/pictures/loaf.png|loaf.png|3×2", "/pictures/loaf.png|loaf.png|3×2", "/pictures/loaf.png|a caption|3×2",
        "loaf.png|a|3×2", "no.png|no.png",
      ])
    #expect(losses(draft) == ["1 image: shown as its description because its file is missing"])
  }

  @Test func `an embedded note, section or block is shown in a frame below its paragraph`() throws {
    let draft = try read([
      "Flour.md":
        "# Flour\n\nFrom grain.[^1]\n\n## Wheat\n\nWhite. ^white\n\n## Rye\n\nDark.\n\n### Uses\n\nBread.\n\n[^1]: Or nuts.",
      "Home.md":
        "# Home\n\nSee ![[Flour#Rye]],\nor not.\n\n![[Flour#^white]]\n\n- item ![[Flour#Wheat|w]]\n\n![[Flour]]\n\nEnd.",
    ])

    #expect(
      try draft.sketch("Home#") == [
        "See [Flour > Rye](waymark:Flour##rye), or not.",
        "! box [Flour > Rye](waymark:Flour##rye)", "  Dark.", "  **Uses**", "  Bread.",
        "! box [Flour](waymark:Flour##^white)", "  White.",
        "- item [w](waymark:Flour##wheat)", "  ! box [w](waymark:Flour##wheat)", "    White.",
        "! box [Flour](waymark:Flour)", "  From grain.[1]", "  **Wheat**", "  White.", "  **Rye**", "  Dark.",
        "  **Uses**", "  Bread.", "End.", "---", "[1] Or nuts.",
      ])
    #expect(losses(draft) == [])
  }

  @Test func `notes that embed each other are shown once and then linked to`() throws {
    let draft = try read(["A.md": "# A\n\nOne.\n\n![[B]]", "B.md": "# B\n\nTwo.\n\n![[A]]\n\n![[B]]"])

    #expect(
      try draft.sketch("A#") == [
        "One.", "! box [B](waymark:B)", "  Two.", "  [A](waymark:A)", "  [B](waymark:B)",
      ])
    #expect(losses(draft) == ["4 embedded note: shown as a link"])
  }

  @Test func `the pages of a vault without settings are read as notes`() throws {
    let draft = try FormatRegistry.read(CourseSource(path: fixtures.appending(path: "markdown-folder/vault").path))

    #expect(
      try draft.sketch("Sour dough#") == [
        "A starter is alive and wants food.", "Press ![spoon.svg](/spoon.svg) to stir. ![loaf.png](/loaf.png)",
        "## Feeding {feeding}", "Once a day, said **everybody’s aunt**.",
        "See [Sour dough](waymark:Sour dough##^alive) and [Flour > Rye](waymark:Flour##rye).",
        "! box [Flour > Rye](waymark:Flour##rye)", "  Dark.", "| Key | Note |", "| a | [the flour](waymark:Flour) |",
      ])
    #expect(losses(draft) == ["1 hidden comment: left out"])
  }

  // MARK: Other markup

  @Test func `comments and block identifiers are hidden, and highlights and tasks are shown`() throws {
    let draft = try read([
      "A.md": """
      # A

      One %%hidden%% two %% over
      lines %% three. `%%code%%`

      %%

      ```
      x
      ```
      %%

      ==one== and ==with **strong**== and `==code==` and a == b == c.^[A note.]

      > quote

      ^quote

      - [/] half
      - [ ] open

      [[#^quote|q]] #tag/inner 100%% sure.
      """
    ])

    #expect(
      try draft.sketch("A#") == [
        "One two three. `%%code%%`", "**one** and **with **strong**** and `==code==` and a == b == c.[1]",
        "> quote", "- half", "- open", "[q](waymark:A##^quote) #tag/inner 100%% sure.", "---", "[1] A note.",
      ])
    #expect(losses(draft) == ["3 hidden comment: left out"])
  }

  @Test func `double percent signs outside vaults are text`() throws {
    let draft = try read(["A.md": "# A\n\nUse %%time and %%bash."])

    #expect(try draft.sketch("A#") == ["Use %%time and %%bash."])
  }

  @Test func `callouts have titles, metadata and nested callouts, and may be collapsed`() throws {
    let draft = try read([
      "A.md": "# A\n\n> [!faq]- Closed?\n> Hidden.\n\n> [!tip|wide] Do\n> > [!warning]\n> > Not.\n"
    ])

    #expect(
      try draft.sketch("A#") == ["? Question: Closed?", "  Hidden.", "! tip Do", "  ! warning", "    Not."])
  }

  @Test func `a page next to a folder of the same name is the page of the folder`() throws {
    let draft = try read([
      "Apples.md": "# Apples\n\nx", "Bread.md": "# All bread\n\nx", "Bread/Oats.md": "# Oats\n\nx",
      "Bread/Rye.md": "# Rye\n\nx", "Bread/Rye/Dark.md": "# Dark\n\nx",
    ])

    #expect(
      draft.outline == [
        "c vault | Vault", "  g Apples! | Apples", "    l Apples | Apples", "      a Apples# | Apples",
        "  g Bread/ | All bread", "    l Bread | All bread", "      a Bread# | All bread", "    l Bread/Oats | Oats",
        "      a Bread/Oats# | Oats", "    l Bread/Rye | Rye", "      a Bread/Rye# | Rye",
        "      l Bread/Rye/Dark | Dark", "        a Bread/Rye/Dark# | Dark",
      ])
  }

  @Test func `properties, block references and embeds of Logseq are read`() throws {
    let identifier = "64b1c0de-0000-4000-8000-123456789abc"
    let draft = try read([
      "logseq/config.edn": "{}", "pages/a___b.md": "- # B\n- x\n  id:: \(identifier)\n  collapsed:: true",
      "pages/Home.md": "title:: Home\nauthor:: Ann\n\n- [[a/b]] ((\(identifier)))\n- {{embed [[a/b]]}}",
    ])

    #expect(
      try draft.sketch("pages/Home#") == [
        "author: Ann", "- [a/b](waymark:pages/a___b) [A/b](waymark:pages/a___b##\(identifier))",
        "- [a/b](waymark:pages/a___b)", "  ! box [a/b](waymark:pages/a___b)", "    - **B**", "    - x",
      ])
  }

  @Test func `links of Logseq may have words`() throws {
    let identifier = "64b1c0de-0000-4000-8000-123456789abc"
    let draft = try read([
      "logseq/config.edn": "{}", "pages/b.md": "- x\n  id:: \(identifier)",
      "pages/a.md": "- See [the page]([[b]]), [the block](((\(identifier)))) and [none]([[Nowhere]]).",
    ])

    #expect(
      try draft.sketch("pages/a#") == [
        "- See [the page](waymark:pages/b), [the block](waymark:pages/b##\(identifier)) and none."
      ])
    #expect(losses(draft) == ["1 broken link: shown as text"])
  }

  @Test func `lists of Logseq below a heading, blocks of Org mode and properties are read`() throws {
    let draft = try read([
      "logseq/config.edn": "{}",
      "pages/a.md": """
      type:: loaf
      state:: warm

      ## Usage
      \t- one
      \t\t- two
      \t\t  ```js
      \t\t    x
      \t\t  ```
      - three
        #+BEGIN_TIP
        Hot.
        #+END_TIP
      \t- #+BEGIN_SRC sh
      \t  bake
      \t  #+END_SRC

      ```c
      \ty
      ```
      """,
    ])

    #expect(
      try draft.sketch("pages/a#") == [
        "type: loaf\\state: warm", "## Usage {usage}", "- one", "  - two", "    ```js", "      x", "    ```",
        "- three", "  ! tip", "    Hot.", "  - ```sh", "    bake", "    ```", "```c", "\ty", "```",
      ])
  }

  @Test func `properties of Logseq contain titles and other names, and empty pages are left out`() throws {
    let draft = try read([
      "pages/dough.md": "alias:: Levain, [[Starter]]\n\n- It rises.",
      "pages/oven.md": "title:: Ovens, gas\n\n- [[levain]], [[Starter]] and [[Foam]]",
      "pages/foam.md": "---\nalias: froth, foam\n---\n- See [[Ovens, gas]] and [[froth]].",
      "journals/2020_01_01.md": "-\n", "logseq/config.edn": "{}",
    ])

    #expect(draft.nodes.filter { $0.kind == .lesson }.map(\.title) == ["Dough", "Foam", "Ovens, gas"])
    #expect(
      try draft.sketch("pages/oven#") == [
        "- [levain](waymark:pages/dough), [Starter](waymark:pages/dough) and [Foam](waymark:pages/foam)"
      ])
    #expect(
      try draft.sketch("pages/foam#") == [
        "- See [Ovens, gas](waymark:pages/oven) and [froth](waymark:pages/foam)."
      ])
    #expect(losses(draft) == ["1 page without a text: left out"])
  }

  @Test(arguments: [
    HostileText("links", "[[a]] "), HostileText("open brackets", "[["), HostileText("embeds", "![[A]]\n"),
    HostileText("sections", "![[A#x]]\n\n"), HostileText("identifiers", "^a\n\n"), HostileText("comments", "%%"),
    HostileText("notes", "^["), HostileText("highlights", "==a "), HostileText("backticks", "`%%"),
  ])
  func `a note with repeated markup is read in linear time`(_ mark: HostileText) throws {
    let text =
      "# A\n\n[[A]]\n\n" + String(repeating: mark.text, count: 100_000 / mark.text.utf8.count) + "\n\n## x\n\ny"

    #expect(try read(["A.md": text]).nodes.count == 4)
  }
}
