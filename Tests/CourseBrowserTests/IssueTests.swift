import ScreenKit
import Testing

@testable import CourseBrowser

/// Errors that the program reports about itself.
@MainActor @Suite struct IssueTests {
  @Test func `a global handler receives the issues of the browser's screens`() throws {
    let fixture = try BrowserFixture()
    let browser = fixture.browser
    var reported: [ScreenIssue] = []
    let handler = ScreenIssue.handler
    ScreenIssue.handler = { reported.append($0) }
    defer { ScreenIssue.handler = handler }
    browser.stage.onIssue = nil

    browser.tabs.endAppearance()
    browser.tabs.selectedIndex = 9

    #expect(
      reported == [
        .unbalancedAppearance(screen: "TabScreen", state: .appeared, call: .end),
        .refused(.noSuchChild(index: 9, container: "TabScreen", count: 4)),
      ])
  }

  @Test func `a reported issue fails the test`() throws {
    let fixture = try BrowserFixture()

    withKnownIssue { fixture.browser.tabs.selectedIndex = 9 }
  }
}
