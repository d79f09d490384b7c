import LearningModel
import Testing

@testable import CourseFormats

/// Tests of links that begin at the root of a web site whose pages are in a folder of the source.
struct SiteLinksTests {
  @Test(arguments: ["src", "content", "content/en", "src/content/docs", "docs", "website/docs"])
  func `a link from the root of the site leads to the page in the folder of the pages`(_ folder: String) throws {
    let draft = try TestFolder([
      "README.md": "# About\n\nBuild it.", folder + "/guide/apple.md": "# Apple\n\nRed.",
      folder + "/guide/zebra.md": """
      # Zebra

      [page](/guide/apple) [html](/guide/apple.html) [file](/guide/apple.md) [slash](/guide/apple/)
      [part](/api/bake.html#hot) [index](/api/index) [none](/guide/pear)
      """,
      folder + "/api/index.md": "# API\n\nAll.", folder + "/api/bake.md": "# Bake\n\n## Hot\n\nx",
    ]).read()
    let key = folder + "/guide/zebra#"

    #expect(
      try draft.sketch(key) == [
        "[page](waymark:\(folder)/guide/apple) [html](waymark:\(folder)/guide/apple) "
          + "[file](waymark:\(folder)/guide/apple) [slash](waymark:\(folder)/guide/apple) "
          + "[part](waymark:\(folder)/api/bake##hot) [index](waymark:\(folder)/api/index) none"
      ])
    #expect(draft.lost == ["1 broken link: shown as text"])
  }

  @Test func `a link with one name leads to a page at a content root only`() throws {
    let draft = try TestFolder([
      "src/start.md": "# Start\n\n[about](/about) [deep](/deep)", "src/about.md": "# About\n\nx",
      "src/guide/index.md": "# Guide\n\nx", "src/guide/deep.md": "# Deep\n\nx",
    ]).read()

    #expect(
      try draft.sketch("src/start#") == ["[about](waymark:src/about) deep"])
  }

  @Test func `of several pages with the same end, the one closest to the page with the link is used`() throws {
    let draft = try TestFolder([
      "one/pages/guide/apple.md": "# One\n\nx", "two/pages/guide/apple.md": "# Two\n\nx",
      "two/pages/start.md": "# Start\n\n[apple](/guide/apple)",
    ]).read()

    #expect(try draft.sketch("two/pages/start#") == ["[apple](waymark:two/pages/guide/apple)"])
  }

  @Test func `numbers, blanks and capitals in the names of files are not part of addresses`() throws {
    let draft = try TestFolder([
      "site/docs/02-Ovens/1 - Stone oven.mdx": "# Oven\n\nx",
      "site/docs/a.md": "# A\n\n[oven](/ovens/stone-oven) [other](../02-Ovens/1%20-%20Stone%20oven.md)",
    ]).read()

    #expect(
      try draft.sketch("site/docs/a#") == [
        "[oven](waymark:site/docs/Ovens/Stone oven) [other](waymark:site/docs/Ovens/Stone oven)"
      ])
  }

  @Test func `a page of Next.js has the address of its folder, and a link in an included file finds its page`() throws {
    let draft = try TestFolder([
      "app/docs/guide/page.mdx": "# Guide\n\n[oven](/docs/ovens/stone) [up](../ovens/stone) [side](./other)",
      "app/docs/other/page.mdx": "# Other\n\nx",
      "app/docs/ovens/stone/page.mdx": "# Stone oven\n\n[x](../docs/guide/page.mdx) [no](../guide/gone.md)",
    ]).read()

    #expect(
      try draft.sketch("app/docs/guide/page#") == [
        "[oven](waymark:app/docs/ovens/stone/page) [up](waymark:app/docs/ovens/stone/page) "
          + "[side](waymark:app/docs/other/page)"
      ])
    #expect(try draft.sketch("app/docs/ovens/stone/page#") == ["[x](waymark:app/docs/guide/page) no"])
  }

  @Test func `a link to a page without a text leads to its group`() throws {
    let draft = try TestFolder([
      "ovens/index.md": "---\ntitle: Ovens\n---\n", "ovens/a.md": "# A\n\n[all](index.md)", "b.md": "# B\n\nx",
    ]).read()

    #expect(try draft.sketch("ovens/a#") == ["[all](waymark:ovens/)"])
  }

  @Test func `a wikilink of Dendron has its text before the name of the note`() throws {
    let draft = try TestFolder([
      "bread.flour.md": "# Flour\n\n[[The oven|bread.oven#hot]], [[x|dendron://vault/bread.oven]], [[bread.oven|it]]",
      "bread.oven.md": "# Oven\n\n## Hot\n\nx",
    ]).read()

    #expect(
      try draft.sketch("bread.flour#") == [
        "[The oven](waymark:bread.oven##hot), [x](waymark:bread.oven), [it](waymark:bread.oven)"
      ])
  }

  @Test func `a reference to a term of a glossary finds a term that is a link`() throws {
    let draft = try TestFolder([
      "_toc.yml": "root: a\nchapters:\n- file: g", "a.md": "# A\n\nSee {term}`Rye`.",
      "g.md": "# G\n\n```{glossary}\n[Rye](https://example.org)\n    A grain.\n```",
    ]).read()

    #expect(try draft.sketch("a#") == ["See [Rye](waymark:g##term-rye)."])
  }

  @Test func `a link from the root of a site to a file that the site publishes is not broken`() throws {
    let draft = try TestFolder([
      "hugo.toml": "title = \"Bread\"\n", "content/a.md": "# A\n\n[key](/keys/one.pem), [none](/keys/two.pem)",
      "static/keys/one.pem": "x",
    ]).read()

    #expect(draft.lost == ["1 linked file: shown as text", "1 broken link: shown as text"])
  }

  @Test func `a link with one hyphen finds a heading with a sign between two words`() throws {
    let draft = try TestFolder([
      "a.md": "# A\n\n[there](b#rye-or-oats)", "b.md": "# B\n\n## Rye / or & oats\n\nx",
    ]).read()

    #expect(try draft.sketch("a#") == ["[there](waymark:b#)"])
    #expect(draft.lost == [])
  }

  @Test func `a thousand broken links to names that many pages have are resolved quickly`() throws {
    var files: [String: String] = [:]
    for index in 0..<400 { files["p\(index)/guide/start.md"] = "# Start \(index)\n\nx" }
    files["z.md"] = "# Z\n\n" + (0..<1_000).map { "[x](/other\($0)/guide/start)" }.joined(separator: "\n")
    let folder = try TestFolder(files)

    let draft = try folder.read()

    #expect(draft.lost == ["1000 broken link: shown as text"])
  }
}
