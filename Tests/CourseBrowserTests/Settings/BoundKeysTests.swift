import NavigationKit
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

@MainActor @Suite struct BoundKeysTests {
  @Test func `bindings from the settings apply to keys, footer, help and clicks`() throws {
    let settings = try SettingsFile(name: "config.yml").settings(
      from: "keys:\n  find: f\n  go-on: [z, '.']\n  help: F1\n  copy: '?'\n  quit: []")
    let fixture = try BrowserFixture(settings: settings)
    #expect(
      fixture.screen(at: 0).suffix(2) == [
        "   z  Begin with “Why are we here?”                            reading, 6 min   ",
        "   ↵ open  ↑↓ select  f find  F1 help     [1 Learn] 2 Find 3 History 4 Review   ",
      ])

    fixture.press("/", at: 1)
    #expect(fixture.screen(at: 2)[0].hasPrefix("   Waymark"))
    fixture.press("f", at: 3)
    #expect(fixture.browser.tabs.selectedIndex == 1)
    fixture.press(.escape, at: 4)
    fixture.press(.function(1), at: 5)
    let help = fixture.text(at: 6)
    #expect(help.contains("│ f          find "))
    fixture.press("G", at: 6.2)
    let end = fixture.text(at: 6.5)
    #expect(end.contains("F1         list all keys") && end.contains("Ctrl-C     quit Waymark"))
    fixture.press(.function(1), at: 7)
    // A key of the last row can be clicked, and so can each key of a pair.
    fixture.press(.enter, at: 8)
    fixture.press(.enter, at: 9)
    #expect(
      fixture.screen(at: 10)[23] == "   ↵ open  ← up  n p goal  F1 help        [1 Learn] 2 Find 3 History 4 Review   ")
    fixture.mouse(.press(.left), 17, 23, at: 11)
    #expect(fixture.screen(at: 12)[2].hasPrefix("   Negotiating"))
    fixture.mouse(.press(.left), 19, 23, at: 13)
    #expect(fixture.screen(at: 14)[2].hasPrefix("   Meetings"))
    fixture.mouse(.press(.left), 54, 23, at: 15)
    #expect(fixture.browser.tabs.selectedIndex == 1)
    fixture.press(.escape, at: 16)
    fixture.press(.character("c"), .control, at: 17)
    #expect(fixture.browser.isFinished)
  }

  @Test func `the answers below a card and the header of Find show the keys of the settings`() throws {
    let settings = try SettingsFile(name: "config.yml").settings(
      from: "keys:\n  review.forgot: z\n  find.kind: Ctrl-T")
    let fixture = try BrowserFixture(motion: .none, settings: settings, on: ReviewHistory.twoMonths.get())
    for (time, key) in zip(1..., "4  ") {
      fixture.press(key, at: Double(time))
      _ = fixture.screen(at: Double(time) + 0.5)
    }
    let back = fixture.text(at: 5)
    fixture.press(.escape, at: 6)
    fixture.press("2", at: 7)
    fixture.type("offer", at: 8)

    #expect(back.ranges(of: "z forgot").count == 1, "\(back)")
    #expect(fixture.text(at: 10).contains("Ctrl-T: "))
  }

  @Test(arguments: ["", "/", ":", "?", "i", "3"])
  func `Ctrl-C quits from any screen, even if a multiplexer adds Alt`(
    _ opening: String
  ) throws {
    let fixture = try BrowserFixture(opening: "english-for-business")
    _ = fixture.screen(at: 0)
    for character in opening { fixture.press(.character(character), at: 1) }
    _ = fixture.screen(at: 2)

    fixture.press(.character("c"), [.control, .alt], at: 3)

    #expect(fixture.browser.isFinished)
  }
}
