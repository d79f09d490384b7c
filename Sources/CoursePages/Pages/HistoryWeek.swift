import Foundation
package import LearningModel
package import NavigationKit
package import TextCanvas

/// The learner's activity in one week: a bar for each day, and the totals.
package struct HistoryWeek {
  package struct Day: Hashable {
    package var name: String
    /// A block character whose height shows the active time. A block of full height represents an hour or more.
    package var bar: String
    package var isToday: Bool
  }

  /// The days from Monday on. Empty if the week could not be determined.
  package var days: [Day] = []
  /// The total active time, such as `1 h 7 min this week` or, for another week, `1 h 7 min from 9 November`.
  package var time = ""
  /// The last millisecond of the week, as a timestamp.
  package var end = Timestamp(milliseconds: 0)
  /// The active time that a full bar represents, in milliseconds. It is the same for every week, so that weeks are
  /// comparable.
  private static let millisecondsPerRow: Int64 = 3_600_000
  /// The totals, such as `2 sittings, 25 steps`.
  package var counts = ""

  private static let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// Creates an empty week.
  package init() {}

  /// Computes the totals of the week that contains a timestamp. Weeks begin on Monday.
  ///
  /// - Parameter now: The current time.
  @MainActor package init(
    of navigation: NavigationService, at timestamp: Timestamp, now: Timestamp, symbols: Symbols
  ) throws {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = navigation.timeZone
    guard let week = calendar.dateInterval(of: .weekOfYear, for: timestamp.date) else { return }
    let start = week.start
    end = Timestamp(date: week.end).advanced(byMilliseconds: -1)
    let filter = HistoryFilter(since: start, until: end.date)
    var visits = try navigation.history.visitTimes(filter, limit: Self.maximumVisits + 1)
    let isAll = visits.count <= Self.maximumVisits
    if !isAll { visits.removeLast() }

    let active = Self.times(of: visits, from: start, calendar: calendar)
    let today = calendar.dateComponents([.day], from: start, to: now.date).day
    days = zip(Self.names, active).enumerated().map { number, day in
      Day(
        name: day.0,
        bar: Self.bar(min(1, Double(day.1) / Double(Self.millisecondsPerRow)), isEmpty: day.1 == 0, symbols: symbols),
        isToday: number == today)
    }
    let total = active.reduce(0, +)
    let days = RelativeDateFormat(timeZone: navigation.timeZone, now: now)
    let period = week.contains(now.date) ? "this week" : "from " + days.date(Timestamp(date: start))
    time =
      total < 1000 ? period == "this week" ? "" : period : DisplayFormat.duration(milliseconds: total) + " " + period
    let unattended = visits.unattendedVisitIDs()
    let attendedVisits = visits.filter { !unattended.contains($0.id) }
    counts =
      DisplayFormat.count(Set(attendedVisits.map(\.session)).count, "session") + ", "
      + DisplayFormat.count(attendedVisits.count, "step")
    // Only a script can produce more than `maximumVisits` steps in a week. The totals are then shown as lower bounds,
    // such as `over 10000 steps`.
    if !isAll {
      (time, counts) = (time.isEmpty ? "" : "over " + time, "over " + DisplayFormat.count(Self.maximumVisits, "step"))
    }
  }

  /// The maximum number of visits that are added up, newest first. Adding up more visits would delay the page.
  private static let maximumVisits = 10_000

  /// Returns the learner's active time on each day of the week, in milliseconds, from the first day to the last.
  private static func times(of visits: [VisitTime], from start: Date, calendar: Calendar) -> [Int64] {
    let ends = (1...7).map { Timestamp(date: calendar.date(byAdding: .day, value: $0, to: start) ?? start) }
    return visits.reduce(into: Array(repeating: 0, count: 7)) { times, visit in
      if let day = ends.firstIndex(where: { visit.at < $0 }) { times[day] += visit.activeMilliseconds ?? 0 }
    }
  }

  private static func bar(_ fraction: Double, isEmpty: Bool, symbols: Symbols) -> String {
    isEmpty ? symbols.bars[0] : symbols.bars[max(1, DisplayFormat.portion(fraction, of: symbols.bars.count - 1))]
  }
}

// MARK: - Drawing

extension HistoryWeek {
  /// The widths of a day: the letters of its name, the blanks before its bar, the bar, and the blanks after it.
  private struct Layout {
    var letters, before, bar, after: Int

    var width: Int { 7 * (letters + before + bar + after) - after }
  }

  /// The forms from the widest to the narrowest.
  private static let layouts = [
    Layout(letters: 3, before: 1, bar: 4, after: 2), Layout(letters: 3, before: 1, bar: 3, after: 2),
    // The gap after a bar is wider than the gap before it, so that each bar is associated with its own day.
    Layout(letters: 3, before: 1, bar: 2, after: 2), Layout(letters: 2, before: 1, bar: 2, after: 2),
    Layout(letters: 1, before: 0, bar: 2, after: 1), Layout(letters: 1, before: 0, bar: 1, after: 1),
  ]

  /// Draws the days with their bars, such as `Mon ▃▃ Tue ▇▇ Wed    …`, in the widest form that fits.
  package func row(width: Int, theme: Theme) -> StyledText {
    let layout = Self.layouts.first { $0.width <= width } ?? Self.layouts[Self.layouts.count - 1]
    var text = StyledText()
    for (number, day) in days.enumerated() {
      if number > 0 { text.append(String(repeating: " ", count: layout.after)) }
      text.append(String(day.name.prefix(layout.letters)), style: theme[day.isToday ? .strong : .quiet])
      text.append(String(repeating: " ", count: layout.before))
      text.append(String(repeating: day.bar, count: layout.bar), style: theme.line(.accent))
    }
    return text
  }
}
