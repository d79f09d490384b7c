import ScreenKit

/// When a motion has come to a fraction of its way, for tests that draw it there.
enum MotionMoment {
  /// Seconds after its beginning.
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
