import Testing

@testable import CourseFormats

struct HeadingMarkupTests {
  @Test(arguments: [
    ("One {-}", "One", nil), ("Four {-#four}", "Four", "four"), ("Four {- #four .x}", "Four", "four"),
    ("Five[[five]]", "Five", "five"), ("Six [](#six)", "Six", "six"), ("Six [#](#six)", "Six", "six"),
    ("Eleven :id=eleven", "Eleven", "eleven"), ("Twelve {/* #twelve */}", "Twelve", "twelve"),
    ("Twelve {/* a remark */}", "Twelve", nil), ("Thirteen ^thirteen", "Thirteen", "^thirteen"),
    ("Seven {docsify-ignore}", "Seven", nil), ("Both [](#a) {-}", "Both", "a"),
  ])
  func `markup at the end of a heading is removed`(_ heading: String, _ text: String, _ identifier: String?) {
    let markup = HeadingMarkup(heading[...])

    #expect(markup.text == text)
    #expect(markup.identifier == identifier)
    #expect(markup.removedTags == [])
  }

  @Test(arguments: [
    "The set {a}", "Sets {#kept .x}", "See [[Bread]]", "See [Bread](#bread)", "Growth of n ^2", "A {x", "x}", "[[all]]",
    "Ratio a:b", "{-}x", "Array[[Int]]",
  ])
  func `other text at the end of a heading is kept`(_ heading: String) {
    #expect(HeadingMarkup(heading[...]).withIdentifier == heading)
  }

  @Test func `on pages with components, an identifier may follow a space`() {
    let markup = HeadingMarkup("What to expect? [[expect]]", isMDX: true)

    #expect(markup.withIdentifier == "What to expect? {#expect}")
  }

  @Test func `tags of other programs are removed and named`() {
    #expect(HeadingMarkup("Sixteen {% include x %}").removedTags == ["Liquid tag 'include'"])
    #expect(HeadingMarkup("Eighteen {{#label x}}").removedTags == ["markup 'label' of another program"])
  }

  @Test func `a heading with repeated markup is read in linear time`() {
    for mark in ["{-} ", "[](#a) ", "{{# ", "%} ", ":id=a ", "{/* */} "] {
      _ = HeadingMarkup(String(repeating: mark, count: 20_000)[...])
    }
  }
}
