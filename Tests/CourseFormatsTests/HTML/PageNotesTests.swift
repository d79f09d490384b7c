import LearningModel
import TestSupport
import Testing

@testable import CourseFormats

/// Footnotes in the HTML of other programs. Each input has the form that the named program writes.
struct PageNotesTests {
  private func read(_ body: String) throws -> [String] {
    let folder = try TestFolder(["page.html": "<html><body><main>\(body)</main></body></html>"])
    return try folder.read().sketch("page#")
  }

  private let expected = ["Here[1] it is.", "---", "[1] The note."]

  @Test func `footnotes of pandoc are shown below the text`() throws {
    #expect(
      try read(
        """
        <p>Here<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a> it is.</p>
        <section class="footnotes footnotes-end-of-document" role="doc-endnotes"><hr/><ol>
        <li id="fn1"><p>The note.<a href="#fnref1" class="footnote-back" role="doc-backlink">↩︎</a></p></li></ol></section>
        """) == expected)
  }

  @Test func `footnotes of Sphinx are shown below the text`() throws {
    #expect(
      try read(
        """
        <p>Here<a class="footnote-reference brackets" href="#id2" id="id1" role="doc-noteref"><span
        class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a> it is.</p>
        <aside class="footnote brackets" id="id2" role="doc-footnote"><span class="label"><span
        class="fn-bracket">[</span><a role="doc-backlink" href="#id1">1</a><span class="fn-bracket">]</span></span>
        <p>The note.</p></aside>
        """) == expected)
  }

  @Test func `footnotes of Docutils before version 0.18 are shown below the text`() throws {
    #expect(
      try read(
        """
        <p>Here<a class="footnote-reference brackets" href="#id2" id="id1">1</a> it is.</p>
        <dl class="footnote brackets"><dt class="label" id="id2"><span class="brackets"><a class="fn-backref"
        href="#id1">1</a></span></dt><dd><p>The note.</p></dd></dl>
        """) == expected)
    #expect(
      try read(
        """
        <p>Here<a class="footnote-reference" href="#id2" id="id1">[1]</a> it is.</p>
        <table class="docutils footnote" frame="void" id="id2" rules="none"><tbody valign="top"><tr><td
        class="label"><a class="fn-backref" href="#id1">[1]</a></td><td>The note.</td></tr></tbody></table>
        """) == expected)
  }

  @Test func `footnotes of kramdown are shown below the text`() throws {
    #expect(
      try read(
        """
        <p>Here<sup id="fnref:1" role="doc-noteref"><a href="#fn:1" class="footnote" rel="footnote">1</a></sup> it
        is.</p><div class="footnotes" role="doc-endnotes"><ol><li id="fn:1" role="doc-endnote"><p>The note. <a
        href="#fnref:1" class="reversefootnote" role="doc-backlink">&#8617;</a></p></li></ol></div>
        """) == expected)
  }

  @Test func `references of MediaWiki are shown below the text`() throws {
    #expect(
      try read(
        """
        <p>Here<sup id="cite_ref-1" class="reference"><a href="#cite_note-1"><span>[</span>1<span>]</span></a></sup> it
        is.</p><div class="reflist"><ol class="references"><li id="cite_note-1"><span class="mw-cite-backlink"><b><a
        href="#cite_ref-1">^</a></b></span> <span class="reference-text">The note.</span></li></ol></div>
        """) == expected)
  }

  @Test func `footnotes of a word processor are shown below the text`() throws {
    #expect(
      try read(
        """
        <p>Here<a name="_ednref1" href="#_edn1"><sup>[1]</sup></a> it is.</p>
        <p><a name="_edn1" href="#_ednref1">[1]</a> The note.</p>
        """) == expected)
  }

  @Test func `several marks in one superscript keep their links`() throws {
    #expect(
      try read(
        """
        <p>Here<sup>[<a id="a" href="#n1">1</a>, <a id="b" href="#n2">2</a>]</sup> it is.</p>
        <ol><li id="n1">One. <a href="#a">↑</a></li><li id="n2">Two. <a href="#b">↑</a></li></ol>
        """) == ["Here[1], [2] it is.", "---", "[1] One.", "[2] Two."])
  }

  @Test func `a short block that does not lead back remains in its place`() throws {
    #expect(
      try read("<p>Here<sup><a href='#n1'>1</a></sup> it is.</p><p id='n1'>A step.</p><p>End.</p>") == [
        "Here[¹](waymark:page##n1) it is.", "A step.", "End.",
      ])
  }

  @Test func `a long block, a heading and a table of contents are not footnotes`() throws {
    let long = String(repeating: "Many words. ", count: 500)
    let lines = try read(
      """
      <p>See<a id="a" href="#n1">1</a> and chapter <a id="b" href="#c2">2</a>.</p>
      <p id="n1"><a href="#a">1</a> \(long)</p><h2 id="c2"><a href="#b">Two</a></h2><p>Text.</p>
      """)

    #expect(lines.count == 4)
    #expect(lines[0] == "See[1](waymark:page##n1) and chapter [2](waymark:page##c2).")
    #expect(lines[2...] == ["## [Two](waymark:page##b) {c2}", "Text."])
  }

  @Test func `a footnote in an omitted list of links is not lost`() throws {
    let folder = try TestFolder([
      "page.html": """
      <body><p>Text.</p><nav>See<a id="r" href="#n" role="doc-noteref">1</a></nav>
      <aside id="n" role="doc-footnote"><p>The note.</p></aside></body>
      """
    ])

    let lines = try folder.read().sketch("page#")

    #expect(lines == ["Text.", "[1] The note."])
  }

  @Test func `two footnotes with the same mark below one text get different numbers`() throws {
    #expect(
      try read(
        """
        <p>One<a id="a" href="#x" role="doc-noteref">1</a> two<a id="b" href="#y" role="doc-noteref">1</a>.</p>
        <aside id="x"><p>First.</p></aside><aside id="y"><p>Second.</p></aside>
        """) == ["One[1] two[2].", "---", "[1] First.", "[2] Second."])
  }

  @Test func `words in a section of the class footnotes are shown`() throws {
    #expect(
      try read("<p>Text.</p><section class='footnotes'><p>Words.</p></section>") == ["Text.", "Words."])
  }

  @Test(arguments: [
    HostileText(
      "100,000 references to one block",
      String(repeating: "<p>a<a id='r' href='#n'>1</a></p>", count: 30_000) + "<p id='n'><a href='#r'>1</a>x</p>"),
    HostileText(
      "a block with many links back",
      "<p>a<a id='r' href='#n'>1</a></p><p id='n'>" + String(repeating: "<a href='#r'></a>", count: 50_000) + "</p>"),
    HostileText("many identifiers", String(repeating: "<a id='x'></a><b id='y'>z</b>", count: 30_000)),
    HostileText(
      "footnotes that refer to each other",
      "<p>a<a href='#n0' role='doc-noteref'>1</a></p>"
        + (0..<8_000).map { "<p id='n\($0)'>b<a href='#n\($0 + 1)' role='doc-noteref'>1</a></p>" }.joined()),
  ])
  func `hostile notes are read in linear time`(_ hostile: HostileText) throws {
    let seconds = try processorSeconds { _ = try HTMLText.parse(hostile.text, file: "a.html", limits: .standard) }

    #expect(seconds < 20)
  }
}
