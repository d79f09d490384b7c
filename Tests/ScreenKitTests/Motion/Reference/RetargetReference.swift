// Reference values, in double precision. They were computed apart from this project, in Python: the closed forms
// checked against a numerical solution of the oscillator (SciPy's DOP853), the roots found with brentq. Values called
// measured were read off UIKit on iOS 27.

/// A response spring of 0.5 s without bounce from 0 to 1, given another target at 0.15 s.
enum RetargetReference {
  static let moment = 0.15
  static let x = 0.5619604539867584
  static let v = 3.596542318730747

  /// The second target, and the velocity at the moment in distances to it a second.
  static let target = 0.25
  static let normalisedVelocity = -11.52884050772476

  /// Seconds since the moment.
  static let t: [Double] = [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5]
  static let restartedX: [Double] = [
    0.561960454, 0.616932098, 0.552720886, 0.468563599, 0.397044901, 0.344688121, 0.309179588, 0.286194068,
    0.271775133, 0.262932371, 0.257601121,
  ]
  static let restartedV: [Double] = [
    3.5965423, -0.6009065, -1.6647632, -1.605239, -1.2389442, -0.8650577, -0.5703806, -0.3623788, -0.2243138,
    -0.136201, -0.0814814,
  ]
  static let superposedX: [Double] = [
    0.561960454, 0.616932098, 0.552720886, 0.468563599, 0.397044901, 0.344688121, 0.309179588, 0.286194068,
    0.271775133, 0.262932371, 0.257601121,
  ]

  /// Sent back to 0 with its velocity.
  static let reversedX: [Double] = [
    0.561960454, 0.584104234, 0.463285997, 0.328073485, 0.218190979, 0.139431733, 0.086671103, 0.052792401,
    0.031660811, 0.01875611, 0.011001354,
  ]
}

/// A centre sent by UIKit from 50 to 150 (0.4 s, damping ratio 0.8), and 0.25 s later on to 350 (velocity 1).
enum MeasuredRetargetReference {
  static let t: [Double] = [0.01, 0.1, 0.2, 0.25, 0.26, 0.3, 0.35, 0.39, 0.4, 0.41, 0.5, 0.6, 0.64, 0.65]
  static let measuredX: [Double] = [
    52.2417638450861, 124.83670115470886, 150.90768337249756, 151.42489671707153, 157.39786475896835,
    222.4987506866455, 301.3832688331604, 335.2033495903015, 340.1277542114258, 344.0242290496826, 352.8515577316284,
    350.4988670349121, 350.11675357818604, 350.0,
  ]
  static let modelX: [Double] = [
    52.241056, 124.836699, 150.907681, 151.424891, 157.396239, 222.497065, 301.383257, 335.203089, 340.127694,
    344.02422, 352.851566, 350.498861, 350.116738, 350.0,
  ]
}
