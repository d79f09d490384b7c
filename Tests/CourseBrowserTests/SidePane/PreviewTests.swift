import LearningModel
import NavigationKit
import ScreenKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// The preview below a short list in a tall terminal.
@MainActor @Suite struct PreviewTests {
  private static let negotiating = "english-for-business/negotiating"

  /// Returns the rows below the list of lessons.
  private func previewRows(_ fixture: BrowserFixture, at time: Double) -> [String] {
    fixture.text(at: time).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[19..<30].map { $0 }
  }

  @Test func `the preview below a short list shows the selected card's contents`() throws {
    let fixture = try BrowserFixture(100, 32, opening: .text(Self.negotiating))

    expectSnapshot(fixture.text(at: 1))
  }

  @Test func `the preview changes at once when the selection has not changed for a moment`() throws {
    let fixture = try BrowserFixture(100, 32, opening: .text(Self.negotiating))
    let before = previewRows(fixture, at: 1)
    fixture.press(.down, at: 2)
    #expect(previewRows(fixture, at: 2.059) == before)
    let changed = previewRows(fixture, at: 2.061)

    #expect(changed != before && changed == previewRows(fixture, at: 3))
    expectSnapshot(changed)
  }

  @Test func `the preview of an activity shows its text`() throws {
    let fixture = try BrowserFixture(100, 32, opening: .text(Self.negotiating + "/opening-offers"))
    expectSnapshot(fixture.text(at: 1))
  }

  @Test func `a click on a row of the preview opens it, and a click on a blank row does nothing`() throws {
    let fixture = try BrowserFixture(100, 32, opening: .text(Self.negotiating))
    let rows = fixture.screen(at: 1)
    let row = try #require(rows.lastIndex { $0.contains("Where do you stop?") })
    fixture.mouse(.press(.left), 30, row + 4, at: 2)
    #expect(try fixture.lastStep.to.title == "Negotiating")
    fixture.mouse(.press(.left), 30, row, at: 3)

    #expect(try fixture.lastStep.to.title == "Where do you stop?" && fixture.lastStep.cause == .mouse)
  }

  @Test(arguments: [(100, 32), (160, 30), (160, 50)])
  func `while a card opens and closes, its text is visible only once`(columns: Int, rows: Int) throws {
    let fixture = try BrowserFixture(columns, rows, opening: .text(Self.negotiating + "/opening-offers"))
    let rowsWithText = { (time: Double) in
      fixture.screen(at: time).count { $0.contains("For this lesson and the next two you work at") }
    }
    _ = rowsWithText(1)
    fixture.press(.enter, at: 2)
    let opening = (0...40).map { rowsWithText(2 + Double($0) / 100) }
    fixture.press(.left, at: 3)
    let closing = (0...60).map { rowsWithText(3 + Double($0) / 100) }

    #expect(Set(opening + closing).isSubset(of: [0, 1]))
    #expect([opening.first, opening.last, closing.first, closing.last] == [1, 1, 1, 1])
  }

  @Test func `the preview follows the selection in History, and is also shown in Find`() throws {
    let fixture = try BrowserFixture(100, 32, opening: .text(Self.negotiating))
    fixture.press("m", at: 1)
    fixture.press("/", at: 2)
    expectSnapshot(fixture.text(at: 3), "at 3")
    fixture.press(.escape, at: 4)
    fixture.press("3", at: 5)
    expectSnapshot(fixture.text(at: 6), "at 6")
  }

  @Test(arguments: [(160, 40), (50, 40), (40, 12)])
  func `the preview is hidden in small terminals and next to a side pane`(columns: Int, rows: Int) {
    #expect(!PageMetrics(size: CellSize(columns: columns, rows: rows)).showsPreviewBelow)
  }

  @Test func `the preview is redrawn when the symbol set changes`() throws {
    let fixture = try BrowserFixture(100, 32, opening: .text(Self.negotiating))
    _ = fixture.screen(at: 1)
    fixture.browser.show(Appearance(theme: fixture.browser.appearance.theme, symbols: .ascii))

    #expect(
      previewRows(fixture, at: 2)[..<5] == [
        " " + String(repeating: "-", count: 98),
        "   Preparing                                                           Preview - Ctrl-W to select",
        "",
        "   . Three columns on one page                                                reading       5 min",
        "   . Where do you stop?                                                       reading       6 min",
      ])
  }

  @Test func `the preview appears and disappears when the terminal is resized`() throws {
    let fixture = try BrowserFixture(100, 32, opening: .text(Self.negotiating))
    _ = fixture.screen(at: 1)
    fixture.browser.stage.resize(to: CellSize(columns: 100, rows: 19), at: 2)
    let low = fixture.rows(at: 3, of: CellSize(columns: 100, rows: 19))
    fixture.browser.stage.resize(to: CellSize(columns: 100, rows: 32), at: 4)
    let high = fixture.rows(at: 5, of: CellSize(columns: 100, rows: 32))

    #expect(!low.contains { $0.contains("Three columns on one page   ") })
    #expect(high.contains { $0.contains("Three columns on one page   ") })
  }
}
