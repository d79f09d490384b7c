import CourseKit
import LearningModel
import NavigationKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser

/// Keys of a list, other than selection.
@MainActor @Suite struct ListKeysTests {
  @Test func `Space opens the selected card if the whole list is visible`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business")
    fixture.press(.down, at: 1)
    var titles: [String] = []
    for step in 0..<3 {
      fixture.press(" ", at: 2 + Double(step))
      titles.append(String(fixture.screen(at: 2.9 + Double(step))[2].dropFirst(3).prefix(11)))
    }

    #expect(titles == ["Negotiating", "Preparing  ", "Three colum"])
  }

  @Test func `Space scrolls a long list and shows a notice at its end`() throws {
    let fixture = try BrowserFixture(40, 8, opening: "english-for-business/negotiating/preparing")
    for step in 0..<2 { fixture.press(" ", at: 1 + Double(step)) }
    let end = fixture.text(at: 3)
    fixture.press(" ", at: 4)

    expectSnapshot(end, "end")
    expectSnapshot(fixture.text(at: 5), "at 5")
    #expect(try fixture.lastStep.to.title == "Preparing")
  }

  @Test func `the Down key selects the row that adds a course, and Enter opens it`() throws {
    let fixture = try BrowserFixture()
    fixture.press(.down, at: 1)
    let chosen = fixture.text(at: 2)
    let style = fixture.style(of: "+ Add a course", at: 2)
    fixture.press(.down, at: 3)
    let again = fixture.text(at: 4)
    fixture.press(.enter, at: 5)
    let adding = fixture.screen(at: 6).joined()
    fixture.press(.escape, at: 7)
    fixture.press(.up, at: 8)

    expectSnapshot(chosen)
    #expect(style?.attributes == .bold)
    #expect(again == chosen)
    #expect(adding.contains("│ Add ▎"))
    #expect(fixture.screen(at: 9)[7].hasPrefix(" │ · English for Business"))
  }

  private func withLoneActivity() throws -> BrowserFixture {
    let fixture = try BrowserFixture()
    let course = """
      {"waymark": 1, "course": {"key": "short", "title": "Short", "children": [
        {"key": "g", "title": "Goal", "children": [
          {"key": "one", "title": "Waiting", "children": [
            {"key": "one-text", "title": "Waiting", "minutes": 4, "reading": [{"p": ["Wait."]}]}]},
          {"key": "other", "title": "Asking", "children": [
            {"key": "other-text", "title": "A question", "minutes": 4, "reading": [{"p": ["Ask."]}]}]}]}]}}
      """
    try fixture.browser.library.importCourse(named: "short.json", bytes: Array(course.utf8))
    try fixture.browser.begin(at: "short/goal")
    return fixture
  }

  @Test func `a lesson that contains one activity with the same title opens that activity directly`()
    throws
  {
    let fixture = try withLoneActivity()
    fixture.press(.enter, at: 2)

    expectSnapshot(fixture.text(at: 3), "at 3")
    #expect(try fixture.lastStep.operation == .open)
    fixture.press(.left, at: 4)
    expectSnapshot(fixture.text(at: 5), "at 5")
    #expect(try fixture.lastStep.to.path == PlacePath("short/goal"))
  }

  @Test func `a gesture on an activity with the title of its lesson leads to the goal`() throws {
    let fixture = try withLoneActivity()
    fixture.press(.enter, at: 1)
    _ = fixture.screen(at: 2)
    #expect(fixture.browser.takeInHand(fixture.browser.wayUp))
    fixture.browser.moveHand(by: 0.9)
    fixture.browser.letGoOfHand()
    _ = fixture.screen(at: 4)

    #expect(try fixture.lastStep.to.path == PlacePath("short/goal"))
  }

  @Test func `a lesson whose only activity has another title is skipped too`() throws {
    let fixture = try withLoneActivity()
    fixture.press(.down, at: 1)
    fixture.press(.enter, at: 2)
    #expect(fixture.screen(at: 3)[2].hasPrefix("   A question"))
    fixture.press(.left, at: 5)

    #expect(try fixture.lastStep.to.path == PlacePath("short/goal"))
  }

  @Test func `the y key copies the path of the selected place`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business")
    var copied: [String] = []
    fixture.browser.onCopy = { text in
      copied.append(text)
      return true
    }
    fixture.press(.down, at: 1)
    fixture.press("y", at: 2)
    let notice = fixture.screen(at: 2.5)[21]
    fixture.press("3", at: 10)
    fixture.press("y", at: 11)

    #expect(copied == ["english-for-business/negotiating", "english-for-business"])
    #expect(notice.hasPrefix("   Copied the path of “Negotiating”: english-for-business/negotiating"), "\(notice)")
  }
}
