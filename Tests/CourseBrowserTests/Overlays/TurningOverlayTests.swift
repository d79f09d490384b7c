import NavigationKit
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// Overlays that reverse while they open or close, from their current position and velocity.
@MainActor @Suite struct TurningOverlayTests {
  nonisolated private static let text = "english-for-business/negotiating/opening-offers/who-speaks-first"
  nonisolated private static let goal = "english-for-business/negotiating"
  nonisolated private static let cases = [
    (goal, "i"), (goal, "?"), (goal, ":"), (text, "i"), ("/", "a"),
  ]

  /// The visible frame of a panel, and the velocities of its edges.
  private struct Seen {
    var frame: Rect
    var velocities: [Double]

    @MainActor init?(_ browser: Browser) {
      guard let panel = (browser.screen.presented as? OverlayScreen)?.panel else { return nil }
      frame = panel.presentedFrame()
      velocities = [LayerProperty.x, .y, .width, .height].map { panel.velocity(of: $0) }
    }

    func isAlike(_ other: Seen) -> Bool {
      let (one, two) = (frame, other.frame)
      let ends = zip([one.x, one.y, one.width, one.height], [two.x, two.y, two.width, two.height])
      return ends.allSatisfy { abs($0 - $1) < 1e-6 }
        && zip(velocities, other.velocities).allSatisfy { abs($0 - $1) < 1e-3 }
    }
  }

  @Test(arguments: cases, [0.03, 0.07, 0.12])
  func `an overlay reverses from its current position and velocity`(
    what: (place: String, key: String), later: Double
  ) throws {
    let fixture = try BrowserFixture(opening: .text(what.place))
    let browser = fixture.browser
    let key = try #require(KeyEvent(name: what.key))
    browser.handle(.key(key), at: 1)
    var time = 1 + later
    for next in [KeyEvent(.escape), key, KeyEvent(.escape), key] {
      let (rows, before) = (fixture.screen(at: time), try #require(Seen(browser)))
      browser.handle(.key(next), at: time)
      let (after, reversed) = (try #require(Seen(browser)), fixture.screen(at: time))

      #expect(after.isAlike(before), "\(before) and \(after)")
      #expect(
        zip(rows, reversed).dropLast(2).allSatisfy { $0 == $1 },
        "\(rows.joined(separator: "\n"))\n\(reversed.joined(separator: "\n"))")
      time += 0.05
    }

    let layers = browser.screen.layer.superlayer?.sublayers.count
    _ = fixture.screen(at: time + 1)
    #expect(browser.overlay != nil && browser.screen.layer.superlayer?.sublayers.count == layers)
  }

  @Test(arguments: [":", "a"], [0.03, 0.07, 0.12])
  func `new entries change the target of a growing panel`(key: String, later: Double) throws {
    let fixture = try BrowserFixture(opening: .text(key == "a" ? "/" : Self.goal))
    let browser = fixture.browser
    browser.handle(.key(try #require(KeyEvent(name: key))), at: 1)
    _ = fixture.screen(at: 1 + later)
    let before = try #require(Seen(browser))
    fixture.press("z", at: 1 + later)
    let after = try #require(Seen(browser))
    fixture.press("z", at: 1 + later + 0.02)
    _ = fixture.screen(at: 2)

    #expect(after.frame == before.frame)
    let overlay = try #require(browser.overlay)
    #expect(overlay.panel.presentation.frame == Rect(overlay.panelFrame))
  }

  @Test(arguments: cases, [0.03, 0.07, 0.12])
  func `a reversed panel stays between its ends and turns once`(
    what: (place: String, key: String), later: Double
  ) throws {
    let fixture = try BrowserFixture(opening: .text(what.place))
    let browser = fixture.browser
    let key = try #require(KeyEvent(name: what.key))
    browser.handle(.key(key), at: 1)
    _ = fixture.screen(at: 2)
    let fullHeight = try #require(Seen(browser)).frame.height
    fixture.press(.escape, at: 3)
    _ = fixture.screen(at: 3 + later)
    browser.handle(.key(key), at: 3 + later)
    var heights: [Double] = []
    for frame in 0...60 {
      _ = fixture.screen(at: 3 + later + Double(frame) / 240)
      heights.append(try #require(Seen(browser)).frame.height)
    }

    #expect(heights.last == fullHeight && heights.allSatisfy { $0 <= fullHeight + 0.5 && $0 >= 0 }, "\(heights)")
    let turn = heights.indices.min { heights[$0] < heights[$1] } ?? 0
    #expect(zip(heights[turn...], heights[turn...].dropFirst()).allSatisfy { $0 <= $1 + 0.3 }, "\(heights)")
    #expect(turn <= 8, "\(heights)")
  }
}
