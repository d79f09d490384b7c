import LearningModel
import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// Restarting the browser.
@MainActor @Suite struct ResumingTests {
  @Test(arguments: [Key.left, .character("H")])
  func `a restart selects the card that the learner left last`(_ back: Key) throws {
    let first = try BrowserFixture(opening: "english-for-business/negotiating")
    _ = first.screen(at: 0)
    for key in [Key.down, .down, .enter, back] { first.press(key, at: 1) }
    let before = first.screen(at: 3)
    first.browser.close()

    let second = try BrowserFixture(after: first)

    #expect(second.screen(at: 1) == before)
    #expect((second.browser.page as? ListScreen)?.chosenCard?.title == "Counter-offers")
    second.press(.enter, at: 2)
    #expect(second.screen(at: 3)[2].hasPrefix("   Counter-offers"))
  }

  @Test(arguments: ["2", "3", "4", ","] as [Character])
  func `the time in another tab or in the settings is not booked as reading`(key: Character) throws {
    let clock = ReviewHistory.Clock("2026-11-20T10:00:00Z")
    let fixture = try BrowserFixture(
      opening: "english-for-business/negotiating/preparing/where-do-you-stop", motion: .none, now: { clock.now })
    fixture.browser.settings = SettingsStore(
      path: try TemporaryFolder().file("config.yml"), flags: Settings(), environment: Settings())
    func input(_ key: Key, after seconds: Int64) {
      clock.set(clock.now.advanced(byMilliseconds: seconds * 1_000))
      fixture.press(key, at: Double(seconds))
      fixture.browser.noteInput()
    }
    input(.down, after: 10)
    input(.character(key), after: 20)
    input(.down, after: 70)
    input(.escape, after: 80)
    input(.left, after: 90)

    let visit = try #require(try fixture.browser.navigation.history.page().rows.dropFirst().first)
    #expect(visit.to.title == "Where do you stop?" && visit.activeTime == .seconds(120), "\(visit)")
  }

  @Test func `the selection survives many restarts without any input`() throws {
    var fixture = try BrowserFixture(opening: "english-for-business/negotiating")
    _ = fixture.screen(at: 0)
    for key in [Key.down, .down, .enter, .left] { fixture.press(key, at: 1) }
    let before = fixture.screen(at: 3)

    for _ in 0..<20 {
      fixture.browser.close()
      fixture = try BrowserFixture(after: fixture)
    }

    #expect(fixture.screen(at: 1) == before)
  }

  @Test func `after a restart, parents that were never shown select the right card`() throws {
    let first = try BrowserFixture(opening: "english-for-business/writing/tone")
    first.press(.enter, at: 1)
    _ = first.screen(at: 2)
    first.browser.close()

    let second = try BrowserFixture(after: first)
    _ = second.screen(at: 0)
    for (number, title) in ["How a full stop sounds", "Tone", "Writing", "English for Business"].enumerated() {
      let time = 1 + Double(number)
      second.press(.left, at: time)
      // Shortly before the end of the transition, the card's frame with the title is visible.
      let rows = second.screen(at: time + 0.235)
      let row = rows.firstIndex { $0.contains("│") && $0.contains(title) }
      #expect(row.map { rows[$0 - 1].contains("╭") } == true, "\(title)")
      _ = second.screen(at: time + 0.6)
      #expect((second.browser.page as? ListScreen)?.chosenCard?.title == title)
    }
  }

  @Test func `after a day, the list of courses shows where the learner was and what is due`() throws {
    let first = try BrowserFixture(opening: "english-for-business/negotiating/opening-offers/who-speaks-first")
    first.press(" ", at: 1)
    _ = first.screen(at: 5)
    first.browser.close()

    let sameDay = try BrowserFixture(after: first)
    #expect(sameDay.browser.page is ReadingScreen)
    sameDay.browser.close()
    let later = try BrowserFixture(after: first) { Timestamp("2026-11-23T10:00:00Z")! }

    #expect(later.browser.page?.place == .root)
    let rows = later.screen(at: 1)
    #expect(rows[2].hasPrefix("   Continue   Who speaks first?"), "\(rows[2])")
    #expect(rows[22].hasSuffix("stopped Friday 10:00   "), "\(rows[22])")
    later.press(".", at: 2)
    _ = later.screen(at: 3)
    #expect(later.browser.page is ReadingScreen)
  }
}
