import ScreenKit
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser

@MainActor @Suite struct RandomWalkTests {
  private static let keys: [Key] =
    [.up, .down, .enter, .tab, .home, .end, .pageDown, .pageUp] + " bx123ry".map(Key.character)

  /// Presses random keys while the terminal is resized and animations run. Afterwards the page is drawn and idle.
  @Test(arguments: ["long", "cards", "quiz", "link", "short"])
  func `after random keys and sizes, an activity is drawn and idle`(activity: String) throws {
    var random = SplitMix64(seed: UInt64(activity.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) }))
    let motions: [MotionPreference] = [.full, .reduced, .none]
    let fixture = try ActivityFixture(activity, motion: motions.randomElement(using: &random)!)
    var time = 0.0
    for _ in 0..<200 {
      // Some keys follow without a pause and without a frame in between.
      let isBurst = Int.random(in: 0..<3, using: &random) == 0
      if !isBurst { time += Double.random(in: 0...0.3, using: &random) }
      if Int.random(in: 0..<8, using: &random) == 0 {
        let size = CellSize(columns: .random(in: 1...140, using: &random), rows: .random(in: 1...50, using: &random))
        fixture.browser.handle(.resize(size), at: time)
      } else {
        fixture.press(Self.keys.randomElement(using: &random)!, at: time)
      }
      if !isBurst { _ = fixture.browser.stage.tick(at: time) }
    }

    // Notices end, positions are stored, visible text is credited; then no frame is due.
    _ = fixture.browser.stage.tick(at: time + 40)
    _ = fixture.browser.stage.tick(at: time + 80)
    #expect(fixture.browser.stage.nextFrameTime == nil)

    fixture.browser.handle(.resize(CellSize(columns: 60, rows: 20)), at: time + 80)
    let rows = fixture.rows(at: time + 90)
    #expect(rows.count == 20)
    #expect(rows.allSatisfy { $0.displayWidth <= 60 })
  }
}
