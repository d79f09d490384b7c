import Foundation

/// How long the campaigns go on: seconds in `make test`, hours in `make test-long`.
enum CampaignLength {
  /// Whether this run has the time.
  static let isLong = ProcessInfo.processInfo.environment["WAYMARK_LONG_TESTS"] == "1"

  /// One of two numbers, by how much time there is.
  static func rounds(short: Int, long: Int) -> Int { isLong ? long : short }
}
