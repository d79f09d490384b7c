import Foundation
import LearningModel
import NavigationKit
import TestSupport

/// The time of the first page of the history for every filter, and of the statistics of a year.
struct HistorySpeed {
  private static let rounds = 41
  let path: String
  let events: Int
  let seed: UInt64

  func tables() throws -> [Table] { [try pages(), try statistics()] }

  private func service(_ learner: String) throws -> NavigationService {
    try NavigationService(databaseAt: path, learner: learner, timeZone: TimeZone(identifier: "UTC")!)
  }

  // MARK: Pages

  private func pages() throws -> Table {
    var table = Table(
      "Store: the first page of the history, of \(events.grouped) steps",
      note:
        "Twenty rows with paths and titles; the median of \(Self.rounds) runs, processor time including the kernel. "
        + "The raw statements are those of the page, through SQLite's C interface. "
        + "The numbered rows are ten pairs of filters.",
      columns: ["filter", "rows", "median", "slowest", "raw median", "ratio"])
    var maximum = 0.0
    for (name, filter) in try filters() {
      let recorded = Statements()
      var rows = 0
      try recorded.record { beginSegment in
        let service = try self.service("often")
        beginSegment()
        rows = try service.history.page(filter, limit: 20).rows.count
      }
      let service = try self.service("often")
      let replay = try recorded.replay(on: path)
      try replay.runPreparation()
      var ours = Samples()
      var raw = Samples()
      for round in 0..<Self.rounds + 3 {
        var one = Samples()
        var other = Samples()
        try one.measure(.process) { rows = try service.history.page(filter, limit: 20).rows.count }
        try other.measure(.process) { try replay.run(piece: 0) }
        guard round >= 3 else { continue }
        ours.add(nanoseconds: one.median)
        raw.add(nanoseconds: other.median)
      }
      maximum = max(maximum, ours.median)
      table.add(
        name, "\(rows)", ours.median.asTime, ours.quantile(1).asTime, raw.median.asTime,
        (ours.median / raw.median).asRatio, target: "≤ 2 ms", isMet: ours.median <= 2_000_000)
    }
    return table
  }

  private func filters() throws -> [(String, HistoryFilter)] {
    let session = try Shell.numbers("SELECT max(id) FROM session WHERE learner = 1", in: path)[0]
    let early = try Shell.numbers("SELECT min(id) FROM session WHERE learner = 1", in: path)[0]
    let rareNode = try Shell.numbers(
      "SELECT toNode FROM navigationEvent WHERE learner = 1 AND toKind = 'activity' ORDER BY toNode DESC LIMIT 1",
      in: path)[0]
    let goals = try Shell.numbers("SELECT id FROM contentNode WHERE kind = 'goal' ORDER BY position", in: path)
    func place(_ id: Int64) -> PlaceName { .place(.node(NodeID(rawValue: id))) }
    let (often, seldom) = (place(goals[0]), place(rareNode))
    let length = GrownHistory.length * Int64(GrownHistory(events: events, seed: seed).years)
    let middle = Timestamp(milliseconds: GrownHistory.begin + length / 2)
    let late = Timestamp(milliseconds: GrownHistory.begin + length * 999 / 1000)
    let soon = Timestamp(milliseconds: GrownHistory.begin + length / 1000)
    let course: PlaceName = .text("course-0")
    let pairs = pairs(often: often, seldom: seldom, course: course, session: early, middle: middle, late: late)
    return [
      ("none: the own history", HistoryFilter()),
      ("learner: everyone", HistoryFilter(learner: .everyone)),
      ("learner: with few steps", HistoryFilter(learner: .named(GrownHistory.rare.name))),
      ("course", HistoryFilter(course: course)),
      ("course, everyone", HistoryFilter(learner: .everyone, course: course)),
      ("under: often", HistoryFilter(under: often)),
      ("under: seldom", HistoryFilter(under: seldom)),
      ("kind: activity", HistoryFilter(kind: .activity)),
      ("kind: course, rare", HistoryFilter(kind: .course)),
      ("kind: root, never", HistoryFilter(kind: .root)),
      ("operation: next", HistoryFilter(operation: .next)),
      ("operation: popToRoot, rare", HistoryFilter(operation: .popToRoot)),
      ("operation: popToRoot, everyone", HistoryFilter(learner: .everyone, operation: .popToRoot)),
      ("transition: siblingSlide", HistoryFilter(transition: .siblingSlide)),
      ("transition: courseCard, never", HistoryFilter(transition: .courseCard)),
      ("cause: key", HistoryFilter(cause: .key)),
      ("cause: bookmark, rare", HistoryFilter(cause: .bookmark)),
      ("session: the last", HistoryFilter(session: "\(session)")),
      ("session: by a frequent name", HistoryFilter(session: "browser")),
      ("session: by a rare name", HistoryFilter(session: "script")),
      ("since: half a year", HistoryFilter(since: middle.date)),
      ("since: the last hours", HistoryFilter(since: late.date)),
      ("until: half a year", HistoryFilter(until: middle.date)),
      ("until: the first hours", HistoryFilter(until: soon.date)),
      ("until: half a year, everyone", HistoryFilter(learner: .everyone, until: middle.date)),
    ] + pairs
  }

  /// Returns ten pairs of filters, each with frequent and rare values.
  private func pairs(
    often: PlaceName, seldom: PlaceName, course: PlaceName, session: Int64, middle: Timestamp, late: Timestamp
  ) -> [(String, HistoryFilter)] {
    [
      ("1 course often + kind often", HistoryFilter(course: course, kind: .activity)),
      ("1 course often + kind seldom", HistoryFilter(course: course, kind: .course)),
      ("2 under often + operation often", HistoryFilter(under: often, operation: .next)),
      ("2 under often + operation seldom", HistoryFilter(under: often, operation: .popToRoot)),
      ("2 under seldom + operation often", HistoryFilter(under: seldom, operation: .next)),
      ("3 under often + since early", HistoryFilter(under: often, since: middle.date)),
      ("3 under often + since late", HistoryFilter(under: often, since: late.date)),
      ("3 under seldom + since early", HistoryFilter(under: seldom, since: middle.date)),
      ("4 kind often + operation often", HistoryFilter(kind: .activity, operation: .next)),
      ("4 kind often + operation seldom", HistoryFilter(kind: .lesson, operation: .popToRoot)),
      ("4 kind seldom + operation often", HistoryFilter(kind: .course, operation: .next)),
      ("5 kind often + cause often", HistoryFilter(kind: .activity, cause: .key)),
      ("5 kind often + cause seldom", HistoryFilter(kind: .activity, cause: .bookmark)),
      ("6 operation often + transition often", HistoryFilter(operation: .next, transition: .crossFade)),
      ("6 operation seldom + transition often", HistoryFilter(operation: .popToRoot, transition: .siblingSlide)),
      ("7 transition often + cause often", HistoryFilter(transition: .crossFade, cause: .mouse)),
      ("7 transition often + cause seldom", HistoryFilter(transition: .crossFade, cause: .bookmark)),
      ("8 operation often + until", HistoryFilter(operation: .next, until: middle.date)),
      ("8 operation seldom + until", HistoryFilter(operation: .popToRoot, until: middle.date)),
      ("9 session name often + operation seldom", HistoryFilter(operation: .popToRoot, session: "browser")),
      ("9 session name seldom + operation often", HistoryFilter(operation: .next, session: "script")),
      ("9 one session + operation often", HistoryFilter(operation: .push, session: "\(session)")),
      (
        "10 since + until, a week",
        HistoryFilter(since: middle.date, until: Timestamp(milliseconds: middle.milliseconds + 7 * 86_400_000).date)
      ),
      (
        "10 since + until, a minute",
        HistoryFilter(since: middle.date, until: Timestamp(milliseconds: middle.milliseconds + 60_000).date)
      ),
    ]
  }

  // MARK: Statistics

  private func statistics() throws -> Table {
    var table = Table(
      "Store: statistics of one learner's year, \(GrownHistory.year.events.grouped) steps",
      columns: ["by", "rows", "median", "slowest"])
    let service = try self.service(GrownHistory.year.name)
    for group in [
      StatisticsGroup.day, .week, .hour, .place, .lesson, .goal, .course, .session, .operation, .transition,
    ] {
      var samples = Samples()
      var rows = 0
      for _ in 0..<9 { try samples.measure(.process) { rows = try service.history.statistics(by: group).count } }
      table.add(
        group.rawValue, "\(rows)", samples.median.asTime, samples.quantile(1).asTime, target: "≤ 50 ms",
        isMet: samples.median <= 50_000_000)
    }
    return table
  }
}
