import CourseKit
import LearningModel
import NavigationKit
import ScreenKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser

@MainActor @Suite struct ReplayTests {
  /// A recorded session of six steps, open in History at ten seconds.
  private func fixture(motion: MotionPreference = .full) throws -> BrowserFixture {
    let fixture = try BrowserFixture(motion: motion)
    for (index, key) in [Key.enter, .down, .enter, .enter, .down, .enter, .escape].enumerated() {
      fixture.press(key, at: Double(index))
      _ = fixture.screen(at: Double(index) + 0.9)
    }
    fixture.press("3", at: 9)
    _ = fixture.screen(at: 9.9)
    return fixture
  }

  private func count(_ fixture: BrowserFixture) throws -> Int {
    try fixture.browser.navigation.history.page().rows.count
  }

  @Test func `History offers to replay the session of the selected step`() throws {
    let rows = try fixture().screen(at: 10)

    #expect(rows[22] == "   r  Replay this session                                  6 steps, 9 seconds   ")
    #expect(rows[23] == "   ↵ open  / search  f filter  ? help     1 Learn 2 Find [3 History] 4 Review   ")
  }

  @Test func `a replay shows each step with its transition and description`() throws {
    let fixture = try fixture()
    fixture.press("r", at: 10)

    let descriptions = [10.2, 11.7, 13.1, 14.5, 15.9, 17.5].map { time in
      fixture.screen(at: time)[22].trimmed
    }

    expectSnapshot(descriptions)
  }

  @Test func `a replay shows the recorded transition`() throws {
    let fixture = try fixture()
    fixture.press("r", at: 10)
    _ = fixture.screen(at: 11.35)

    let rows = fixture.screen(at: 11.5)

    #expect(rows[0] == "   Courses                                                                      ")
    #expect(rows[1...3].contains { $0.hasPrefix("╭──────") })
    #expect(
      rows.contains { $0.hasPrefix("│") && $0.contains(" English for Business ") && $0.hasSuffix(" 0 of 52 done  │") })
  }

  @Test func `Space pauses, continues and restarts a replay`() throws {
    let fixture = try fixture()
    fixture.press("r", at: 10)
    _ = fixture.screen(at: 10.5)

    fixture.press(" ", at: 11)
    let paused = fixture.screen(at: 20)
    fixture.press(" ", at: 20)
    let later = fixture.screen(at: 21.6)
    let end = fixture.screen(at: 40)
    fixture.press(" ", at: 41)
    let again = fixture.screen(at: 41.8)

    #expect(paused[22].hasSuffix("1 of 6   ") && paused[23].hasPrefix("   Space play  ← → step"))
    #expect(later[22].hasSuffix("2 of 6   ") && later[23].hasPrefix("   Space pause"))
    #expect(end[22].hasSuffix("6 of 6   ") && end[23].hasPrefix("   Space play again"))
    #expect(again[22].hasSuffix("1 of 6   ") && again[23].hasPrefix("   Space pause"))
  }

  @Test func `arrows move by steps, digits and the timeline seek, and each of them pauses the replay`() throws {
    let fixture = try fixture()
    fixture.press("r", at: 10)
    func position(at time: Double) -> String { String(fixture.screen(at: time)[22].trimmed.suffix(6)) }

    fixture.press(.right, at: 11)
    fixture.press(.right, at: 11.05)
    let stepped = position(at: 20)
    let keys = fixture.screen(at: 20)[23]
    fixture.press(.left, at: 21)
    let back = position(at: 30)
    fixture.press("9", at: 31)
    let last = position(at: 32)
    fixture.press(.right, at: 33)
    let pastEnd = position(at: 34)
    fixture.press(.home, at: 35)
    let first = position(at: 36)
    // The timeline is to the left of "1 of 6".
    fixture.mouse(.press(.left), 58, 22, at: 37)
    let pressed = position(at: 38)
    fixture.mouse(.drag(.left), 64, 22, at: 39)
    let middle = position(at: 40)
    fixture.mouse(.drag(.left), 69, 22, at: 41)
    let end = position(at: 42)

    #expect(
      [stepped, back, last, pastEnd, first, pressed, middle, end] == [
        "3 of 6", "2 of 6", "6 of 6", "6 of 6", "1 of 6", "1 of 6", "4 of 6", "6 of 6",
      ])
    #expect(keys.contains("Space play"))
  }

  @Test func `Esc returns to History without recording steps`() throws {
    let fixture = try fixture()
    let before = try count(fixture)
    fixture.press("r", at: 10)
    for time in stride(from: 10.1, to: 18, by: 0.3) { _ = fixture.screen(at: time) }

    fixture.press(.escape, at: 18)

    let rows = fixture.screen(at: 19)
    #expect(rows[2].hasPrefix("   History"))
    #expect(rows[0].hasPrefix("   History"))
    #expect(try count(fixture) == before)
  }

  @Test func `Enter stays at the visible place and records a step`() throws {
    let fixture = try fixture()
    fixture.press("r", at: 10)
    fixture.press("0", at: 11)
    fixture.press(.right, at: 12)
    _ = fixture.screen(at: 13)

    fixture.press(.enter, at: 14)

    let newest = try #require(try fixture.browser.navigation.history.page(limit: 1).rows.first)
    #expect(
      "\(newest.operation.rawValue) \(newest.to.title) \(newest.cause.rawValue)" == "open English for Business key")
    #expect(fixture.screen(at: 15)[23].contains("[1 Learn]"))
    #expect(fixture.browser.context.playback == nil)
  }

  @Test func `without motion, a replay changes pages at once`() throws {
    let fixture = try fixture(motion: .none)
    fixture.press("r", at: 10)

    let rows = fixture.screen(at: 11.45)

    #expect(rows[2].hasPrefix("   English for Business"))
  }

  @Test func `a replay skips a removed place and describes it as removed`() throws {
    let fixture = try fixture()
    let path = try fixture.browser.navigation.places.named("english-for-business").path
    _ = try fixture.browser.library.remove(path)
    fixture.press("r", at: 10)

    let rows = fixture.screen(at: 11.9)

    #expect(rows[22].hasPrefix("   10:00  You opened, now removed: “English for Busine…” "))
    #expect(rows[2].hasPrefix("   Welcome"))
  }
}
