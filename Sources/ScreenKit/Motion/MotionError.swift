/// An invalid argument of a motion.
public enum MotionError: Error, Hashable, Sendable {
  /// The completion speed of a transition is not a finite number greater than 0.
  case completionSpeedNotPositive(Double)
}

extension MotionError: CustomStringConvertible {
  /// The problem and its remedy, as one line of text.
  public var description: String {
    switch self {
    case .completionSpeedNotPositive(let speed):
      "Could not complete the transition at speed '\(speed)': a speed must be a number above 0. "
        + "Use 1 to continue at the speed of the animation."
    }
  }
}
