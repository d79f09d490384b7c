// Reference values in double precision, computed independently of this project in Python: closed forms checked against
// a numerical solution of the oscillator (SciPy's DOP853), roots found with `brentq`. Measured values were read from
// UIKit on iOS 27.

enum PercentDrivenReference {
  static let times: [Time] = [
    Time(duration: 0.35, percent: 0, completionSpeed: 0.5, finish: 0.7, cancel: 0),
    Time(duration: 0.35, percent: 0, completionSpeed: 1, finish: 0.35, cancel: 0),
    Time(duration: 0.35, percent: 0, completionSpeed: 2, finish: 0.175, cancel: 0),
    Time(duration: 0.35, percent: 0.2, completionSpeed: 0.5, finish: 0.56, cancel: 0.14),
    Time(duration: 0.35, percent: 0.2, completionSpeed: 1, finish: 0.28, cancel: 0.07),
    Time(duration: 0.35, percent: 0.2, completionSpeed: 2, finish: 0.14, cancel: 0.035),
    Time(duration: 0.35, percent: 0.5, completionSpeed: 0.5, finish: 0.35, cancel: 0.35),
    Time(duration: 0.35, percent: 0.5, completionSpeed: 1, finish: 0.175, cancel: 0.175),
    Time(duration: 0.35, percent: 0.5, completionSpeed: 2, finish: 0.0875, cancel: 0.0875),
    Time(duration: 0.35, percent: 0.8, completionSpeed: 0.5, finish: 0.14, cancel: 0.56),
    Time(duration: 0.35, percent: 0.8, completionSpeed: 1, finish: 0.07, cancel: 0.28),
    Time(duration: 0.35, percent: 0.8, completionSpeed: 2, finish: 0.035, cancel: 0.14),
    Time(duration: 0.35, percent: 1, completionSpeed: 0.5, finish: 0, cancel: 0.7),
    Time(duration: 0.35, percent: 1, completionSpeed: 1, finish: 0, cancel: 0.35),
    Time(duration: 0.35, percent: 1, completionSpeed: 2, finish: 0, cancel: 0.175),
    Time(duration: 1.0, percent: 0, completionSpeed: 0.5, finish: 2.0, cancel: 0),
    Time(duration: 1.0, percent: 0, completionSpeed: 1, finish: 1.0, cancel: 0),
    Time(duration: 1.0, percent: 0, completionSpeed: 2, finish: 0.5, cancel: 0),
    Time(duration: 1.0, percent: 0.2, completionSpeed: 0.5, finish: 1.6, cancel: 0.4),
    Time(duration: 1.0, percent: 0.2, completionSpeed: 1, finish: 0.8, cancel: 0.2),
    Time(duration: 1.0, percent: 0.2, completionSpeed: 2, finish: 0.4, cancel: 0.1),
    Time(duration: 1.0, percent: 0.5, completionSpeed: 0.5, finish: 1.0, cancel: 1.0),
    Time(duration: 1.0, percent: 0.5, completionSpeed: 1, finish: 0.5, cancel: 0.5),
    Time(duration: 1.0, percent: 0.5, completionSpeed: 2, finish: 0.25, cancel: 0.25),
    Time(duration: 1.0, percent: 0.8, completionSpeed: 0.5, finish: 0.4, cancel: 1.6),
    Time(duration: 1.0, percent: 0.8, completionSpeed: 1, finish: 0.2, cancel: 0.8),
    Time(duration: 1.0, percent: 0.8, completionSpeed: 2, finish: 0.1, cancel: 0.4),
    Time(duration: 1.0, percent: 1, completionSpeed: 0.5, finish: 0, cancel: 2.0),
    Time(duration: 1.0, percent: 1, completionSpeed: 1, finish: 0, cancel: 1.0),
    Time(duration: 1.0, percent: 1, completionSpeed: 2, finish: 0, cancel: 0.5),
  ]

  /// A transition of 1 s, released at 0.4, with speed 1 and ease in out.
  static let fractionOfRemainingTime: [Double] = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
  static let finish: [Double] = [
    0.4, 0.4118334721, 0.4489959138, 0.512437544, 0.5991303221, 0.7, 0.8008696779, 0.887562456, 0.9510040862,
    0.9881665279, 1.0,
  ]
  static let cancel: [Double] = [
    0.4, 0.3921110186, 0.3673360575, 0.3250416373, 0.267246452, 0.2, 0.132753548, 0.0749583627, 0.0326639425,
    0.0078889814, 0,
  ]

  struct Time: Sendable {
    let duration, percent, completionSpeed, finish, cancel: Double
  }
}
