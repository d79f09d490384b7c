// Reference values, in double precision. They were computed apart from this project, in Python: the closed forms
// checked against a numerical solution of the oscillator (SciPy's DOP853), the roots found with brentq. Values called
// measured were read off UIKit on iOS 27.

/// A rubber band over 80 points with the constant 0.55.
enum RubberBandReference {
  static let pull: [Double] = [0, 10, 20, 40, 80, 160]
  static let offset: [Double] = [0, 5.14619883, 9.67032967, 17.254901961, 28.387096774, 41.904761905]
}

/// A page of 80 columns pushed in with ease in out, over one that gives way by 0.3 of its width.
enum SlideReference {
  static let fraction: [Double] = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
  static let incoming: [Int] = [80, 78, 73, 65, 53, 40, 27, 15, 7, 2, 0]
  static let outgoing: [Int] = [0, 0, -2, -4, -8, -12, -16, -20, -22, -24, -24]
}
