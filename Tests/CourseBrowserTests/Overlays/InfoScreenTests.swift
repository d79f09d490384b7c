import NavigationKit
import ScreenKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

@MainActor @Suite struct InfoScreenTests {
  @Test func `the i key shows the details of the selected card in a panel that grows out of the card`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/negotiating")
    fixture.press(.left, at: 1)
    fixture.press("m", at: 2)
    let before = fixture.screen(at: 7)
    fixture.press("i", at: 8)

    #expect(
      fixture.text(at: 8.04) == """
           Courses

           English for Business                                          0 of 52 done
           Meet, negotiate, write and present with confidence.           about 4 h 40
         ──────────────────────────────────────────────────────────────────────────────

           Meetings                                                   0 of 13  1 h 15
         ╭────────────────────────────────────────────────────────────────────────────╮
         │ Negotiating ✦                                              0 of 14  1 h 20 │
         │ Prepare, make the first offer, trade, and close.                           │
         ├────────────────────────────────────────────────────────────────────────────┤
         │ place       2 of 4 in English for Business                                 │
         │ path        english-for-business/negotiating                               │
         │ time        about 1 h 20                                                   │
         │ progress    0 of 14 done                                                   │
         ╰────────────────────────────────────────────────────────────────────────────╯
           Stand up, say one thing, and be remembered for it.





           .  Begin with “Why are we here?”                            reading, 6 min
           ↵ open  ← up  / find  i info  ? help   [1 Learn] 2 Find 3 History 4 Review
        """)
    expectSnapshot(fixture.text(at: 9))
    fixture.press("i", at: 10)
    #expect(fixture.screen(at: 11) == before)
  }

  @Test func `the y key copies the path and closes the details to show a notice`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/negotiating")
    var copied: [String] = []
    fixture.browser.onCopy = { text in
      copied.append(text)
      return true
    }
    fixture.press("i", at: 1)
    _ = fixture.screen(at: 2)

    fixture.press("y", at: 3)

    // The path of the selected card, not of the page.
    #expect(copied == ["english-for-business/negotiating/preparing"])
    #expect(
      fixture.text(at: 4).contains("Copied the path of this place: english-for-business/negotiating/preparing"))
    #expect(fixture.browser.overlay == nil)
  }

  @Test func `the details of an activity include its attempts`() throws {
    let path: PlaceName = "english-for-business/negotiating/opening-offers/make-the-first-offer"
    let fixture = try BrowserFixture(opening: path)
    let navigation = fixture.browser.navigation
    try navigation.progress.record(.quizChecked(answers: [[0], [1]], score: 0.6), in: path)
    fixture.press("i", at: 1)

    expectSnapshot(fixture.text(at: 2))
  }

  @Test func `in a small terminal, the details fill the page and scroll`() throws {
    let fixture = try BrowserFixture(40, 12, opening: "english-for-business", symbols: .ascii)
    fixture.press("i", at: 1)
    fixture.press(.down, at: 2)

    expectSnapshot(fixture.text(at: 3))
  }

  @Test func `with reduced motion, the details fade in`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business", motion: .reduced)
    fixture.press("i", at: 1)

    #expect(fixture.screen(at: 1.1).first { $0.contains("path") } != nil)
  }

  @Test func `a card without a place has no details`() throws {
    let fixture = try BrowserFixture(isEmpty: true)
    fixture.press("i", at: 1)

    #expect(fixture.screen(at: 2)[21].hasPrefix("   i does nothing here. ? lists the keys."))
  }
}
