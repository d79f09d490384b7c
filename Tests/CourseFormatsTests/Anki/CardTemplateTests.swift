@testable import CourseFormats
import Testing

/// Tests of templates, filters and cloze deletions, which are compared as HTML.
struct CardTemplateTests {
  private func filled(
    _ template: String, _ fields: [String: String], cloze: Int = 1, isQuestion: Bool = true
  ) -> String? {
    CardTemplate(template, depth: 10).filled(
      with: CardTemplate.Values(fields: fields, cloze: cloze, isQuestion: isQuestion, frontSide: "Q"), limit: 1000)
  }

  @Test(arguments: [
    ("{{A}}-{{ A }}", "a-a"), ("{{#A}}yes{{/A}}{{^A}}no{{/A}}", "yes"), ("{{#E}}yes{{/E}}{{^E}}no{{/E}}", "no"),
    ("{{#A}}{{#E}}1{{/E}}{{^E}}2{{/E}}{{/A}}", "2"), ("{{#c1}}one{{/c1}}{{#c2}}two{{/c2}}", "one"),
    ("{{FrontSide}}{{A}}", "Qa"), ("{{Missing}}.", "."), ("<!-- {{A}} -->{{A}}", "<!-- {{A}} -->a"),
    ("{{text:B}}", "bold"), ("{{custom:A}}", "a"), ("{{type:A}}", ""), ("a {{b", "a {{b"), ("{{#A}}open", "open"),
    ("{{text:cloze:C}}", "[...] and d"), ("{{hint:E}}", ""),
  ])
  func `a template shows fields, sections and filters`(_ template: String, _ expected: String) {
    let fields = ["A": "a", "B": "<b>bold</b>", "E": "<br> <div></div>", "C": "{{c1::c}} and {{c2::d}}"]

    #expect(filled(template, fields) == expected)
  }

  @Test func `the answer to a typed question is the text of the field or of the asked cloze deletions`() {
    let fields = ["A": "a", "C": "{{c1::c::hint}}, {{c2::d}}, {{c1::e {{c2::f}}}}"]

    #expect(filled("{{type:A}}", fields, isQuestion: false) == "a")
    #expect(filled("{{type:nc:A}}", fields, isQuestion: false) == "a")
    #expect(filled("{{type:cloze:C}}", fields, isQuestion: false) == "c, e f")
    #expect(filled("{{cloze-only:C}}", fields) == "[hint], [...]")
  }

  @Test(arguments: [
    ("{{c1::a}}", 1, "<span class=\"cloze\">[...]</span>"), ("{{c1::a::b}}", 1, "<span class=\"cloze\">[b]</span>"),
    ("{{c1::a}}", 2, ""), ("{{c1,2::a}} {{c3::b}}", 2, "<span class=\"cloze\">[...]</span> b"),
    ("x {{c1::a {{c2::b}} c}}", 2, "x a <span class=\"cloze\">[...]</span> c"), ("{{c1::a", 1, ""),
    ("{{c0::a}}{{c1::b}}", 1, "{{c0::a}}<span class=\"cloze\">[...]</span>"),
  ])
  func `a cloze deletion hides the asked text`(_ text: String, _ number: Int, _ expected: String) {
    #expect(ClozeField(text).shown(asking: number, isQuestion: true) == expected)
  }

  @Test(arguments: [
    ("日本語[にほんご]", "<日本語|にほんご>"), ("a 日[ひ] 本[ほん]b", "a<日|ひ><本|ほん>b"), ("[x]", "[x]"),
    ("a[sound:b.mp3]", "a[sound:b.mp3]"),
    ("<b>日[ひ]</b>", "<b><日|ひ></b>"), ("a[b", "a[b"),
  ])
  func `a reading belongs to the characters before it`(_ text: String, _ expected: String) {
    #expect(Furigana.replaced(in: text) { "<\($0)|\($1)>" } == expected)
  }

  @Test(arguments: [
    ("{{A", "'{{' is not closed by '}}'."), ("{{#A}}", "The section '{{#A}}' is not closed."),
    ("{{/A}}", "'{{/A}}' closes a section that is not open."),
  ])
  func `a mistake in a template is reported`(_ template: String, _ expected: String) {
    #expect(CardTemplate(template, depth: 10).problem == expected)
  }

  @Test func `a template that repeats a long field exceeds the limit`() {
    let field = String(repeating: "x", count: 100)

    #expect(filled(String(repeating: "{{A}}", count: 11), ["A": field]) == nil)
  }
}
