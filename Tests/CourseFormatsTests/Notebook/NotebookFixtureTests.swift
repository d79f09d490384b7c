import CourseFormats
import Foundation
import LearningModel
import Testing

/// The folders of `Fixtures/jupyter`.
struct NotebookFixtureTests {
  private func read(_ name: String) throws -> CourseDraft {
    try FormatRegistry.read(CourseSource(path: fixtures.appending(path: "jupyter/" + name).path))
  }

  private func losses(_ draft: CourseDraft) -> [String] {
    draft.losses.map { "\($0.count) \($0.what): \($0.treatment)" }
  }

  @Test func `a folder of notebooks is a course by their names and first words`() throws {
    let draft = try read("notebooks")

    #expect(draft.format == "jupyter")
    #expect(
      draft.outline == [
        "c notebooks | Bread in Numbers",
        "  g index! | Bread in Numbers",
        "    l index | Bread in Numbers",
        "      a index# | Bread in Numbers",
        "    l water | Water and Flour",
        "      a water# | Water and Flour",
        "    l waiting | Time and Warmth",
        "      a waiting# | Time and Warmth",
      ])
    #expect(draft.diagnostics == [])
  }

  @Test func `text, program text and what it answered stand in their order, and nothing else`() throws {
    let draft = try read("notebooks")

    #expect(
      try draft.sketch("water#") == [
        "*A dough is called by its water: so many grams to 100 of flour.*",
        "## How wet? {how-wet}",
        "The share of water is $h = \\frac{w}{f}$, so $w_{1} = h_{1} * f_{1}$ and `w = $h`.",
        "$$h = \\begin{pmatrix} 1 \\\\ 2 \\end{pmatrix}$$",
        "```python", "flour = 500", "water = 350", "water / flour", "```",
        "> ```", "> 0.7", "> ```",
        "## A table {a-table}",
        "```python", "table", "```",
        "> |  | flour | water |", "> | 0 | 500 | 350 |", "> | 1 | 400 | 300 |",
        "## A picture {a-picture}",
        "![the crumb]() and ![in itself]()",
        "```python", "plot(flour)", "```",
        "> ![Figure size 640x480 with 1 Axes]()",
        "```python", "for minute in range(3):", "    print(minute)", "```",
        "> ```", "> 0", "> 1", "> 2", "> ```",
        "> ```", "> slow", "> ```",
        "```python", "bake(minutes=50)", "```",
        "> ```", "> 100 %", "> ```",
        "```bash", "%%bash", "ls", "```",
        "> ```", "> bread", "> ```",
        "```python", "flour / 0", "```",
        "> ```", "> ZeroDivisionError: division by zero", "> in cell 9", "> ```",
        "## How wet? {how-wet-1}",
        "A second heading of that name.",
        "? Code", "  ```python", "  answer = 350", "  ```",
        "> ```", "> 350", "> ```",
        "```python", "noise()", "```",
        "? Output", "  ```", "  much", "  ```",
        "```python", "widget", "```",
        "```python", "IFrame()", "```",
        "> A **bold** answer.",
        "```python", "Markdown()", "```",
        "> *Crust* and $a_1$",
        "```rst", ".. note:: for print", "```",
        "```", "as it stands", "```",
      ])
    #expect(
      losses(draft) == [
        "1 style sheet: left out", "1 hidden cell: left out",
        "1 output of the kind 'application/vnd.jupyter.widget-view+json': left out", "1 empty cell: left out",
      ])
  }

  @Test func `links lead to notebooks and their headings, and what a cell leaves open ends with it`() throws {
    let draft = try read("notebooks")

    let index = try draft.sketch("index#")
    #expect(
      index == [
        "What a loaf weighs, and how long it waits. Begin with [the water](waymark:water##how-wet)."
      ])
    #expect(
      try draft.sketch("waiting#") == [
        "Each ten degrees halve the time.",
        "# Cold {cold}", "In the cold it waits a day.",
        "# Warm {warm}", "In the warm an hour, as [wet dough](waymark:water) does.",
        "An unclosed fence ends with its cell:", "```", "bread", "```",
        "Here words are words, and so is `$x_1$`.",
      ])
  }

  @Test func `a book of Markdown and notebooks has all its pages in their places`() throws {
    let draft = try read("book")

    #expect(draft.format == "markdown")
    #expect(
      draft.outline == [
        "c book | Bread by Notebook",
        "  g intro! | Before the Oven",
        "    l intro | Before the Oven",
        "      a intro# | Before the Oven",
        "  g doughs/ | Doughs",
        "    l wheat | Wheat",
        "      a wheat# | Wheat",
        "    l rye | Rye",
        "      a rye# | Rye",
        "      l sour | Sour",
        "        a sour# | Sour",
        "  g also/ | Also in this folder",
        "    l extra | Left over",
        "      a extra# | Left over",
      ])
    #expect(
      losses(draft) == [
        "1 missing page: left out", "1 unlisted page: under “Also in this folder”",
      ])
    let intro = try draft.sketch("intro#")
    #expect(intro == ["Read [rye](waymark:rye) and [the sour one](waymark:sour)."])
    #expect(
      try draft.sketch("rye#") == ["! note", "  It sticks.", "Back to [the beginning](waymark:intro)."])
  }

  @Test func `a notebook of version 3 is read as it is`() throws {
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
