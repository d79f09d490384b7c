import CourseKit
import Foundation
import NavigationKit
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser

/// Links from one course to another.
@MainActor @Suite struct OtherCourseLinkTests {
  private let course: ImageCourseFixture
  private var fixture: BrowserFixture { course.fixture }

  init() throws {
    course = try ImageCourseFixture([
      "1-a.md": "---\ntitle: A\n---\nSee [the hive](waymark://bees/hive-page#stone) and [all of it](waymark://bees).\n"
    ])
    for path in ["bees", "bees/1-g", "bees/1-g/1-l"] {
      try FileManager.default.createDirectory(atPath: course.folder.file(path), withIntermediateDirectories: false)
    }
    for (path, text) in [
      ("bees/course.yml", "key: bees\ntitle: Bees"), ("bees/1-g/goal.yml", "title: G"),
      ("bees/1-g/1-l/lesson.yml", "title: L"),
      ("bees/1-g/1-l/1-hive.md", "---\ntitle: The hive\nkey: hive-page\n---\nA floor.\n\n## Stone\n\nWind.\n"),
    ] {
      try course.folder.write(Data(text.utf8), to: path)
    }
  }

  private func importBees() throws { try fixture.browser.library.importCourse(from: course.folder.file("bees")) }

  @Test func `Enter follows a link to another course, and back returns`() throws {
    try importBees()
    try course.open("c/g/l/a", at: 0)

    fixture.press(.tab, at: 1)
    #expect(fixture.text(at: 1).contains("Open “The hive”"))
    #expect(fixture.text(at: 1).contains("in another course"))
    fixture.press(.enter, at: 2)
    #expect(fixture.text(at: 3).contains("Courses › Bees\n"))
    #expect(fixture.text(at: 3).contains("Wind."))

    fixture.press("H", at: 4)
    #expect(fixture.text(at: 5).contains("See the hive and all of it."))
    fixture.press(.tab, at: 6)
    fixture.press(.tab, at: 7)
    fixture.press(.enter, at: 8)
    #expect(fixture.text(at: 9).contains("   Bees "))
  }

  @Test func `a link to a missing course shows a notice and records no step`() throws {
    try course.open("c/g/l/a", at: 0)
    let steps = try fixture.browser.navigation.history.page().rows.count

    fixture.press(.tab, at: 1)
    #expect(fixture.text(at: 1).contains("Link to another course"))
    #expect(fixture.text(at: 1).contains("not in this database"))
    fixture.press(.enter, at: 2)

    #expect(fixture.text(at: 2.5).contains("This link leads to 'bees/hive-page#stone', which is not in this database."))
    #expect(try fixture.browser.navigation.history.page().rows.count == steps)
  }
}
