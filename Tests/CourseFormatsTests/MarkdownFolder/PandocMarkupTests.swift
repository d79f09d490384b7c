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

  // MARK: Projects

  private func read(_ name: String) throws -> CourseDraft {
    try FormatRegistry.read(CourseSource(path: fixtures.appending(path: "markdown-folder/" + name).path))
  }

  @Test func `a book of Quarto is read with its order, parts and appendices`() throws {
    let draft = try read("quarto-book")

    #expect(
      draft.outline == [
        "c quarto-book | Bread at Home (2e)", "  g index! | Welcome – Introduction", "    l index | Welcome",
        "      a index# | Welcome", "    l intro | Introduction", "      a intro# | Introduction", "  g flour! | Flour",
        "    l flour | Flour", "      a flour# | Flour", "    l rye | Rye", "      a rye# | Rye",
        "    l barley | Barley",
        "      a barley# | Barley", "  g baking/ | Baking", "    l oven | The oven", "      a oven# | The oven",
        "    l apple | Apple cake", "      a apple# | Apple cake", "  g appendices/ | Appendices",
        "    l tools | Tools",
        "      a tools# | Tools",
      ])
    #expect(
      try draft.sketch("intro#") == [
        "See [Rye](waymark:rye) and [Figure 1](waymark:intro##fig-crumb), or [the oven](waymark:oven).",
        "```r", "plot(1)", "```", "*Figure 1: The crumb of a loaf.*", "You learn as you go![1]", "---", "[1] Slowly.",
      ])
    #expect(
      try draft.sketch("rye#") == [
        "Rye is dark.", "*Table 1: Grains of rye*", "| a | b |", "| 1 | 2 |", "See [Table 1](waymark:rye##tbl-rye).",
      ])
    #expect(
      losses(draft) == [
        "2 hidden cell: left out", "1 computed figure: its caption is shown", "1 page about the repository: left out",
      ])
  }

  @Test func `a web site of Quarto is read in the order of its sidebar and navigation bar`() throws {
    let draft = try read("quarto-site")

    #expect(
      draft.outline == [
        "c quarto-site | A site of bread", "  g index! | Home", "    l index | Home", "      a index# | Home",
        "  g second-part/ | Second part", "    l zebra | Zebra", "      a zebra# | Zebra", "    l apple | My own name",
        "      a apple# | My own name", "  g about! | About", "    l about | About", "      a about# | About",
      ])
    #expect(
      try draft.sketch("index#") == [
        "? Tip: My tip", "  Open it.", "= One", "  First tab.", "= Two", "  Second tab.", "Left words.", "Right words.",
        "![alt](map.png)", "*Figure 1: A map of bread*",
        "See [Figure 1](waymark:index##fig-map), [1](waymark:index##fig-map), (knuth84; other, p. 3), "
          + "[Equation 1](waymark:index##eq-a), ,",
        "[Video](https://youtu.be/x)", ",", "Included part.", ", , $H_{2}$O, $x^{2}$, small, mark.", "$$a = b$$",
        "Included part.", "*Dots*", "? Show it", "  ```python", "  shown()", "  ```", "```python", "1 + 1", "```",
        "`run.py`", "```python", "x = 1", "```", "! box Theorem 1: Line", "  The equation.", "*Table 1: My table*",
        "| Dot | Line |", "| 1 | 2 |", "| A | B |", "| 1 | 2 |", "*Simple table.*", "| Right | Left |", "| 12 | 12 |",
        "| 123 | 123 |", "The limerick\\packs laughs", ": Apples", "    fruit", "1. example",
        "As (1) shows. An inline[1] note.", "---", "[1] A note inside.",
      ])
    #expect(
      losses(draft) == [
        "2 hidden cell: left out", "1 computed figure: its caption is shown", "2 citation: shown as its key",
        "1 shortcode 'var': left out", "1 video: shown as a link", "1 icon: left out", "1 page break: left out",
        "1 image: shown as its description because its file is missing",
        "1 page that others include: moved to the pages that include it",
      ])
  }

  @Test func `automatic contents, several sidebars, menus and metadata files of Quarto are read`() throws {
    let draft = try TestFolder([
      "_quarto.yml": "project: {type: website}\nmetadata-files: [_site.yml]",
      "_site.yml": """
      website:
        title: Site
        sidebar:
          - title: Guide
            contents:
              - index.qmd
              - ---
              - auto: "guide/*"
          - id: more
            contents: more
        navbar:
          right:
            - text: Help
              menu:
                - help.qmd
                - https://example.org
      """,
      "index.qmd": "# Home\n\nx", "guide/b.qmd": "# B\n\nx", "guide/a.qmd": "# A\n\nx", "more/c.qmd": "# C\n\nx",
      "help.qmd": "# Help me\n\nx", "_draft/d.qmd": "# D\n\nx",
    ]).read()

    #expect(
      draft.outline.filter { !$0.contains(" a ") }
        == [
          "c course | Site", "  g guide/ | Guide", "    l index | Home", "    l guide/a | A", "    l guide/b | B",
          "  g more/ | More", "    l more/c | C", "  g help/ | Help", "    l help | Help me",
        ])
    #expect(losses(draft) == ["1 part of a page: left out because no page includes it"])
  }

  @Test func `a book of bookdown is read in its order, and headings of parts begin goals`() throws {
    let draft = try TestFolder([
      "_bookdown.yml": "book_filename: bread\nrmd_files: [index.Rmd, rye.Rmd, oven.Rmd, tools.Rmd]",
      "index.Rmd":
        "---\ntitle: Bread\ndescription: At home.\nbibliography: b.bib\n---\n# Preface {-}\n\nHello.\n\n# (PART) Flour {-}",
      "rye.Rmd":
        "# Rye\n\nSee Figure \\@ref(fig:crumb), \\@ref(oven) and @ann.\n\n```{r crumb, echo=FALSE, fig.cap=\"The crumb\"}\nplot(1)\n```",
      "oven.Rmd":
        "# The oven {#oven}\n\nTable \\@ref(tab:heat).\n\nTable: (\\#tab:heat) Heat\n\n| a | b |\n|---|---|\n| 1 | 2 |",
      "tools.Rmd": "# (APPENDIX) More {-}\n\n# Tools\n\nA bowl.", "README.md": "# Repository\n\nx",
      "b.bib": "@book{ann, author = {M{\\\"u}ller, Ann}, year = 1999, title = {Bread}}",
    ]).read()

    #expect(
      draft.outline.filter { !$0.contains(" a ") } == [
        "c course | Bread", "  g index! | Preface", "    l index | Preface", "  g flour/ | Flour", "    l rye | Rye",
        "    l oven | The oven", "  g more/ | More", "    l tools | Tools",
      ])
    #expect(
      try draft.sketch("rye#") == [
        "See Figure [1](waymark:rye##fig:crumb), [The oven](waymark:oven) and Müller (1999)[1].",
        "*Figure 1: The crumb*", "---", "[1] Ann Müller (1999): Bread.",
      ])
    #expect(
      try draft.sketch("oven#") == [
        "Table [1](waymark:oven##tab:heat).", "*Table 1: Heat*", "| a | b |", "| 1 | 2 |",
      ])
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

  @Test func `text for other output formats is left out`() throws {
    let draft = try TestFolder([
      "p.qmd": """
      Shown.

      ::: {.content-visible when-format="pdf"}
      ::: {.callout-note}
      PDF.
      :::
      :::

      ::: {.content-hidden unless-format="html"}
      HTML.
      :::

      ::: {.column-page .odd}
      Wide.
      :::

      ::: {.hidden}
      Never.
      :::
      """
    ]).read()

    #expect(try draft.sketch("p#") == ["Shown.", "HTML.", "Wide."])
    #expect(losses(draft) == ["1 text for another output format: left out", "1 hidden text: left out"])
  }

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

  @Test func `an empty value of R before a fence is left out`() throws {
    let draft = try TestFolder([
      "p.Rmd": """
      # P

      ````markdown
      `r ''````{r foo}
      1 + 1
      ```
      ````

      Write `` ``r ''`r CODE` ``.
      """
    ]).read()

    #expect(
      try draft.sketch("p#") == ["```markdown", "```{r foo}", "1 + 1", "```", "```", "Write ``r CODE``."])
    #expect(losses(draft) == [])
  }

  @Test func `lines of LaTeX that redefine commands are left out`() throws {
    #expect(try sketch("Text.\n\n\\let\\old\\href\n\\let\\href\\new\n\nEnd.") == ["Text.", "End."])
  }

  @Test func `the description of a figure that a hidden cell computes is shown`() throws {
    let draft = try TestFolder([
      "a.qmd": """
      # A

      1.  Draw this:

          ```{r}
          #| echo: false
          #| fig-alt: |
          #|   A loaf with the
          #|   name a_b_c.
          plot(1)
          ```

      2.  And this:

      ```{r}
      #| fig-alt: Another loaf.
      plot(2)
      ```

      ```{r}
      #| echo: false
      #| eval: false
      #| fig-alt: No loaf.
      plot(3)
      ```
      """
    ]).read()

    #expect(
      try draft.sketch("a#") == [
        "1. Draw this:", "  *Figure: A loaf with the name a_b_c.*", "2. And this:", "```r", "plot(2)", "```",
      ])
    #expect(losses(draft) == ["1 computed figure: its description is shown", "1 hidden cell: left out"])
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

  @Test func `a caption below a table of any page is not a definition`() throws {
    let draft = try TestFolder([
      "p.md": "# P\n\n| a | b |\n|---|---|\n| 1 | 2 |\n: One\n\n| c | d |\n|---|---|\n| 3 | 4 |\n\n: Two\n"
    ])
    .read()

    #expect(
      try draft.sketch("p#") == ["| a | b |", "| 1 | 2 |", "*One*", "| c | d |", "| 3 | 4 |", "*Two*"])
  }

  @Test func `a section that an author wrote with the class of footnotes is text`() throws {
    let draft = try TestFolder([
      "p.md": "# P\n\nHello[^1].\n\n[^1]: A note.\n\n<section class=\"footnotes\"><p>Words in a section.</p></section>"
    ]).read()

    #expect(try draft.sketch("p#") == ["Hello[1].", "Words in a section.", "---", "[1] A note."])
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
