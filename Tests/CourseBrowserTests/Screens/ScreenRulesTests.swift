import LearningModel
import NavigationKit
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// Rules that hold on every screen at every size.
@MainActor @Suite struct ScreenRulesTests {
  nonisolated private static let sizes = [(40, 12), (80, 24), (100, 30), (120, 36), (200, 60)].map {
    CellSize(columns: $0.0, rows: $0.1)
  }
  nonisolated private static let goal = "english-for-business/negotiating"
  nonisolated private static let lesson = goal + "/opening-offers"
  /// Pages with the keys that lead to the screen.
  nonisolated private static let screens: [(place: String, keys: [String])] = [
    ("/", []), ("english-for-business", []), (goal, []), (lesson, []), (lesson + "/who-speaks-first", []),
    (lesson + "/who-speaks-first", ["/"]), (lesson + "/anchors-and-ranges", []),
    (lesson + "/anchors-and-ranges", ["Space"]), (lesson + "/make-the-first-offer", []), (goal, ["3"]), (goal, ["4"]),
    (goal, ["/"]),
  ]

  private func fixture(_ size: CellSize, _ screen: (place: String, keys: [String])) throws -> BrowserFixture {
    let fixture = try BrowserFixture(size.columns, size.rows, opening: .text(screen.place))
    for (number, key) in screen.keys.enumerated() {
      fixture.browser.handle(.key(try #require(KeyEvent(name: key))), at: Double(number))
    }
    return fixture
  }

  @Test(arguments: sizes)
  func `a digit is shown before a tab exactly where it selects the tab`(size: CellSize) throws {
    for screen in Self.screens {
      let fixture = try fixture(size, screen)
      let row = fixture.screen(at: 10)[size.rows - 1]
      let isTab = fixture.browser.tabs.selectedIndex == 2
      fixture.browser.handle(.key(try #require(KeyEvent(name: isTab ? "1" : "3"))), at: 11)

      let hasDigits =
        row.contains("1 Learn") && row.contains("3 History") || ["3 4", "3 [4]", "[3] 4"].contains(where: row.contains)
      let selects = fixture.browser.tabs.selectedIndex == (isTab ? 0 : 2)
      #expect(hasDigits == selects, "\(screen): \(row)")
    }
  }

  @Test(arguments: sizes)
  func `a list with six free rows below it shows a preview, and one with fewer rows does not`(size: CellSize) throws {
    for place in ["/", "english-for-business", Self.goal, Self.lesson] {
      let fixture = try fixture(size, (place, []))
      _ = fixture.screen(at: 1)
      let list = try #require(fixture.browser.page as? ListScreen)
      let last = try #require(list.fragments.body.filter { !$0.isPreview }.map(\.rect.endRow).max())
      // A blank row separates the list and the preview.
      let freeRows = list.bodyRows.upperBound - last - 1

      let hasSidePane = list.metrics.sidePaneWidth > 0 && size.rows < 44
      #expect(
        !list.preview.isHidden == (freeRows >= 6 && !list.metrics.isSmall && !hasSidePane), "\(place): \(freeRows)")
    }
  }

  @Test(arguments: sizes)
  func `a text begins in the column of its title`(size: CellSize) throws {
    for place in [Self.lesson + "/who-speaks-first", Self.lesson + "/read-the-brief"] {
      let fixture = try fixture(size, (place, []))
      let rows = fixture.screen(at: 1)
      let page = try #require(fixture.browser.page as? ReadingScreen)
      let title = try #require(rows.first { $0.contains(page.page.header.name.prefix(10)) })
      let text = try #require(rows[page.bodyRows].first { !$0.allSatisfy { $0 == " " } })

      #expect(title.prefix { $0 == " " }.count == text.prefix { $0 == " " }.count, "\(place)")
    }
  }

  @Test(arguments: sizes)
  func `a notice is two rows above the last, covers no hint, and changes no key`(size: CellSize) throws {
    for screen in Self.screens {
      let plain = try fixture(size, screen)
      let noticed = try fixture(size, screen)
      _ = (plain.screen(at: 10), noticed.screen(at: 10))
      noticed.browser.notify("A notice.")
      let rows = noticed.screen(at: 10.1)
      #expect(rows[size.rows - 3].trimmed == "A notice.", "\(screen)")
      #expect(rows.suffix(2) == plain.screen(at: 10.1).suffix(2), "\(screen)")

      for fixture in [plain, noticed] { fixture.browser.handle(.key(try #require(KeyEvent(name: "Space"))), at: 10.2) }

      #expect(noticed.screen(at: 30) == plain.screen(at: 30), "\(screen)")
    }
  }

  @Test(arguments: sizes)
  func `Tab in a text stays in the text`(size: CellSize) throws {
    let fixture = try fixture(size, (Self.lesson + "/who-speaks-first", ["Tab", "Tab", "Tab"]))
    _ = fixture.screen(at: 10)

    #expect(fixture.browser.tabs.selectedIndex == 0 && fixture.browser.page is ReadingScreen)
  }

  @Test(arguments: sizes)
  func `the header of a tab names the tab`(size: CellSize) throws {
    for (key, name) in [("3", "History"), ("4", "Review")] {
      let header = try fixture(size, (Self.goal, [key])).screen(at: 10)[0].trimmed

      #expect(header.hasPrefix(name), "\(header)")
    }
  }
}
