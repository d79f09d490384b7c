import ScreenKit
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// Keys with which the learner interrupts animations of the tour and of replays.
@MainActor @Suite struct WatchedMotionTests {
  /// The times at which actions of the tour begin to move, in seconds from its start.
  nonisolated private static let turns = [2, 3.6, 5, 7, 9, 10.8, 12, 13.4, 15.2]
  nonisolated private static let takers: [Interruption] =
    Tier.isLong
    ? ["Esc", "Left", "n", "p", "i", "?", "v", "Down", "Enter", "2", "3", ":", "."].map(Interruption.key)
      + [.click, .resize]
    : ["Left", "3"].map(Interruption.key) + [.click, .resize]
  nonisolated private static let fractions = Tier.isLong ? [0.2, 0.4, 0.6, 0.8] : [0.4]

  @Test(arguments: turns, fractions)
  func `ending the tour during an animation causes no jump`(turn: Double, fraction: Double) throws {
    // In Find a typed letter changes the results at once, and list rows make space for the selection at once.
    let excluded: [Interruption] = turn == 7 ? [.key("Down")] : turn > 15 ? Self.takers.filter(\.isLetter) : []
    for interruption in Self.takers where !excluded.contains(interruption) {
      let fixture = try BrowserFixture.inColour()
      fixture.browser.stage.perform(at: 1) { fixture.browser.showAround() }
      for time in stride(from: 1.1, to: 1 + turn, by: 0.3) { _ = fixture.browser.stage.tick(at: time) }
      let time = 1 + turn + fraction * 0.2

      if let jump = interruption.leap(on: fixture, at: time) {
        Issue.record("by \(interruption.testDescription): \(jump)")
      }

      _ = fixture.browser.stage.tick(at: time + 30)
      #expect(
        (fixture.browser.context.playback == nil) || interruption == .resize, "by \(interruption.testDescription)")
      expectRest(of: fixture.browser, after: interruption)
    }
  }

  @Test(arguments: ["r", "r Space", "r End"], fractions)
  func `a key during a replay's animation causes no jump`(
    keys: String, fraction: Double
  ) throws {
    let playbackKeys = Tier.isLong ? ["Space", "Right", "Home", "End", "5"] : ["Home", "Esc"]
    let interruptions = Self.takers + playbackKeys.map(Interruption.key)
    for interruption in interruptions {
      for step in Tier.isLong ? [1, 2, 3, 4, 5] : [2, 5] {
        let fixture = try BrowserFixture.inColour()
        for (index, key) in [Key.enter, .down, .enter, .enter, .down, .enter, .escape].enumerated() {
          fixture.press(key, at: Double(index))
          _ = fixture.screen(at: Double(index) + 0.9)
        }
        fixture.press("3", at: 9)
        _ = fixture.screen(at: 9.9)
        var time = 10.0
        for key in keys.split(separator: " ").compactMap({ KeyEvent(name: String($0)) }) {
          fixture.browser.handle(.key(key), at: time)
          _ = fixture.screen(at: time + 0.5)
          time += 1
        }
        if keys == "r" {
          // Each step is shown for the shortest time, because the visits were short.
          time = 10 + 1.4 * Double(step)
          for before in stride(from: 10.1, to: time, by: 0.3) { _ = fixture.browser.stage.tick(at: before) }
        } else {
          fixture.press(keys == "r End" ? .left : .right, at: time)
        }
        time += fraction * 0.2

        if let jump = interruption.leap(on: fixture, at: time) {
          Issue.record("step \(step), by \(interruption.testDescription): \(jump)")
        }

        _ = fixture.browser.stage.tick(at: time + 30)
        expectRest(of: fixture.browser, after: interruption)
        if keys != "r" { break }
      }
    }
  }

  private func expectRest(of browser: Browser, after interruption: Interruption) {
    #expect(
      browser.flight == nil && browser.tabFlight == nil && browser.hand == nil, "by \(interruption.testDescription)")
    #expect(
      browser.pages.last === browser.stack.top && browser.stack.layer.sublayers.count == 1,
      "by \(interruption.testDescription)")
  }
}
