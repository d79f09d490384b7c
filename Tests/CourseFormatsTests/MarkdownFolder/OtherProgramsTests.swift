import Foundation
import LearningModel
import Testing

@testable import CourseFormats

/// Tests with folders for docsify, Hugging Face, Sphinx, MyST, GitBook, Docusaurus and Jekyll.
struct OtherProgramsTests {
  private func read(_ name: String) throws -> CourseDraft {
    try FormatRegistry.read(CourseSource(path: fixtures.appending(path: "markdown-folder/" + name).path))
  }

  private func losses(_ draft: CourseDraft) -> [String] {
    draft.losses.map { "\($0.count) \($0.what): \($0.treatment)" }
  }

  // MARK: docsify

  @Test func `the sidebar of docsify determines order, groups and titles`() throws {
    let draft = try read("docsify")

    #expect(
      draft.outline == [
        "c docsify | Animals and fruit",
        "  g README! | Home",
        "    l README | Home",
        "      a README# | Home",
        "  g second-part/ | Second part",
        "    l zebra | Zebra",
        "      a zebra# | Zebra",
        "    l apple | Apple",
        "      a apple# | Apple",
        "  g https://example.org! | Outside",
        "    l https://example.org | Outside",
        "      a https://example.org# | Outside",
      ])
    #expect(losses(draft) == ["2 part of a page: left out because no page includes it"])
    #expect(draft.diagnostics == [])
  }

  @Test func `callouts, included files and links of docsify are converted`() throws {
    #expect(
      try read("docsify").sketch("README#") == [
        "# Animals and fruit {animals-and-fruit}", "Hello. [Zebra](waymark:zebra##stripes)", "# Apple {apple}",
        "## Seeds {seeds}", "Five.", "! tip", "  A tip of docsify.", "! important", "  A warning of docsify.",
      ])
  }

  @Test func `sidebars may have headings, bold groups and nested folders`() throws {
    let folder = try TestFolder([
      "README.md": "# Start\n\n[a](a?id=a) [b](https://example.org/x.php?id=a)", "a.md": "# A\n\nx",
      "b/c.md": "# C\n\nx", "b/d.md": "# D\n\nx",
      "_sidebar.md": "<!-- a -->\n\n## Part\n\n- **Group**\n  - [*A*](/a.md 'Title')\n",
      "b/_sidebar.md": "- [C](c.md)\n- [D](/b/d)\n",
    ])

    #expect(
      try folder.read().outline.filter { $0.hasPrefix("    l") || $0.hasPrefix("  g") } == [
        "  g README! | Start", "    l README | Start", "  g part/ | Part", "    l group/ | Group", "  g b/ | B",
        "    l b/c | C", "    l b/d | D",
      ])
    #expect(
      try folder.read().sketch("README#") == ["[a](waymark:a) [b](https://example.org/x.php?id=a)"])
  }

  // MARK: Hugging Face

  @Test func `the table of contents of Hugging Face determines order and titles`() throws {
    let draft = try read("hugging-face")

    #expect(
      draft.outline == [
        "c hugging-face | Hugging face",
        "  g en/chapter0/ | 0. Before you bake",
        "    l en/chapter0/1 | Start here",
        "      a en/chapter0/1# | Start here",
        "  g en/chapter1/ | 1. Dough",
        "    l en/chapter1/2 | Kneading",
        "      a en/chapter1/2# | Kneading",
        "    l en/chapter1/1 | Mixing",
        "      a en/chapter1/1# | Mixing",
        "    l en/chapter1/3 | A quick quiz",
        "      a en/chapter1/3# | A quick quiz",
      ])
    #expect(
      losses(draft) == [
        "1 component 'CourseFloatingBanner': left out", "1 condition of Svelte: all its texts are shown",
        "1 quiz component 'Question': shown as a list",
      ])
    #expect(
      try draft.sketch("en/chapter1/3#") == [
        "# Quiz {quiz}", "### 1. What does dough want? {1-what-does-dough-want}", "- Time", "- Noise", "? Answers",
        "  - Time", "    Yes, most of all.", "  - Noise", "    No, it is **deaf**.",
      ])
  }

  @Test func `the choices of a question are a list, and the answers are a collapsed list`() {
    let tag = "<Question choices={[{text: \"Time\", explain: 'Yes.', correct: true}, {text: `Noise`}]} />"

    #expect(
      QuizChoices(tag, limits: .standard)?.lines == [
        "", "- Time", "- Noise", "", "<details>", "<summary>Answers</summary>", "", "- [x] Time", "", "  Yes.", "",
        "- [ ] Noise", "", "</details>", "",
      ])
    #expect(QuizChoices("<Question choices={all} />", limits: .standard)?.lines == nil)
  }

  @Test func `the pages of an entry for other frameworks follow it`() throws {
    let draft = try TestFolder([
      "_toctree.yml": """
      - title: Debugging
        sections:
        - local: ch/4
          title: Training
          local_fw: { pt: ch/4, tf: ch/4_tf }
        - local: ch/5
          title: Issues
      """,
      "ch/4.mdx": "# Training\n\nOne.", "ch/4_tf.mdx": "# Training\n\nTwo.", "ch/5.mdx": "# Issues\n\nThree.",
    ]).read()

    #expect(
      draft.nodes.filter { $0.kind == .lesson }.map(\.title) == ["Training", "Training (tf)", "Issues"])
    #expect(draft.said == [])
  }

  @Test func `a video inside an element of HTML is a link`() throws {
    let draft = try TestFolder([
      "a.mdx": """
      # A

      <div class="flex">
      <Youtube id="abc"/>
      </div>

      - one

        <Youtube id="def"/>

        two
      """,
      "b.mdx": "# B\n\nText.",
    ]).read()

    #expect(
      try draft.sketch("a#") == [
        "[Video](https://www.youtube.com/watch?v=abc)", "- one", "  [Video](https://www.youtube.com/watch?v=def)",
        "  two",
      ])
  }

  @Test func `Markdown in the caption of a figure is read in pages with components`() throws {
    let draft = try TestFolder([
      "a.mdx": """
      # A

      <figure>
      <img src="b.png" alt="bread"/>
      <figcaption>Source: [a *book*](https://example.org/b) </figcaption>
      </figure>

      End.
      """,
      "b.mdx": "# B\n\nText.",
    ]).read()

    #expect(
      try draft.sketch("a#") == ["![bread](b.png)", "*Source: [a *book*](https://example.org/b)*", "End."])
  }

  @Test func `a question whose choices a program computes is left out`() throws {
    let draft = try TestFolder([
      "a.mdx": "# A\n\nWhy?\n\n<Question choices={all} />\n\n<Question choices={[]} />\n\nEnd.",
      "b.mdx": "# B\n\nText.",
    ]).read()

    #expect(try draft.sketch("a#") == ["Why?", "End."])
    #expect(losses(draft) == ["2 quiz component 'Question': left out"])
  }

  @Test func `conditions, tips and options of Hugging Face are converted`() throws {
    let draft = try TestFolder([
      "_toctree.yml": "- title: Start\n  sections:\n  - local: a\n    title: A\n",
      "a.mdx": """
      # A[[a]]

      [[open-in-colab]]

      {#if fw === 'pt'}
      One.
      {:else}
      Two.
      {/if}

      A set {x}.

      <Tip warning={true}>

      Hot!

      </Tip>

      <hfoptions id="os">
      <hfoption id="Linux">

      Use apt.

      </hfoption>
      <hfoption id="Mac">

      Use brew.

      </hfoption>
      </hfoptions>

      [[autodoc]] Oven
          - bake

      End.
      """,
    ]).read()

    #expect(
      try draft.sketch("a#") == [
        "One.", "Two.", "A set {x}.", "! warning", "  Hot!", "= Linux", "  Use apt.", "= Mac", "  Use brew.", "End.",
      ])
    #expect(
      losses(draft) == [
        "1 condition of Svelte: all its texts are shown", "1 link to a notebook: left out",
        "1 generated reference: left out",
      ])
  }

  @Test func `an identifier of a heading that is also the name of a page is not a wikilink`() throws {
    let draft = try TestFolder([
      "_toctree.yml": """
      - title: Unit 1
        sections:
        - local: unit1/summary
          title: Summary
        - local: unit1/q-learning
          title: Q
      """,
      "unit1/summary.mdx": "# Summary [[summary]]\n\nShort.\n\n## More [[more]]\n\nLong, see [[q-learning]].",
      "unit1/q-learning.mdx": "# Q-Learning [[q-learning]]\n\nText.\n\n## Summary [[summary]]\n\nDone.",
    ]).read()

    #expect(
      try draft.sketch("unit1/summary#") == [
        "Short.", "## More {more}", "Long, see [q-learning](waymark:unit1/q-learning).",
      ])
    #expect(
      try draft.sketch("unit1/q-learning#") == [
        "# Q-Learning {q-learning}", "Text.", "## Summary {summary}", "Done.",
      ])
    #expect(draft.lost == [])
  }

  // MARK: Sphinx and MyST

  @Test func `the toctrees of Markdown pages determine order, captions and titles`() throws {
    let draft = try TestFolder([
      "docs/conf.py": "extensions = ['myst_parser']",
      "docs/index.md": """
      # Baking

      Welcome.

      ````md
      ```{toctree}
      not-this
      ```
      ````

      ```{toctree}
      :caption: Basics

      zutaten
      Second name <guide/index>
      gone
      self
      ```

      :::{toctree}
      :caption: More
      :glob:
      :reversed:
      extra/*
      :::
      """,
      "docs/zutaten.md": "# Zutaten\n\n% hidden\n\nx $ y $ z\n\n+++\n\nEnd.",
      "docs/guide/index.md": "# Guide\n\nText.\n\n```{eval-rst}\n.. toctree::\n   :hidden:\n\n   b\n   a\n```\n",
      "docs/guide/a.md": "# A\n\nx", "docs/guide/b.md": "# B\n\nx", "docs/extra/1.md": "# E1\n\nx",
      "docs/extra/2.md": "# E2\n\nx", "docs/other.md": "# Other\n\nx",
    ]).read()

    #expect(
      draft.outline.filter { !$0.contains("a docs") } == [
        "c course | Baking",
        "  g docs/index! | Baking",
        "    l docs/index | Baking",
        "  g basics/ | Basics",
        "    l docs/zutaten | Zutaten",
        "    l docs/guide/index | Second name",
        "      l docs/guide/b | B",
        "      l docs/guide/a | A",
        "  g docs/extra/ | More",
        "    l docs/extra/2 | E2",
        "    l docs/extra/1 | E1",
        "  g also/ | Also in this folder",
        "    l docs/other | Other",
      ])
    #expect(
      draft.diagnostics.map(\.description).first
        == "docs/index.md:16: warning: The page 'docs/gone' does not exist and is left out. Create it, or remove it "
        + "from the list.")
    #expect(try draft.sketch("docs/zutaten#") == ["x $y$ z", "End."])
  }

  @Test func `labels of MyST are link targets, and their links have numbers`() throws {
    let draft = try read("myst-references")

    #expect(
      try draft.sketch("intro#") == [
        "$$x_{t+1} = a x_t \\tag{1}$$",
        "The recursion [(1)](waymark:intro##eq:update) grows, see [(2)](waymark:intro##other) in [Two](waymark:two) — "
          + "and [Part B](waymark:two##sec-b).",
        "$$y = x\n\\tag{2}$$", "$$z = 1 \\tag{3}$$", "$$\\begin{equation}\\tag{4} w = 2 \\end{equation}$$",
        "With [(3)](waymark:intro##eqz) and [(4)](waymark:intro##named) and [Figure 1](waymark:intro##fig-one) and "
          + "[Figure 1](waymark:intro##fig-one) and [(1)](waymark:intro##eq:update) and [Two](waymark:two).",
        "```python", "plot(x)", "```", "*Figure 1: How it grows*", "![a bread](a.png)",
        "Figure 2: The caption of *bread*.", "! box Exercise 1", "  Solve it.",
        "? Solution to Exercise 1", "  Solved.",
        "See [Theorem 1](waymark:intro##thm) and [yeast](waymark:intro##term-yeast) and WWW (World Wide Web) and ₂ and "
          + "$a_1$.",
        "! box Theorem 1 (Of bread)", "  Bread rises.", ": yeast", "    A fungus.", "! box", "  Beside.",
        "| a | b |", "| 1 | 2 |",
      ])
    #expect(
      try draft.sketch("two#") == [
        "## Part B {part-b}", "Text with a substitution and footnote[1].", "End.", "---", "[1] The *note*.",
      ])
    #expect(
      losses(draft) == [
        "1 image: shown as its description because its file is missing", "1 placeholder 'name': left out",
      ])
  }

  @Test func `references to pages of other projects of Sphinx lead to their addresses`() throws {
    let draft = try TestFolder([
      "_toc.yml": "root: a",
      "_config.yml": """
      title: T
      sphinx:
        config:
          intersphinx_mapping:
            oven:
              - https://oven.example.org
              - null
      """,
      "a.md": "# A\n\n{doc}`the heat <oven:basics/heat>`, {doc}`oven:flour`, {doc}`other:flour`.",
    ]).read()

    #expect(
      try draft.sketch("a#") == [
        "[the heat](https://oven.example.org/basics/heat.html), [flour](https://oven.example.org/flour.html), "
          + "other:flour."
      ])
    #expect(losses(draft) == ["1 unsafe link: shown as text"])
  }

  @Test func `exercises with a label have numbers, and solutions name their exercises`() throws {
    let draft = try TestFolder([
      "_toc.yml": "root: a",
      "a.md": """
      # A

      ```{exercise} Water
      :label: ex-a

      How much?
      ```

      :::{exercise}
      :label: ex-b

      How long?
      :::

      ```{exercise}
      :label: ex-c
      :nonumber:

      Why?
      ```

      ```{solution-start} ex-b
      ```

      See {ref}`ex-a`.

      ```{solution-end}
      ```

      ```{solution} ex-a
      A litre.
      ```
      """,
    ]).read()

    #expect(
      try draft.sketch("a#") == [
        "! box Exercise 1 (Water)", "  How much?", "! box Exercise 2", "  How long?", "! box Exercise", "  Why?",
        "? Solution to Exercise 2", "  See [Exercise 1](waymark:a##ex-a).", "? Solution to Exercise 1", "  A litre.",
      ])
    #expect(losses(draft) == [])
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
      #expect(losses(draft) == ["2 citation: shown as its key"])
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

  /// Source of the cases: mystmd, issue 1693; MyST-Parser, issue 897; GitBook, issue 1203.
  @Test func `labels are read after text and in lists, and references of LaTeX lead to them`() throws {
    let draft = try TestFolder([
      "a.md": """
      # A

      First.
      $$
      a = b
      $$ (my-eqn)
      Then \\eqref{my-eqn}.

      * One:

        $$
        c
        \\label{other}
        $$

        Two.

      See \\ref{other} and \\ref{none}.
      """
    ]).read()

    #expect(
      try draft.sketch("a#") == [
        "First.", "$$a = b \\tag{1}$$", "Then [(1)](waymark:a##my-eqn).", "- One:", "  $$c \\tag{2}$$", "  Two.",
        "See [(2)](waymark:a##other) and none.",
      ])
  }

  @Test func `a displayed formula of MyST may contain empty lines, comments and brackets`() throws {
    let draft = try TestFolder([
      "_toc.yml": "root: a", "a.md": "# A\n\n$$\n\nV = [a]{b}_{1}\n% one\n+ c_{2}\n\n$$\n\nText.\n\n- $$x$$\n",
    ]).read()

    #expect(try draft.sketch("a#") == ["$$V = [a]{b}_{1} + c_{2}$$", "Text.", "- $x$"])
  }

  @Test func `cards, buttons and lines of MyST are shown without the arguments of grids`() throws {
    let draft = try TestFolder([
      "_toc.yml": "root: a\nchapters:\n- file: b\n",
      "a.md": """
      # A

      ::::{grid} 1 2 2 3
      :::{grid-item-card} Ovens
      :link: b
      :link-type: doc
      All of them.
      :::
      ::::

      ```{button-ref} b
      :ref-type: doc

      Go *on*
      ```

      :::{line-block}
      **Flour**
        Water

      Salt
      :::
      """,
      "b.md": "# B\n\nx",
    ]).read()

    #expect(
      try draft.sketch("a#") == [
        "! box [Ovens](waymark:b)", "  All of them.", "[Go *on*](waymark:b)", "**Flour**\\Water", "Salt",
      ])
    #expect(losses(draft) == [])
  }

  @Test func `directives with colons have names, and headings in containers are headings`() throws {
    let draft = try TestFolder([
      "_toc.yml": "root: a",
      "a.md": """
      # A

      :::{note}
      :name: hot
      Hot.
      :::

      :::{prf:theorem} Of bread
      :label: rise
      It rises.
      :::

      :::{div}
      ## Part
      :::

      [x](#hot), {prf:ref}`rise`
      """,
    ]).read()

    #expect(
      try draft.sketch("a#") == [
        "! note", "  Hot.", "! box Theorem 1 (Of bread)", "  It rises.", "## Part {part}",
        "[x](waymark:a##hot), [Theorem 1](waymark:a##rise)",
      ])
  }

  @Test func `separators of cards and fields of pages in MyST are left out`() throws {
    let draft = try TestFolder([
      "_toc.yml": "root: a", "a.md": ":orphan:\n\n# A\n\n:::{card} Ovens\nGas\n^^^\nHot.\n+++\nEnd.\n:::\n",
    ]).read()

    #expect(try draft.sketch("a#") == ["! box Ovens", "  Gas", "  Hot.", "  End."])
  }

  @Test func `attributes of blocks in MyST separate lists and are link targets`() throws {
    let draft = try TestFolder([
      "_toc.yml": "root: a",
      "a.md": """
      # A

      {style=lower-alpha}
      1. a
      2. b

      {style=upper-alpha}
      1. c

      > {.big}
      > Quoted.

      {#far}
      More.

      [x](#far)
      """,
    ]).read()

    #expect(
      try draft.sketch("a#") == ["1. a", "2. b", "1. c", "> Quoted.", "More.", "[x](waymark:a##far)"])
  }

  @Test func `links to other projects are shown as text, and pages define placeholders`() throws {
    let draft = try TestFolder([
      "_toc.yml": "root: a",
      "a.md": """
      ---
      myst:
        substitutions:
          oven: the `gas` oven
      ---
      # A

      Use {{ oven }}, [join](inv:python#str.join), <inv:python#str> and [](inv:python#int).
      """,
    ]).read()

    #expect(try draft.sketch("a#") == ["Use the `gas` oven, join, `str` and int."])
    #expect(losses(draft) == ["3 link to another project: shown as text"])
  }

  // MARK: GitBook

  @Test func `the configuration of GitBook names the folder and the table of contents`() throws {
    let draft = try TestFolder([
      ".gitbook.yaml": "root: ./book/\nstructure:\n  summary: toc.md\n",
      "book/toc.md": "# Table of contents\n\n* [Hello](README.md)\n\n## Part\n\n* [Zed](z.md)\n  * [Two](z.md#two)\n",
      "book/README.md": """
      # Hello

      {% embed url="https://example.org/v" %}

      {% code title="x.js" %}
      ```js
      a
      ```
      {% endcode %}

      {% file src="files/x.pdf" %}
      A file.
      {% endfile %}
      """,
      "book/z.md": "# Zed\n\nFirst.\n\n## Two\n\nSecond. [up](#zed)\n\n## Three\n\nThird.",
    ]).read()

    #expect(
      draft.outline.map { String($0.trimmingPrefix(while: \.isWhitespace)) } == [
        "c course | Hello", "g README! | Hello", "l README | Hello", "a README# | Hello", "g part/ | Part",
        "l z | Zed", "a z# | Zed", "l z~2 | Two", "a z~2# | Two",
      ])
    #expect(
      try draft.sketch("README#") == [
        "[https://example.org/v](https://example.org/v)", "*x.js*", "```js", "a", "```", "*x.pdf*", "A file.",
      ])
    #expect(try draft.sketch("z#") == ["First."])
    #expect(try draft.sketch("z~2#") == ["Second. [up](waymark:z)", "## Three {three}", "Third."])
    #expect(
      losses(draft) == ["1 embedded page: shown as a link", "1 file to download: shown as its name"])
  }

  // MARK: Anchors in a navigation

  @Test func `an entry with an anchor shows the text from that heading`() throws {
    let draft = try TestFolder([
      "mkdocs.yml": "nav:\n- Home: index.md\n- Colours: colors.md\n- Blue: colors.md#blue\n- Gone: colors.md#gone\n",
      "docs/index.md": "# Paints\n\n[blue](colors.md#blue) [red](colors.md#red)",
      "docs/colors.md": "# Colours\n\nRed first.\n\n## Red\n\nWarm.\n\n## Blue\n\nCold.",
    ]).read()

    #expect(
      try draft.sketch("index#") == ["# Paints {paints}", "[blue](waymark:colors~2) [red](waymark:colors##red)"])
    #expect(try draft.sketch("colors#") == ["Red first.", "## Red {red}", "Warm."])
    #expect(try draft.sketch("colors~2#") == ["Cold."])
  }

  @Test func `if all entries of a page have anchors, the first one begins with the page`() throws {
    let draft = try TestFolder([
      "_toc.yml": "root: index\nchapters:\n- file: a.md#one\n- file: a.md#two\n",
      "index.md": "# Start\n\nx", "a.md": "# A\n\nBefore.\n\n## One\n\n1\n\n## Two\n\n2",
    ]).read()

    #expect(try draft.sketch("a#") == ["Before.", "## One {one}", "1"])
    #expect(try draft.sketch("a~2#") == ["## Two {two}", "2"])
  }

  // MARK: MDX

  @Test func `text in components is shown, and components without text are counted`() throws {
    let draft = try read("mdx-components")

    #expect(
      try draft.sketch("page#") == ["New", "! box Check", "  Words in a card.", "Inline end."])
    #expect(
      losses(draft) == [
        "1 component 'Switch': left out", "1 component 'Preview': left out",
        "1 component 'Badge': shown as its text", "1 component 'Foo': left out", "1 component 'Icon': left out",
      ])
  }

  @Test func `exports and expressions of MDX are left out, and pages are included`() throws {
    let draft = try TestFolder([
      "_part.mdx": "The *part*.\n", "_unused.mdx": "x",
      "page.mdx": """
      import {A, B} from 'x';
      import Part from './_part.mdx'

      export const meta = {
        title: 'x',

        y: 1,
      }

      # Title {/* #tt */}

      export your data to a file is a sentence.

      <Tabs>
        <TabItem value="a" label="Linux">

          Use `apt`.

          ```sh
          apt {x}
          ```

        </TabItem>
        <TabItem value="b" label="Mac">use **brew**</TabItem>
      </Tabs>

      1. Step

         <Tip>
         Inside a list.
         </Tip>

      2. Next

      <Aside type="caution" title="Hot">
        Do not touch {1 + 2} $x^{2}$ and {"literal"}{' '}text.
      </Aside>

      <Part />

      Inline <Tooltip tip="x">word</Tooltip> and <a href={url('https://example.org')} className="b">link</a>.

      <LinkCard title="Next" href="/page" description="Go on" />

      <Quiz questions={[{q: "a"}]} />

      <Code code={`let a = 1`} lang="js" />

      It's {`done`}.
      """,
    ]).read()

    #expect(
      try draft.sketch("page#") == [
        "export your data to a file is a sentence.", "= Linux", "  Use `apt`.", "  ```sh", "  apt {x}", "  ```",
        "= Mac", "  use **brew**", "1. Step", "  ! tip", "    Inside a list.", "2. Next", "! caution Hot",
        "  Do not touch $x^{2}$ and literal text.", "The *part*.",
        "Inline word and [link](https://example.org).", "[Next](waymark:page) – Go on", "```js", "let a = 1", "```",
        "It's done.",
      ])
    #expect(
      losses(draft) == [
        "1 export of MDX: left out", "1 expression of MDX: left out", "1 component 'Tooltip': shown as its text",
        "1 quiz component 'Quiz': left out", "1 page that others include: moved to the pages that include it",
        "1 part of a page: left out because no page includes it",
      ])
  }

  @Test func `an underscore does not hide a page of plain Markdown`() throws {
    #expect(
      try TestFolder(["_notes.md": "# Notes\n\nx", "a.md": "# A\n\nx"]).read().nodes.filter { $0.kind == .lesson }
        .map(\.title) == ["Notes", "A"])
  }

  // MARK: Code blocks

  @Test func `code blocks have titles, and no comments that mark lines`() throws {
    let draft = try TestFolder([
      "a.md": """
      # A

      ```js {2} title="src/my_oven.js"
      // highlight-next-line
      let a = 1
      {/* highlight-start */}
      let b = 2 // [!code focus]
      # [!code highlight:2]
      let c = "highlight-end"
      ```

      1. ```sh title='Run [it]'
         bake
         ```
      2. Two

      ```md
      // highlight-next-line
      ```
      """
    ]).read()

    #expect(
      try draft.sketch("a#") == [
        "*src/my_oven.js*", "```js", "let a = 1", "let b = 2", "let c = \"highlight-end\"", "```",
        "1. *Run [it]*", "  ```sh", "  bake", "  ```", "2. Two", "```md", "// highlight-next-line", "```",
      ])
  }

  @Test func `the caption of a code block of MyST is shown above it`() throws {
    let draft = try TestFolder([
      "_toc.yml": "root: a", "a.md": "# A\n\n```{code-block} python\n:caption: The oven\nbake()\n```\n",
    ]).read()

    #expect(try draft.sketch("a#") == ["*The oven*", "```python", "bake()", "```"])
  }

  @Test func `the code blocks of a code group are tabs`() throws {
    let draft = try TestFolder([
      "a.md": "# A\n\n::: code-group\n\n```js [x.js]\na\n```\n\n```ts\nb\n```\n\n:::\n\n```js [y]\nc\n```\n"
    ]).read()

    #expect(
      try draft.sketch("a#") == [
        "= x.js", "  ```js", "  a", "  ```", "= ts", "  ```ts", "  b", "  ```", "```js", "c", "```",
      ])
  }

  // MARK: Jekyll

  @Test func `links with filters and tags of Liquid lead to pages`() throws {
    let draft = try read("jekyll-links")

    #expect(
      try draft.sketch("index#") == [
        "[a](waymark:two) [b](waymark:two) [c](waymark:two) [d](waymark:two) [e](waymark:two) "
          + "[f](waymark:_posts/2020-01-01-x) [g](waymark:two)",
        "![pic](/assets/x.png) ![pic](/assets/x.png)", "[h](waymark:two)",
      ])
    #expect(losses(draft) == ["2 image: shown as its description because its file is missing"])
  }

  @Test func `includes of Jekyll show their text`() throws {
    let draft = try TestFolder([
      "a.md": """
      # A

      {% include note.html content="Mind the oven." %}

      {% include figure image_path="/x.png" alt="A loaf" caption="The *first* loaf" %}

      {% include toc.html %}
      """
    ]).read()

    #expect(
      try draft.sketch("a#") == [
        "Mind the oven.", "![A loaf](/x.png)", "*The *first* loaf*",
        "*Not in the folder: toc.html*",
      ])
  }

  @Test func `code directly below an element of HTML is code`() throws {
    let draft = try TestFolder(["a.md": "# A\n\n<div>\n<p>One</p>\n</div>\n```md\n# Two\n```\n"]).read()

    #expect(try draft.sketch("a#") == ["One", "```md", "# Two", "```"])
  }

  @Test func `the table of contents of kramdown is left out`() throws {
    let draft = try TestFolder(["a.md": "# A\n\n1. TOC\n{:toc}\n\n## One\n\nx"]).read()

    #expect(try draft.sketch("a#") == ["## One {one}", "x"])
    #expect(losses(draft) == ["1 list of contents: left out"])
  }

  @Test func `paragraphs and block quotes with a class of kramdown are callouts`() throws {
    let draft = try TestFolder([
      "_config.yml": "title: Bread",
      "a.md": """
      # A

      {: .warning }
      The oven
      is *hot*.

      {: .note-title }
      > Flour
      >
      > Rye.

      > ## How long?
      >
      > Guess.
      >
      > > ## Solution
      > > An hour.
      > {: .solution}
      {: .challenge}

      ~~~
      burnt
      ~~~
      {: .error}

      A quote:

      > Quoted.

      {: .label }
      New
      """,
    ]).read()

    #expect(
      try draft.sketch("a#") == [
        "! warning", "  The oven is *hot*.", "! note Flour", "  Rye.", "! box Challenge: How long?", "  Guess.",
        "  ? Solution", "    An hour.", "```", "burnt", "```", "A quote:", "> Quoted.", "New",
      ])
  }

  // MARK: Headings and lines

  @Test func `the markup of site generators is removed from headings`() throws {
    let draft = try read("heading-markup")

    #expect(
      try draft.sketch("page#").filter { $0.hasPrefix("#") } == [
        "## Four {four}", "## Five {five}", "## Six {six}", "## Eleven {eleven}", "## Twelve {twelve}",
        "## Thirteen {^thirteen}", "## Sixteen {sixteen}", "## Eighteen {eighteen}", "## Nineteen {nineteen}",
        "## Twenty {twenty}",
      ])
    #expect(draft.nodes.last?.title == "One")
    #expect(
      losses(draft) == [
        "1 Liquid tag 'include': left out", "1 markup 'label' of another program: left out",
        "1 shortcode 'badge': left out",
      ])
  }

  @Test func `lines that include a file or a list are replaced`() throws {
    let draft = try TestFolder([
      "a.md":
        "# A\n\n[[toc]]\n\n<!--@include: ./b.md-->\n\n<<< @/x.js{2}\n\n--8<-- \"b.md\"\n\n@[code{1-2} js](./x.js)\n",
      "b.md": "The *part*.", "x.js": "let a",
    ]).read()

    #expect(
      try draft.sketch("a#") == [
        "The *part*.", "```js", "let a", "```", "The *part*.", "```js", "let a", "```",
      ])
    #expect(losses(draft) == ["1 list of contents: left out"])
  }

  // MARK: Sidebars in programs

  @Test func `the sidebar of Docusaurus is read from its program if it is a literal`() throws {
    let draft = try TestFolder([
      "docusaurus.config.js": "module.exports = {}",
      "sidebars.js": """
      // @ts-check
      /** @type {import('x').SidebarsConfig} */
      const sidebars = {
        docs: [
          'intro', // the start
          {type: 'category', label: "It's `hot`", collapsed: true, items: ['ovens/gas', ...more, `dough`,],},
          {type: 'link', label: 'Outside', href: 'https://example.org/a,b'},
          {type: 'doc', id: 'gone', label: make('x')},
        ],
      };

      module.exports = sidebars;
      """,
      "docs/intro.md": "# Intro\n\nx", "docs/dough.md": "# Dough\n\nx", "docs/ovens/gas.md": "# Gas\n\nx",
    ]).read()

    #expect(
      draft.outline.filter { $0.hasPrefix("    l") || $0.hasPrefix("  g") } == [
        "  g intro! | Intro", "    l intro | Intro", "  g its-hot/ | It's hot", "    l ovens/gas | Gas",
        "    l dough | Dough", "  g https://example.org/a,b! | Outside",
        "    l https://example.org/a,b | Outside",
      ])
    #expect(
      draft.diagnostics.map(\.description) == [
        "sidebars.js:8: warning: The page 'docs/gone' does not exist and is left out. Create it, or remove it from the "
          + "list."
      ])
  }

  @Test func `the pages of Docusaurus may be next to the folder of the web site`() throws {
    let draft = try TestFolder([
      "website/sidebars.ts": "import type {S} from 'x';\nexport default {docs: ['first', 'a']} satisfies S;",
      "website/docusaurus.config.ts": "export default {presets: [['classic', {docs: {path: '../pages'}}]]};",
      "pages/a.md": "# A\n\n<Note>\n\nx {1 + 1}y <Link to=\"b\">B</Link>\n\n</Note>",
      "pages/b.md": "---\nid: first\n---\n# B\n\nx",
    ]).read()

    #expect(draft.nodes.filter { $0.kind == .lesson }.map(\.key) == ["pages/b", "pages/a"])
    #expect(try draft.sketch("pages/a#") == ["! note", "  x y [B](waymark:pages/b)"])
    #expect(draft.diagnostics == [])
  }

  @Test func `the sidebar of VitePress is read from its program, with groups by path`() throws {
    let draft = try TestFolder([
      "docs/.vitepress/config.mts": """
      import { defineConfig } from 'vitepress'
      export default defineConfig({
        title: 'Bread',
        themeConfig: {
          nav: [{ text: 'Home', link: '/' }],
          sidebar: {
            '/guide/': { base: '/guide/', items: [{ text: 'Start', collapsed: false, items: [
              { text: 'Why?', link: 'why' }, { text: 'Outside', link: 'https://example.org' } ] }] },
            '/api/': [{ text: 'Ovens', link: '/api/ovens.html' }, { text: 'All', link: '/api/' }],
          },
        },
      })
      """,
      "docs/index.md": "---\nlayout: home\n---\n", "docs/guide/why.md": "# Why bread\n\nx",
      "docs/api/ovens.md": "# Ovens\n\nx", "docs/api/index.md": "# All\n\nx",
    ]).read()

    #expect(
      draft.outline.filter { !$0.contains(" a ") } == [
        "c course | Bread", "  g docs/guide/ | Guide", "    l docs/guide/-2 | Start", "      l docs/guide/why | Why?",
        "      l https://example.org | Outside", "  g docs/api/ | Api", "    l docs/api/ovens | Ovens",
        "    l docs/api/index | All",
      ])
  }

  @Test func `index pages may be written in MDX`() throws {
    let draft = try TestFolder([
      "astro.config.mjs": "starlight({ title: 'Bread', sidebar: ['a', { label: 'All', slug: 'guides' }] })",
      "README.md": "# About\n\nx", "src/content/docs/index.mdx": "# Home\n\nx",
      "src/content/docs/guides/index.mdx": "# Guides\n\nx",
      "src/content/docs/a.md": "# A\n\n[home](/) [guides](/guides/)",
    ]).read()

    #expect(
      try draft.sketch("src/content/docs/a#") == [
        "[home](waymark:src/content/docs/index) [guides](waymark:src/content/docs/guides/index)"
      ])
    #expect(draft.nodes.filter { $0.kind == .lesson }.map(\.title) == ["Home", "A", "All", "About"])
  }

  @Test func `a sidebar in functions and constants of its program is read`() throws {
    let draft = try TestFolder([
      ".vitepress/config.ts": "export default defineConfig({ title: 'Bread', rewrites: { 'en/:rest*': ':rest*' } })",
      "config.ts": """
      export default defineAdditionalConfig({
        themeConfig: { nav: nav(), sidebar: {
          '/guide/': { base: '/guide/', items: sidebarGuide() },
          '/api/': { base: '/api/', items: api },
        } }
      })

      function nav(): Item[] { return make() }

      function sidebarGuide(): DefaultTheme.SidebarItem[] {
        return [
          { text: 'Why?', link: 'why' },
          loop(),
          { text: 'Gone', link: 'gone' },
        ]
      }

      function loop() { return [loop()] }
      const api = [{ text: 'Ovens', link: 'ovens' }]
      """,
      "en/guide/why.md": "# Why bread\n\nx", "en/api/ovens.md": "# Ovens\n\n[why](/guide/why)",
      "fr/guide/why.md": "# Pourquoi\n\nx", "fr/api/ovens.md": "# Fours\n\nx",
    ]).read()

    #expect(
      draft.outline.filter { !$0.hasPrefix("      a") } == [
        "c course | Bread", "  g en/guide/ | Guide", "    l en/guide/why | Why?", "  g en/api/ | Api",
        "    l en/api/ovens | Ovens",
      ])
    #expect(try draft.sketch("en/api/ovens#") == ["[why](waymark:en/guide/why)"])
  }

  @Test func `the sidebar of Starlight is read from its program, with whole folders`() throws {
    let draft = try TestFolder([
      "astro.config.mjs": """
      export default defineConfig({ integrations: [starlight({ title: 'Bread', sidebar: [
        { label: 'Guides', items: [{ label: 'First loaf', slug: 'guides/loaf' }, 'guides/crust'] },
        { label: 'Reference', autogenerate: { directory: 'reference' } },
      ] })] });
      """,
      "src/content/docs/guides/loaf.md": "---\ntitle: Loaf\n---\nx",
      "src/content/docs/guides/crust.mdx": "---\ntitle: Crust\n---\nx",
      "src/content/docs/reference/b.md": "# B\n\nx", "src/content/docs/reference/a.md": "# A\n\nx",
    ]).read()

    #expect(
      draft.outline.filter { !$0.hasPrefix("      a") } == [
        "c course | Bread", "  g src/content/docs/guides/ | Guides", "    l src/content/docs/guides/loaf | First loaf",
        "    l src/content/docs/guides/crust | Crust", "  g src/content/docs/reference/ | Reference",
        "    l src/content/docs/reference/a | A", "    l src/content/docs/reference/b | B",
      ])
  }

  @Test func `groups of a sidebar without a title are replaced by their entries`() throws {
    let draft = try TestFolder([
      "astro.config.mjs": """
      export default defineConfig({ integrations: [starlight({ title: 'Bread', sidebar: [
        { label: 'Guides', items: [{ autogenerate: { directory: 'guides' } }] },
        { items: [{ label: 'Ovens', slug: 'ovens' }] },
      ] })] });
      """,
      "src/content/docs/guides/loaf.md": "# Loaf\n\nx", "src/content/docs/ovens.md": "# Ovens\n\nx",
    ]).read()

    #expect(
      draft.outline.filter { $0.hasPrefix("    l") || $0.hasPrefix("  g") } == [
        "  g src/content/docs/guides/ | Guides", "    l src/content/docs/guides/loaf | Loaf",
        "  g src/content/docs/ovens! | Ovens", "    l src/content/docs/ovens | Ovens",
      ])
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
