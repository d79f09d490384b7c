import Foundation
import NavigationKit
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser

@MainActor @Suite struct BrowserTransitionsTests {
  @Test func `a different animator from the provider changes the transition`() throws {
    let usual = try BrowserFixture.inColour()
    let changed = try BrowserFixture.inColour()
    changed.browser.transitions.override = { _, _, _ in PageSlideTransition(towardsRight: true) }

    usual.press(.enter, at: 1)
    changed.press(.enter, at: 1)

    #expect(usual.screen(at: 1.03)[2].hasPrefix("   English") == false)
    #expect(changed.screen(at: 1.03)[2].contains("English"))
    #expect(usual.screen(at: 3) == changed.screen(at: 3))
  }

  @Test func `with reduced motion pages fade, and without motion they appear at once`() throws {
    let reduced = try BrowserFixture.inColour(motion: .reduced)
    let none = try BrowserFixture.inColour(motion: .none)
    for fixture in [reduced, none] { fixture.press(.enter, at: 1) }

    #expect(!reduced.screen(at: 1.05).contains { $0.hasPrefix("╭") })
    #expect(none.screen(at: 1.001)[2].hasPrefix("   English for Business"))
    #expect(reduced.screen(at: 2) == none.screen(at: 2))
  }
}
