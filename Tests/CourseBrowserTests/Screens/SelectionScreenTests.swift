import CoursePages
import NavigationKit
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser

/// The lists with a selection, each with the same keys and the same mouse.
@MainActor @Suite struct SelectionScreenTests {
  /// The place and the keys that open each list.
  private nonisolated static let lists: [(name: String, place: String, keys: String)] = [
    ("courses", "/", ""), ("goals", "english-for-business", ""),
    ("activities", "english-for-business/negotiating/opening-offers", ""),
    ("results", "english-for-business", "2offer"),
    ("steps", "english-for-business", "3"), ("reviews", "english-for-business", "4"), ("commands", "/", ":"),
  ]

  /// Returns the list, and the row of the terminal in which it begins.
  private func list(_ fixture: BrowserFixture) throws -> (screen: any SelectionScreen, top: Int) {
    if let overlay = fixture.browser.overlay {
      let prompt = try #require(overlay as? PromptScreen)
      return (prompt, prompt.panelFrame.row + nearestCell(prompt.body.frame.y))
    }
    if let tab = fixture.browser.tabs.selectedScreen as? TabPage { return (tab, tab.metrics.bodyTop) }
    let page = try #require(fixture.browser.page as? ListScreen)
    return (page, page.bodyRows.lowerBound)
  }

  @Test(arguments: lists.indices, [CellSize(columns: 80, rows: 24), CellSize(columns: 40, rows: 12)])
  func `keys, clicks, the wheel and a new size select an entry that stays visible`(index: Int, size: CellSize) throws {
    let (name, place, keys) = Self.lists[index]
    let fixture = try BrowserFixture(
      size.columns, size.rows, opening: .text(place), motion: .none, on: ReviewHistory.twoMonths.get())
    try fixture.walk(30, at: "2026-11-18T09:00:00Z")
    _ = fixture.screen(at: 0)
    fixture.type(keys, at: 1)
    _ = fixture.screen(at: 2)
    let (screen, top) = try list(fixture)
    var time = 3.0
    func expectVisible() {
      _ = fixture.browser.stage.tick(at: time)
      time += 1
      let rows = screen.list.text(of: screen.chosen)
      // A selected chart can be higher than the list.
      let end = name == "reviews" ? rows.lowerBound + 1 : rows.upperBound
      #expect(rows.lowerBound >= 0 && end <= screen.list.height, "\(name)")
    }
    func press(_ key: Key) -> Int {
      let before = screen.chosen
      fixture.press(key, at: time)
      expectVisible()
      return screen.chosen - before
    }
    #expect(screen.list.count > 1, "\(name)")
    while press(.up) < 0 {}
    let first = screen.chosen

    // A step back leads to the same entry, and a page to a later one.
    #expect(press(.down) > 0, "\(name)")
    #expect(press(.up) < 0 && screen.chosen == first, "\(name)")
    if name != "reviews" {
      #expect(press(.pageDown) > 0, "\(name)")
      #expect(press(.pageUp) < 0, "\(name)")
      fixture.mouse(.scroll(columns: 0, rows: 1), 10, top, at: time)
      expectVisible()
      #expect(screen.chosen > 0, "\(name)")
    }

    // A click selects an entry. After a change of the size, the same entry is selected.
    let other = try #require(
      screen.list.visible.last {
        $0 != screen.chosen && screen.list.index(atRow: screen.list.text(of: $0).lowerBound) == $0
      })
    fixture.mouse(.press(.left), 10, top + screen.list.text(of: other).lowerBound, at: time)
    expectVisible()
    #expect(screen.chosen == other || name == "steps", "\(name)")
    let chosen = screen.chosen
    for resized in [CellSize(columns: 60, rows: 9), CellSize(columns: 120, rows: 36), size] {
      fixture.browser.stage.resize(to: resized, at: time)
      expectVisible()
      if name != "steps" { #expect(screen.chosen == chosen, "\(name)") }
    }

    // A click on the selected entry opens it.
    let before = fixture.text(at: time)
    fixture.mouse(.press(.left), 10, try list(fixture).top + screen.list.text(of: screen.chosen).lowerBound, at: time)
    #expect(fixture.text(at: time + 1) != before || name == "reviews", "\(name)")
  }
}
