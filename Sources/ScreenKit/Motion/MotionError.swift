/// What this room refuses.
public enum MotionError: Error, Hashable, Sendable {
  /// A transition was to be completed at a speed that leads nowhere.
  case completionSpeedNotPositive(Double)
}

extension MotionError: CustomStringConvertible {
  /// The error in words.
  public var description: String {
    switch self {
    case .completionSpeedNotPositive(let speed):
      "Could not complete the transition at speed '\(speed)': a speed must be a number above 0. "
        + "Use 1 to go on as fast as the animation itself."
    }
  }
}
