// Reference values in double precision, computed independently of this project in Python: closed forms checked against
// a numerical solution of the oscillator (SciPy's DOP853), roots found with `brentq`. Measured values were read from
// UIKit on iOS 27.

/// A rubber band with a dimension of 80 points and the constant 0.55.
enum RubberBandReference {
  static let pull: [Double] = [0, 10, 20, 40, 80, 160]
  static let offset: [Double] = [0, 5.14619883, 9.67032967, 17.254901961, 28.387096774, 41.904761905]
}

/// A page of 80 columns pushed in with ease in out, while the previous page moves out by 0.3 of its width.
enum SlideReference {
  static let fraction: [Double] = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
  static let incoming: [Int] = [80, 78, 73, 65, 53, 40, 27, 15, 7, 2, 0]
  static let outgoing: [Int] = [0, 0, -2, -4, -8, -12, -16, -20, -22, -24, -24]
}
