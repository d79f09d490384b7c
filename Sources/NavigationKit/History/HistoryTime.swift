public import Foundation
import LearningModel

/// A time written by a person: a moment, or a period such as a day.
///
/// | text | meaning |
/// |---|---|
/// | `now` | the current time |
/// | `90s`, `10m`, `3h` | a number of seconds, minutes or hours ago |
/// | `7d`, `2w` | the same time of day, a number of days or weeks ago |
/// | `today`, `yesterday` | the whole day |
/// | `tuesday`, `tue` | the last Tuesday before today |
/// | `10:15` | that minute of today |
/// | `yesterday 21:00`, `tue 10:15:30` | that minute or second of the day |
/// | `2026-11`, `2026-11-20` | the whole month, the whole day |
/// | `2026-11-20T10:15`, `2026-11-20 10:15:30` | that minute, that second |
/// | `2026-11-20T10:15:00Z`, `…+01:00` | that moment, whatever the time zone of the user |
///
/// A time without an offset is in the user's time zone. If the clocks are put forward, a time of day in the gap is
/// moved forward by the length of the gap. If the clocks are put back, a time of day that occurs twice starts with the
/// first occurrence and ends with the second.
public struct HistoryTime: Hashable, Sendable {
  /// The first millisecond, for ``HistoryCriteria/since``.
  public let start: Date
  /// The last millisecond, for ``HistoryCriteria/until``.
  public let end: Date

  /// Reads a time.
  ///
  /// - Parameters:
  ///   - text: The text. Case is ignored.
  ///   - now: The current time.
  ///   - zone: The user's time zone.
  /// - Throws: ``NavigationError/unknownTime(text:)``.
  public init(_ text: String, now: Date, in zone: TimeZone) throws(NavigationError) {
    let calendar = Calendar.gregorian(in: zone)
    let word = text.trimmingCharacters(in: .whitespaces).lowercased()
    guard
      let range = Self.ago(word, now, calendar) ?? Self.named(word, now, calendar) ?? Self.exact(text)
        ?? Self.written(word, now, calendar)
    else { throw .unknownTime(text: text) }
    self = range
  }

  private init(_ time: Date) {
    start = Timestamp(date: time).date
    end = start
  }

  private init(_ interval: DateInterval) {
    // Rounded to whole milliseconds so that equal times are equal dates.
    start = Timestamp(date: interval.start).date
    end = Timestamp(date: interval.end).advanced(byMilliseconds: -1).date
  }

  // MARK: - Forms

  private static func ago(_ word: String, _ now: Date, _ calendar: Calendar) -> HistoryTime? {
    if word == "now" { return HistoryTime(now) }
    guard let unit = word.last, let count = Int(word.dropLast()), (0...100_000).contains(count),
      word.dropLast().allSatisfy(\.isASCII)
    else { return nil }
    let component: Calendar.Component? =
      switch unit {
      case "s": .second
      case "m": .minute
      case "h": .hour
      case "d": .day
      case "w": .weekOfYear
      default: nil
      }
    guard let component else { return nil }
    return calendar.date(byAdding: component, value: -count, to: now).map(HistoryTime.init(_:))
  }

  private static func named(_ word: String, _ now: Date, _ calendar: Calendar) -> HistoryTime? {
    day(named: word, now, calendar).flatMap { calendar.dateInterval(of: .day, for: $0) }.map(HistoryTime.init(_:))
  }

  /// Returns the start of a day that is named, such as `yesterday`. Returns `nil` for other words.
  private static func day(named word: some StringProtocol, _ now: Date, _ calendar: Calendar) -> Date? {
    let names = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    var daysAgo: Int?
    switch word {
    case "today": daysAgo = 0
    case "yesterday": daysAgo = 1
    default:
      if let index = names.firstIndex(where: { $0 == word || $0.prefix(3) == word }) {
        let today = calendar.component(.weekday, from: now) - 1
        daysAgo = (today - index + 6) % 7 + 1
      }
    }
    guard let daysAgo else { return nil }
    return calendar.date(byAdding: .day, value: -daysAgo, to: calendar.startOfDay(for: now))
  }

  /// Reads a time with an explicit offset.
  private static func exact(_ text: String) -> HistoryTime? {
    let isAnchored = text.contains("T") || text.contains(" ")
    let time = text.drop { $0 != "T" && $0 != " " }
    guard isAnchored, time.hasSuffix("Z") || time.contains("+") || time.contains("-"),
      let timestamp = Timestamp(text)
    else { return nil }
    return HistoryTime(timestamp.date)
  }

  /// Reads a day, a month, or a time of day. A time without a day is today.
  private static func written(_ word: String, _ now: Date, _ calendar: Calendar) -> HistoryTime? {
    let (day, time) = split(word)
    let today = (components: calendar.dateComponents([.year, .month, .day], from: now), unit: Calendar.Component.day)
    guard var (components, unit) = day.map({ date(written: $0, now, calendar) }) ?? today else { return nil }
    // `Calendar` converts 30 February to 1 March, which is not what the user meant.
    guard components.isValidDate(in: calendar) else { return nil }
    if let time {
      guard unit == .day, let numbers = clock(written: time) else { return nil }
      (components.hour, components.minute, components.second) = (
        numbers[0], numbers[1], numbers.count == 3 ? numbers[2] : 0
      )
      unit = numbers.count == 3 ? .second : .minute
    }
    guard let date = calendar.date(from: components), let first = calendar.dateInterval(of: unit, for: date) else {
      return nil
    }
    guard time != nil, let repeated = repeatedTime(date, calendar),
      let second = calendar.dateInterval(of: unit, for: repeated)
    else { return HistoryTime(first) }
    return HistoryTime(DateInterval(start: first.start, end: second.end))
  }

  /// Reads a day by name, a day in numbers, or a month in numbers. A month is returned as its first day.
  private static func date(
    written day: Substring, _ now: Date, _ calendar: Calendar
  ) -> (parts: DateComponents, unit: Calendar.Component)? {
    if let date = Self.day(named: day, now, calendar) {
      return (calendar.dateComponents([.year, .month, .day], from: date), .day)
    }
    // A year after 9999 may have a sign.
    let day = day.hasPrefix("+") ? day.dropFirst() : day
    guard let numbers = numbers(day, separatedBy: "-"), (4...6).contains(day.prefix { $0 != "-" }.count) else {
      return nil
    }
    let isDay = numbers.count == 3
    return (DateComponents(year: numbers[0], month: numbers[1], day: isDay ? numbers[2] : 1), isDay ? .day : .month)
  }

  /// Reads hours, minutes and optional seconds.
  private static func clock(written time: Substring) -> [Int]? {
    guard let numbers = numbers(time, separatedBy: ":"), zip(numbers, [24, 60, 60]).allSatisfy(<) else { return nil }
    return numbers
  }

  /// Reads two or three numbers.
  private static func numbers(_ text: Substring, separatedBy separator: Character) -> [Int]? {
    let components = text.split(separator: separator, omittingEmptySubsequences: false)
    let numbers = components.compactMap { digits($0) }
    return numbers.count == components.count && (2...3).contains(numbers.count) ? numbers : nil
  }

  /// Returns the second moment at which the clocks show the same time as at `date`, or `nil` if that time occurs only
  /// once.
  private static func repeatedTime(_ date: Date, _ calendar: Calendar) -> Date? {
    let zone = calendar.timeZone
    // Clocks are put back by two hours at most, and seldom by more than one.
    let back = zone.secondsFromGMT(for: date) - zone.secondsFromGMT(for: date.addingTimeInterval(7_200))
    guard back > 0 else { return nil }
    let later = date.addingTimeInterval(Double(back))
    let units: Set<Calendar.Component> = [.day, .hour, .minute, .second]
    return calendar.dateComponents(units, from: later) == calendar.dateComponents(units, from: date) ? later : nil
  }

  private static func split(_ word: String) -> (day: Substring?, time: Substring?) {
    // Names of days contain a “t” too, so only texts that start with a digit are split at “t”.
    let components = word.split(maxSplits: 1) { $0 == " " || $0 == "t" && word.first?.isNumber == true }
    if components.count == 2 { return (components[0], components[1].drop { $0 == " " }) }
    return word.contains(":") ? (nil, Substring(word)) : (Substring(word), nil)
  }

  private static func digits(_ text: Substring) -> Int? {
    text.isEmpty || text.count > 6 || !text.allSatisfy { $0.isASCII && $0.isWholeNumber } ? nil : Int(text)
  }
}

extension TimeZone {
  /// Finds a time zone by its name, such as `Europe/Lisbon` or `UTC`.
  ///
  /// - Throws: ``NavigationError/unknownTimeZone(name:)``.
  package init(named name: String) throws(NavigationError) {
    guard let zone = TimeZone(identifier: name) else { throw .unknownTimeZone(name: name) }
    self = zone
  }
}
