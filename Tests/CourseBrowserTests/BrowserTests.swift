import NavigationKit
import ScreenKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser

@MainActor @Suite struct BrowserTests {
  @Test func `the browser opens a course down to its texts, and Escape navigates up`() throws {
    let fixture = try BrowserFixture()
    #expect(fixture.screen(at: 0)[2] == row("Begin      Why are we here?", "6 min   English for Business"))

    fixture.press(.enter, at: 1)
    #expect(fixture.screen(at: 2)[0] == row("Courses", ""))
    #expect(fixture.screen(at: 2)[2] == row("English for Business", "0 of 52 done"))

    fixture.press(.down, at: 3)
    fixture.press(.enter, at: 4)
    fixture.press(.down, at: 5)
    fixture.press(.enter, at: 6)
    fixture.press(.down, at: 7)
    fixture.press(.enter, at: 8)
    let text = fixture.screen(at: 9)
    #expect(text[0] == row("Courses › … › Negotiating › Opening offers", "activity 2 of 4"))
    #expect(text[2].hasPrefix("   Who speaks first?"))

    fixture.press(.escape, at: 10)
    #expect(fixture.screen(at: 11)[2] == row("Opening offers", "0 of 4 done"))
    fixture.press(.left, at: 12)
    fixture.press(.backspace, at: 13)
    #expect(fixture.screen(at: 14)[2] == row("English for Business", "0 of 52 done"))
  }

  @Test func `a key during a transition takes effect`() throws {
    let fixture = try BrowserFixture()
    fixture.press(.enter, at: 1)
    _ = fixture.screen(at: 1.05)
    fixture.press(.down, at: 1.06)
    fixture.press(.enter, at: 1.07)
    _ = fixture.screen(at: 1.1)
    fixture.press(.left, at: 1.11)

    #expect(fixture.screen(at: 3)[2] == row("English for Business", "0 of 52 done"))
    #expect(fixture.screen(at: 3)[8].hasPrefix(" ╭─"))
  }

  @Test func `the x key in a list marks the selected activity as done and undoes this`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/negotiating/opening-offers")
    let before = fixture.screen(at: 0)
    #expect(before[23].contains("x done"))

    fixture.press("x", at: 1)
    #expect(fixture.screen(at: 2)[2] == row("Opening offers", "1 of 4 done"))
    #expect(fixture.screen(at: 2)[7].hasPrefix(" │ ✓ Read the brief "))
    #expect(fixture.screen(at: 2)[23].contains("x not done"))
    fixture.press("x", at: 3)
    #expect(fixture.screen(at: 4)[2] == row("Opening offers", "0 of 4 done"))

    // A lesson is done when its activities are, and cannot be marked.
    fixture.press(.left, at: 5)
    fixture.press("x", at: 6)
    #expect(fixture.screen(at: 7)[2] == row("Negotiating", "0 of 14 done"))
  }

  private func row(_ leading: String, _ trailing: String) -> String {
    "   " + leading + String(repeating: " ", count: 74 - leading.displayWidth - trailing.displayWidth) + trailing
      + "   "
  }
}

@MainActor @Suite struct NoticeTests {
  @Test func `a notice replaces the next step for four seconds without waking the program`()
    throws
  {
    let fixture = try BrowserFixture()
    let before = fixture.screen(at: 0.9)
    fixture.press(.escape, at: 1)

    let notice = fixture.screen(at: 1.1)
    #expect(notice[21].hasPrefix("   This is the list of courses: there is nothing above it."))
    #expect(fixture.browser.stage.nextFrameTime.map { abs($0 - 5) < 0.001 } == true)
    #expect(fixture.screen(at: 5.1) == before)
    #expect(fixture.browser.stage.nextFrameTime == nil)
  }

  @Test func `a long notice covers as many rows as it needs and is shown longer`() throws {
    let fixture = try BrowserFixture(44, 12, opening: "english-for-business")
    let before = fixture.screen(at: 0)
    fixture.browser.notify(
      "Could not open 'Negotiating': it is no longer in the course. The nearest remaining place is '/' (Courses).")

    expectSnapshot(fixture.text(at: 1).split(separator: "\n", omittingEmptySubsequences: false).suffix(5))
    #expect(fixture.browser.stage.nextFrameTime == 8)
    #expect(fixture.screen(at: 8) == before)
  }

  @Test func `a notice longer than half the screen is truncated`() throws {
    let fixture = try BrowserFixture(20, 6, opening: "english-for-business")
    fixture.browser.notify((1...40).map { "word\($0)" }.joined(separator: " "))

    #expect(
      fixture.text(at: 1).split(separator: "\n", omittingEmptySubsequences: false).suffix(3) == [
        " word4 word5 word6", " word7 word8 word9…", " ↵ open  ← up",
      ])
  }

  @Test func `the next command replaces a notice`() throws {
    let fixture = try ActivityFixture("short")
    #expect(fixture.rows(at: 2)[17] == "   Text read: marked as done. x undoes it.")

    fixture.press(.tab, at: 2.5)

    #expect(fixture.rows(at: 2.6)[18] == "   ↵  Open “Long”                          reading, 4 min")
  }
}
