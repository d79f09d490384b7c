import Testing

@testable import CourseFormats

struct PageKeysTests {
  @Test func `a key is the path without extension and without numbers at the start of names`() {
    let keys = PageKeys(["docs/01-start/02_first loaf.md", "docs/3. ovens/gas.md", "about.md"], below: "docs")

    #expect(keys.page("docs/01-start/02_first loaf.md") == "start/first loaf")
    #expect(keys.page("docs/3. ovens/gas.md") == "ovens/gas")
    #expect(keys.page("about.md") == "../about")
    #expect(keys.folder("docs/01-start") == "start/")
  }

  @Test func `pages with the same key keep their numbers and then their extensions`() {
    let keys = PageKeys(["01-a.md", "02-a.md", "b.md", "b.mdx", "c.md"], below: "")

    #expect(["01-a.md", "02-a.md", "b.md", "b.mdx", "c.md"].map(keys.page) == ["01-a", "02-a", "b.md", "b.mdx", "c"])
  }

  @Test func `a page without an extension has another key than the course with its name`() {
    #expect(PageKeys(["todo"], below: "", course: "todo").page("todo") == "./todo")
  }

  @Test(arguments: [
    ("6.006", "6.006"), ("2020-01-02-diary", "2020-01-02-diary"), ("3d-print", "3d-print"), ("12", "12"),
  ])
  func `a number that is part of the name is kept`(_ name: String, _ words: String) {
    #expect(PageKeys.unnumberedName(of: name) == words)
  }
}
