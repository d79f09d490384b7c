import CourseFormats
import Foundation
import LearningModel
import TestSupport
import Testing

@testable import CourseFormats

/// Tests with pages and projects of Quarto and bookdown.
struct PandocMarkupTests {
  private func losses(_ draft: CourseDraft) -> [String] {
    draft.losses.map { "\($0.count) \($0.what): \($0.treatment)" }
  }

  private func sketch(_ text: String, with files: [String: String] = [:]) throws -> [String] {
    try TestFolder(["p.qmd": text].merging(files) { $1 }).read().sketch("p#")
  }

  // MARK: Cells

  @Test func `the options of cells hide, fold and name them or replace them by images`() throws {
    let cells = """
      ```{r setup, include=FALSE}
      knitr::opts_chunk$set(echo = FALSE)
      ```

      ```{r}
      hidden()
      ```

      ```{r, echo=TRUE, eval=FALSE}
      #| filename: run.R
      shown()
      ```

      ```{r loaf, fig.cap="A loaf, *cut*", out.width="50%"}
      knitr::include_graphics(c("loaf.png", "cut.png"))
      ```

      ```{=latex}
      \\newpage
      ```

      ```{=html}
      <b>Bold</b>
      ```

      ```{r, child="_child.qmd"}
      ```
      """
    let draft = try TestFolder(["p.qmd": cells, "_child.qmd": "A child."]).read()

    #expect(
      try draft.sketch("p#") == [
        "`run.R`", "```r", "shown()", "```", "![A loaf, cut](loaf.png)", "![A loaf, cut](cut.png)",
        "*A loaf, *cut**", "**Bold**", "A child.",
      ])
    #expect(
      losses(draft).prefix(2) == ["2 hidden cell: left out", "1 raw output for another format: left out"])
  }

  @Test func `theorems and blocks of bookdown become frames`() throws {
    #expect(
      try sketch(
        "```{theorem, pyth, name=\"Pythagoras\"}\nA square.\n```\n\nTheorem \\@ref(thm:pyth).\n\n```{block, type='rmdtip'}\nTry.\n```"
      )
        == [
          "! box Theorem 1: Pythagoras", "  A square.", "Theorem [1](waymark:p##thm:pyth).", "! tip", "  Try.",
        ])
  }

  // MARK: Divisions and text

  @Test func `figures in divisions have captions and numbers`() throws {
    #expect(
      try sketch(
        "::: {#fig-two layout-ncol=2}\n![One](a.png){#fig-one}\n\nBoth of them.\n:::\n\n[See @fig-two; @fig-one], [-@fig-one]."
      )
        == [
          "![One](a.png)", "*Figure 2: One*", "Figure 1: Both of them.",
          "See [1](waymark:p##fig-two), [Figure 2](waymark:p##fig-one), [2](waymark:p##fig-one).",
        ])
  }

  @Test func `lines of LaTeX that redefine commands are left out`() throws {
    #expect(try sketch("Text.\n\n\\let\\old\\href\n\\let\\href\\new\n\nEnd.") == ["Text.", "End."])
  }

  @Test func `citations show authors and year, and a footnote has the title`() throws {
    let bibliography = """
      @string{acm = "ACM"}
      % a comment
      @article{knuth84, author={Donald E. Knuth}, title={Literate {P}rogramming}, year={1984}, journal=acm}
      @book{two-a, author = "Ann {\\'E}t{\\'e} and {The Bakers}", date = {2001-05-01}, title = "Bread --- a life"}
      @misc{many, editor={A, One and B, Two and C, Three and others}, year=2020, title={T}}
      """
    #expect(
      try sketch(
        "---\nbibliography: refs.bib\n---\nAs @knuth84 wrote [see @two-a, pp. 3-4; @many]. [-@knuth84] @knuth84 [p. 2] [@none]. Write to a@knuth84.org or @nobody.",
        with: ["refs.bib": bibliography]) == [
          "As Knuth (1984)[1] wrote (see Été and The Bakers 2001, pp. 3-4; A et al. 2020)[2][3]. (1984)[1] "
            + "Knuth (1984, p. 2)[1] (none). Write to [a@knuth84.org](mailto:a@knuth84.org) or @nobody.",
          "---", "[1] Donald E. Knuth (1984): Literate Programming.",
          "[2] Ann Été, The Bakers (2001): Bread — a life.", "[3] One A, Two B, Three C et al. (2020): T.",
        ])
  }

  @Test func `superscripts, subscripts, notes and examples are converted outside code, formulas and addresses`() throws
  {
    #expect(
      try sketch(
        "A^2^ H~2~O 1^st^ ~~no~~ `a^b^c` $x^2^y^$ <https://a.b/~c~d> [l](~a~b) a^[Note *one*\nof [two](x.html).] ~ ^ x.\n\n(@a) First.\n\n(@) Second.\n\nSee (@a) \\index{bread}here.\n\n\\newpage\n\n| Line one\n|   line two"
      )
        == [
          "$A^{2}$ $H_{2}$O 1st ~~no~~ `a^b^c` $x^2^y^$ [https://a.b/~c~d](https://a.b/~c~d) l a[1] ~ ^ x.",
          "1. First.", "2. Second.", "See (1) here.", "Line one\\\u{A0}\u{A0}line two", "---", "[1] Note *one* of two.",
        ])
  }

  // MARK: Tables

  @Test func `grid, simple, multiline and pipe tables are converted with their captions`() throws {
    let tables = """
      +-----+---------+
      | A   | B       |
      +=====+=========+
      | 1   | - one   |
      |     | - two   |
      +-----+---------+

      : Grid {#tbl-grid}

      +---+---+
      | 1 | 2 |
      | 3 | 4 |
      +---+---+

      -------------------
       Head    Default
               text
      ------- -----------
       One     Row one
               goes on.

       Two     Row | two.
      -------------------

      Table: Multiline.

      ---- ----
      1    2
      3    4
      ---- ----

      : Below

      | a | b |
      |---|---|
      | 1 | 2 |

      Text below.

      +---+---+
      | spans |
      +---+---+
      """
    #expect(
      try sketch(tables) == [
        "*Table 1: Grid*", "| A | B |", "| 1 | • one\\• two |", "|  |  |", "| 1 3 | 2 4 |", "*Multiline.*",
        "| Head | Default text |", "| One | Row one goes on. |", "| Two | Row | two. |", "*Below*", "|  |  |",
        "| 1 | 2 |",
        "| 3 | 4 |", "| a | b |", "| 1 | 2 |", "Text below.", "```", "+---+---+", "| spans |", "+---+---+", "```",
      ])
  }

  // MARK: Hostile input

  @Test(arguments: [
    HostileText("citations", "[@a; "), HostileText("notes", "^["), HostileText("closed notes", "^[a] "),
    HostileText("scripts", "^a"), HostileText("subscripts", "~a "), HostileText("formulas", "$a "),
    HostileText("grid", "+---+\n"), HostileText("grid rows", "+---+\n| a |\n"), HostileText("rules", "---- ----\n\n"),
    HostileText("long rules", "----------\n\n"), HostileText("captions", ": a\n\n"),
    HostileText("formula blocks", "$$\n\n"),
    HostileText("environments", "\\begin{a}\n"), HostileText("cells", "```{r}\n"),
    HostileText("divisions", "::: {.a}\n"),
    HostileText("hidden", "::: {.hidden}\n"), HostileText("tabs", "::: {.panel-tabset}\n# a\n"),
    HostileText("examples", "(@a) x\n"), HostileText("images", "![a](b){#fig-a}\n\n"), HostileText("tags", "<a "),
    HostileText("line blocks", "| a\n"), HostileText("parts", "# (PART) a\n\n"), HostileText("at signs", "@a"),
  ])
  func `a page with repeated markup is read in linear time`(_ mark: HostileText) throws {
    let text = String(repeating: mark.text, count: 100_000 / mark.text.utf8.count)
    var markup = PandocMarkup(PageMarkup.Context(file: "a.qmd"), QuartoSettings(), PandocCounts())

    #expect(markup.expanded(text).utf8.count < 40 * text.utf8.count + 1_000)
  }

  @Test(arguments: ["@a{", "@a{b, c=", "{", "@a{b, c={{", "@string{a=\"", "@a{b, author={\\", "@a(b"])
  func `a damaged bibliography is read in linear time`(_ text: String) {
    #expect(Bibliography(String(repeating: text, count: 100_000 / text.utf8.count)).entries.count <= 100_000)
  }
}
