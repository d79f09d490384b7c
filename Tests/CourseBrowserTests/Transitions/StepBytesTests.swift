import Foundation
import NavigationKit
import ScreenKit
import TerminalIO
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// The bytes of all frames of a step, from the key press until nothing moves.
@MainActor @Suite struct StepBytesTests {
  /// A step and its limit in bytes, by size.
  ///
  /// For neighbours and tabs, the limit is the number of bytes of a slide over the full width. For cards, it is the
  /// number of bytes when content faded in three opacities and the preview moved with the cards.
  struct Step: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let place: String
    let key: String
    /// The limits at 40 × 12, 80 × 24, 120 × 36 and 200 × 60.
    let limits: [Int]

    init(_ name: String, _ place: String, _ key: String, _ limits: [Int]) {
      (testDescription, self.place, self.key, self.limits) = (name, place, key, limits)
    }
  }

  nonisolated private static let sizes = [(40, 12), (80, 24), (120, 36), (200, 60)]
  nonisolated private static let course = "english-for-business"
  nonisolated private static let goal = course + "/negotiating"
  nonisolated private static let lesson = goal + "/opening-offers"
  nonisolated private static let text = lesson + "/who-speaks-first"
  nonisolated private static let steps = [
    Step("the next goal", goal, "n", [817, 3060, 7318, 9629]),
    Step("the previous goal", goal, "p", [593, 3057, 6879, 9769]),
    Step("the next lesson", lesson, "n", [823, 2527, 6102, 8140]),
    Step("the previous lesson", lesson, "p", [760, 2520, 6810, 8592]),
    Step("the next activity", text, "n", [1441, 2667, 4767, 5014]),
    Step("the previous activity", text, "p", [1375, 2980, 7066, 11_384]),
    Step("Find", goal, "2", [827, 3069, 6313, 6173]),
    Step("History", goal, "3", [821, 3192, 6078, 6565]),
    Step("open a course", "/", "Enter", [1301, 7341, 13_611, 17_956]),
    Step("open a goal", course, "Enter", [1649, 8129, 13_727, 19_401]),
    Step("open a lesson", goal, "Enter", [1777, 8228, 14_037, 17_834]),
    Step("open an activity", lesson, "Enter", [1771, 7572, 12_050, 17_969]),
    Step("back from a course", course, "Left", [1092, 4696, 10_312, 16_160]),
    Step("back from a goal", goal, "Left", [1586, 6556, 12_812, 18_309]),
    Step("back from a lesson", lesson, "Left", [1647, 6431, 12_480, 18_752]),
    Step("back from an activity", text, "Left", [1705, 6557, 11_068, 17_634]),
  ]

  @Test(arguments: steps)
  func `a step by key takes a limited number of bytes`(step: Step) throws {
    for ((columns, rows), limit) in zip(Self.sizes, step.limits) {
      let browser = try MeasuredBrowser(CellSize(columns: columns, rows: rows), opening: step.place)
      let bytes = browser.press(step.key).bytes

      #expect(bytes <= limit, "\(columns) × \(rows)")
    }
  }

  @Test(arguments: ["offer", "range", "mzq"])
  func `a letter in Find takes a limited number of bytes`(word: String) throws {
    for ((columns, rows), limit) in zip(Self.sizes, [600, 1_800, 2_600, 6_400]) {
      let browser = try MeasuredBrowser(CellSize(columns: columns, rows: rows), opening: Self.goal)
      browser.press("2")
      for letter in word {
        let bytes = browser.press(String(letter)).bytes

        #expect(bytes <= limit, "\(letter) at \(columns) × \(rows)")
      }
    }
  }
}

/// A browser whose frames are encoded, at 60 frames per second of simulated time.
@MainActor private final class MeasuredBrowser {
  private let fixture: BrowserFixture
  private var compositor: Compositor
  private let encoder: FrameEncoder
  private var frame: Frame
  private var now = 0.0

  init(_ size: CellSize, opening place: String) throws {
    fixture = try BrowserFixture(size.columns, size.rows, opening: .text(place))
    let theme = Theme(colourDepth: .truecolor, pageAppearance: .dark)
    fixture.browser.show(Appearance(theme: theme, symbols: .unicode))
    compositor = Compositor(fading: theme.fading, levels: .four)
    encoder = FrameEncoder(size: size, features: OutputFeatures(hasLinks: false))
    frame = Frame(surface: Surface(size))
    fixture.browser.stage.headStart = 1.0 / 60
    settle()
  }

  /// Draws frames until nothing moves.
  @discardableResult private func settle() -> (bytes: Int, frames: Int, last: Double) {
    var bytes = 0
    var frames = 0
    let end = now + 3
    var last = now
    draw()
    while let due = fixture.browser.stage.nextFrameTime, due < end {
      now = max(due, now + 1.0 / 60)
      draw()
    }
    func draw() {
      guard compositor.composeIfChanged(fixture.browser.stage.tick(at: now), into: &frame) else { return }
      let count = encoder.encode(frame).count
      guard count > 0 else { return }
      bytes += count
      frames += 1
      last = now
    }
    now = max(now, fixture.browser.stage.now)
    return (bytes, frames, last)
  }

  /// Presses a key and returns the bytes and frames that follow, and the seconds until the last frame.
  @discardableResult func press(_ name: String) -> (bytes: Int, frames: Int, seconds: Double) {
    let start = now
    if let key = KeyEvent(name: name) { fixture.browser.handle(.key(key), at: now) }
    let (bytes, frames, last) = settle()
    return (bytes, frames, last - start)
  }
}
