import CourseLibrary
import LearningModel
import NavigationService
import Testing

@testable import CourseBrowser
@testable import CoursePages

@MainActor @Suite struct CourseNamesTests {
  /// A browser with two courses of one title, each with the lesson 'Soup'.
  private func fixture() throws -> BrowserFixture {
    let fixture = try BrowserFixture(isEmpty: true)
    for key in ["soups", "soups-second-edition"] {
      let course = """
        {"waymark": 1, "course": {"key": "\(key)", "title": "Soups", "children": [
          {"key": "g", "title": "Hot ones", "children": [
            {"key": "l", "title": "Tureen", "children": [{"key": "a", "title": "Bowls", "reading": "Deep ones."}]}]}]}}
        """
      try fixture.browser.library.importCourse(named: "\(key).json", bytes: Array(course.utf8))
    }
    return fixture
  }

  @Test func `what is found in courses of one title says their paths`() throws {
    let fixture = try fixture()
    fixture.press("/", at: 1)
    _ = fixture.screen(at: 2)
    fixture.type("tureen", at: 3)
    #expect(
      fixture.text(at: 4) == """
           Waymark › Welcome

           tureen▎                                              2 places in 2 courses
           in everything, best first                  Tab: goals, lessons, activities
         ──────────────────────────────────────────────────────────────────────────────
         ╭────────────────────────────────────────────────────────────────────────────╮
         │ Tureen                                                              lesson │
         │ Soups (soups) › Hot ones                                         not begun │
         │                                                                            │
         ╰────────────────────────────────────────────────────────────────────────────╯
           Tureen                                                              lesson
           Soups (soups-2) › Hot ones                                       not begun










           Esc  Back to Courses
           ↵ open   ↑↓ choose   Tab kind                         Learn [Find] History
        """)
  }

  @Test func `the history says of courses of one title which one it was`() throws {
    let fixture = try fixture()
    for path in ["soups", "soups-second-edition", "soups-second-edition/hot-ones"] {
      try fixture.browser.navigation.perform(.open(.text(path)))
    }
    fixture.press("3", at: 1)
    #expect(
      fixture.text(at: 3) == """
           Waymark › Welcome                                                      ada

           History
           Mon     Tue     Wed     Thu     Fri     Sat     Sun     1 sitting, 4 steps
         ──────────────────────────────────────────────────────────────────────────────

           Friday 20 November                                                 4 steps

           10:00   ●                 Courses
           10:00   ╰──●              Soups (soups)
           10:00      ●              Soups (soups-2)
         ╭────────────────────────────────────────────────────────────────────────────╮
         │ 10:00      ╰──●           Hot ones                            you are here │
         │                           You opened it by another program                 │
         ╰────────────────────────────────────────────────────────────────────────────╯







           r  Replay this sitting                                  4 steps, 6 seconds
           ↵ go there   / search   f filter   ← → week     1 Learn  2 Find [3 History]
        """)
  }

  @Test func `only titles that several courses have are told apart`() {
    let names = CourseNames([
      (path: PlacePath(slugs: ["a", "x"]), title: "Soups"), (path: PlacePath(slugs: ["a"]), title: "Soups"),
      (path: PlacePath(slugs: ["b"]), title: "Bread"), (path: PlacePath(slugs: ["c"]), title: "Bread"),
      (path: .root, title: "Bread"),
    ])
    #expect(names.suffix(of: "Soups", at: PlacePath(slugs: ["a"])) == "")
    #expect(names.suffix(of: "Bread", at: PlacePath(slugs: ["c", "y"])) == " (c)")
    #expect(names.suffix(of: "Bread", at: .root) == "")
  }
}
