import Foundation
import LearningModel
import Testing

@testable import CourseFormats

/// Markup of Hugging Face, MyST and Docusaurus that `FolderCaseTests` does not cover.
struct OtherProgramsTests {
  @Test func `the choices of a question are a list, and the answers are a collapsed list`() {
    let tag = "<Question choices={[{text: \"Time\", explain: 'Yes.', correct: true}, {text: `Noise`}]} />"

    #expect(
      QuizChoices(tag, limits: .standard)?.lines == [
        "", "- Time", "- Noise", "", "<details>", "<summary>Answers</summary>", "", "- [x] Time", "", "  Yes.", "",
        "- [ ] Noise", "", "</details>", "",
      ])
    #expect(QuizChoices("<Question choices={all} />", limits: .standard)?.lines == nil)
  }

  @Test func `citations of MyST show authors and year, and the title in a footnote`() throws {
    let bibliography = """
      @article{pareto, author = {Vilfredo Pareto}, title = {Cours}, year = 1896}
      @article{two_b, author = "Ann Ash and Ben Birch", title = "Bread", year = "2001"}
      """
    let text = """
      # A

      As {cite:t}`pareto` says, see {cite}`two_b,pareto` and {cite:p}`none`, {cite}`none,two_b`.
      """
    let book = try TestFolder([
      "_toc.yml": "format: jb-book\nroot: a\n", "_config.yml": "title: T\nbibtex_bibfiles:\n  - _static/x.bib\n",
      "_static/x.bib": bibliography, "a.md": text,
    ]).read()
    let myst = try TestFolder([
      "myst.yml": "project:\n  bibliography: [x.bib]\n  toc:\n    - file: a.md\n", "x.bib": bibliography, "a.md": text,
    ]).read()

    for draft in [book, myst] {
      #expect(
        try draft.sketch("a#") == [
          "As Pareto (1896)[1] says, see (Ash and Birch 2001; Pareto 1896)[2][1] and (none), (none; Ash and Birch "
            + "2001)[2].",
          "---", "[1] Vilfredo Pareto (1896): Cours.", "[2] Ann Ash, Ben Birch (2001): Bread.",
        ])
      #expect(draft.lost == ["2 citation: shown as its key"])
    }
  }

  @Test func `a number after a formula is kept, and labels in notebooks have numbers`() throws {
    let cell =
      #"{"cell_type": "markdown", "metadata": {}, "source": "$$\na\n$$ (eq-a)\n\n$$\\label{b} c$$\n\nSee {eq}`b`."}"#
    let draft = try TestFolder([
      "a.md": "# A\n\n$$ x $$ (2.1)\n\nAnd [](#far) and {ref}`far`.\n",
      "b.ipynb": #"{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [\#(cell)]}"#,
      "c.md": "# C\n\n(far)=\n## Far away\n\nx\n",
    ]).read()

    #expect(
      try draft.sketch("a#") == [
        "$$x \\tag{2.1}$$", "And [Far away](waymark:c##far) and [Far away](waymark:c##far).",
      ])
    #expect(
      try draft.sketch("b#") == ["$$a \\tag{1}$$", "$$\\tag{2} c$$", "See [(2)](waymark:b##b)."])
  }

  @Test func `an underscore does not hide a page of plain Markdown`() throws {
    #expect(
      try TestFolder(["_notes.md": "# Notes\n\nx", "a.md": "# A\n\nx"]).read().nodes.filter { $0.kind == .lesson }
        .map(\.title) == ["Notes", "A"])
  }

  @Test(arguments: ["module.exports = make();\nconst a = [b", "export default {docs: [", "exports = {a: ]}"])
  func `a sidebar that a program computes causes a warning`(_ program: String) throws {
    let draft = try TestFolder(["sidebars.js": program, "docs/a.md": "# A\n\nx"]).read()

    #expect(
      draft.diagnostics.map(\.description) == [
        "sidebars.js: warning: The order is computed by a program, which is not run, so the pages are ordered by name. "
          + "Write it as a list in that file."
      ])
  }
}
