import Foundation
import LearningModel
import Testing

@testable import CourseFormats

struct NotebookFileTests {
  private func notebook(_ cells: String, rest: String = "") -> String {
    "{\n \"cells\": [\n\(cells)\n ],\n\(rest) \"nbformat\": 4, \"nbformat_minor\": 4\n}"
  }

  private func read(_ text: String) throws -> CourseDraft {
    try FormatRegistry.read(CourseSource(name: "a.ipynb", bytes: Array(text.utf8)))
  }

  private func markdown(_ words: String) -> String {
    let json = String(decoding: try! JSONEncoder().encode([words]), as: UTF8.self)
    return "{\"cell_type\": \"markdown\", \"metadata\": {}, \"source\": \(json)}"
  }

  private func code(_ source: String, printing text: String) -> String {
    func json(_ words: String) -> String { String(decoding: try! JSONEncoder().encode(words), as: UTF8.self) }
    return "{\"cell_type\": \"code\", \"metadata\": {}, \"source\": \(json(source)), \"outputs\": "
      + "[{\"output_type\": \"stream\", \"name\": \"stdout\", \"text\": \(json(text))}]}"
  }

  @Test(arguments: [
    (
      "{\n \"cells\": [\n  {\"cell_type\": }\n ]\n}",
      "a.ipynb:3: error: The JSON is invalid: a value is missing before '}'. Correct the line, or the one above it."
    ),
    (
      "{\"cells\": [], \"nbformat\": 5}",
      "a.ipynb: error: It is a notebook of version 5, and Waymark reads 3 and 4. Open it in Jupyter, and save it again."
    ),
    (
      "{\"worksheets\": [], \"nbformat\": 2}",
      "a.ipynb: error: It is a notebook of version 2, and Waymark reads 3 and 4. Open it in Jupyter, and save it again."
    ),
    (
      "{\"nbformat\": 4}",
      "a.ipynb: error: It is not a notebook, because it has no 'cells'. Save it from Jupyter, or remove it from the "
        + "folder."
    ),
    (
      "{\"cells\": []}\n{}",
      "a.ipynb:2: error: There is text after the notebook. Remove it, or save the notebook again."
    ),
    (
      "{\"cells\": [{\"cell_type\": \"code\", \"source\": 1}]}",
      "a.ipynb:1: error: The JSON is invalid: a text in quotes is missing before '1'. Correct the line, or the one "
        + "above it."
    ),
  ])
  func `a malformed notebook is an error with its line number`(_ text: String, _ message: String) throws {
    let draft = try read(text)

    #expect(draft.isRefused)
    #expect(draft.diagnostics.first?.description == message)
  }

  @Test func `non-standard JSON of other programs is read`() throws {
    let draft = try read(
      notebook(
        "{\"cell_type\": \"code\", \"metadata\": {\"x\": [NaN, -Infinity, 1e9]}, \"source\": \"a\\r\\nb \\ud83d\", "
          + "\"outputs\": [{\"output_type\": \"stream\", \"text\": [\"\\u001b[1mbold\\u001b[0m \\b\\u0007\"]}]}"))

    #expect(!draft.isRefused)
    let text = try draft.sketch("a.ipynb#")
    #expect(text == ["```", "a", "b \u{FFFD}", "```", "> ```", "> bold", "> ```"])
  }

  @Test func `a long cell and a long output are shortened with a note`() throws {
    let source = (1...3_000).map { "x = \($0)" }.joined(separator: "\n")
    let printed = (1...500).map(String.init).joined(separator: "\n")
    let draft = try read(notebook(code(source, printing: printed)))

    let lines = try draft.allContents().flatMap { content -> [String] in
      if case .reading(let blocks) = content { sketch(blocks) } else { [] }
    }

    #expect(lines.count { $0.hasPrefix("x = ") } == 2_000)
    #expect(lines.contains("*1000 more lines of the cell are left out.*"))
    #expect(lines.contains("> 100") && !lines.contains("> 101"))
    #expect(lines.last == "> *400 more lines of the output are left out.*")
    #expect(
      draft.losses.map { "\($0.count) \($0.what): \($0.treatment)" } == [
        "1 long cell: shown as its beginning", "1 long output: shown as its beginning",
      ])
  }

  @Test func `a very long line keeps its beginning, and a long traceback keeps its end`() throws {
    let traceback = (1...200).map { "\"line \($0)\"" }.joined(separator: ", ")
    let draft = try read(
      notebook(
        code("x", printing: String(repeating: "y", count: 1 << 20)) + ",\n"
          + "{\"cell_type\": \"code\", \"source\": \"z\", \"outputs\": [{\"output_type\": \"error\", \"ename\": \"E\", "
          + "\"evalue\": \"v\", \"traceback\": [\(traceback)]}]}"))

    let lines = try draft.sketch("a.ipynb#")

    #expect(lines.contains("> *The rest of a very long line of the output is left out.*"))
    #expect(lines.contains("> *100 more lines of the output are left out.*"))
    #expect(!lines.contains("> line 100") && lines.contains("> line 101") && lines.contains("> line 200"))
    #expect(lines.allSatisfy { $0.utf8.count < 4_096 })
  }

  @Test(arguments: [
    ("only one highest heading", ["Words first.", "# The Title\n\nx", "## A part"], "The Title"),
    ("many highest headings", ["Words first.", "# One", "# Two"], "Loaf"),
    ("badges above the heading", ["[![badge](b.svg)](x)\n<img src=\"a\">\n\n# The *Title*"], "The Title"),
    ("strong words", ["**The Title**\n\nWords.", "# One", "# Two"], "The Title"),
    ("strong words in a line", ["**Bold** words begin it.", "# One", "# Two"], "Loaf"),
    ("a line below its words", ["The Title\n====\n\nx", "# One"], "The Title"),
    ("nothing but text", ["Words."], "Loaf"),
  ])
  func `the title is the first heading, or the only heading of its level`(
    _ name: String, _ cells: [String], _ title: String
  ) throws {
    let folder = try TestFolder(["1-loaf.ipynb": notebook(cells.map(markdown).joined(separator: ",\n"))])

    #expect(try folder.read().nodes.first { $0.kind == .lesson }?.title == title)
  }

  @Test func `a directive with two parts contains the cells between them`() throws {
    let draft = try read(
      notebook(
        [
          markdown("```{exercise-start} Rise\n:label: rise\n```\n\nHow long?"), code("wait()", printing: "a day"),
          markdown("```{exercise-end}\n```"), markdown("```{solution-start} rise\n```"), markdown("## Cold\n\nSee:"),
          code("wait(24)", printing: "risen"), markdown("```{solution-end}\n```\n\nAfter it."),
          markdown("```{solution-end}\n```\n\nThe end."),
        ].joined(separator: ",\n")))

    let text = try draft.sketch("a.ipynb#")
    #expect(
      text == [
        "! box Exercise 1 (Rise)", "  How long?", "  ```", "  wait()", "  ```", "  > ```", "  > a day", "  > ```",
        "? Solution to Exercise 1", "  ## Cold {cold}", "  See:", "  ```", "  wait(24)", "  ```", "  > ```",
        "  > risen", "  > ```", "After it.", "The end.",
      ])
    #expect(draft.losses == [])
  }

  @Test func `a cell that contains only badges is omitted and counted`() throws {
    let badge = "[![Open in Colab](https://x.org/colab.svg)](https://x.org/a)"
    let draft = try read(
      notebook(
        [
          markdown("\(badge) \(badge)\n\n<table><td><a href=\"b\"><img src=\"c.svg\"/></a></td></table>"),
          markdown("![A picture](a.png) alone"), markdown("Words \(badge)"),
        ].joined(separator: ",\n")))

    let text = try draft.sketch("a.ipynb#")
    #expect(text == ["![A picture](a.png) alone", "Words \(badge)"])
    #expect(
      draft.losses.map { "\($0.count) \($0.what): \($0.treatment)" } == [
        "3 badge: left out", "1 image: shown as its description because its file is missing",
        "1 image: shown as its description because it is on the web",
      ])
  }

  @Test func `a formula is protected from Markdown without changing line numbers`() {
    for (cell, kept) in [
      ("costs $5 and `$a_b$`", "costs $5 and `$a_b$`"),
      (
        "$a_1$ and $b_1$",
        "<waymark-formula>a\\_1</waymark-formula> and <waymark-formula>b\\_1</waymark-formula>"
      ),
      ("```\n$a_1$\n```\n$b_1$", "```\n$a_1$\n```\n<waymark-formula>b\\_1</waymark-formula>"),
      ("$$\nx\n\n$$", "$$\nx\n\n$$"),
      ("\\$a_1$b", "\\$a_1$b"),
      ("- $$x_1$$", "- <waymark-formula>x\\_1</waymark-formula>"),
      ("$$\nx\n$$\nb", "<waymark-formula display=\"block\">x</waymark-formula>\n\n\nb"),
      ("> $$\n> x\n> $$", "> <waymark-formula>x</waymark-formula>\n\n"),
      ("a \\\\(x\\\\) b", "a <waymark-formula>x</waymark-formula> b"),
      ("a \\(x^2\\) b \\[one\\]", "a <waymark-formula>x\\^2</waymark-formula> b \\[one\\]"),
      ("a [latex]x[/latex] b", "a <waymark-formula>x</waymark-formula> b"),
      ("a [latex size=\"2\"]x[/latex] b", "a <waymark-formula>x</waymark-formula> b"),
      ("a [latexmk] b[/latex]", "a [latexmk] b[/latex]"),
      (
        "a\n\\begin{align*}\nx &= 1 \\\\\n\\end{align*}\nb",
        "a\n<waymark-formula display=\"block\">\\\\begin\\{align\\*\\}\nx \\&\\= 1 \\\\\\\\\n"
          + "\\\\end\\{align\\*\\}</waymark-formula>\nb"
      ),
    ] {
      #expect(MarkdownMathematics.withFormulaMarkup(in: cell) == kept)
      #expect(MarkdownMathematics.withFormulaMarkup(in: kept) == kept)
    }
  }

  @Test(arguments: ["f(x_1) = \\{y\\}", "f(\\textbf{u})_1", "[a]_2 \\\\", "x \\left[ a \\right] < b"])
  func `a formula in a notebook keeps its brackets`(formula: String) throws {
    let draft = try read(notebook(markdown("So $" + formula + "$ is.")))

    #expect(try draft.allContents() == [.reading([.paragraph([.text("So "), .math(formula), .text(" is.")])])])
  }

  @Test(arguments: [
    HostileText("objects in objects", String(repeating: "{\"a\":", count: 50_000)),
    HostileText("lists in a field of a cell", "{\"cells\": [{\"x\": " + String(repeating: "[", count: 50_000)),
    HostileText("a metadata field nested", "{\"metadata\": {\"x\": " + String(repeating: "[", count: 50_000)),
  ])
  func `a notebook that is nested too deeply is rejected with its location`(_ hostile: HostileText) throws {
    let draft = try read(hostile.text)

    #expect(
      draft.diagnostics.first?.description
        == "a.ipynb:1: error: Its content is nested more than 64 levels deep. Reduce the nesting.")
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      HostileText("dollars", String(repeating: "$", count: 200_000)),
      HostileText("environments", String(repeating: "\\begin{align}", count: 20_000)),
      HostileText("pairs of dollars", String(repeating: "$$ x ", count: 50_000)),
      HostileText("formulas", String(repeating: "$x_1$ ", count: 20_000)),
      HostileText("back-ticks and dollars", String(repeating: "` $ ", count: 50_000)),
    ])
  func `a hostile cell is read in linear time`(_ hostile: HostileText) throws {
    let draft = try read(notebook(markdown(hostile.text)))

    #expect(!draft.isRefused)
  }
}
