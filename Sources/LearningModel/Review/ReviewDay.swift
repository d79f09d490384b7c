public import Foundation

/// The days of reviews. A day begins at 4 in the morning, local time, or at another hour that the learner has set, so that
/// a review after midnight belongs to the evening before.
public enum ReviewDay {
  /// The hour at which a day begins unless the learner has set another one.
  public static let startHour = 4
  package static let hourRange = 0...23

  /// Returns the number of the day that contains a time: the days since 1970-01-01 in the time zone.
  public static func number(at time: Timestamp, in timeZone: TimeZone, startingAt hour: Int = startHour) -> Int {
    let seconds = time.milliseconds.floorDivided(by: 1000)
    let date = Date(timeIntervalSince1970: Double(seconds))
    let local = seconds + Int64(timeZone.secondsFromGMT(for: date))
    return Int((local - Int64(hour) * 3600).floorDivided(by: 86_400))
  }

  /// Returns the time at which a day begins. If the clock skips the hour, the day begins at the time of the change.
  public static func start(of day: Int, in timeZone: TimeZone, startingAt hour: Int = startHour) -> Timestamp {
    let local = Int64(day) * 86_400 + Int64(hour) * 3600
    // The offset is the one in force at the result, which is at most a day from the same time in UTC.
    var seconds = local - Int64(timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(local))))
    for _ in 0..<2 {
      seconds = local - Int64(timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
    }
    return Timestamp(milliseconds: seconds * 1000)
  }

  /// Returns the date of a day: `2026-11-28`.
  public static func date(of day: Int) -> String {
    String(Timestamp(milliseconds: Int64(day) * 86_400_000).description.prefix { $0 != "T" })
  }

  /// Returns the number of the day with a date such as `2026-11-28`, or `nil` for another text.
  public static func number(ofDate date: String) -> Int? {
    guard let time = Timestamp(date) else { return nil }
    let day = Int(time.milliseconds.floorDivided(by: 86_400_000))
    return Self.date(of: day) == date ? day : nil
  }

  /// Returns the month of a day: `2026-11`.
  public static func month(of day: Int) -> String { String(date(of: day).dropLast(3)) }
}
