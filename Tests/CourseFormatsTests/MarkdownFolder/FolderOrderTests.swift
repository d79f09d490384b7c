import LearningModel
import Testing

@testable import CourseFormats

/// Tests of the order of whole repositories: navigation files in other folders, and folders that are not goals.
struct FolderOrderTests {
  private func lessons(_ files: [String: String]) throws -> [String] {
    try TestFolder(files).read().outline.filter { !$0.drop { $0 == " " }.hasPrefix("a ") }
  }

  @Test func `the only navigation file below the top determines the order`() throws {
    #expect(
      try lessons([
        "README.md": "# Bread lectures\n\nBuild it.", "lectures/intro.md": "# Intro\n\nHello.",
        "lectures/apple.md": "# Apple\n\nRed.", "lectures/zebra.md": "# Zebra\n\nBlack.",
        "lectures/_toc.yml": """
        format: jb-book
        root: intro
        parts:
        - caption: Doing
          chapters:
          - file: zebra
          - file: apple
        """,
      ]) == [
        "c course | Bread lectures", "  g lectures/intro! | Intro", "    l lectures/intro | Intro",
        "  g doing/ | Doing",
        "    l lectures/zebra | Zebra", "    l lectures/apple | Apple", "  g also/ | Also in this folder",
        "    l README | Bread lectures",
      ])
  }

  @Test func `a folder in the navigation of MkDocs contains its pages, first those that its list names`() throws {
    #expect(
      try lessons([
        "mkdocs.yml": "nav:\n- index.md\n- User guide: guide/\n- more/\n", "docs/index.md": "# Home\n\nx",
        "docs/guide/README.md": "# The guide\n\n- [Oven](zebra.md) and [home](../index.md)\n- [Flour](apple.md)",
        "docs/guide/apple.md": "# Apple\n\nx", "docs/guide/bran.md": "# Bran\n\nx",
        "docs/guide/zebra.md": "# Zebra\n\nx", "docs/more/b.md": "# B\n\nx", "docs/more/a.md": "# A\n\nx",
      ]) == [
        "c course | Home", "  g index! | Home", "    l index | Home", "  g guide/README! | User guide",
        "    l guide/README | User guide", "    l guide/zebra | Zebra", "    l guide/apple | Apple",
        "    l guide/bran | Bran", "  g more/ | More", "    l more/a | A", "    l more/b | B",
      ])
  }

  @Test func `a part with its own navigation file has the order of that file`() throws {
    #expect(
      try lessons([
        "index.md": "# All\n\nx", "bread/SUMMARY.md": "- [Second](b.md)\n- [First](a.md)\n- [Gone](c.md)",
        "bread/a.md": "# A\n\nx", "bread/b.md": "# B\n\nx", "bread/more.md": "# More\n\nx",
        "soup/_toc.yml": "root: z\nchapters:\n- file: y\n", "soup/y.md": "# Y\n\nx", "soup/z.md": "# Z\n\nx",
      ]) == [
        "c course | All", "  g index! | All", "    l index | All", "  g bread/ | Bread", "    l bread/b | Second",
        "    l bread/a | First", "    l bread/more | More", "  g soup/ | Soup", "    l soup/z | Z", "    l soup/y | Y",
      ])
  }

  @Test func `folders in which a generator expects the pages are not goals`() throws {
    #expect(
      try lessons([
        "README.md": "# Bread\n\nBuild it.", "src/content/docs/en/index.md": "# Home\n\nx",
        "src/content/docs/en/guide/a.md": "# A\n\nx", "src/content/docs/en/guide/b.md": "# B\n\nx",
        "notes/c.md": "# C\n\nx",
      ]) == [
        "c course | Bread", "  g README! | Bread", "    l README | Bread", "  g notes/ | Notes", "    l notes/c | C",
        "  g src/content/docs/en/index! | Home", "    l src/content/docs/en/index | Home",
        "  g src/content/docs/en/guide/ | Guide", "    l src/content/docs/en/guide/a | A",
        "    l src/content/docs/en/guide/b | B",
      ])
  }

  @Test func `the sidebar of Starlight is read from a file that the configuration imports`() throws {
    #expect(
      try lessons([
        "astro.config.mjs": """
        import starlight from '@astrojs/starlight';
        import { sidebar } from './astro.sidebar';
        export default defineConfig({ integrations: [starlight({ title: 'Bread docs', sidebar })] });
        """,
        "astro.sidebar.ts": """
        import { group } from './config/sidebar';
        export const sidebar = [
          group('start.baking', { items: ['start/zebra', { slug: 'start/apple' }] }),
          { label: 'Reference', autogenerate: { directory: 'reference' } },
        ] satisfies StarlightUserConfig['sidebar'];
        """,
        "README.md": "# Bread docs\n\nRun it.", "src/content/docs/index.mdx": "---\ntitle: Welcome\n---\nx",
        "src/content/docs/start/apple.mdx": "---\ntitle: The apple\n---\nx",
        "src/content/docs/start/zebra.mdx": "---\ntitle: The zebra\n---\nx",
        "src/content/docs/reference/bake.mdx": "---\ntitle: The bake\n---\nx",
      ]) == [
        "c course | Bread docs", "  g src/content/docs/index! | Welcome", "    l src/content/docs/index | Welcome",
        "  g src/content/docs/start/ | Baking", "    l src/content/docs/start/zebra | The zebra",
        "    l src/content/docs/start/apple | The apple", "  g src/content/docs/reference/ | Reference",
        "    l src/content/docs/reference/bake | The bake", "  g also/ | Also in this folder",
        "    l README | Bread docs",
      ])
  }

  @Test func `a sidebar in a typed constant is read, with lists that it spreads`() throws {
    #expect(
      try lessons([
        ".vitepress/config.ts": """
        import api from './api'
        const first = [{ text: 'Zebra first', link: '/guide/zebra' }]
        export const sidebar: ThemeConfig['sidebar'] = {
          '/guide/': [{ text: 'Start', items: [...first, { text: 'Apple second', link: '/guide/apple' }] }],
          '/api/': api,
        }
        export default defineConfigWithTheme<ThemeConfig>({ title: 'Bread', srcDir: 'src', themeConfig: { sidebar } })
        """,
        ".vitepress/api.ts": "export default [{ text: 'Bake', link: '/api/bake' }]",
        "src/guide/apple.md": "# Apple\n\nx", "src/guide/zebra.md": "# Zebra\n\nx", "src/api/bake.md": "# Bake\n\nx",
      ]) == [
        "c course | Bread", "  g src/guide/ | Guide", "    l src/guide/-2 | Start",
        "      l src/guide/zebra | Zebra first",
        "      l src/guide/apple | Apple second", "  g src/api/ | Api", "    l src/api/bake | Bake",
      ])
  }

  @Test func `the paths in a sidebar of VuePress are relative to the name of the list`() throws {
    #expect(
      try lessons([
        "docs/.vuepress/config.js":
          "module.exports = { title: 'Bread', themeConfig: { sidebar: { '/guide/': ['z', ['a', 'First'], '/b'] } } }",
        "docs/guide/z.md": "# Z\n\nx", "docs/guide/a.md": "# A\n\nx", "docs/b.md": "# B\n\nx",
      ]) == [
        "c course | Bread", "  g docs/guide/z! | Bread", "    l docs/guide/z | Z", "    l docs/guide/a | First",
        "    l docs/b | B",
      ])
  }

  @Test(arguments: [
    ("_meta.js", "export default { index: 'Hello', zebra: 'The zebra', deep: { title: 'Further down' }, '*': {} }"),
    ("_meta.en.json", "{\"index\": \"Hello\", \"zebra\": \"The zebra\", \"deep\": {\"title\": \"Further down\"}}"),
  ])
  func `the metadata of Nextra determines the order and the titles of a folder`(_ name: String, _ meta: String) throws {
    #expect(
      try lessons([
        "pages/" + name: meta, "pages/index.mdx": "# Start\n\nx", "pages/apple.mdx": "# Apple\n\nx",
        "pages/zebra.mdx": "# Zebra\n\nx", "pages/deep/a.mdx": "# A\n\nx", "pages/deep/b.mdx": "# B\n\nx",
        "pages/deep/_meta.js": "export default { b: 'Second' }",
      ]).filter { !$0.hasPrefix("c") } == [
        "  g pages/index! | Hello – The zebra", "    l pages/index | Hello", "    l pages/zebra | The zebra",
        "  g pages/deep/ | Further down", "    l pages/deep/b | Second", "    l pages/deep/a | A",
        "  g pages/apple! | Apple", "    l pages/apple | Apple",
      ])
  }
}
