import LearningModel
import Testing

struct SlugTests {
  @Test(arguments: [
    ("Opening offers", "opening-offers"), ("  Don’t -- repeat it!  ", "dont-repeat-it"), ("1. Größe", "1-größe"),
    ("?!", "a-key"), ("", "a-key"), (String(repeating: "ab ", count: 40), String(repeating: "ab-", count: 19) + "ab"),
    (String(repeating: "x", count: 70), String(repeating: "x", count: 60)),
    (String(repeating: "x", count: 60) + " y", String(repeating: "x", count: 60)),
  ])
  func `a slug is the title's letters and digits with hyphens between words`(_ title: String, _ slug: String) {
    #expect(Slug.make(from: title, fallback: "a key") == slug)
  }

  @Test func `a title and a key without letters give the slug untitled`() {
    #expect(Slug.make(from: "?", fallback: "!") == "untitled")
  }

  @Test func `slugs of siblings with equal titles are numbered from two and skip used numbers`() {
    var names = Slug.names(taken: ["opening", "opening-3"])

    let slugs = ["opening", "offers", "opening", "offers", "opening-2", "opening"].map { names.makeUnique($0) }

    #expect(slugs == ["opening-2", "offers", "opening-4", "offers-2", "opening-2-2", "opening-5"])
    #expect(names.usedNames == Set(slugs).union(["opening", "opening-3"]))
  }

  @Test func `a hundred thousand equal names get unique numbers in linear time`() {
    var names = Anchor.names

    let last = (0..<100_000).map { _ in Anchor.unique("why", among: &names) }.last

    #expect(last == "why-99999")
  }
}
