/// Where a screen is between being away and being there.
public enum AppearanceState: Hashable, Sendable, CustomStringConvertible {
  /// Not seen.
  case disappeared
  /// Coming in.
  case appearing
  /// There.
  case appeared
  /// Going out.
  case disappearing

  /// In words.
  public var description: String {
    switch self {
    case .disappeared: "not shown"
    case .appearing: "appearing"
    case .appeared: "shown"
    case .disappearing: "disappearing"
    }
  }
}
