import CoursePages
import Foundation
import LearningModel
import NavigationKit

extension HistoryRow {
  /// Returns the columns of the history table.
  static func columns(in zone: TimeZone) -> [Column<HistoryRow>] {
    [
      Column("id", alignment: .right, omissionRank: 2) { String($0.id) },
      Column("time") { LocalTime.text($0.at, in: zone) },
      Column("learner", omissionRank: 3) { $0.learner },
      Column("step") { DisplayFormat.step($0.operation) },
      Column("to", mayShrink: true) { $0.to.title },
      Column("kind", omissionRank: 1) { $0.to.noun.singular },
      Column("duration", alignment: .right, omissionRank: 0) {
        $0.dwellTime.map { DisplayFormat.duration(milliseconds: $0.milliseconds) } ?? ""
      },
      Column("path", mayShrink: true, omissionRank: 4) { $0.to.path.description },
    ]
  }
}

/// The format of times in tables.
enum LocalTime {
  /// Returns a time such as `2026-11-20 10:15` in a time zone.
  static func text(_ timestamp: Timestamp, in zone: TimeZone) -> String {
    let offset = Int64(zone.secondsFromGMT(for: timestamp.date)) * 1000
    return String(timestamp.advanced(byMilliseconds: offset).description.dropLast(8)).replacing("T", with: " ")
  }
}
