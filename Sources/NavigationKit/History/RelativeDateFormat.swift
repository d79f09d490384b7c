package import Foundation
package import LearningModel

/// Formats times relative to now, in the learner's time zone: `today`, `on Tuesday`, `Tuesday 21:01`. Dates of other years
/// contain the year.
package struct RelativeDateFormat {
  package let timeZone: TimeZone
  package let now: Timestamp

  package init(timeZone: TimeZone, now: Timestamp) {
    self.timeZone = timeZone
    self.now = now
  }

  package var calendar: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    return calendar
  }

  /// Returns `today`, `yesterday`, `on Tuesday` within a week, and `on 3 November` for earlier days.
  package func on(_ timestamp: Timestamp) -> String {
    switch daysAgo(timestamp) {
    case ...0: "today"
    case 1: "yesterday"
    case 2..<7: "on " + weekday(timestamp)
    default: "on " + date(timestamp)
    }
  }

  /// Returns `21:01` for today, `yesterday 21:01`, `Tuesday 21:01` within a week, and `3 November` for earlier days.
  package func at(_ timestamp: Timestamp) -> String {
    let time = time(timestamp)
    return switch daysAgo(timestamp) {
    case ...0: time
    case 1: "yesterday " + time
    case 2..<7: weekday(timestamp) + " " + time
    default: date(timestamp)
    }
  }

  /// Returns `today at 21:01`, `yesterday at 21:01`, `on Tuesday at 21:01` within a week, and `on 3 November` for
  /// earlier days.
  package func when(_ timestamp: Timestamp) -> String {
    daysAgo(timestamp) < 7 ? on(timestamp) + " at " + time(timestamp) : on(timestamp)
  }

  /// Returns the time of day, such as `21:01`.
  package func time(_ timestamp: Timestamp) -> String {
    let components = calendar.dateComponents([.hour, .minute], from: timestamp.date)
    let (hour, minute) = (components.hour ?? 0, components.minute ?? 0)
    return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }

  /// Midnight at the start of today.
  package var startOfDay: Timestamp { Timestamp(date: calendar.startOfDay(for: now.date)) }
  /// Midnight at the start of yesterday.
  package var startOfYesterday: Timestamp {
    let today = calendar.startOfDay(for: now.date)
    return Timestamp(date: calendar.date(byAdding: .day, value: -1, to: today) ?? today)
  }
  /// The last millisecond of yesterday.
  package var endOfYesterday: Timestamp { startOfDay.advanced(byMilliseconds: -1) }
  /// Midnight at the start of this week's Monday.
  package var startOfWeek: Timestamp {
    var weeks = Calendar(identifier: .iso8601)
    weeks.timeZone = timeZone
    return weeks.dateInterval(of: .weekOfYear, for: now.date).map { Timestamp(date: $0.start) } ?? startOfDay
  }

  private func daysAgo(_ timestamp: Timestamp) -> Int {
    let (from, to) = (calendar.startOfDay(for: timestamp.date), calendar.startOfDay(for: now.date))
    return calendar.dateComponents([.day], from: from, to: to).day ?? 0
  }

  package func weekday(_ timestamp: Timestamp) -> String {
    Self.weekdays[calendar.component(.weekday, from: timestamp.date) - 1]
  }

  /// Returns `3 November`, or `3 November 2025` if now is in another year.
  package func date(_ timestamp: Timestamp) -> String {
    let components = calendar.dateComponents([.day, .month, .year], from: timestamp.date)
    let isThisYear = components.year == calendar.component(.year, from: now.date)
    return "\(components.day ?? 1) " + Self.months[(components.month ?? 1) - 1]
      + (isThisYear ? "" : " \(components.year ?? 0)")
  }

  package static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
  package static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
}
