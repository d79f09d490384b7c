import CourseFormats
import Foundation
import LearningModel
import Snapshots
import Testing

/// Tests with the folders in `Fixtures/jupyter`.
struct NotebookFixtureTests {
  private func read(_ name: String) throws -> CourseDraft {
    try FormatRegistry.read(CourseSource(path: fixtures.appending(path: "jupyter/" + name).path))
  }

  private func losses(_ draft: CourseDraft) -> [String] {
    draft.losses.map { "\($0.count) \($0.what): \($0.treatment)" }
  }

  @Test func `a folder of notebooks is a course with titles from headings or names`() throws {
    let draft = try read("notebooks")

    #expect(draft.format == "jupyter")
    expectSnapshot(draft.outline)
    #expect(draft.diagnostics == [])
  }

  @Test func `text, code and outputs are shown in order`() throws {
    let draft = try read("notebooks")

    try expectSnapshot(draft.sketch("water#"))
    #expect(
      losses(draft) == [
        "1 style sheet: left out", "1 hidden cell: left out",
        "1 output of the kind 'application/vnd.jupyter.widget-view+json': left out", "1 empty cell: left out",
      ])
  }

  @Test func `links lead to notebooks and headings, and unclosed markup ends with its cell`() throws {
    let draft = try read("notebooks")

    let index = try draft.sketch("index#")
    #expect(
      index == [
        "What a loaf weighs, and how long it waits. Begin with [the water](waymark:water##how-wet)."
      ])
    try expectSnapshot(draft.sketch("waiting#"))
  }

  @Test func `a book of Markdown and notebooks has all its pages`() throws {
    let draft = try read("book")

    #expect(draft.format == "markdown")
    expectSnapshot(draft.outline)
    #expect(
      losses(draft) == [
        "1 missing page: left out", "1 unlisted page: moved to “Also in this folder”",
      ])
    let intro = try draft.sketch("intro#")
    #expect(intro == ["Read [rye](waymark:rye) and [the sour one](waymark:sour)."])
    #expect(
      try draft.sketch("rye#") == ["! note", "  It sticks.", "Back to [the beginning](waymark:intro)."])
  }

  @Test func `a notebook of version 3 is read`() throws {
    let draft = try read("old/crust.ipynb")

    #expect(draft.outline.last == "      a crust.ipynb# | The Crust")
    #expect(draft.nodes[0].title == "The Crust")
    #expect(
      try draft.sketch(#require(draft.nodes.last).key) == [
        "Steam makes it shine.",
        "```python", "crust = 3", "crust", "```",
        "> ```", "> 3", "> ```", "> ```", "> thick", "> ```", "> ![Picture]()", "> ```", "> BurntError: too dark",
        "> ```",
      ])
  }
}
