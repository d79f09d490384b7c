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

  @Test func `the preview changes row by row once the selection has not changed for a moment`() throws {
    let fixture = try BrowserFixture(100, 32, opening: .text(Self.negotiating))
    let before = previewRows(fixture, at: 1)
    fixture.press(.down, at: 2)
    #expect(previewRows(fixture, at: 2.05) == before)
    let middle = previewRows(fixture, at: 2.12)
    let after = previewRows(fixture, at: 3)

    expectSnapshot(after)
    #expect(middle[..<5] == after[..<5] && middle[6...] == before[6...])
  }

  @Test func `a running fade of the preview continues while a card opens`() throws {
    let fixture = try BrowserFixture(100, 32, opening: .text(Self.negotiating))
    let before = previewRows(fixture, at: 1)
    fixture.press(.down, at: 2)
    let middle = previewRows(fixture, at: 2.1)
    fixture.press(.enter, at: 2.1)
    let afterEnter = previewRows(fixture, at: 2.1)

    #expect(afterEnter == middle && middle[0..<2] != before[0..<2] && middle[5...] == before[5...])
    // The contents of the new selection open, and nothing of the old one is visible.
    _ = fixture.screen(at: 2.14)
    #expect(fixture.text(at: 2.18).contains("· Who speaks first?") == true)
    #expect(!fixture.text(at: 2.18).contains("Three columns on one page   "))
  }

  @Test func `a selection during a fade starts a new fade from the visible rows`() throws {
    let fixture = try BrowserFixture(100, 32, opening: .text(Self.negotiating))
    _ = previewRows(fixture, at: 1)
    fixture.press(.down, at: 2)
    _ = previewRows(fixture, at: 2.08)
    fixture.press(.down, at: 2.08)
    let last = previewRows(fixture, at: 2.1395)
    let first = previewRows(fixture, at: 2.1405)

    // Two independent snapshots would mix rows of all three selections.
    #expect(zip(last, first).count { $0 != $1 } <= 1)
    #expect(previewRows(fixture, at: 3)[1].hasPrefix("   Counter-offers"))
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

  @Test func `the preview disappears before an opening card shows text, and returns afterwards`() throws {
    let fixture = try BrowserFixture(100, 32, opening: .text(Self.negotiating))
    let before = previewRows(fixture, at: 1)
    fixture.press(.enter, at: 2)
    let first = previewRows(fixture, at: 2)
    let intermediate = fixture.text(at: 2.14)
    _ = fixture.text(at: 3)
    fixture.press(.left, at: 4)

    #expect(first == before)
    #expect(intermediate.contains("Preparing") && !intermediate.contains("a click on a row goes there"))
    #expect(previewRows(fixture, at: 5) == before)
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

  @Test(arguments: [(100, 29), (80, 24), (160, 40), (50, 40)])
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
        "   Preparing                                                            Preview - Ctrl-W to focus",
        "",
        "   . Three columns on one page                                                reading       5 min",
        "   . Where do you stop?                                                       reading       6 min",
      ])
  }

  @Test func `the preview appears and disappears when the terminal is resized`() throws {
    let fixture = try BrowserFixture(100, 32, opening: .text(Self.negotiating))
    _ = fixture.screen(at: 1)
    fixture.browser.stage.resize(to: CellSize(columns: 100, rows: 28), at: 2)
    let low = fixture.rows(at: 3, of: CellSize(columns: 100, rows: 28))
    fixture.browser.stage.resize(to: CellSize(columns: 100, rows: 32), at: 4)
    let high = fixture.rows(at: 5, of: CellSize(columns: 100, rows: 32))

    #expect(!low.contains { $0.contains("Three columns on one page   ") })
    #expect(high.contains { $0.contains("Three columns on one page   ") })
  }
}
