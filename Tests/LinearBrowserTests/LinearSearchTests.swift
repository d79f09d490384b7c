import NavigationKit
import Testing

struct LinearSearchTests {
  private static let text = PlaceName.text("english-for-business/negotiating/opening-offers/who-speaks-first")

  @Test func `words of a text are found in it, one line after the other, and back leads to where one was`() throws {
    let fixture = try LinearFixture(opening: Self.text)

    let found = fixture.type("find SILENCE")
    let next = fixture.type("n")
    let back = fixture.type("back")
    let readOn = fixture.type("")

    #expect(found.first == "Find: SILENCE. 1 of 1 in this text.")
    #expect(found.contains { $0.hasPrefix("Let the silence work for you.") })
    #expect(next.first == found.first)
    #expect(back == ["Back where you were. Enter or more: read on."])
    #expect(!readOn.contains { $0.hasPrefix("Let the silence work for you.") })
  }

  @Test func `from a text it is looked for in the course, and then in everything`() throws {
    let fixture = try LinearFixture(opening: Self.text)
    fixture.type("find silence")

    let course = fixture.type("/")
    let everything = fixture.type("find")
    let elsewhere = fixture.type("find agenda")

    #expect(course.first?.hasPrefix("Find: silence. ") == true)
    #expect(course.last == "find: look for it in everything.")
    #expect(everything.first?.hasPrefix("Find: silence. ") == true)
    #expect(everything.last != course.last)
    #expect(elsewhere.first?.contains(" in this text") == false)
  }
}
