/// An animation shown in a few frames only, each at its own moment.
///
/// A frame loop draws at ``nextMoment(after:)`` and sleeps until then. Laws: at its last moment, and from then on, the
/// fraction is 1; between two moments it does not change.
///
/// Source: W3C, CSS Easing Functions Level 1, `steps(n, jump-end)`.
public struct FrameSteps: Hashable, Sendable {
  /// How many times the picture changes, 1 or more.
  public let count: Int

  /// Seconds the whole animation takes, 0 or more.
  public let duration: Double

  /// Creates steps of equal length.
  ///
  /// - Parameters:
  ///   - count: How many times the picture changes, 1…1,000,000.
  ///   - duration: Seconds the whole animation takes; at 0 or less it is over at once.
  public init(count: Int, duration: Double) {
    self.count = min(max(1, count), 1_000_000)
    self.duration = duration.limited(to: 0...Spring.durations.upperBound)
  }

  /// Creates steps no longer than a frame, the last of them at the end.
  ///
  /// - Parameters:
  ///   - framesPerSecond: How often the picture may change, above 0.
  ///   - duration: Seconds the whole animation takes; at 0 or less it is over at once.
  public init(framesPerSecond: Double, duration: Double) {
    let duration = duration.limited(to: 0...Spring.durations.upperBound)
    let frames = (framesPerSecond * duration - 1e-9).limited(to: 1...1e6).rounded(.up)
    self.init(count: Int(frames), duration: duration)
  }

  /// The moments at which the picture changes, in seconds since the start, the last at the end.
  public var moments: [Double] { (1...count).map(moment) }

  /// Returns the fraction complete that the picture shows at a moment.
  ///
  /// - Parameter elapsed: Seconds since the start. Negative values count as 0.
  public func fractionComplete(at elapsed: Double) -> Double {
    Double(stepsDone(at: elapsed)) / Double(count)
  }

  /// Returns the first moment after another at which the picture changes; nil when it is over.
  ///
  /// - Parameter elapsed: Seconds since the start.
  public func nextMoment(after elapsed: Double) -> Double? {
    let done = stepsDone(at: elapsed)
    return done < count ? moment(of: done + 1) : nil
  }

  private func moment(of step: Int) -> Double {
    step == count ? duration : duration * Double(step) / Double(count)
  }

  private func stepsDone(at elapsed: Double) -> Int {
    if elapsed >= duration { return count }
    guard elapsed > 0 else { return 0 }
    // A moment asked for as it was handed out must count as reached, whichever way its digits were rounded.
    let near = Int((elapsed / duration * Double(count)).rounded())
    return moment(of: near) <= elapsed ? near : near - 1
  }
}
