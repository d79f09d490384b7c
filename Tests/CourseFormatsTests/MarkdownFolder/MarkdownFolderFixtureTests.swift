import CourseFormats
import Foundation
import LearningModel
import Testing

/// The folders of `Fixtures/markdown-folder`, each with the cases of one way to write a course.
struct MarkdownFolderFixtureTests {
  private func read(_ name: String) throws -> CourseDraft {
    try FormatRegistry.read(CourseSource(path: fixtures.appending(path: "markdown-folder/" + name).path))
  }

  private func losses(_ draft: CourseDraft) -> [String] {
    draft.losses.map { "\($0.count) \($0.what): \($0.treatment)" }
  }

  // MARK: Names

  @Test func `a folder without any metadata is a course by its names`() throws {
    let draft = try read("plain")

    #expect(
      draft.outline == [
        "c plain | Bread at Home",
        "  g README! | Bread at Home",
        "    l README | Bread at Home",
        "      a README# | Bread at Home",
        "  g flour/ | Flour",
        "    l flour/README | Flour",
        "      a flour/README# | Flour",
        "    l flour/grains | Grains",
        "      a flour/grains# | Grains",
        "    l flour/storing | Storing",
        "      a flour/storing# | Storing",
        "  g loaf/ | Loaf",
        "    l loaf/dough | Dough",
        "      a loaf/dough# | Dough",
        "    l loaf/baking | Baking",
        "      a loaf/baking# | Baking",
        "    l loaf/cooling | Cooling",
        "      a loaf/cooling# | Cooling",
        "  g glossary! | Words",
        "    l glossary | Words",
        "      a glossary# | Words",
        "  g also/ | Also in this folder",
        "    l LICENSE | Licence",
        "      a LICENSE# | Licence",
      ])
    #expect(
      losses(draft) == [
        "1 translation: left out", "1 draft: left out", "1 unlisted page: under “Also in this folder”",
      ])
    #expect(
      draft.diagnostics.map(\.description) == [
        "plain: warning: The same pages are there in other languages, which are left out: de (1). "
          + "Import a folder with one language only to read another one."
      ])
  }

  @Test func `links of a plain folder lead to files, headings, pages by name, and what a page becomes on the web`()
    throws
  {
    let draft = try read("plain")

    #expect(
      try draft.sketch("README#") == [
        "Flour, water, salt and time. Begin with [flour](waymark:flour/README), or see "
          + "[the loaf](waymark:loaf/baking##the-oven)."
      ])
    #expect(
      try draft.sketch("loaf/dough#") == [
        "# Introduction {introduction}", "Mix, wait, fold.",
        "[Then bake](waymark:loaf/baking), or read [the glossary](waymark:glossary##crumb).",
      ])
  }

  // MARK: Navigation

  @Test func `mkdocs.yml gives order, nesting and titles, and leaves out what is missing`() throws {
    let draft = try read("mkdocs")

    #expect(
      draft.outline == [
        "c mkdocs | Bread at Home",
        "  g index! | Welcome",
        "    l index | Welcome",
        "      a index# | Welcome",
        "  g preparing/ | Preparing",
        "    l preparing/flour | Flour",
        "      a preparing/flour# | Flour",
        "    l preparing/water | Water",
        "      a preparing/water# | Water",
        "    l preparing/hand/ | By hand",
        "      l preparing/hand/kneading | Kneading",
        "        a preparing/hand/kneading# | Kneading",
        "  g baking! | Baking – A friend's bakery",
        "    l baking | Baking",
        "      a baking# | Baking",
        "    l https://bakery.example.org/ | A friend's bakery",
        "      a https://bakery.example.org/# | A friend's bakery",
        "  g also/ | Also in this folder",
        "    l attic/old | An old page",
        "      a attic/old# | An old page",
      ])
    #expect(draft.nodes[0].summary == "Four things and an oven.")
    #expect(draft.language == "en")
    #expect(
      try draft.content("https://bakery.example.org/#") == .link(destination: "https://bakery.example.org/", text: []))
    #expect(
      losses(draft) == ["1 missing page: left out", "1 unlisted page: under “Also in this folder”"])
    #expect(
      draft.diagnostics.map(\.description)
        == [
          "mkdocs.yml: warning: 1 page is not in it, and stands under “Also in this folder”. The first is "
            + "'docs/attic/old.md'.",
          "mkdocs.yml:17: warning: The page 'docs/preparing/salt.md' does not exist and is left out. Write it, or take it "
            + "out of the list.",
        ].reversed())
  }

  @Test func `Python-Markdown's admonitions, closed blocks, tabs and placeholders are shown`() throws {
    #expect(
      try read("mkdocs").sketch("preparing/flour#") == [
        "# All about flour {all-about-flour}",
        "! note Buy little",
        "  It does not keep.",
        "  Not even in a *tin*.",
        "? Question: How long does it keep?",
        "  Half a year.",
        "= Wheat",
        "  Rises.",
        "= Rye",
        "  Holds water.",
        "The oven: 230 °C.",
      ])
  }

  @Test func `_toc.yml gives parts, chapters and sections`() throws {
    let draft = try read("jupyter-book")

    #expect(
      draft.outline == [
        "c jupyter-book | Bread in Numbers",
        "  g intro! | Bread in numbers",
        "    l intro | Bread in numbers",
        "      a intro# | Bread in numbers",
        "  g numbers/ | Numbers",
        "    l weights | Weights",
        "      a weights# | Weights",
        "      l parts/percent | Baker's percentages",
        "        a parts/percent# | Baker's percentages",
        "    l https://scales.example.org | Scales",
        "      a https://scales.example.org# | Scales",
      ])
    #expect(
      losses(draft) == [
        "2 missing page: left out", "1 list of contents: left out", "1 hidden cell: left out",
        "1 computed figure: left out", "1 directive 'nonsense': its text is shown",
      ])
  }

  @Test func `cells, roles, targets, exercises and tables of MyST are shown`() throws {
    let draft = try read("jupyter-book")

    #expect(
      try draft.sketch("weights#") == [
        "Salt: 2 %, as [Baker's percentages](waymark:parts/percent) says. `numpy.round` and `round` help.",
        "```python", "flour = 500", "salt = flour * 0.02", "```",
        "! note",
        "  Weigh, do not measure.",
        "? Why not cups?",
        "  Flour **settles**.",
        "! box Exercise",
        "  How much salt for 800 g?",
        "  ```python", "  800 * 0.02", "  ```",
        "? Solution",
        "  Sixteen grams.",
        "> *Doughs*",
        "> | Dough | Water |",
        "> | Stiff |  |",
        "> | Soft | `0.75` |",
        "argument",
        "Its text stays.",
      ])
    #expect(try draft.sketch("intro#") == ["Begin with [Weights](waymark:weights)."])
    #expect(
      try draft.sketch("parts/percent#") == [
        "Everything as a part of the flour; see [the weights](waymark:weights)."
      ])
  }

  @Test func `The Carpentries' config.yaml gives the order, and an empty list all pages of the folder`() throws {
    let draft = try read("carpentries")

    #expect(
      draft.outline == [
        "c carpentries | Bread for Beginners",
        "  g index! | Index",
        "    l index | Index",
        "      a index# | Index",
        "  g episodes/ | Episodes",
        "    l episodes/rise | Rising",
        "      a episodes/rise# | Rising",
        "    l episodes/mix | Mixing",
        "      a episodes/mix# | Mixing",
        "  g learners/ | Learners",
        "    l learners/reference | Words",
        "      a learners/reference# | Words",
      ])
    #expect(
      try draft.sketch("episodes/mix#") == [
        "! box Objectives",
        "  - Mix a dough.",
        "Mix it.",
        "! box Challenge: How wet?",
        "  Is it too wet?",
        "  ? Solution",
        "    No.",
        "! box Patience",
        "  Wait ![A clock](fig/clock.svg) an hour. See [proof](waymark:learners/reference##proof).",
      ])
    #expect(
      try draft.sketch("learners/reference#") == [
        "## Glossary {glossary}",
        ": proof", "    The last rise of a loaf, before it is baked.",
        ": crumb", "    The inside.",
      ])
  }

  @Test func `the topics of a DocC catalog give the order, and its links, notes, tabs and pictures are shown`() throws {
    let draft = try read("docc")

    #expect(
      draft.outline == [
        "c docc | Oven",
        "  g Oven! | Oven",
        "    l Oven | Oven",
        "      a Oven# | Oven",
        "  g Loaves/ | First steps",
        "    l Loaves/FirstLoaf | The first loaf",
        "      a Loaves/FirstLoaf# | The first loaf",
        "      l Loaves/Proof | Proof",
        "        a Loaves/Proof# | Proof",
        "  g later/ | Later",
        "    l Rye | Rye",
        "      a Rye# | Rye",
        "  g also/ | Also in this folder",
        "    l ../README | Oven, a package",
        "      a ../README# | Oven, a package",
        "    l LeftOver | Left over",
        "      a LeftOver# | Left over",
      ])
    let oven = try draft.sketch("Oven#")
    #expect(
      oven == [
        "Bake bread in a *small* kitchen.",
        "## Overview {overview}",
        "Begin with [The first loaf](waymark:Loaves/FirstLoaf), and read [What you need!](waymark:Loaves/FirstLoaf##what-you-need) when something is missing.",
        "## See Also {see-also}",
        "- [The other book](https://example.org/bread)",
      ])
    let firstloaf = try draft.sketch("Loaves/FirstLoaf#")
    #expect(
      firstloaf == [
        "From flour to bread — in an evening.",
        "## What you need! {what-you-need}",
        "! note",
        "  Weigh it. See `Oven/Scale`, and [Rye](waymark:Rye).",
        "! box Experiment",
        "  Bake two.",
        "> A plain word: several words are no tag.",
        "![A peel](peel)",
        "![The same peel (again)](peel.svg)",
        "Flour, 500 g.",
        "Water, 350 g – cold.",
        "= By hand",
        "  Fold it.",
        "  ```swift",
        "  let folds = 4 -- 1  // <doc:Rye>",
        "  ",
        "  @Metadata {",
        "  ```",
        "= By machine",
        "  Wait.",
      ])
    let proof = try draft.sketch("Loaves/Proof#")
    #expect(
      proof == [
        "An hour, back [up](waymark:Loaves/FirstLoaf). `<doc:Rye>` is code, and so is `--- a`."
      ])
    let rye = try draft.sketch("Rye#")
    #expect(
      rye == [
        "Dark. Up to [Rye](waymark:Rye), or to [Proof](waymark:Loaves/Proof)."
      ])
    let leftover = try draft.sketch("LeftOver#")
    #expect(
      leftover == [
        "No topic names it; it names here."
      ])
    #expect(
      losses(draft) == [
        "2 unlisted page: under “Also in this folder”",
        "1 missing page: left out",
        "1 link that leads nowhere: its words are kept",
      ])
    #expect(
      draft.diagnostics.map(\.description) == [
        "Sources/Oven/Oven.docc/Oven.md: warning: 2 pages are not in it, and stand under “Also in this folder”. The first is 'README.md'.",
        "Sources/Oven/Oven.docc/Oven.md:24: warning: The page 'Nowhere' does not exist and is left out. Write it, or take it out of the topics.",
      ])
  }

  @Test func `Docusaurus's categories and positions give the order, its tabs and admonitions are shown`() throws {
    let draft = try read("docusaurus")

    #expect(
      draft.outline == [
        "c docusaurus | Docusaurus",
        "  g start/ | Begin here",
        "    l start/tools | Tools",
        "      a start/tools# | Tools",
        "    l start/first | The first loaf",
        "      a start/first# | The first loaf",
        "  g last! | What next",
        "    l last | What next",
        "      a last# | What next",
      ])
    #expect(draft.nodes[1].summary == "The first loaf.")
    #expect(
      try draft.sketch("start/first#") == [
        "! tip Steam",
        "  A tray of water helps.",
        "= Gas oven", "  Middle shelf.",
        "= Electric oven", "  Lowest shelf.",
        "! caution Danger: Hot!",
        "  Use gloves.",
      ])
    #expect(try draft.sketch("start/tools#") == ["A bowl, a scale. Then [the first loaf](waymark:start/first)."])
  }

  @Test func `sidebars in JSON give pages by their ids, categories, links and whole folders`() throws {
    #expect(
      try read("sidebars").outline == [
        "c sidebars | Sidebars",
        "  g intro! | Intro",
        "    l intro | Intro",
        "      a intro# | Intro",
        "  g dough/overview! | Dough",
        "    l dough/overview | Dough",
        "      a dough/overview# | Dough",
        "    l dough/yeast | Yeast",
        "      a dough/yeast# | Yeast",
        "    l dough/more/a | Sourdough",
        "      a dough/more/a# | Sourdough",
        "  g https://shop.example.org! | Shop",
        "    l https://shop.example.org | Shop",
        "      a https://shop.example.org# | Shop",
        "  g ovens/ | Ovens",
        "    l ovens/gas | Gas",
        "      a ovens/gas# | Gas",
      ])
  }

  @Test func `Hugo's weights give the order in the folder of the default language`() throws {
    let draft = try read("hugo")

    #expect(
      draft.outline == [
        "c hugo | Bread",
        "  g dough/ | Dough",
        "    l dough/index-of-things | Things",
        "      a dough/index-of-things# | Things",
        "  g baking/ | Baking",
        "    l baking/oven | The oven",
        "      a baking/oven# | The oven",
      ])
    #expect(draft.nodes[4].summary == "Heat and steam.")
    #expect(
      losses(draft) == [
        "1 translation: left out", "2 page without a text: left out", "1 video: linked to",
        "1 shortcode 'sparkle': left out", "1 shortcode 'unknown-box': its text is shown",
        "1 image: its description is shown, for its file is not there",
      ])
  }

  @Test func `Hugo's shortcodes are shown or counted, and one that is only written about stays`() throws {
    #expect(
      try read("hugo").sketch("baking/oven#") == [
        "Edition 3.",
        "![An oven](oven.png)",
        "```toml", "heat = 250", "```",
        "? Why so hot?",
        "  The crust.",
        "! warning",
        "  It **burns**.",
        "[Video](https://www.youtube.com/watch?v=abc123)",
        "Words in it.",
        "```text", "{{< figure src=\"x.png\" >}}", "```",
        "As `{{< figure >}}` says. See [Dough](waymark:dough/).",
      ])
  }

  @Test func `SUMMARY.md gives the order, and Liquid tags are shown or counted`() throws {
    let draft = try read("gitbook")

    #expect(
      draft.outline == [
        "c gitbook | Hello",
        "  g README! | Hello",
        "    l README | Hello",
        "      a README# | Hello",
        "  g bread/ | Bread",
        "    l dough | Dough",
        "      a dough# | Dough",
        "      l yeast | Yeast",
        "        a yeast# | Yeast",
      ])
    #expect(try draft.sketch("README#") == ["! note Info", "  Wash your hands."])
    #expect(
      try draft.sketch("dough#") == [
        "= By hand", "  Fold.", "= By machine", "  Wait.",
        "```ruby", "puts \"dough\"", "```",
        "{{ shown }}", "*Not in the folder: ad.html*",
        "[yeast](waymark:yeast) and .",
      ])
    #expect(
      losses(draft) == [
        "1 missing page: left out", "1 missing include: named in the text", "1 placeholder 'page.author': left out",
      ])
  }

  // MARK: All of them

  @Test(arguments: [
    "plain", "mkdocs", "jupyter-book", "carpentries", "docusaurus", "hugo", "gitbook", "sidebars", "docc",
  ])
  func `every Markdown file has its place, or is counted`(_ name: String) throws {
    let folder = fixtures.appending(path: "markdown-folder/" + name)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    let files = names.filter { ($0.hasSuffix(".md") || $0.hasSuffix(".mdx")) && $0 != "SUMMARY.md" }

    let draft = try read(name)

    let pages = draft.nodes.indices.filter { index in
      draft.nodes[index].kind == .lesson
        && draft.nodes.contains { $0.parent == index && $0.kind == .activity && $0.type == .reading }
    }
    let lost = draft.losses.filter { ["translation", "draft", "page without a text"].contains($0.what) }
    #expect(pages.count + lost.map(\.count).reduce(0, +) == files.count)
    #expect(!draft.isRefused)
  }

  @Test(arguments: [
    "plain", "mkdocs", "jupyter-book", "carpentries", "docusaurus", "hugo", "gitbook", "sidebars", "docc",
  ])
  func `no mark of a generator is left outside program text`(_ name: String) throws {
    let draft = try read(name)
    let allowed = name == "gitbook" ? ["{{ shown }}"] : []

    for content in try draft.allContents() { #expect(content.rawMarks(except: allowed) == []) }
  }
}
