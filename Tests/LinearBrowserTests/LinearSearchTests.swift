import NavigationKit
import Testing

struct LinearSearchTests {
  private static let text = PlaceName.text("english-for-business/negotiating/opening-offers/who-speaks-first")

  @Test func `the command “find” prints the matches in the current text, and “back” returns to the position`() throws {
    let fixture = try LinearFixture(opening: Self.text)

    let matches = fixture.type("find SILENCE")
    let next = fixture.type("n")
    let back = fixture.type("back")
    let nextPortion = fixture.type("")

    #expect(matches.first == "Find: SILENCE. 1 of 1 in this text.")
    #expect(matches.contains { $0.hasPrefix("Let the silence work for you.") })
    #expect(next.first == matches.first)
    #expect(back == ["Back where you were. Enter or more: read on."])
    #expect(!nextPortion.contains { $0.hasPrefix("Let the silence work for you.") })
  }

  @Test func `a search in a text can be extended to the course and to all courses`() throws {
    let fixture = try LinearFixture(opening: Self.text)
    fixture.type("find silence")

    let course = fixture.type("/")
    let everything = fixture.type("find")
    let elsewhere = fixture.type("find agenda")

    #expect(course.first?.hasPrefix("Find: silence. ") == true)
    #expect(course.last == "find: search all courses.")
    #expect(everything.first?.hasPrefix("Find: silence. ") == true)
    #expect(everything.last != course.last)
    #expect(elsewhere.first?.contains(" in this text") == false)
  }
}
