import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser

@MainActor @Suite struct BoundKeysTests {
  @Test func `what is bound is what the keys do, the last row shows, the help lists and a click means`() throws {
    let settings = try SettingsFile(name: "config.yml").settings(
      from: "keys:\n  find: f\n  go-on: [z, '.']\n  help: F1\n  copy: '?'\n  quit: []")
    let fixture = try BrowserFixture(settings: settings)
    #expect(
      fixture.screen(at: 0).suffix(2) == [
        "   z  Begin with “Why are we here?”                            reading, 6 min   ",
        "   ↵ open   ↑↓ choose   f find   F1 help          [1 Learn] 2 Find  3 History   ",
      ])

    fixture.press("/", at: 1)
    #expect(fixture.screen(at: 2)[2].hasPrefix("   Courses"))
    fixture.press("f", at: 3)
    #expect(fixture.browser.tabs.selectedIndex == 1)
    fixture.press(.escape, at: 4)
    fixture.press(.function(1), at: 5)
    let help = fixture.text(at: 6)
    #expect(help.contains("f              find anything"))
    #expect(help.contains("Ctrl-C         leave Waymark"))
    fixture.press(.function(1), at: 7)
    fixture.mouse(.press(.left), 25, 23, at: 8)
    #expect(fixture.browser.tabs.selectedIndex == 1)
    fixture.press(.escape, at: 9)
    fixture.press(.character("c"), .control, at: 10)
    #expect(fixture.browser.isFinished)
  }
}
