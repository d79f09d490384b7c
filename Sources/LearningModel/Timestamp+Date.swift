public import Foundation
import WholeNumbers

extension Timestamp {
  /// Creates the time of a date, rounded down to the millisecond.
  ///
  /// Law: `Timestamp(date: timestamp.date) == timestamp`.
  public init(date: Date) {
    // A date is a number of seconds with an error of less than a microsecond.
    self.init(milliseconds: Int64(clamping: (date.timeIntervalSince1970 * 1000 + 0.001).rounded(.down)))
  }

  /// The time as a `Date`.
  public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

extension Timestamp {
  /// Returns the time after a duration, or before it if the duration is negative. Fractions of a millisecond are
  /// ignored.
  public func advanced(by duration: Duration) -> Timestamp { advanced(byMilliseconds: duration.milliseconds) }
}

extension Duration {
  /// The duration in whole milliseconds, rounded toward zero.
  package var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
