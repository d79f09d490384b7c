import ScreenKit
import Testing

@testable import CourseBrowser

/// No fault of the program is lost.
@MainActor @Suite struct IssueTests {
  @Test func `what the browser's screens report is heard by whoever listens to all of them`() throws {
    let fixture = try BrowserFixture()
    let browser = fixture.browser
    var heard: [ScreenIssue] = []
    let handler = ScreenIssue.handler
    ScreenIssue.handler = { heard.append($0) }
    defer { ScreenIssue.handler = handler }
    browser.stage.onIssue = nil

    browser.tabs.endAppearance()
    browser.tabs.selectedIndex = 9

    #expect(
      heard == [
        .unbalancedAppearance(screen: "TabScreen", state: .appeared, call: .end),
        .refused(.noSuchChild(index: 9, container: "TabScreen", count: 3)),
      ])
  }

  @Test func `in a test it fails`() throws {
    let fixture = try BrowserFixture()

    withKnownIssue { fixture.browser.tabs.selectedIndex = 9 }
  }
}
