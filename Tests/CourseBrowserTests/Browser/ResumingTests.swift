import Foundation
import NavigationKit
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
}
