import Foundation

/// The extent of a test run: the usual tests for a change, or all long campaigns with `make test-long`.
public enum Tier {
  /// Whether this is a long run.
  public static let isLong = isOn(ProcessInfo.processInfo.environment["WAYMARK_LONG_TESTS"])

  /// Returns whether a variable's value enables an option: any value except an empty text and 0.
  public static func isOn(_ value: String?) -> Bool { !["", "0"].contains(value ?? "") }

  /// Returns the number of repetitions for this run.
  ///
  /// - Parameters:
  ///   - usual: The number in a usual run.
  ///   - long: The number in a long run.
  public static func count(_ usual: Int, long: Int) -> Int { isLong ? long : usual }

  /// Returns the number in an environment variable, which sets the extent of a campaign. If the variable is not set,
  /// returns the number for this run.
  public static func number(_ variable: String, usual: Int, long: Int) -> Int {
    ProcessInfo.processInfo.environment[variable].flatMap(Int.init) ?? count(usual, long: long)
  }

  /// Returns the seeds for this run.
  ///
  /// `WAYMARK_SEEDS`, for example `15,22` or `100-149`, selects other seeds, to reproduce a failure or to divide a long
  /// campaign.
  ///
  /// - Parameters:
  ///   - usual: The seeds of a usual run.
  ///   - long: The seeds of a long run.
  public static func seeds(_ usual: [UInt64], long: Range<UInt64>) -> [UInt64] {
    guard let requested = ProcessInfo.processInfo.environment["WAYMARK_SEEDS"] else {
      return isLong ? Array(long) : usual
    }
    return requested.split(separator: ",").flatMap { range in
      let ends = range.split(separator: "-").compactMap { UInt64($0) }
      guard let first = ends.first, let last = ends.last, first <= last else { return [UInt64]() }
      return Array(first...last)
    }
  }
}
