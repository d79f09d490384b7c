import Foundation

/// How thorough a run is: what guards a change, or, for `make test-long`, the long campaigns too.
public enum Tier {
  /// Whether this is a long run.
  public static let isLong = isOn(ProcessInfo.processInfo.environment["WAYMARK_LONG_TESTS"])

  /// Whether such a value of a variable asks for something: any but none, an empty one and 0.
  public static func isOn(_ value: String?) -> Bool { !["", "0"].contains(value ?? "") }

  /// The number for this run.
  ///
  /// - Parameters:
  ///   - usual: What guards a change.
  ///   - long: What the long campaigns do.
  public static func count(_ usual: Int, long: Int) -> Int { isLong ? long : usual }

  /// The seeds for this run; `WAYMARK_SEEDS`, such as `15,22` or `100-149`, asks for others, so that a finding can be had
  /// again and a long campaign be run in pieces.
  ///
  /// - Parameters:
  ///   - usual: What guards a change.
  ///   - long: What the long campaigns go through.
  public static func seeds(_ usual: [UInt64], long: Range<UInt64>) -> [UInt64] {
    guard let asked = ProcessInfo.processInfo.environment["WAYMARK_SEEDS"] else { return isLong ? Array(long) : usual }
    return asked.split(separator: ",").flatMap { piece in
      let ends = piece.split(separator: "-").compactMap { UInt64($0) }
      guard let first = ends.first, let last = ends.last, first <= last else { return [UInt64]() }
      return Array(first...last)
    }
  }
}
