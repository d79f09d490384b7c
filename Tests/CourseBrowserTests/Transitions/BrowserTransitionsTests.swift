import Foundation
import NavigationService
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser

@MainActor @Suite struct BrowserTransitionsTests {
  @Test func `another animator that the provider vends changes what is seen`() throws {
    let usual = try BrowserFixture()
    let changed = try BrowserFixture()
    changed.browser.transitions.override = { _ in PageSlideTransition(towardsRight: true) }

    usual.press(.enter, at: 1)
    changed.press(.enter, at: 1)

    #expect(usual.screen(at: 1.05) != changed.screen(at: 1.05))
    #expect(changed.screen(at: 1.05).contains { $0.contains("Courses") && $0.contains("English for") })
    #expect(usual.screen(at: 3) == changed.screen(at: 3))
  }

  @Test func `a neighbour comes from the side it lies on, and the trail, the next step and the keys stay`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/negotiating")
    let before = fixture.screen(at: 0)

    fixture.press("n", at: 1)
    let middle = fixture.screen(at: 1.05)
    let after = fixture.screen(at: 3)

    #expect(after[2].hasPrefix("   Writing "))
    // The old title leaves to the left while the new one comes from the right.
    let old = try #require(middle[6].range(of: "Preparing".suffix(6)))
    let new = try #require(middle[6].range(of: "Emails"))
    #expect(old.lowerBound < new.lowerBound)
    #expect(middle[0].hasPrefix("   Courses › English for Business"))

    fixture.press("p", at: 4)
    let back = fixture.screen(at: 4.05)
    let first = try #require(back[6].range(of: "eparing"))
    let second = try #require(back[6].range(of: "Em"))
    #expect(first.lowerBound < second.lowerBound)
    #expect(fixture.screen(at: 6)[2] == before[2])
  }

  @Test func `with reduced motion pages fade, and with none they are there at once`() throws {
    let reduced = try BrowserFixture(motion: .reduced)
    let none = try BrowserFixture(motion: .none)
    for fixture in [reduced, none] { fixture.press(.enter, at: 1) }

    #expect(!reduced.screen(at: 1.05).contains { $0.hasPrefix("╭") })
    #expect(none.screen(at: 1.001)[2].hasPrefix("   English for Business"))
    #expect(reduced.screen(at: 2) == none.screen(at: 2))
  }
}
