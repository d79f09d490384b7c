/// How much may move.
public enum MotionPreference: String, Hashable, Sendable {
  /// Everything.
  case full
  /// Nothing moves: screens cross-fade.
  case reduced
  /// Nothing is animated: screens are there at once.
  case none
}
