import LearningModel
import Testing

struct CourseLinkTests {
  @Test(arguments: [
    CourseLink(key: "hive"),
    CourseLink(key: "hive.md", anchor: "stone"), CourseLink(key: "a#b"), CourseLink(key: "a#", anchor: "c"),
    CourseLink(course: "bees", key: ""), CourseLink(course: "bees", key: "hive.md", anchor: "stone"),
    CourseLink(course: "bees/north", key: "part/hive.md"),
  ])
  func `a link is one of the interpretations of its destination`(link: CourseLink) {
    #expect(CourseLink.interpretations(of: link.destination).contains(link))
  }

  @Test func `the interpretations of a destination split it into course, key and anchor`() {
    #expect(
      CourseLink.interpretations(of: "waymark://bees/part/hive.md#stone") == [
        CourseLink(course: "bees/part/hive.md#stone", key: ""),
        CourseLink(course: "bees", key: "part/hive.md#stone"),
        CourseLink(course: "bees", key: "part/hive.md", anchor: "stone"),
        CourseLink(course: "bees/part", key: "hive.md#stone"),
        CourseLink(course: "bees/part", key: "hive.md", anchor: "stone"),
      ])
    #expect(
      CourseLink.interpretations(of: "waymark:hive.md#stone") == [
        CourseLink(key: "hive.md#stone"), CourseLink(key: "hive.md", anchor: "stone"),
      ])
    #expect(
      CourseLink.interpretations(of: "waymark:page.md#") == [
        CourseLink(key: "page.md#"), CourseLink(key: "page.md", anchor: ""),
      ])
    #expect(CourseLink.interpretations(of: "waymark:meetings/opening") == [CourseLink(key: "meetings/opening")])
    #expect(CourseLink.interpretations(of: "https://example.org#top") == [])
  }

  @Test func `a destination of 10,000 slashes has only nine interpretations`() {
    #expect(CourseLink.interpretations(of: "waymark://" + String(repeating: "/", count: 10_000)).count == 9)
  }
}
