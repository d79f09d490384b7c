import Foundation

/// How thorough a run is: what guards a change, or, for `make test-long`, the long campaigns too.
public enum Tier {
  /// Whether this is a long run.
  public static let isLong = ProcessInfo.processInfo.environment["WAYMARK_LONG_TESTS"] != nil

  /// The number for this run.
  ///
  /// - Parameters:
  ///   - usual: What guards a change.
  ///   - long: What the long campaigns do.
  public static func count(_ usual: Int, long: Int) -> Int { isLong ? long : usual }
}
