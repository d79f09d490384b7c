import NavigationKit
import ScreenKit
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser

@MainActor @Suite struct PaneKeysTests {
  /// Returns a list with the selected card's contents in the side pane.
  private func wide(_ columns: Int = 160, _ rows: Int = 24) throws -> BrowserFixture {
    let fixture = try BrowserFixture(columns, rows, opening: "english-for-business")
    _ = fixture.screen(at: 0)
    _ = fixture.screen(at: 1)
    return fixture
  }

  /// Returns the rows that contain reversed cells.
  private func chosen(in fixture: BrowserFixture, at time: Double) -> [String] {
    let surface = fixture.surface(at: time)
    return (0..<surface.rows).compactMap { row in
      let cells = (0..<surface.columns).filter { surface[$0, row].style.attributes.contains(.reverse) }
      guard let first = cells.first, let last = cells.last else { return nil }
      return (first...last).map { surface[$0, row].glyph.text }.joined().trimmed
    }
  }

  @Test func `the selected row of a pane is drawn in reverse across its width`() throws {
    let fixture = try wide()
    let before = fixture.screen(at: 1)
    fixture.press(.character("w"), .control, at: 2)
    let surface = fixture.surface(at: 3)
    let reversed = (0..<surface.rows).map { row in
      (0..<surface.columns).filter { surface[$0, row].style.attributes.contains(.reverse) }
    }.filter { !$0.isEmpty }

    #expect(reversed.count == 1)
    #expect(reversed[0] == Array(reversed[0][0]...reversed[0].last!) && reversed[0].count > 40)
    let row = try #require((0..<surface.rows).first { surface[reversed[0][0], $0].style.attributes.contains(.reverse) })
    #expect(Set(reversed[0].map { surface[$0, row].style }).count == 1)
    #expect(before[22].contains("Preview · Ctrl-W to select"))
    #expect(!fixture.screen(at: 3)[22].contains("Ctrl-W chooses"))
  }

  @Test(arguments: [true, false])
  func `Tab or Ctrl-W moves the focus to the side pane and back`(isTab: Bool) throws {
    let fixture = try wide()
    let press = { (time: Double) in
      if isTab { fixture.press(.tab, at: time) } else { fixture.press(.character("w"), .control, at: time) }
    }

    press(2)
    let first = chosen(in: fixture, at: 3)
    let rows = fixture.screen(at: 3)[22...].map(\.withoutTrailingBlanks)
    fixture.press(.down, at: 4)
    let second = chosen(in: fixture, at: 5)
    press(6)
    let none = chosen(in: fixture, at: 7)
    let list = try #require(fixture.browser.page as? ListScreen)
    let card = list.chosen
    fixture.press(.down, at: 8)

    #expect(first.count == 1 && second.count == 1 && first != second, "\(first) \(second)")
    #expect(rows[0].hasPrefix("   ↵  Open “Opening” "))
    #expect(
      rows[1] == "   ↑↓ select   Esc back to the page                           [1 Learn] 2 Find 3 History 4 Review")
    #expect(none == [])
    #expect((card, list.chosen) == (0, 1))
  }

  @Test func `Enter opens the selected row of the side pane and of the preview`() throws {
    for fixture in [try wide(), try wide(80, 40)] {
      fixture.press(.character("w"), .control, at: 2)
      fixture.press("j", at: 3)
      let title = try #require(fixture.browser.focusedPane?.chosenTitle)

      fixture.press(.enter, at: 4)
      _ = fixture.screen(at: 5)

      #expect(try fixture.browser.navigation.currentPlace().title == title)
      #expect(fixture.browser.focusedPane == nil)
    }
  }

  @Test func `without panes, Tab selects the next tab and Ctrl-W is unused`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business")
    _ = fixture.screen(at: 0)

    fixture.press(.character("w"), .control, at: 1)
    let notice = fixture.screen(at: 2)[21].trimmed
    fixture.press(.tab, at: 3)

    #expect(notice == "Ctrl-W does nothing here. ? lists the keys.")
    #expect(fixture.browser.tabs.selectedIndex == 1)
  }
}
