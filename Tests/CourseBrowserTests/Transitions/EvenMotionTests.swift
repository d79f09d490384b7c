import NavigationKit
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser

/// The frames in which a card opens and closes, at 60 frames per second of simulated time.
@MainActor @Suite struct EvenMotionTests {
  nonisolated private static let sizes = [
    CellSize(columns: 80, rows: 24), CellSize(columns: 120, rows: 36), CellSize(columns: 200, rows: 60),
  ]
  private static let interval = 1.0 / 60

  /// The times of the frames of a motion in seconds, and the edges of the moving frame in each of them.
  private struct Motion {
    var times: [Double] = []
    var frames: [CellRect] = []

    var intervals: [Double] { zip(times, times.dropFirst()).map { $1 - $0 } }

    /// The greatest distance in rows that an edge moves from one frame to the next.
    var greatestStep: Int {
      zip(frames, frames.dropFirst()).map { max(abs($0.row - $1.row), abs($0.endRow - $1.endRow)) }.max() ?? 0
    }
  }

  /// Presses a key at a time, and draws the frames that follow until no card moves.
  private func motion(after key: Key, on fixture: BrowserFixture, at start: Double) -> Motion {
    let stage = fixture.browser.stage
    var motion = Motion()
    var now = start
    fixture.press(key, at: now)
    _ = stage.tick(at: now)
    while let opening = fixture.browser.openings.first {
      motion.times.append(now)
      motion.frames.append(opening.presentedGeometry.frame)
      guard let due = stage.nextFrameTime, due < start + 2 else { break }
      now = max(due, now + Self.interval)
      _ = stage.tick(at: now)
    }
    return motion
  }

  @Test(arguments: sizes, ["english-for-business", "english-for-business/negotiating"])
  func `a page closes as evenly as its card opens`(size: CellSize, place: String) throws {
    let fixture = try BrowserFixture(size.columns, size.rows, opening: .text(place))
    fixture.browser.stage.headStart = Self.interval
    _ = fixture.screen(at: 1)

    let opening = motion(after: .enter, on: fixture, at: 2)
    let closing = motion(after: .left, on: fixture, at: 5)

    for motion in [opening, closing] {
      #expect(motion.frames.count > 10)
      #expect(motion.intervals.allSatisfy { abs($0 - Self.interval) < 0.001 }, "\(motion.intervals)")
    }
    // Closing takes less time, so its steps are longer by the same ratio.
    let ratio = OpenCardTransition.downDuration / OpenCardTransition.upDuration
    #expect(Double(closing.greatestStep) <= (Double(opening.greatestStep) * ratio).rounded(.up))
  }
}
