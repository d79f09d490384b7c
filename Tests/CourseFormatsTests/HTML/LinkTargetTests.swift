import LearningModel
import TestSupport
import Testing

@testable import CourseFormats

/// Elements with identifiers, to which links lead.
struct LinkTargetTests {
  private func targets(_ html: String) throws -> [String] {
    sketchWithTargets(try HTMLText.parse(html, file: "a.html", limits: .standard).blocks.map(\.block))
  }

  @Test func `paragraphs, items, cells, terms and captions are link targets`() throws {
    #expect(
      try targets(
        """
        <p id="p">One <span id="s">two</span>.</p><ul id="l"><li id="i">Item</li></ul>
        <table id="t"><caption id="c">Signs</caption><tr><td>a</td><td id="d">b</td></tr></table>
        <dl><dt id="dt">Term</dt><dd id="dd">Meaning</dd></dl><figure id="f"><img src="a.png" alt="A"><figcaption
        id="fc">Cap</figcaption></figure>
        """) == [
          "One two.{#p}{#s}", "- Item{#l}{#i}", "*Signs*{#t}{#c}", "| a | b{#d} |", ": Term{#dt}",
          "    Meaning{#dd}", "![A](a.png){#f}", "*Cap*{#fc}",
        ])
  }

  @Test func `the link target above code, a formula, a rule or a box becomes a separate paragraph`() throws {
    #expect(
      try targets(
        """
        <pre id="a">code</pre><a id="b"></a><hr><blockquote id="c"><p>Quote</p></blockquote>
        <details id="d"><summary id="e">More</summary><p>Hidden</p></details>
        """) == [
          "{#a}", "```", "code", "```", "{#b}", "---", "{#c}", "> Quote", "{#d}", "? More{#e}", "  Hidden",
        ])
  }

  @Test func `the block after an empty anchor is the link target`() throws {
    #expect(try targets("<p>One.</p><p><a name='x'></a></p><p>Two.</p><a id='y'></a>") == ["One.", "Two.{#x}{#y}"])
  }

  @Test func `a heading keeps its own anchor and is the link target of the section around it`() throws {
    #expect(
      try targets("<section id='s2'><h2>Second section</h2></section><h3 id='own'>Own</h3>") == [
        "## Second section{#s2} {second-section}", "### Own {own}",
      ])
  }

  @Test func `links lead to paragraphs, figures and tables of other pages of a book`() throws {
    let book = SmallBook([
      "one.xhtml": """
      <h1>One</h1><p id="same">To <a href="two.xhtml#s2">a section</a>, <a href="two.xhtml#p9">a paragraph</a>,
      <a href="two.xhtml#t">a table</a>, <a href="#same">here</a>.</p>
      """,
      "two.xhtml": """
      <h1>Two</h1><section id="s2"><h2>Second section</h2><p>y</p></section><p id="p9">Nine.</p>
      <table id="t"><tr><td>1</td></tr></table>
      """,
    ])

    let draft = try book.read()

    #expect(
      try draft.sketch("one.xhtml#") == [
        "To [a section](waymark:two.xhtml##s2), [a paragraph](waymark:two.xhtml##p9), "
          + "[a table](waymark:two.xhtml##t), [here](waymark:one.xhtml##same)."
      ])
    guard case .reading(let blocks) = try draft.content("two.xhtml#") else { return }
    #expect(
      sketchWithTargets(blocks) == [
        "## Second section{#s2} {second-section}", "y", "Nine.{#p9}", "| 1{#t} |",
      ])
  }

  @Test func `the same identifier on two pages of one text has two names`() throws {
    let book = SmallBook(
      [
        "one.xhtml": "<p id='x'>One, see <a href='two.xhtml#x'>two</a>.</p>",
        "two.xhtml": "<p id='x'>Two, see <a href='one.xhtml#x'>one</a>.</p>",
      ], contents: "<li><a href='one.xhtml'>All</a></li>")

    guard case .reading(let blocks) = try book.read().content("one.xhtml#") else { return }

    #expect(
      sketchWithTargets(blocks) == [
        "One, see [two](waymark:one.xhtml##x-1).{#x}", "Two, see [one](waymark:one.xhtml##x).{#x-1}",
      ])
  }

  @Test func `a link to an identifier that only another page of a book has leads there`() throws {
    let book = SmallBook([
      "one.xhtml": "<p>See the <a href='#key-word'>key word</a> and <a href='#no'>nothing</a>.</p>",
      "two.xhtml": "<p id='key-word'>Its meaning.</p>",
    ])

    let draft = try book.read()

    #expect(
      try draft.sketch("one.xhtml#") == [
        "See the [key word](waymark:two.xhtml##key-word) and [nothing](waymark:one.xhtml#)."
      ])
    #expect(draft.lost == ["1 link to a missing place in a page: shown as a link to the page"])
  }

  @Test func `an anchor in Markdown is the target of links on the same page and on other pages`() throws {
    let folder = try TestFolder([
      "a.md": "# A\n\n[here](#deep) and [there](b.md#low)\n\n<a id=\"deep\"></a>The deep paragraph.",
      "b.md": "# B\n\nText.\n\n<a id=\"low\"></a>The low paragraph.",
    ])

    let draft = try folder.read()

    #expect(
      try draft.sketch("a#") == [
        "[here](waymark:a##deep) and [there](waymark:b##low)", "The deep paragraph.",
      ])
    guard case .reading(let blocks) = try draft.content("b#") else { return }
    #expect(sketchWithTargets(blocks) == ["Text.", "The low paragraph.{#low}"])
  }
}
