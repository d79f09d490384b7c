public import Foundation
package import LearningModel
import LearningStore

/// What statistics are grouped by.
public enum StatisticsGroup: String, Codable, CaseIterable, Hashable, Sendable {
  /// The place after each step.
  case place
  /// The lesson that the place is, or is in; the innermost where lessons are in lessons.
  case lesson
  /// The goal that the place is, or is in.
  case goal
  /// The course.
  case course
  /// Whose steps.
  case learner
  /// The sitting.
  case session
  /// The day, in the asker's time zone.
  case day
  /// The week, which begins on Monday.
  case week
  /// The hour of the day, 0…23.
  case hour
  /// What was done.
  case operation
  /// What it looked like.
  case transition
}

/// The numbers of one group.
public struct StatisticsRow: Hashable, Sendable {
  /// What it is grouped by.
  public let group: StatisticsGroup
  /// Which group it is.
  public let key: Key
  /// How often somebody went to a place; going back and forth along old visits, and repairs, do not count.
  public var visits: Int
  /// How many different places.
  public var places: Int
  /// How long the learners were present.
  public var activeTime: Duration
  /// The share of the visits that went back to where they came from within ten seconds, 0…1; 0 where there is no visit.
  public var turnedBack: Double

  /// Which group.
  public enum Key: Hashable, Sendable {
    /// A place.
    case place(NamedPlace)
    /// A learner's name, a day or week as its first date, an operation, a transition; `none` where a session began.
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

  /// Writes the group under its own name, then `visits`, `places`, `activeMs` and `turnedBack`.
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

/// Where people go next from a place.
public struct NextPlace: Hashable, Encodable, Sendable {
  /// The place they went to.
  public let to: NamedPlace
  /// How often.
  public let count: Int
  /// How often of all times that somebody went on from there, 0…1.
  public let share: Double
}

extension NavigationService {
  /// Returns numbers of the history: times in their order, everything else by active time, the longest first.
  ///
  /// - Parameters:
  ///   - group: What they are grouped by. Steps at places that are in no such group are left out.
  ///   - filter: Of which steps.
  ///   - zone: In which time zone days, weeks and hours are; the learner's where `nil`.
  /// - Throws: ``NavigationError`` where a place, learner or session of the filter does not exist.
  public func statistics(
    by group: StatisticsGroup, _ filter: HistoryFilter = HistoryFilter(), in zone: TimeZone? = nil
  ) throws(NavigationError) -> [StatisticsRow] {
    try read { snapshot in
      guard let query = try HistoryQuery(filter, learner: learner, in: snapshot) else { return [] }
      let names = PlaceNames(snapshot)
      var periods = Periods(in: zone ?? timeZone)
      var sums: [StatisticsKey: StatisticsSum] = [:]
      var keys: [NodeID: NodeID?] = [:]
      try snapshot.forEachCount(matching: query) { step in
        let key: StatisticsKey?
        switch group {
        case .place: key = .node(step.to)
        case .lesson, .goal, .course:
          key = try step.to.flatMap { node in
            if let known = keys[node] { return known.map { .node($0) } }
            let found = try names.nearest(PlaceKind(rawValue: group.rawValue) ?? .course, to: node)?.place.node
            keys[node] = .some(found)
            return found.map { .node($0) }
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
  ///   - filter: The visits.
  ///   - limit: The most visits.
  /// - Throws: ``NavigationError`` if a place, learner or session of the filter does not exist.
  package func visitTimes(_ filter: HistoryFilter, limit: Int) throws(NavigationError) -> [VisitTime] {
    try read { snapshot in
      guard let query = try HistoryQuery(filter, learner: learner, in: snapshot) else { return [] }
      var times: [VisitTime] = []
      try snapshot.forEachVisitTime(matching: query, limit: limit) { times.append($0) }
      return times
    }
  }

  /// Returns where people go next from a place, the most frequent first.
  ///
  /// - Throws: ``NavigationError`` where the place or learner does not exist.
  public func nextPlaces(from name: PlaceName, of scope: LearnerScope = .own) throws(NavigationError) -> [NextPlace] {
    try read { snapshot in
      let node = try PlaceResolver(snapshot: snapshot, current: []).resolveEvenRemoved(name)
      guard let learner = try snapshot.resolve(scope, own: self.learner).learner else { return [] }
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

  mutating func add(_ step: CountedStep) {
    places.insert(step.to)
    active += step.activeMilliseconds
    guard !step.operation.isTraversal, step.operation != .repair else { return }
    visits += 1
    if step.turnedBack { turnedBack += 1 }
  }
}

extension StatisticsRow {
  /// Times go forward; everything else by active time, then visits, then name.
  fileprivate static func inOrder(_ rows: [StatisticsRow], by group: StatisticsGroup) -> [StatisticsRow] {
    // The names of thousands of places are put together once each, not for each comparison.
    let named = rows.map { (row: $0, name: $0.name) }
    guard ![.day, .week, .hour].contains(group) else { return named.sorted { $0.name < $1.name }.map(\.row) }
    return named.sorted {
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

/// The days, weeks and hours of a time zone. Steps come in the order of time, so the last period is most often the next.
struct Periods {
  private let calendar: Calendar
  private var lastDay: (start: Int64, end: Int64)?
  private var lastWeek: (start: Int64, end: Int64)?
  private var lastHour: (quarter: Int64, hour: Int64)?

  init(in zone: TimeZone) {
    calendar = .gregorian(in: zone)
  }

  /// The moment at which the day of a moment begins.
  mutating func day(of moment: Timestamp) -> Int64 {
    Self.start(of: .day, moment, calendar, &lastDay)
  }

  /// The moment at which the week of a moment begins: on Monday.
  mutating func week(of moment: Timestamp) -> Int64 {
    Self.start(of: .weekOfYear, moment, calendar, &lastWeek)
  }

  /// The hour of the day, 0…23.
  ///
  /// Zones differ from Greenwich by quarters of an hour, and change their clocks on them, so an hour is made of whole
  /// quarters. The calendar's hours are of no use here: where clocks go forward by half an hour, two of them overlap.
  mutating func hour(of moment: Timestamp) -> Int64 {
    let quarter = Self.quotient(moment.milliseconds, 900_000)
    if let lastHour, lastHour.quarter == quarter { return lastHour.hour }
    let seconds = Self.quotient(moment.milliseconds, 1000) + Int64(calendar.timeZone.secondsFromGMT(for: moment.date))
    let hour = Self.quotient(seconds, 3600) - 24 * Self.quotient(seconds, 86_400)
    lastHour = (quarter, hour)
    return hour
  }

  /// Divides, and rounds down, also before 1970.
  private static func quotient(_ number: Int64, _ divisor: Int64) -> Int64 {
    number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
  }

  /// The date of a day or week that begins at that moment: `2026-11-20`.
  func date(of start: Int64) -> String {
    let parts = calendar.dateComponents([.year, .month, .day], from: Timestamp(milliseconds: start).date)
    return [(parts.year ?? 0, 4), (parts.month ?? 0, 2), (parts.day ?? 0, 2)].map { number, width in
      String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
    }.joined(separator: "-")
  }

  private static func start(
    of unit: Calendar.Component, _ moment: Timestamp, _ calendar: Calendar, _ last: inout (start: Int64, end: Int64)?
  ) -> Int64 {
    let at = moment.milliseconds
    if let last, last.start <= at, at < last.end { return last.start }
    guard let interval = calendar.dateInterval(of: unit, for: moment.date) else { return at }
    let found = (Timestamp(date: interval.start).milliseconds, Timestamp(date: interval.end).milliseconds)
    last = found
    return found.0
  }
}
