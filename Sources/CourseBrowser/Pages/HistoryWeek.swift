internal import Foundation
internal import LearningModel
internal import NavigationService

/// The week so far: a bar a day, and what it adds up to.
struct HistoryWeek {
  /// Such as `Mon ▃  Tue ▇  Wed   …`.
  var bars = ""
  /// The same with a letter for each day, for where there is less room.
  var shortBars = ""
  /// Such as `1 h 7 min this week`.
  var time = ""
  /// Such as `2 sittings, 25 steps`.
  var counts = ""

  private static let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// Nothing yet.
  init() {}

  /// Adds up the week that a moment is in. Weeks begin on Monday.
  @MainActor init(of navigation: NavigationService, at moment: Timestamp, symbols: Symbols) throws {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = navigation.timeZone
    guard let start = calendar.dateInterval(of: .weekOfYear, for: moment.date)?.start else { return }
    let filter = HistoryFilter(since: Timestamp(date: start))

    let active = Self.days(of: try navigation.statistics(by: .day, filter), from: start, calendar: calendar)
    let most = max(1, active.max() ?? 1)
    let days = zip(Self.names, active).map { name, time in
      (name, bar: Self.bar(Double(time) / Double(most), isEmpty: time == 0, symbols: symbols))
    }
    bars = days.map { $0 + " " + $1 }.joined(separator: "  ")
    shortBars = days.map { $0.prefix(1) + $1 }.joined(separator: " ")
    time = Words.duration(milliseconds: active.reduce(0, +)) + " this week"
    let steps = try navigation.history(filter).rows
    counts = Words.count(Set(steps.map(\.session)).count, "sitting") + ", " + Words.count(steps.count, "step")
  }

  private static func days(of rows: [StatisticsRow], from start: Date, calendar: Calendar) -> [Int64] {
    (0..<7).map { offset in
      let date = calendar.date(byAdding: .day, value: offset, to: start) ?? start
      let parts = calendar.dateComponents([.year, .month, .day], from: date)
      let name = String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
      return rows.first { $0.key == .text(name) }?.activeMilliseconds ?? 0
    }
  }

  private static func bar(_ share: Double, isEmpty: Bool, symbols: Symbols) -> String {
    isEmpty ? symbols.bars[0] : symbols.bars[max(1, Int((share * Double(symbols.bars.count - 1)).rounded()))]
  }
}
