import CourseFormats
import Foundation
import LearningModel
import Snapshots
import Testing

struct MarkdownFolderReaderTests {
  @Test func `a single Markdown file is a course`() throws {
    let draft = try FormatRegistry.read(
      CourseSource(name: "bread.md", bytes: Array("# Bread\n\nFlour.\n\n## Crust\n\nDark.".utf8)))

    #expect(draft.diagnostics == [])
    #expect(
      draft.outline.map { String($0.trimmingPrefix(while: \.isWhitespace)) } == [
        "c bread | Bread", "g bread.md! | Bread", "l bread.md | Bread", "a bread.md# | Bread",
      ])
  }

  @Test func `a page with the folder's name gets a different key`() throws {
    let draft = try TestFolder(["bees.md": "# Bees\n\nx", "wax.md": "[bees](bees.md)"], name: "bees").read()

    #expect(draft.diagnostics == [])
    #expect(draft.nodes.filter { $0.kind == .lesson }.map(\.key) == ["bees.md", "wax"])
    #expect(try draft.sketch("wax#") == ["[bees](waymark:bees.md)"])
  }

  @Test func `links to Jekyll collections are resolved, and DocC catalogs become goals`() throws {
    let site = try TestFolder(["_talks/first.md": "# First\n\nx", "about.md": "[one](/talks/first/)"]).read()
    #expect(try site.sketch("about#") == ["[one](waymark:_talks/first)"])

    let package = try TestFolder([
      "Sources/A/A.docc/A.md": "# ``A``\n\nOne.\n\n## Topics\n\n- <doc:Use>", "Sources/A/A.docc/Use.md": "# Use A\n\nx",
      "Sources/B/B.docc/B.md": "# ``B``\n\nTwo.\n\n## Topics\n\n- <doc:Use>",
      "Sources/B/B.docc/Use.md": "# Use B\n\n<doc:Use>",
      "Tests/C.docc/C.md": "# ``C``\n\n## Topics\n\n- <doc:Nowhere>",
    ]).read()
    expectSnapshot(package.outline)
    #expect(try package.sketch("Sources/B/B.docc/Use#") == ["[Use B](waymark:Sources/B/B.docc/Use)"])
    #expect(package.diagnostics == [])
  }

  @Test func `thirteen or more top-level pages are divided into goals`() throws {
    let folder = try TestFolder(
      Dictionary(uniqueKeysWithValues: (1...20).map { ("chapter-\($0).md", "# Chapter \($0)\n\nWords.") }),
      name: "novel")

    let draft = try folder.read()

    #expect(
      draft.outline.filter { $0.hasPrefix("  g") } == [
        "  g chapter-1! | Chapter 1 – Chapter 10", "  g chapter-11! | Chapter 11 – Chapter 20",
      ])
  }

  @Test func `if all pages are in a single folder, that folder is not a level of the course`() throws {
    let folder = try TestFolder(["notes/a/1.md": "# One\n\nx", "notes/b/2.md": "# Two\n\nx"])

    #expect(
      try folder.read().outline.filter { $0.hasPrefix("  g") } == ["  g notes/a/ | A", "  g notes/b/ | B"])
  }

  @Test func `invalid front matter causes a warning, and a horizontal rule at the start is kept`() throws {
    let folder = try TestFolder(["a.md": "---\ntitle: [\n---\n# A\n\nWords.", "b.md": "---\n\n# B\n\nMore."])

    let draft = try folder.read()

    #expect(draft.nodes.filter { $0.kind == .lesson }.map(\.title) == ["A", "B"])
    #expect(!draft.isRefused)
    #expect(draft.losses == [Loss(what: "fields of a page", count: 1, treatment: "left out")])
    #expect(draft.diagnostics.count == 1 && draft.diagnostics[0].file == "a.md")
    #expect(try draft.sketch("b#") == ["---", "# B {b}", "More."])
  }

  @Test func `the heading of a box may have a custom anchor`() throws {
    let folder = try TestFolder([
      "a.md": "[wet](#wet)\n\n::: challenge\n\n## How *wet*? {#wet .hard}\n\nToo wet.\n\n:::\n"
    ])

    #expect(
      try folder.read().sketch("a#") == ["[wet](waymark:a##wet)", "! box Challenge: How *wet*?", "  Too wet."])
  }

  @Test func `Markdown inside elements with the markdown attribute is parsed`() throws {
    let folder = try TestFolder([
      "a.md": "# A\n\n<figure markdown>\n  ![A *loaf*](loaf.png){ width=\"600\" }\n</figure>\n\n"
        + "<div class=\"x\" markdown=\"1\">\n**Warm**\n</div>\n\n<div markdown>\nnot closed"
    ])

    #expect(try folder.read().sketch("a#").prefix(2) == ["![A loaf](loaf.png)", "**Warm**"])
  }

  @Test func `a broken navigation file causes a warning, and the next one is used`() throws {
    let folder = try TestFolder([
      "mkdocs.yml": "nav: [", "SUMMARY.md": "- [B](b.md)\n- [A](a.md)", "a.md": "x", "b.md": "x",
    ])

    let draft = try folder.read()

    #expect(draft.nodes.filter { $0.kind == .lesson }.map(\.title) == ["B", "A"])
    #expect(draft.diagnostics.map(\.file) == ["mkdocs.yml"])
  }

  @Test func `a page that is listed twice gets two keys`() throws {
    let folder = try TestFolder([
      "mkdocs.yml": "nav:\n- a.md\n- Again: a.md\n- b.md", "docs/a.md": "# A\n\nx", "docs/b.md": "# B\n\n[a](a.md)",
    ])

    let draft = try folder.read()

    #expect(draft.nodes.filter { $0.kind == .lesson }.map(\.key) == ["a", "a~2", "b"])
    #expect(try draft.sketch("b#") == ["[a](waymark:a)"])
    #expect(draft.diagnostics.map(\.message).allSatisfy { $0.contains("is listed again") })
  }

  @Test func `a navigation that repeats pages too often is rejected`() throws {
    var limits = SourceLimits()
    limits.repeatedSize = 3 << 10
    let folder = try TestFolder(["mkdocs.yml": "nav:\n- a.md\n- a.md\n- a.md\n- a.md\n- a.md", "docs/a.md": "# A\n\nx"])

    #expect(throws: CourseFormatError.limit(.repeatedSize(3 << 10), file: "mkdocs.yml", line: 6)) {
      try folder.read(limits: limits)
    }
    limits.repeatedSize = 4 << 10
    #expect(try folder.read(limits: limits).nodes.count { $0.kind == .lesson } == 5)
  }

  @Test func `pages of other formats or outside the folder are skipped`() throws {
    let folder = try TestFolder([
      "_toc.yml": "root: a\nchapters:\n- file: book.rst\n- file: ../../secret", "a.md": "x", "book.rst": "{}",
    ])

    let draft = try folder.read()

    #expect(
      draft.losses.map(\.what) == ["page that is neither Markdown nor a notebook", "page outside the folder"])
    #expect(draft.diagnostics.map(\.line) == [3, 4])
  }

  @Test func `a single Markdown file that is not text makes the import fail`() throws {
    let draft = try FormatRegistry.read(CourseSource(name: "b.md", bytes: [0x61, 0xFF, 0x62]))

    #expect(draft.isRefused)
    #expect(draft.diagnostics.map(\.file) == ["b.md"])
  }

  @Test func `a folder whose pages have no text is rejected`() throws {
    let folder = try TestFolder(["a.md": "---\ntitle: A\n---\n"], name: "empty")

    let draft = try folder.read()

    #expect(draft.isRefused)
    #expect(
      draft.diagnostics.map(\.message) == [
        "No page of it has a text. Write a line of Markdown into one of its files."
      ])
  }

  @Test func `a single page without a text is rejected`() throws {
    let draft = try FormatRegistry.read(CourseSource(name: "notes.md", bytes: []))

    #expect(draft.isRefused)
    #expect(draft.diagnostics.map(\.message) == ["It has no text. Write a line of Markdown into it."])
  }

  @Test func `an edited heading changes only the key of its own section`() throws {
    let long = Array(repeating: "word", count: 900).joined(separator: " ")
    func text(_ second: String) -> String { "# Page\n\n\(long)\n\n## One\n\n\(long)\n\n## \(second)\n\n\(long)" }
    let before = try TestFolder(["a.md": text("Two")]).read()
    let after = try TestFolder(["a.md": text("Second")]).read()

    #expect(before.nodes.map(\.key) == ["course", "a!", "a", "a#", "a#one", "a#two"])
    #expect(after.nodes.map(\.key) == ["course", "a!", "a", "a#", "a#one", "a#second"])
  }

  @Test func `a page may declare its key with or without an anchor`() throws {
    let draft = try TestFolder([
      "new/a.md": "---\nkey: old/a#\n---\n# A\n\nx", "new/b.md": "---\nkey: old/b\n---\n# B\n\n[a](a.md)",
      "old/b.md": "x",
    ]).read()

    #expect(
      draft.nodes.filter { $0.kind == .activity }.map(\.key) == ["old/a#", "old/b#", "old/b.md#"])
    #expect(try draft.sketch("old/b#") == ["[a](waymark:old/a)"])
    #expect(draft.diagnostics == [])
  }

  @Test func `a file keeps its key when its number changes`() throws {
    let before = try TestFolder(["1-a.md": "x", "2-b.md": "x"]).read()
    let after = try TestFolder(["2-a.md": "x", "1-b.md": "x"]).read()

    #expect(before.nodes.filter { $0.kind == .lesson }.map(\.key) == ["a", "b"])
    #expect(after.nodes.filter { $0.kind == .lesson }.map(\.key) == ["b", "a"])
  }

  @Test func `reading a folder twice produces equal drafts`() throws {
    let path = fixtures.appending(path: "markdown-folder/plain").path
    let first = try FormatRegistry.read(CourseSource(path: path))
    let again = try FormatRegistry.read(CourseSource(path: path))

    #expect(first.nodes == again.nodes)
    #expect(first.sourceDigest == again.sourceDigest)
    #expect(try first.allContents() == again.allContents())
  }

  @Test func `a page whose file name is blank gets the title Untitled`() throws {
    let draft = try TestFolder([" .md": "Words.", "a.md": "More."]).read()

    #expect(draft.nodes.filter { $0.kind == .activity }.map(\.title) == ["Untitled", "A"])
  }
}
