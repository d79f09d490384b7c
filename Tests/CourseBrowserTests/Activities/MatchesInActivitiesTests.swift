import ScreenKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser

/// Search matches in flashcards and quizzes.
@MainActor @Suite struct MatchesInActivitiesTests {
  /// Searches for a text in Find and opens the first result.
  private func look(for text: String, in fixture: ActivityFixture, at time: Double = 10) {
    fixture.browser.stage.perform(at: time) { fixture.browser.selectTab(1) }
    _ = fixture.screen(at: time + 1)
    fixture.press(text, at: time + 2)
    _ = fixture.screen(at: time + 3)
    fixture.press(.enter, at: time + 4)
    _ = fixture.screen(at: time + 5)
  }

  @Test func `a deck opened from a search shows both sides of the matching cards`() throws {
    let fixture = try ActivityFixture("short")

    look(for: "figure", in: fixture)

    expectSnapshot(fixture.screen(at: 16), "at 16")
    fixture.press(.tab, .tab, at: 17)
    expectSnapshot(fixture.screen(at: 18), "at 18")
    fixture.press(" ", at: 19)
    #expect(fixture.rows(at: 20)[2] == "   Cards                                      card 1 of 3")
  }

  @Test func `a round of cards continues after a search`() throws {
    let fixture = try ActivityFixture("cards")
    fixture.press("  ", at: 1)
    fixture.press(" ", at: 3)
    let before = fixture.screen(at: 5)

    look(for: "figures", in: fixture)
    let hint = fixture.rows(at: 16)[18]
    fixture.press(.tab, at: 17)
    let next = fixture.rows(at: 18)[18]
    fixture.press(" ", at: 19)

    #expect(hint == "   n  Deselect “figures”            1 of 1 in these cards")
    #expect(next == "   Space  Continue where you stopped          card 2 of 3")
    expect(fixture.screen(at: 21), before)
    #expect(try fixture.grades("cards") == [0: true])
  }

  @Test func `a quiz opened from a search shows matching questions without answers before it is completed`() throws {
    let fixture = try ActivityFixture("short")

    look(for: "cat", in: fixture)
    expectSnapshot(fixture.screen(at: 16), "at 16")

    fixture.press(.tab, at: 17)
    fixture.press(" ", at: 17)
    fixture.press("2", at: 18)
    fixture.press(.enter, .enter, at: 19)
    let before = fixture.screen(at: 21)
    look(for: "knowing helps", in: fixture, at: 30)
    expectSnapshot(fixture.screen(at: 36), "at 36")
    fixture.press(" ", at: 37)
    expect(fixture.screen(at: 38), before)
    fixture.press("13", at: 40)
    fixture.press(.enter, .enter, at: 41)
    _ = fixture.screen(at: 42)
    fixture.browser.close()

    let later = try ActivityFixture("short", after: fixture)
    look(for: "knowing helps", in: later)
    expectSnapshot(later.screen(at: 16), "later at 16")
  }
}
