/// The amount of motion that the user prefers.
public enum MotionPreference: String, Hashable, Sendable {
  /// All transitions are animated.
  case full
  /// No motion: screens cross-fade instead.
  case reduced
  /// No animation: screens change immediately.
  case none
}
