import LearningModel
@testable import NavigationKit
import Testing

struct PageTests {
  @Test func `a page has its breadcrumb, position, children and next step`() throws {
    let (fixture, service) = try NavigationFixture.withService()
    _ = try service.perform(.open("english/meetings/opening/agenda"))
    fixture.advance(seconds: 60)
    _ = try service.progress.record(.seenToEnd, in: "english/meetings/opening/agenda")
    let hello = try service.perform(.next).to.place
    try service.progress.save(ReadingPosition(block: 1, fraction: 0, heading: nil, savedAt: fixture.now), in: hello)
    fixture.advance(seconds: 30)
    _ = try service.perform(.popTo("meetings"))

    let page = try service.places.page()

    #expect(page.ancestors.map(\.title) == ["Courses", "English"])
    #expect(page.place.title == "Meetings")
    #expect(page.position == SiblingPosition(number: 1, count: 2))
    #expect(page.children.map(\.place.title) == ["Opening", "Middle", "Closing"])
    #expect(
      page.children.map(\.progress) == [
        LearningProgress(done: 1, total: 2), LearningProgress(done: 0, total: 3), LearningProgress(done: 0, total: 1),
      ])
    #expect(page.children.map(\.state) == [.begun, .notBegun, .notBegun])
    #expect(page.summary.minutes == 30)
    #expect(page.summary.minutesLeft == 25)
    #expect(page.nextStep?.reason == .goOn)
    #expect(page.nextStep?.summary.place.title == "Hello")
    #expect(page.nextStep?.leftAt == Timestamp("2026-11-20T10:01:30Z"))
  }

  @Test(arguments: [
    ("french", "french"), ("french/verbs", "french/verbs/verbs/verbs"), ("french/nouns", "french/nouns/gender/gender"),
    ("french/nouns/gender", "french/nouns/gender/gender"), ("french/words", "french/words"),
    ("french/words/more", "french/words/more/last"), ("french/words/more/last", "french/words/more/last"),
  ])
  func `opening a place with a single child leads to the child`(path: String, inner: String) throws {
    let fixture = try NavigationFixture()
    try fixture.insertCourse(
      """
      french
        verbs
          verbs
            verbs*
        nouns
          gender
            gender*
        words
          words
            first*
          more
            last*
      """)
    let service = try fixture.service()
    func node(at path: String) throws -> NodeID {
      try #require(try service.places.named(.text(path)).place.node)
    }

    #expect(try service.places.innermost(of: node(at: path)) == node(at: inner))
  }

  @Test(arguments: [
    ("novel", ["Courses"], "Courses", nil), ("novel/novel", ["Courses"], "Courses", nil),
    ("novel/novel/one/one", ["Courses", "Novel"], "Novel", "chapter 1 of 2"),
    ("novel/novel/two", ["Courses", "Novel"], "Novel", "chapter 2 of 2"),
    ("novel/novel/two/last", ["Courses", "Novel", "Two"], "Two", "section 2 of 2"),
  ])
  func `levels with a single child are left out of the breadcrumb, of positions and of the way up`(
    path: String, breadcrumb: [String], outer: String, position: String?
  ) throws {
    let fixture = try NavigationFixture()
    try fixture.insertCourse(
      """
      novel
        novel
          one
            one*
          two
            first*
            last*
      """, format: "epub")
    let service = try fixture.service()

    let page = try service.places.page(of: .text(path))

    #expect(page.breadcrumb.map(\.title) == breadcrumb)
    #expect(try service.places.page(of: .place(page.outer)).place.title == outer)
    #expect(page.level?.text == position)
    #expect(page.ancestors.count == path.split(separator: "/").count)
  }
}
