import CourseFormats
import ExternalPrograms
import LearningModel
import Testing

private let hasPandoc = ExternalProgram(named: "pandoc") != nil
private let hasAsciidoctor = ExternalProgram(named: "asciidoctor") != nil

/// Tests of folders of documents that include each other.
struct DocumentFolderTests {
  private func lessons(_ draft: CourseDraft) -> [String] {
    draft.outline.filter { !$0.drop { $0 == " " }.hasPrefix("a ") }
  }

  @Test(.enabled(if: hasAsciidoctor, "asciidoctor is not installed"))
  func `the main document of AsciiDoc determines the order of the chapters that it includes`() throws {
    let draft = try TestFolder([
      "README.md": "# Bread book\n\nBuild it.",
      "book.asc": """
      = Bread book
      A Baker
      :mill: stone mill

      Some words before.

      include::chapters/water.asc[]

      include::chapters/flour.asc[]
      """,
      "chapters/flour.asc": """
      [[flour]]
      == Flour

      From a {mill}.

      include::kinds/rye.asc[]

      include::note.asc[]

      [source,python]
      ----
      include::../mill.py[lines=2..3]
      ----
      """,
      "chapters/water.asc": "== Water\n\nFrom a well, not <<flour>>.", "chapters/kinds/rye.asc": "=== Rye\n\nDark.",
      "chapters/note.asc": "Keep it dry.\n\nSee <<flour>>.",
      "mill.py": "import mill\nmill.run()\nmill.stop()\nmill.end()",
    ]).read()

    #expect(
      lessons(draft) == [
        "c course | Bread book", "  g book! | Bread book – Water", "    l book | Bread book",
        "    l chapters/water | Water", "  g chapters/flour! | Flour", "    l chapters/flour | Flour",
        "    l chapters/kinds/rye | Rye",
      ])
    #expect(
      try draft.sketch("chapters/flour#") == [
        "From a stone mill.", "Keep it dry.", "See [Flour](waymark:chapters/flour).", "```python",
        "mill.run()", "mill.stop()", "```",
      ])
    #expect(try draft.sketch("chapters/water#") == ["From a well, not [Flour](waymark:chapters/flour)."])
    #expect(
      draft.lost == [
        "1 page that others include: moved to the pages that include it"
      ])
  }

  @Test(.enabled(if: hasPandoc, "pandoc is not installed"))
  func `the main document of LaTeX determines the order and the macros of its chapters`() throws {
    let draft = try TestFolder([
      "main.tex": """
      \\documentclass{book}
      \\input{macros}
      \\title{\\huge Small
        {sets}\\vspace{1mm} \\\\ First edition}
      \\include{style}
      \\begin{document}
      \\maketitle
      \\part{Beginning}
      \\include{zero}
      \\part{End}
      \\include{apple}
      \\chapterfile{3}{pear}
      \\end{document}
      """,
      "macros.tex": """
      \\newcommand{\\N}{\\mathbb{N}} % numbers
      \\newcommand{\\pair}[2]{(#1,#2)}
      \\def\\UU{\\mathcal{U}}
      \\DeclareMathOperator{\\ord}{ord}
      """,
      "zero.tex": "\\chapter{Zero}\\label{zero}\nTake $\\pair{x}{y} \\in \\N$ and $\\UU$.\n\\input{inside}",
      "style.tex": """
      \\newcommand\\chapterfile[2]{
        \\setcounter{chapter}{#1}
        \\include{more/#2/#2}
        \\input{more/#2/exercises}
      }
      \\newcommand{\\head}{\\section{x}}
      """,
      "more/pear/pear.tex": "\\chapter{Pear}\nSweet.", "inside.tex": "It is small.",
      "apple.tex": "\\chapter{Apple}\nWords about apples, after Chapter~\\ref{zero}.",
    ]).read()

    #expect(
      lessons(draft) == [
        "c course | Small sets", "  g beginning/ | Beginning", "    l zero | Zero", "  g end/ | End",
        "    l apple | Apple", "    l more/pear/pear | Pear",
      ])
    #expect(
      try draft.sketch("zero#") == ["Take $(x,y) \\in \\mathbb{N}$ and $\\mathcal{U}$. It is small."])
    #expect(try draft.sketch("apple#") == ["Words about apples, after Chapter\u{A0}[Zero](waymark:zero)."])
    #expect(!draft.lost.contains { $0.contains("unlisted") })
  }

  @Test(.enabled(if: hasPandoc, "pandoc is not installed"))
  func `a page of reStructuredText shows the files of the folder that it includes`() throws {
    let draft = try TestFolder([
      "index.rst": "Ladders\n=======\n\n.. toctree::\n\n   carry\n", "part.rst": "Included words.",
      "carry.rst": """
      Carrying
      ========

      .. csv-table:: Lengths
         :file: lengths.csv
         :header-rows: 1

      Text after it.

      .. include:: part.rst

      .. literalinclude:: up.py
         :language: python
         :lines: 2-3
      """,
      "lengths.csv": "Name,Length\nshort,2 m\nlong,\"4, or 5 m\"", "up.py": "import ladder\nladder.up()\nladder.down()",
      "soup-of-the-day.rst": "Only words, and no title.",
    ]).read()

    #expect(
      lessons(draft) == [
        "c course | Ladders", "  g index! | Ladders", "    l carry | Carrying", "  g also/ | Also in this folder",
        "    l soup-of-the-day | Soup of the day",
      ])
    #expect(
      try draft.sketch("carry#").dropFirst() == [
        "| Name | Length |", "| short | 2 m |", "| long | 4, or 5 m |", "Text after it.", "Included words.",
        "```python",
        "ladder.up()", "ladder.down()", "```",
      ])
  }

  @Test(.enabled(if: hasPandoc, "pandoc is not installed"))
  func `references of Sphinx lead to their pages and headings, and other roles are shown as text`() throws {
    let draft = try TestFolder([
      "index.rst": "Ladders\n=======\n\n.. toctree::\n\n   guide/carry\n   climb\n",
      "guide/carry.rst": """
      Carrying
      ========

      See :doc:`/climb`, :doc:`the other <../climb>`, :ref:`feet`, :ref:`both <hands>`, :doc:`/index` and :ref:`gone`.

      By :pep:`8`, :term:`rungs <rung>`, :func:`~ladder.climb.up`, :kbd:`Ctrl` and :ref:`python:steps`.
      """,
      "climb.rst": ".. _feet:\n\nClimbing\n========\n\nUp.\n\n.. _hands:\n\nHolding\n-------\n\nTight.",
    ]).read()

    #expect(
      try draft.sketch("guide/carry#") == [
        "See [Climbing](waymark:climb), [the other](waymark:climb), [Climbing](waymark:climb), "
          + "[both](waymark:climb##hands), [Ladders](waymark:index!) and gone.",
        "By [PEP 8](https://peps.python.org/pep-0008/), rungs, `up`, ++Ctrl++ and python:steps.",
      ])
    #expect(
      draft.lost.filter { $0.contains("link") } == [
        "1 broken link: shown as text", "1 link to another project: shown as text",
      ])
  }

  @Test(.enabled(if: hasAsciidoctor, "asciidoctor is not installed"))
  func `a component of Antora has the order of its navigation, with links and parts`() throws {
    let draft = try TestFolder([
      "README.adoc": "= About",
      "docs/antora.yml":
        "name: bread\ntitle: Bread docs\nasciidoc:\n  attributes:\n    grain: rye@\nnav:\n- modules/ROOT/nav.adoc\n- modules/tools/nav.adoc",
      "docs/modules/ROOT/nav.adoc":
        "* xref:index.adoc[]\n* Doing\n** xref:zebra.adoc[Knead like a zebra]\n** xref:apple.adoc[]",
      "docs/modules/tools/nav.adoc": ".Tools\n* xref:bowl.adoc[]",
      "docs/modules/ROOT/partials/warm.adoc": "Keep it warm.", "docs/modules/ROOT/examples/bake.py": "print(\"bake\")",
      "docs/modules/ROOT/pages/index.adoc": """
      = Welcome

      Press kbd:[Ctrl] or btn:[OK]. Go to xref:apple.adoc[the apple] or xref:tools:bowl.adoc[] or xref:zebra.adoc#stripes[stripes].

      include::partial$warm.adoc[]

      [source,python]
      ----
      include::example$bake.py[]
      ----
      """,
      "docs/modules/ROOT/pages/zebra.adoc": "= Zebra\n\n[#stripes]\n== Stripes\n\nBlack.",
      "docs/modules/ROOT/pages/apple.adoc": "= Apple\n\nRed with {grain}.",
      "docs/modules/tools/pages/bowl.adoc": "= Bowl\n\nRound. Back to xref:ROOT:index.adoc[].",
    ]).read()
    let (root, tools) = ("docs/modules/ROOT/pages/", "docs/modules/tools/pages/")

    #expect(
      lessons(draft) == [
        "c course | Bread docs", "  g \(root)index! | Welcome", "    l \(root)index | Welcome",
        "  g \(root) | Doing", "    l \(root)zebra | Knead like a zebra", "    l \(root)apple | Apple",
        "  g \(tools) | Tools", "    l \(tools)bowl | Bowl",
      ])
    #expect(
      try draft.sketch(root + "index#") == [
        "Press ++Ctrl++ or **OK**. Go to [the apple](waymark:\(root)apple) or [Bowl](waymark:\(tools)bowl) or [stripes](waymark:\(root)zebra##stripes).",
        "Keep it warm.", "```python", "print(\"bake\")", "```",
      ])
    #expect(try draft.sketch(root + "apple#") == ["Red with rye."])
  }

  @Test(.enabled(if: hasAsciidoctor, "asciidoctor is not installed"))
  func `references of AsciiDoc find headings whose identifiers depend on settings outside of the documents`() throws {
    let draft = try TestFolder([
      "a.adoc": "= A\n\nSee <<the-warm-oven>>, xref:b.adoc#the-warm-oven[it] and xref:server:guide:c.adoc[].",
      "b.adoc": "= B\n\nx\n\n== The warm oven\n\ny",
    ]).read()

    #expect(
      try draft.sketch("a#") == [
        "See [The warm oven](waymark:b##_the_warm_oven), [it](waymark:b##_the_warm_oven) and server:guide:c.html."
      ])
    #expect(draft.lost == ["1 link to another project: shown as text"])
  }

  @Test(.enabled(if: hasPandoc, "pandoc is not installed"))
  func `a role of reStructuredText with a domain is shown as one without it`() throws {
    let draft = try TestFolder([
      "index.rst": "Start\n=====\n\nUse :py:func:`open`, :func:`close` and :std:doc:`next`.",
      "next.rst": "Next\n====\n\nx",
    ]).read()

    #expect(try draft.sketch("index#") == ["Use `open`, `close` and [Next](waymark:next)."])
  }

  @Test(.enabled(if: hasAsciidoctor, "asciidoctor is not installed"))
  func `the list of Atlas determines the order, and printed texts and drawings are not lessons`() throws {
    let draft = try TestFolder([
      "atlas.json": #"{"branch": "main", "files": ["cover.html", "water.adoc", "part.adoc", "flour.adoc", "ix.html"]}"#,
      "cover.html": "<p>Cover</p>", "flour.adoc": "= Flour\n\nx", "part.adoc": "= Baking\n\nx",
      "water.adoc": "= Water\n\nx", "later.adoc": "= Later\n\nx", "water.pdf": "%PDF-1.4", "oven.pdf": "%PDF-1.4",
      "oven.svg": "<svg/>",
    ]).read()

    #expect(
      draft.nodes.filter { $0.kind == .lesson }.map(\.title) == ["Water", "Baking", "Flour", "Later"])
    #expect(
      draft.lost == ["2 PDF document: left out", "1 unlisted page: moved to “Also in this folder”"])
  }

  @Test(.enabled(if: hasAsciidoctor, "asciidoctor is not installed"))
  func `a document whose includes multiply is left out`() throws {
    var files = ["a.adoc": "= A\n\nWords.", "z.adoc": "= Z\n\ninclude::0.txt[]"]
    for number in 0..<6 {
      files["\(number).txt"] = String(repeating: "include::\(number + 1).txt[]\n", count: 10)
    }
    files["6.txt"] = "x"
    var limits = SourceLimits.standard
    limits.expandedSize = 1 << 20

    let draft = try TestFolder(files).read(limits: limits)

    #expect(draft.nodes.filter { $0.kind == .lesson }.map(\.title) == ["A"])
    #expect(draft.lost == ["1 page that cannot be read: left out"])
  }

  @Test(.enabled(if: hasAsciidoctor, "asciidoctor is not installed"))
  func `a document that includes itself ends, and files outside of the folder are not included`() throws {
    let draft = try TestFolder([
      "a.adoc": "= A\n\nWords.\n\ninclude::b.adoc[]\n\ninclude::/etc/hostname[]\n\ninclude::../../x.adoc[]",
      "b.adoc": "Again.\n\ninclude::b.adoc[]\n\ninclude::a.adoc[]",
    ]).read()

    #expect(try draft.sketch("a#").prefix(2) == ["Words.", "Again."])
    #expect(draft.said.contains { $0.contains("includes itself") })
  }
}
