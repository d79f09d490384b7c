import CourseKit
import LearningModel
import NavigationKit
import ScreenKit
import TestSupport
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// The side pane in a very wide terminal.
@MainActor @Suite struct SidePaneTests {
  private static let negotiating = "english-for-business/negotiating"

  /// Returns the text of the side pane.
  private func paneText(_ fixture: BrowserFixture, at time: Double) -> String {
    let metrics = PageMetrics(size: fixture.browser.size)
    var rows = fixture.screen(at: time).map { row in
      String(row.dropFirst(metrics.sidePaneColumn)).withoutTrailingBlanks
    }
    while rows.last == "" { rows.removeLast() }
    return rows.joined(separator: "\n")
  }

  @Test func `the side pane of a list shows what the selected card would open`() throws {
    let fixture = try BrowserFixture(160, 30, opening: "english-for-business")
    fixture.press(.down, at: 1)

    expectSnapshot(fixture.text(at: 2))
  }

  @Test func `the side pane follows the selection only once the selection has not changed for a moment`() throws {
    let fixture = try BrowserFixture(160, 30, opening: "english-for-business")
    let first = paneText(fixture, at: 1)
    fixture.press(.down, at: 2)
    fixture.press(.down, at: 2.01)
    #expect(paneText(fixture, at: 2.03) == first)

    expectSnapshot(paneText(fixture, at: 2.3))
  }

  @Test func `the side pane shows a text, or questions and cards without their answers`() throws {
    let fixture = try BrowserFixture(150, 20, opening: .text(Self.negotiating + "/opening-offers"))
    let text = paneText(fixture, at: 1)
    fixture.press(.down, at: 2)
    fixture.press(.down, at: 2.1)
    let cards = paneText(fixture, at: 3)
    fixture.press(.down, at: 4)

    expectSnapshot(text, "text")
    expectSnapshot(cards, "cards")
    expectSnapshot(paneText(fixture, at: 5), "at 5")
  }

  @Test func `the side pane of an activity shows its siblings`() throws {
    let fixture = try BrowserFixture(160, 24, opening: .text(Self.negotiating + "/opening-offers/who-speaks-first"))

    expectSnapshot(paneText(fixture, at: 1), "at 1")
    fixture.press("n", at: 2)
    expectSnapshot(paneText(fixture, at: 3), "at 3")
  }

  @Test func `in a tall terminal, the side pane and the preview are both shown`()
    throws
  {
    let fixture = try BrowserFixture(160, 44, opening: .text(Self.negotiating))
    fixture.press(.down, at: 1)

    expectSnapshot(fixture.text(at: 2), "at 2")
    fixture.press(.enter, at: 3)
    expectSnapshot(fixture.text(at: 4), "at 4")
  }

  @Test func `a click on a row below a search result opens that place`() throws {
    let fixture = try BrowserFixture(160, 44, opening: .text(Self.negotiating))
    fixture.press("/", at: 1)
    fixture.type("flinch", at: 2)

    expectSnapshot(fixture.text(at: 3))
    fixture.mouse(.press(.left), 30, 17, at: 4)
    #expect(try fixture.lastStep.to.title == "Make the first offer" && fixture.lastStep.cause == .mouse)
  }

  @Test func `a click on a row of the side pane opens that place`() throws {
    let fixture = try BrowserFixture(160, 30, opening: "english-for-business")
    fixture.press(.down, at: 1)
    _ = fixture.screen(at: 2)
    let row = try #require(fixture.screen(at: 2).firstIndex { $0.contains("Anchors and ranges") })
    fixture.mouse(.press(.left), 120, row, at: 3)

    #expect(try fixture.lastStep.to.title == "Anchors and ranges")
    #expect(try fixture.lastStep.cause == .mouse)
  }

  @Test func `the side pane follows the selection in Find and History`() throws {
    let fixture = try BrowserFixture(160, 24, opening: .text(Self.negotiating))
    fixture.press("/", at: 1)
    fixture.type("counter", at: 2)
    let results = paneText(fixture, at: 3)
    fixture.press(.escape, at: 4)
    fixture.press("3", at: 5)

    expectSnapshot(results, "found")
    expectSnapshot(paneText(fixture, at: 6), "at 6")
  }

  @Test func `if there is no course, the side pane explains the keys`() throws {
    let fixture = try BrowserFixture(160, 24, isEmpty: true)

    expectSnapshot(paneText(fixture, at: 1))
  }

  @Test func `a long outline shows the rows around the current place and counts the others`() throws {
    let fixture = try BrowserFixture(160, 24)
    let lessons = (0..<1000).map { number in
      """
      {"key": "l\(number)", "title": "Lesson \(number)", "children": [
        {"key": "a\(number)", "title": "Text \(number)", "minutes": 3, "reading": [{"p": ["A."]}]},
        {"key": "b\(number)", "title": "More \(number)", "minutes": 3, "reading": [{"p": ["A."]}]}]}
      """
    }
    let course = """
      {"waymark": 1, "course": {"key": "wide", "title": "Wide", "children": [
        {"key": "many", "title": "Many", "children": [\(lessons.joined(separator: ","))]}]}}
      """
    try fixture.browser.library.importCourse(named: "wide.json", bytes: Array(course.utf8))
    try fixture.browser.begin(at: "wide")
    let all = paneText(fixture, at: 1)
    try fixture.browser.begin(at: "wide/many/lesson-700/text-700")

    expectSnapshot(all, "all")
    expectSnapshot(paneText(fixture, at: 3), "at 3")
  }

  @Test(arguments: [(149, 24, 0), (150, 24, 44), (200, 60, 74), (200, 17, 0), (400, 120, 74)])
  func `the side pane requires 150 columns and is centred together with the page`(
    columns: Int, rows: Int, width: Int
  ) throws {
    let metrics = PageMetrics(size: CellSize(columns: columns, rows: rows))

    #expect(metrics.sidePaneWidth == width)
    let end =
      width == 0 ? metrics.firstColumn + metrics.width : metrics.sidePaneColumn + width + PageMetrics.sidePaneMargin
    #expect(abs(metrics.firstColumn - (columns - end)) <= 1)
  }

  @Test(arguments: [MotionPreference.full, .reduced, .none])
  func `the contents for another selection appear at once`(motion: MotionPreference) throws {
    let fixture = try BrowserFixture(160, 30, opening: "english-for-business", motion: motion)
    let before = paneText(fixture, at: 1)
    fixture.press(.down, at: 2)
    #expect(paneText(fixture, at: 2.059) == before)
    let after = paneText(fixture, at: 2.061)

    #expect(after == paneText(fixture, at: 3) && after != before)
  }

  @Test func `the side pane follows the progress of an interactive transition`() throws {
    let fixture = try BrowserFixture(160, 30, opening: .text(Self.negotiating + "/opening-offers/read-the-brief"))
    let before = paneText(fixture, at: 1)
    #expect(fixture.browser.takeInHand(.pop))
    fixture.browser.moveHand(by: 0.1)
    let early = paneText(fixture, at: 1.1)
    fixture.browser.moveHand(by: 0.9)
    let middle = paneText(fixture, at: 1.2)
    fixture.browser.moveHand(by: 0.1)
    let back = paneText(fixture, at: 1.3)
    fixture.browser.moveHand(by: 0.99)
    let late = paneText(fixture, at: 1.4)
    fixture.browser.letGoOfHand()

    #expect(early == before && back == before && middle != before && middle == late)
    #expect(late.contains("For this lesson and the next two you work at") && paneText(fixture, at: 2) == late)
  }

  @Test func `a cancelled transition keeps the contents of the side pane`() throws {
    let fixture = try BrowserFixture(160, 30, opening: .text(Self.negotiating + "/opening-offers/read-the-brief"))
    _ = paneText(fixture, at: 0.9)
    // The gesture would save the reading position, which the pane shows.
    fixture.browser.recorder.savePosition()
    fixture.browser.footer.show()
    let before = paneText(fixture, at: 1)
    #expect(fixture.browser.takeInHand(.pop))
    fixture.browser.moveHand(by: 0.2)
    _ = paneText(fixture, at: 1.1)
    fixture.browser.letGoOfHand()

    var contents: Set<String> = []
    for frame in 0..<60 where frame > 20 { contents.insert(paneText(fixture, at: 1.1 + Double(frame) / 60)) }
    #expect(contents == [before])
  }

  @Test func `the side pane appears and disappears when the terminal is resized`() throws {
    let fixture = try BrowserFixture(100, 30, opening: .text(Self.negotiating))
    _ = fixture.screen(at: 1)
    fixture.browser.stage.resize(to: CellSize(columns: 160, rows: 30), at: 2)
    let wide = fixture.rows(at: 3, of: CellSize(columns: 160, rows: 30))
    fixture.browser.stage.resize(to: CellSize(columns: 100, rows: 30), at: 4)
    let narrow = fixture.rows(at: 5, of: CellSize(columns: 100, rows: 30))

    #expect(wide[2].hasSuffix("0 of 4 done") && wide[2].contains("Preparing"))
    #expect(narrow[2].hasSuffix("0 of 14 done") && !narrow[2].contains("Preparing"))
  }
}
