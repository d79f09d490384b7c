import NavigationKit
import ScreenKit
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser

/// Interrupts every visible animation with other actions: no content jumps, appears or disappears abruptly, and no
/// action is lost.
@MainActor @Suite struct InterruptedMotionTests {
  nonisolated private static let acts: [Interruption] =
    Tier.isLong
    ? ["Esc", "Left", "n", "p", "i", "?", "v", "Enter", "2", "1", "."].map(Interruption.key) + [.click, .resize]
    : ["Esc", "i", "2", "Enter"].map(Interruption.key) + [.click, .resize]
  nonisolated private static let fractions = Tier.isLong ? [0.3, 0.6] : [0.3]

  @Test(arguments: [0, 1.0 / 60], [0.02, 0.08, 0.14, 0.2])
  func `opening the details during a scroll gesture on a sliding page moves nothing`(
    headStart: Double, pause: Double
  ) throws {
    for later in stride(from: 0.005, to: 0.32, by: 0.06) {
      let fixture = try BrowserFixture.inColour(opening: "english-for-business/negotiating")
      let browser = fixture.browser
      browser.stage.headStart = headStart
      _ = browser.stage.tick(at: 0.5)
      fixture.press("n", at: 1)
      _ = browser.stage.tick(at: 1 + pause - 0.001)
      fixture.mouse(.scroll(columns: -2, rows: 0), 30, 10, at: 1 + pause)
      let (time, frame) = (1 + pause + later, 1.0 / 240)
      let first = [2, 1, 0].map { ScreenState(browser, at: time - Double($0) * frame) }
      fixture.press("i", at: time)
      let last = [0, 1, 2].map { ScreenState(browser, at: time + Double($0) * frame) }

      let jump = ScreenState.jump(in: first + last, columns: 0, headStart: 0, isSideways: true)
      #expect(jump == nil, "\(later) s after the wheel")
    }
  }

  @Test func `the help panel shrinks back into the key out of which it grew`() throws {
    let fixture = try BrowserFixture.inColour(opening: "english-for-business")
    let column = fixture.screen(at: 0)[23].distance(of: "? help")
    fixture.press("?", at: 1)
    _ = fixture.screen(at: 2)
    fixture.press(.escape, at: 3)
    let panel = try #require(fixture.browser.screen.presented as? OverlayScreen).panel

    _ = fixture.screen(at: 3.155)
    #expect(abs(panel.presentation.frame.x - Double(column)) < 2)
  }

  @Test(arguments: AnimationCase.all, fractions)
  func `interrupting any animation causes no jump`(motion: AnimationCase, fraction: Double) throws {
    for interruption in Self.acts where motion.allows(interruption) {
      let fixture = try BrowserFixture.inColour(opening: .text(motion.place))
      let browser = fixture.browser
      let start = fixture.press(motion.before)
      browser.handle(.key(motion.key), at: start)
      _ = browser.stage.tick(at: start)
      let time = start + fraction * 0.2
      if let jump = interruption.leap(on: fixture, at: time) {
        Issue.record("by \(interruption.testDescription): \(jump)")
      }
      _ = browser.stage.tick(at: time + 3)
      #expect(
        browser.flight == nil && browser.tabFlight == nil && browser.hand == nil, "by \(interruption.testDescription)")
      #expect(
        browser.pages.last === browser.stack.top && browser.stack.layer.sublayers.count == 1,
        "by \(interruption.testDescription)")
    }
  }
}

extension AnimationCase {
  /// Whether the frames before and after the interruption can be compared. Some animations end in a text field, where
  /// letters change the entries.
  fileprivate func allows(_ interruption: Interruption) -> Bool {
    switch interruption {
    // A card that opens far away shows its details only when the title is requested.
    case .key("i") where name.hasPrefix("go on"): false
    case .key: !name.hasPrefix("Find") && name != "the marks" && name != "the palette"
    case .click, .resize: true
    }
  }
}

extension String {
  /// Returns the column at which a text begins.
  fileprivate func distance(of text: String) -> Int {
    firstRange(of: text).map { distance(from: startIndex, to: $0.lowerBound) } ?? -1
  }
}
