import ScreenKit

/// Computes when an animation reaches a fraction, for tests that draw it there.
enum AnimationTime {
  /// Returns the seconds from the beginning to a fraction of the animation.
  static func seconds(to fraction: Double, of duration: Double, _ curve: TimingCurve) -> Double {
    let duration = curve.duration(requested: duration)
    if fraction <= 0 { return 0 }
    if fraction >= 1 { return duration }
    var (low, high) = (0.0, 1.0)
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if curve.progress(at: middle) < fraction { low = middle } else { high = middle }
    }
    return high * duration
  }
}
