// Reference values, in double precision. They were computed apart from this project, in Python: the closed forms
// checked against a numerical solution of the oscillator (SciPy's DOP853), the roots found with brentq. Values called
// measured were read off UIKit on iOS 27.

/// Three keyframes of a third each, to 0.2, 0.9 and 1.
enum KeyframesReference {
  static let duration = 0.35
  static let delay = 0.1
  static let frames: [(start: Double, duration: Double, value: Double)] = [
    (0, 0.3333333333333333, 0.2),
    (0.3333333333333333, 0.3333333333333333, 0.9),
    (0.6666666666666666, 0.3333333333333333, 1.0),
  ]
  static let seconds: [(start: Double, end: Double)] = [
    (0.1, 0.21666666666666667),
    (0.21666666666666667, 0.3333333333333333),
    (0.3333333333333333, 0.44999999999999996),
  ]
  static let fraction: [Double] = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
  static let value: [Double] = [0, 0.06, 0.12, 0.18, 0.34, 0.55, 0.76, 0.91, 0.94, 0.97, 1.0]
}
