import CoursePages
import Foundation
import LearningModel
import NavigationService

/// The steps as lines: day by day.
extension HistoryScreen {
  /// One row of the list.
  enum Line: Hashable {
    case day(title: String, summary: String)
    case step(HistoryRow, before: HistoryGraph.Before?)
    /// Another sitting of the same day begins: when, and how long it was.
    case sitting(title: String)
    case gap
    /// No step is asked for.
    case nothing
  }

  /// Days, the newest first, each with its steps in their order.
  ///
  /// - Parameters:
  ///   - isAll: Whether no step is older. Else nobody knows yet how many there were on the oldest day.
  ///   - isPart: Whether there are steps between them that are not shown: only those are joined that follow each other.
  ///   - isTight: Whether only days stand apart, as where a terminal has no row to spare.
  static func lines(
    of rows: [HistoryRow], isAll: Bool, isPart: Bool = false, isTight: Bool = false, in zone: TimeZone
  ) -> [Line] {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let days = Dictionary(grouping: rows) { calendar.startOfDay(for: $0.at.date) }
    let oldest = days.keys.min()
    return days.keys.sorted(by: >).enumerated().flatMap { number, day -> [Line] in
      let steps = days[day]!.sorted { $0.id < $1.id }
      let active = steps.compactMap(\.activeMilliseconds).reduce(0, +)
      let parts = calendar.dateComponents([.weekday, .day, .month], from: day)
      let title =
        "\(DayNames.weekdays[parts.weekday! - 1]) \(parts.day!) \(DayNames.months[parts.month! - 1])"
      // Who only passed by was there for no time worth a number.
      let time = active < 1000 ? "" : Words.duration(milliseconds: active) + ", "
      let summary = time + Words.count(steps.count, "step")
      let header = Line.day(title: title, summary: isAll || day != oldest ? summary : "")
      return (isTight ? number == 0 ? [header] : [.gap, header] : [.gap, header, .gap])
        + steps.enumerated().flatMap { index, step -> [Line] in
          let last = index > 0 && steps[index - 1].session == step.session ? steps[index - 1] : nil
          let isJoined = last.map { !isPart || $0.sequence + 1 == step.sequence } ?? false
          let row = Line.step(
            step,
            before: isJoined
              ? last.map { HistoryGraph.Before(depth: $0.stack.count - 1, isJump: !step.isBeside($0)) } : nil)
          let isAnother = index > 0 && steps[index - 1].session != step.session && !isTight
          return isAnother ? [.sitting(title: words(ofSittingFrom: step, in: steps, zone)), row] : [row]
        }
    }
  }

  /// When a sitting begins that is not its day's first, and how long it was: `20:13, 48 min`.
  private static func words(ofSittingFrom step: HistoryRow, in steps: [HistoryRow], _ zone: TimeZone) -> String {
    let active = steps.filter { $0.session == step.session }.compactMap(\.activeMilliseconds).reduce(0, +)
    let time = DayNames(timeZone: zone, now: step.at).time(step.at)
    return time + (active < 1000 ? "" : ", " + Words.duration(milliseconds: active))
  }
}

extension HistoryRow {
  /// Whether it leads from a step to what is in the place, around it, or beside it, as keys do from card to card; else it
  /// is a jump.
  fileprivate func isBeside(_ last: HistoryRow) -> Bool {
    let (from, to) = (last.stack.map(\.place), stack.map(\.place))
    let common = zip(from, to).prefix { $0 == $1 }.count
    return common == to.count || common == from.count || common == from.count - 1 && common == to.count - 1
  }
}
