import LearningModel
import Testing

@testable import CourseFormats

struct PageMarkupTests {
  private func shown(_ markdown: String, _ context: PageMarkup.Context = PageMarkup.Context()) throws -> [String] {
    var marks = PageMarkup(context)
    let dialect = TextDialect(hasHeadingAttributes: true)
    let parsed = try MarkdownText.parse(marks.expanded(markdown), file: "a.md", limits: .standard, dialect: dialect)
    return sketch(parsed.blocks.map(\.block))
  }

  @Test func `code in fences, spans and indented blocks is unchanged`() throws {
    #expect(
      try shown(
        "```md\n::: note\n{{ site.x }}\n:::\n```\n\nUse ``{ref}`x` `` and `{% x %}`.\n\n    ::: note\n    :::\n")
        == [
          "```md", "::: note", "{{ site.x }}", ":::", "```", "Use `{ref}`x` ` and `{% x %}`.",
          "```", "::: note", ":::", "```",
        ])
  }

  @Test func `a directive inside a list or a block quote remains inside it`() throws {
    #expect(
      try shown("- one\n\n  :::{note}\n  Two.\n  :::\n\n- three\n\n> :::{tip}\n> Four.\n> :::\n") == [
        "- one", "  ! note", "    Two.", "- three", "> ! tip", ">   Four.",
      ])
  }

  @Test func `directives are nested with more or with equal numbers of colons`() throws {
    let expected = ["! tip", "  ! note", "    Inner.", "  Outer."]

    #expect(try shown("::::{tip}\n:::{note}\nInner.\n:::\nOuter.\n::::") == expected)
    #expect(try shown("::: tip\n::: note\nInner.\n:::\nOuter.\n:::") == expected)
  }

  @Test func `open directives end with the page, and surplus colons are removed`() throws {
    #expect(try shown(":::{note}\nOpen.") == ["! note", "  Open."])
    #expect(try shown("Words.\n\n:::\n\nMore.") == ["Words.", "More."])
    #expect(try shown("```{note}\nOpen.") == ["! note", "  Open."])
  }

  @Test func `the language of a fence is its first word`() throws {
    #expect(
      try shown(
        "```{.python .numbered}\na\n```\n\n```js {linenos=true}\nb\n```\n\n```{r, echo=FALSE}\nc\n```\n\n```text{1-2}\nd\n```"
      )
        == ["```python", "a", "```", "```js", "b", "```", "```r", "c", "```", "```text", "d", "```"])
  }

  @Test func `double braces in mathematics are not placeholders`() throws {
    #expect(try shown("$x^{{50}}$ and $y^{{x}}$ and {a} and {{x}}.") == ["$x^{{50}}$ and $y^{{x}}$ and {a} and {{x}}."])
  }

  @Test func `attributes are removed after images and links, or on a separate line`() throws {
    #expect(
      try shown("![a](b.png){ width=\"300\" }\n\n[c](d){target=_blank}\n\nText\n{.lead}\n\n{: .lead }\nMore {not one}.")
        == [
          "![a](b.png)", "[c](d)", "Text", "More {not one}.",
        ])
  }

  @Test func `a wikilink is converted if the page exists`() throws {
    var context = PageMarkup.Context()
    context.isPage = { $0 == "Home" }

    #expect(
      try shown("[[Home]], [[Home#The Door|in]], [[Nowhere]], [[1, 2], [3, 4]]", context) == [
        "[Home](waymark-page:Home), [in](waymark-page:Home#the-door), [[Nowhere]], [[1, 2], [3, 4]]"
      ])
  }

  @Test func `a link destination with blanks is accepted if it is a file name`() throws {
    #expect(
      try shown(
        "![a](my map (1).png) and [b](a b.md#c), [c](<d e.md> \"T\"), [d](e.md \"A title.md\"), [f](and so on.)") == [
          "![a](my%20map%20(1).png) and [b](a%20b.md#c), [c](d%20e.md), [d](e.md), [f](and so on.)"
        ])
    #expect(try shown("`[a](b c.md)` and \\[a](b c.md)") == ["`[a](b c.md)` and [a](b c.md)"])
  }

  @Test func `the text of an image with another description is its caption`() throws {
    #expect(
      try shown("![](a.svg)\n\n![](b.svg){alt='A loaf'} and ![The first loaf](c.svg){alt='A dark loaf'}") == [
        "![](a.svg)", "![A loaf](b.svg) and ![A dark loaf](c.svg)\\*The first loaf*",
      ])
  }

  @Test func `an include is replaced by the file or by its name`() throws {
    var context = PageMarkup.Context()
    context.text = {
      $0 == "a.py" ? ("a.py", "print(1)\n") : $0 == "b.md" ? ("b.md", "---\nx: y\n---\n*Included.*") : nil
    }

    #expect(
      try shown("```{literalinclude} a.py\n```\n\n```{include} b.md\n```\n\n{{% include \"c.md\" %}}", context) == [
        "```py", "print(1)", "", "```", "*Included.*", "*Not in the folder: c.md*",
      ])
  }

  @Test func `a file that includes itself does not cause endless recursion`() throws {
    var context = PageMarkup.Context()
    context.text = { _ in ("a.md", "Again.\n\n```{include} a.md\n```\n") }

    #expect(try shown("```{include} a.md\n```", context) == ["Again.", "*Included in itself: a.md*"])
  }

  @Test func `unknown markup is counted, with or without its text`() throws {
    var marks = PageMarkup()

    _ = marks.expanded(
      ":::{odd}\nText.\n:::\n\n{{< odd >}}\n\n{{< pair >}}x{{< /pair >}}\n\n{% odd %}\n\n{odd}`words` {{ odd.one }}\n\n{{< broken"
    )

    #expect(
      marks.findings.losses.map { "\($0.count) \($0.what): \($0.treatment)" } == [
        "1 directive 'odd': shown as its text", "1 shortcode 'odd': left out", "1 shortcode 'pair': shown as its text",
        "1 Liquid tag 'odd': left out", "1 role 'odd': shown as text", "1 placeholder 'odd.one': left out",
        "1 shortcode: left out",
      ])
  }

  @Test func `a hundred thousand pieces of markup are processed in linear time`() throws {
    for text in [
      ":::{note}\n", "{{< a >}} ", "{% a %}", "[[", "{a}`", "`", "{", "???", "> - ", "(a)=\n", ": a\n", "](", "](a ",
    ] {
      let page = String(repeating: text, count: 100_000 / text.utf8.count)
      var marks = PageMarkup()
      #expect(marks.expanded(page).utf8.count < 40 * page.utf8.count + 1_000, "\(text)")
    }
  }
}
