public import Foundation
package import LearningModel
import LearningStore

/// The criterion by which statistics are grouped.
public enum StatisticsGroup: String, Codable, CaseIterable, Hashable, Sendable {
  /// The destination of a step.
  case place
  /// The lesson that is or contains the destination. If lessons are nested, the innermost.
  case lesson
  /// The goal that is or contains the destination.
  case goal
  /// The course that is or contains the destination.
  case course
  /// The learner who performed the step.
  case learner
  /// The session of the step.
  case session
  /// The day, in the user's time zone.
  case day
  /// The week, which begins on Monday.
  case week
  /// The hour of the day, 0…23.
  case hour
  /// The operation of the step.
  case operation
  /// The transition of the step.
  case transition
}

/// The statistics of one group.
public struct StatisticsRow: Hashable, Sendable {
  /// The criterion by which the steps are grouped.
  public let group: StatisticsGroup
  /// The value of the criterion that the steps of this group have in common.
  public let key: Key
  /// The number of visits. Repairs do not count, nor do `back` and `forward`, which return to earlier visits.
  public var visits: Int
  /// The number of different places.
  public var places: Int
  /// How long the learners were present.
  public var activeTime: Duration
  /// The share of visits after which the learner returned to the previous place within ten seconds, 0…1. 0 if there are
  /// no visits.
  public var turnedBack: Double

  /// The value that the steps of a group have in common.
  public enum Key: Hashable, Sendable {
    /// A place, lesson, goal or course.
    case place(NamedPlace)
    /// A learner's name, the first date of a day or week, an operation or a transition. `none` for steps without a
    /// transition, which begin a session.
    case text(String)
    /// A session's number, or an hour.
    case number(Int64)
  }
}

extension StatisticsRow: Encodable {
  private struct Field: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Encodes the key under the name of the criterion, followed by `visits`, `places`, `activeMs` and `turnedBack`.
  public func encode(to encoder: any Encoder) throws {
    var row = encoder.container(keyedBy: Field.self)
    let name = Field(stringValue: group.rawValue)
    switch key {
    case .place(let place): try row.encode(place, forKey: name)
    case .text(let text): try row.encode(text, forKey: name)
    case .number(let number): try row.encode(number, forKey: name)
    }
    try row.encode(visits, forKey: Field(stringValue: "visits"))
    try row.encode(places, forKey: Field(stringValue: "places"))
    try row.encode(activeTime.milliseconds, forKey: Field(stringValue: "activeMs"))
    try row.encode(turnedBack, forKey: Field(stringValue: "turnedBack"))
  }
}

/// A place that learners visited directly after another place.
public struct NextPlace: Hashable, Encodable, Sendable {
  /// The place that was visited next.
  public let to: NamedPlace
  /// The number of steps to the place.
  public let count: Int
  /// The share of these steps among all steps from the other place, 0…1.
  public let share: Double
}

extension LearnerHistory {
  /// Returns statistics of the history. Days, weeks and hours are in chronological order; all other groups are sorted
  /// by active time, the longest first.
  ///
  /// - Parameters:
  ///   - group: The criterion by which the steps are grouped. Steps without the criterion, such as steps outside
  ///     lessons, are omitted.
  ///   - filter: The criteria that the steps must match.
  ///   - zone: The time zone of days, weeks and hours. If `nil`, the learner's.
  /// - Throws: ``NavigationError`` if a place, learner or session of the filter does not exist.
  public func statistics(
    by group: StatisticsGroup, _ filter: HistoryFilter = HistoryFilter(), in zone: TimeZone? = nil
  ) throws(NavigationError) -> [StatisticsRow] {
    try session.read { snapshot in
      guard let query = try HistoryQuery(filter, learner: session.learner, in: snapshot) else { return [] }
      let names = PlaceNames(snapshot)
      var periods = Periods(in: zone ?? session.timeZone)
      var sums: [StatisticsKey: StatisticsSum] = [:]
      var keys: [NodeID: NodeID?] = [:]
      try snapshot.forEachCount(matching: query) { step in
        let key: StatisticsKey?
        switch group {
        case .place: key = .node(step.to)
        case .lesson, .goal, .course:
          key = try step.to.flatMap { node in
            if let cached = keys[node] { return cached.map { .node($0) } }
            let ancestor = try names.nearest(PlaceKind(rawValue: group.rawValue) ?? .course, to: node)?.place.node
            keys[node] = .some(ancestor)
            return ancestor.map { .node($0) }
          }
        case .learner: key = .number(step.learner.rawValue)
        case .session: key = .number(step.session.rawValue)
        case .day: key = .number(periods.day(of: step.at))
        case .week: key = .number(periods.week(of: step.at))
        case .hour: key = .number(periods.hour(of: step.at))
        case .operation: key = .text(step.operation.rawValue)
        case .transition: key = .text(step.transition?.rawValue ?? "none")
        }
        if let key { sums[key, default: StatisticsSum()].add(step) }
      }
      let rows = try sums.map { key, sum in
        StatisticsRow(
          group: group, key: try name(of: key, in: group, names: names, periods: periods), visits: sum.visits,
          places: sum.places.count, activeTime: .milliseconds(sum.active),
          turnedBack: Double(sum.turnedBack) / Double(max(1, sum.visits)))
      }
      return StatisticsRow.inOrder(rows, by: group)
    }
  }

  private func name(
    of key: StatisticsKey, in group: StatisticsGroup, names: PlaceNames, periods: Periods
  ) throws -> StatisticsRow.Key {
    switch (key, group) {
    case (.node(let node), _): .place(try names.name(of: Place(node)))
    case (.text(let text), _): .text(text)
    case (.number(let number), .learner): .text(try names.name(of: LearnerID(rawValue: number)))
    case (.number(let start), .day), (.number(let start), .week): .text(periods.date(of: start))
    case (.number(let number), _): .number(number)
    }
  }

  /// Returns the times of visits, the newest first.
  ///
  /// - Parameters:
  ///   - filter: The criteria that the visits must match.
  ///   - limit: The maximum number of visits.
  /// - Throws: ``NavigationError`` if a place, learner or session of the filter does not exist.
  package func visitTimes(_ filter: HistoryFilter, limit: Int) throws(NavigationError) -> [VisitTime] {
    try session.read { snapshot in
      guard let query = try HistoryQuery(filter, learner: session.learner, in: snapshot) else { return [] }
      var times: [VisitTime] = []
      try snapshot.forEachVisitTime(matching: query, limit: limit) { times.append($0) }
      return times
    }
  }

  /// Returns the places that learners visit directly after a place, the most frequent first.
  ///
  /// - Parameters:
  ///   - name: The place, which may have been removed.
  ///   - scope: The learners.
  /// - Throws: ``NavigationError`` if the place or learner does not exist.
  public func nextPlaces(from name: PlaceName, of scope: LearnerScope = .current) throws(NavigationError) -> [NextPlace]
  {
    try session.read { snapshot in
      let node = try PlaceResolver(snapshot: snapshot, current: []).resolveEvenRemoved(name)
      guard let learner = try snapshot.resolve(scope, own: session.learner).learner else { return [] }
      let counts = try snapshot.placesAfter(node?.id, for: learner)
      let all = counts.reduce(0) { $0 + $1.count }
      let names = PlaceNames(snapshot)
      return try counts.map {
        NextPlace(to: try names.name(of: $0.to), count: $0.count, share: Double($0.count) / Double(all))
      }
    }
  }
}

private enum StatisticsKey: Hashable {
  case node(NodeID?)
  case text(String)
  case number(Int64)
}

private struct StatisticsSum {
  var visits = 0
  var places: Set<NodeID?> = []
  var active: Int64 = 0
  var turnedBack = 0

  mutating func add(_ step: CountedEvent) {
    places.insert(step.to)
    active += step.activeMilliseconds
    guard !step.operation.isTraversal, step.operation != .repair else { return }
    visits += 1
    if step.turnedBack { turnedBack += 1 }
  }
}

extension StatisticsRow {
  /// Sorts days, weeks and hours in ascending order, and other groups by descending active time, then by descending
  /// visits, then by name.
  fileprivate static func inOrder(_ rows: [StatisticsRow], by group: StatisticsGroup) -> [StatisticsRow] {
    // Names of places are computed once per row. Computing them in each comparison would be slow with thousands of
    // places.
    let namedRows = rows.map { (row: $0, name: $0.name) }
    guard ![.day, .week, .hour].contains(group) else { return namedRows.sorted { $0.name < $1.name }.map(\.row) }
    return namedRows.sorted {
      ($1.row.activeTime, $1.row.visits, $0.name) < ($0.row.activeTime, $0.row.visits, $1.name)
    }.map(\.row)
  }

  private var name: String {
    switch key {
    case .place(let place): place.path.description
    case .text(let text): text
    case .number(let number): String(repeating: "0", count: max(0, 19 - String(number).count)) + String(number)
    }
  }
}

/// Converts times to days, weeks and hours of a time zone. Successive times are mostly in the same period, so the last
/// periods are cached.
struct Periods {
  private let calendar: Calendar
  private var lastDay: (start: Int64, end: Int64)?
  private var lastWeek: (start: Int64, end: Int64)?
  private var lastHour: (quarter: Int64, hour: Int64)?

  init(in zone: TimeZone) {
    calendar = .gregorian(in: zone)
  }

  /// Returns the start of the day that contains a time, in milliseconds since 1970.
  mutating func day(of time: Timestamp) -> Int64 {
    Self.start(of: .day, time, calendar, &lastDay)
  }

  /// Returns the start of the week (Monday) that contains a time, in milliseconds since 1970.
  mutating func week(of time: Timestamp) -> Int64 {
    Self.start(of: .weekOfYear, time, calendar, &lastWeek)
  }

  /// Returns the hour of the day, 0…23.
  ///
  /// Offsets of time zones are multiples of a quarter of an hour, and clocks are changed at such times, so the hour is
  /// cached for a quarter of an hour. `Calendar.dateInterval(of: .hour, …)` is not used: if clocks are put forward by
  /// half an hour, it returns two overlapping hours.
  mutating func hour(of time: Timestamp) -> Int64 {
    let quarter = Self.quotient(time.milliseconds, 900_000)
    if let lastHour, lastHour.quarter == quarter { return lastHour.hour }
    let seconds = Self.quotient(time.milliseconds, 1000) + Int64(calendar.timeZone.secondsFromGMT(for: time.date))
    let hour = Self.quotient(seconds, 3600) - 24 * Self.quotient(seconds, 86_400)
    lastHour = (quarter, hour)
    return hour
  }

  /// Divides and rounds towards negative infinity, so that times before 1970 are correct.
  private static func quotient(_ number: Int64, _ divisor: Int64) -> Int64 {
    number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
  }

  /// Returns the date of the day or week that begins at a time, such as `2026-11-20`.
  func date(of start: Int64) -> String {
    let components = calendar.dateComponents([.year, .month, .day], from: Timestamp(milliseconds: start).date)
    return [(components.year ?? 0, 4), (components.month ?? 0, 2), (components.day ?? 0, 2)].map { number, width in
      String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
    }.joined(separator: "-")
  }

  private static func start(
    of unit: Calendar.Component, _ time: Timestamp, _ calendar: Calendar, _ last: inout (start: Int64, end: Int64)?
  ) -> Int64 {
    let at = time.milliseconds
    if let last, last.start <= at, at < last.end { return last.start }
    guard let interval = calendar.dateInterval(of: unit, for: time.date) else { return at }
    let bounds = (Timestamp(date: interval.start).milliseconds, Timestamp(date: interval.end).milliseconds)
    last = bounds
    return bounds.0
  }
}
