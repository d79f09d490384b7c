import CourseKit
import LearningModel
import NavigationKit
import Testing

@Suite struct LinearCourseEndTests {
  @Test func `the end of a course is printed with the place that Enter opens next`() throws {
    let fixture = try LinearFixture(opening: "english-for-business")
    let last = try #require(try fixture.library.lastActivity(of: "english-for-business", fixture.navigation))
    fixture.type("open \(last)")

    let end = fixture.type("next")

    #expect(end.first == "End of English for Business.")
    #expect(end.contains("Done: 0 of 52 activities."))
    #expect(end.last == "Enter: the list of courses.")
    #expect(fixture.type("").first == "Up. List: Courses. 1 course. Last visit: today.")
  }
}

extension CourseLibrary {
  /// Returns the path of the last activity of a course.
  fileprivate func lastActivity(of course: String, _ navigation: NavigationService) throws -> String? {
    var page = try navigation.places.page(of: .text(course))
    while let last = page.children.last { page = try navigation.places.page(of: .place(last.place.place)) }
    return page.place.path.description
  }
}
