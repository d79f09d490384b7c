import CoursePages

/// When frames are drawn: what moves by itself on an even grid of moments, what answers somebody at once.
///
/// A frame that comes late does not move the grid, so frames of a motion are even on average, however late the system
/// wakes a program; and an answer between two frames of a motion delays neither.
struct FramePacing {
  /// Seconds from one frame of a motion to the next.
  let interval: Double
  /// Seconds between any two frames at least. Nobody sees more, however fast keys repeat and wheels turn.
  let leastGap: Double
  /// The moment of the grid that was reached last.
  private var beat = -Double.infinity
  /// When the last frame was drawn, in a motion or between.
  private var drawnAt = -Double.infinity

  /// Begins with nothing drawn.
  ///
  /// - Parameter rate: Frames a second of what moves by itself, from 1.
  init(rate: Int) {
    interval = 1 / Double(max(1, rate))
    leastGap = min(1.0 / 240, interval / 4)
  }

  /// The moment to draw a frame at that no input asked for.
  ///
  /// - Parameter due: From when on there is something new to see.
  func momentOfMotion(dueAt due: Double) -> Double {
    let next = max(due, beat + interval)
    return next < drawnAt + leastGap ? next + interval : next
  }

  /// The moment to draw a frame at that answers somebody.
  ///
  /// - Parameter due: From when on there is something new to see.
  func momentOfAnswer(dueAt due: Double) -> Double { max(due, drawnAt + leastGap) }

  /// Notes that a frame was drawn.
  mutating func drew(at now: Double) {
    drawnAt = max(drawnAt, now)
    let beats = ((now - beat) / interval).rounded(.down)
    if beats > 2 { beat = now } else if beats > 0 { beat += beats * interval }
  }
}
