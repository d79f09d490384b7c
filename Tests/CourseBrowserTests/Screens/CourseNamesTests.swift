import CourseKit
import LearningModel
import NavigationKit
import Snapshots
import Testing

@testable import CourseBrowser
@testable import CoursePages

@MainActor @Suite struct CourseNamesTests {
  /// Returns a browser with two courses of the same title, each with the lesson "Tureen".
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

  @Test func `search results in courses with the same title show the paths of the courses`() throws {
    let fixture = try fixture()
    fixture.press("/", at: 1)
    _ = fixture.screen(at: 2)
    fixture.type("tureen", at: 3)
    expectSnapshot(fixture.text(at: 4))
  }

  @Test func `History distinguishes courses with the same title`() throws {
    let fixture = try fixture()
    for path in ["soups", "soups-second-edition", "soups-second-edition/hot-ones"] {
      try fixture.browser.navigation.perform(.open(.text(path)))
    }
    fixture.press("3", at: 1)
    expectSnapshot(fixture.text(at: 3))
  }

  @Test func `only titles that several courses share get a suffix`() {
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
