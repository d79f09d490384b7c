// Reference values in double precision, computed independently of this project in Python: closed forms checked against
// a numerical solution of the oscillator (SciPy's DOP853), roots found with `brentq`. Measured values were read from
// UIKit on iOS 27.

import ScreenKit

enum BezierReference {
  /// The fractions of time at which each curve is evaluated.
  static let x: [Double] = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]

  static let curves: [Curve] = [
    Curve(curve: .linear, controlPoints: [0, 0, 1, 1], y: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]),
    Curve(
      curve: .ease, controlPoints: [0.25, 0.1, 0.25, 1],
      y: [
        0, 0.0947963057, 0.2952443343, 0.513315161, 0.682540506, 0.8024033876, 0.8852293099, 0.9407646143,
        0.9756253556, 0.9943164775, 1.0,
      ]),
    Curve(
      curve: .easeIn, controlPoints: [0.42, 0, 1, 1],
      y: [
        0, 0.0170266097, 0.0622820001, 0.1295767608, 0.2148609388, 0.3153568126, 0.4291197693, 0.5548140325,
        0.6916339333, 0.8394278458, 1.0,
      ]),
    Curve(
      curve: .easeOut, controlPoints: [0, 0, 0.58, 1],
      y: [
        0, 0.1605721542, 0.3083660667, 0.4451859675, 0.5708802307, 0.6846431874, 0.7851390612, 0.8704232392,
        0.9377179999, 0.9829733903, 1.0,
      ]),
    Curve(
      curve: .easeInOut, controlPoints: [0.42, 0, 0.58, 1],
      y: [
        0, 0.0197224535, 0.0816598563, 0.1873959067, 0.3318838701, 0.5, 0.6681161299, 0.8126040933, 0.9183401437,
        0.9802775465, 1.0,
      ]),
  ]

  struct Curve: Sendable {
    let curve: TimingCurve
    let controlPoints: [Double]
    let y: [Double]
  }
}
