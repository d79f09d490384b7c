import CourseFormats
import Foundation
import LearningModel
import Snapshots
import Testing

/// Tests with the folders in `Fixtures/markdown-folder`, each of which covers one site generator or convention.
struct MarkdownFolderFixtureTests {
  private func read(_ name: String) throws -> CourseDraft {
    try FormatRegistry.read(CourseSource(path: fixtures.appending(path: "markdown-folder/" + name).path))
  }

  private func losses(_ draft: CourseDraft) -> [String] {
    draft.losses.map { "\($0.count) \($0.what): \($0.treatment)" }
  }

  // MARK: Names

  @Test func `a folder without metadata is a course in the order of file names`() throws {
    let draft = try read("plain")

    expectSnapshot(draft.outline)
    #expect(
      losses(draft) == [
        "1 translation: left out", "1 draft: left out", "1 unlisted page: moved to “Also in this folder”",
      ])
    #expect(
      draft.diagnostics.map(\.description) == [
        "plain: warning: The same pages exist in other languages, which are left out: de (1). "
          + "Import a folder with one language only to read another one."
      ])
  }

  @Test func `links in a plain folder resolve to files, headings, names and web addresses`()
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

  @Test func `MkDocs navigation determines order, nesting and titles, without missing pages`() throws {
    let draft = try read("mkdocs")

    expectSnapshot(draft.outline)
    #expect(draft.nodes[0].summary == "Four things and an oven.")
    #expect(draft.language == "en")
    #expect(
      try draft.content("https://bakery.example.org/#") == .link(destination: "https://bakery.example.org/", text: []))
    #expect(
      losses(draft) == ["1 missing page: left out", "1 unlisted page: moved to “Also in this folder”"])
    #expect(
      draft.diagnostics.map(\.description)
        == [
          "mkdocs.yml: warning: 1 page is not in it and is listed under “Also in this folder”. The first is "
            + "'docs/attic/old.md'.",
          "mkdocs.yml:17: warning: The page 'docs/preparing/salt.md' does not exist and is left out. Create it, or "
            + "remove it from the list.",
        ].reversed())
  }

  @Test func `the admonitions, tabs and placeholders of Python-Markdown are converted`() throws {
    try expectSnapshot(read("mkdocs").sketch("preparing/flour#"))
  }

  @Test func `Jupyter Book navigation determines parts, chapters and sections`() throws {
    let draft = try read("jupyter-book")

    expectSnapshot(draft.outline)
    #expect(
      losses(draft) == [
        "2 missing page: left out", "1 list of contents: left out", "1 hidden cell: left out",
        "1 computed figure: left out", "1 directive 'nonsense': shown as its text",
      ])
  }

  @Test func `the cells, roles, targets, exercises and tables of MyST are converted`() throws {
    let draft = try read("jupyter-book")

    try expectSnapshot(draft.sketch("weights#"))
    #expect(try draft.sketch("intro#") == ["Begin with [Weights](waymark:weights)."])
    #expect(
      try draft.sketch("parts/percent#") == [
        "Everything as a part of the flour; see [the weights](waymark:weights)."
      ])
  }

  @Test func `the configuration of The Carpentries determines the order in its folders`() throws {
    let draft = try read("carpentries")

    expectSnapshot(draft.outline, "draft")
    try expectSnapshot(draft.sketch("episodes/mix#"), "2")
    #expect(
      try draft.sketch("learners/reference#") == [
        "## Glossary {glossary}",
        ": proof", "    The last rise of a loaf, before it is baked.",
        ": crumb", "    The inside.",
      ])
  }

  @Test func `DocC topics determine the order, and DocC markup is converted`() throws {
    let draft = try read("docc")

    expectSnapshot(draft.outline, "draft")
    let oven = try draft.sketch("Oven#")
    expectSnapshot(oven, "oven")
    let firstloaf = try draft.sketch("Loaves/FirstLoaf#")
    expectSnapshot(firstloaf, "firstloaf")
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
        "2 unlisted page: moved to “Also in this folder”",
        "1 missing page: left out",
        "1 broken link: shown as text",
      ])
    #expect(
      draft.diagnostics.map(\.description) == [
        "Sources/Oven/Oven.docc/Oven.md: warning: 2 pages are not in it and are listed under “Also in this folder”. "
          + "The first is 'README.md'.",
        "Sources/Oven/Oven.docc/Oven.md:24: warning: The page 'Nowhere' does not exist and is left out. Create it, or "
          + "remove it from the topics.",
      ])
  }

  @Test func `Docusaurus categories determine the order, and its markup is converted`() throws {
    let draft = try read("docusaurus")

    expectSnapshot(draft.outline, "draft")
    #expect(draft.nodes[1].summary == "The first loaf.")
    try expectSnapshot(draft.sketch("start/first#"), "2")
    #expect(try draft.sketch("start/tools#") == ["A bowl, a scale. Then [the first loaf](waymark:start/first)."])
  }

  @Test func `sidebars list pages by id, categories, links and folders`() throws {
    try expectSnapshot(read("sidebars").outline)
  }

  @Test func `Hugo weights determine the order in the folder of the default language`() throws {
    let draft = try read("hugo")

    expectSnapshot(draft.outline)
    #expect(draft.nodes[4].summary == "Heat and steam.")
    #expect(
      losses(draft) == [
        "1 translation: left out", "2 page without a text: left out", "1 video: shown as a link",
        "1 shortcode 'sparkle': left out", "1 shortcode 'unknown-box': shown as its text",
        "1 image: shown as its description because its file is missing",
      ])
  }

  @Test func `Hugo shortcodes are converted or counted, and escaped ones are shown`() throws {
    try expectSnapshot(read("hugo").sketch("baking/oven#"))
  }

  @Test func `the GitBook summary determines the order, and Liquid tags are converted`() throws {
    let draft = try read("gitbook")

    expectSnapshot(draft.outline)
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
        "1 missing page: left out", "1 missing include: shown as its name", "1 placeholder 'page.author': left out",
      ])
  }

  // MARK: All fixtures

  @Test(arguments: [
    "plain", "mkdocs", "jupyter-book", "carpentries", "docusaurus", "hugo", "gitbook", "sidebars", "docc",
  ])
  func `every Markdown file becomes a lesson or is counted`(_ name: String) throws {
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
  func `no markup of a site generator remains outside code`(_ name: String) throws {
    let draft = try read(name)
    let allowed = name == "gitbook" ? ["{{ shown }}"] : []

    for content in try draft.allContents() { #expect(content.rawMarks(except: allowed) == []) }
  }
}
