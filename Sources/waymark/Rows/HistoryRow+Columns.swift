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
      Column("duration", alignment: .right) { ($0.dwellTime?.milliseconds).map(TimeSpent.text) ?? "" },
      Column("path", mayShrink: true, omissionRank: 4) { $0.to.path.description },
    ]
  }
}

/// The format of times in tables.
enum LocalTime {
  /// Returns a time such as `2026-11-20 10:15:00` in a time zone.
  static func text(_ timestamp: Timestamp, in zone: TimeZone) -> String {
    let offset = Int64(zone.secondsFromGMT(for: timestamp.date)) * 1000
    return String(timestamp.advanced(byMilliseconds: offset).description.dropLast(5)).replacing("T", with: " ")
  }
}

/// The format of durations in tables.
enum TimeSpent {
  /// Returns a duration such as `48 min`, `12 s` or `3 h 20 min`. Hours and days are followed by the next smaller unit.
  static func text(_ milliseconds: Int64) -> String {
    let seconds = milliseconds / 1000
    return switch seconds {
    case ..<1: "0 s"
    case ..<60: "\(seconds) s"
    case ..<3600: "\(seconds / 60) min"
    case ..<86_400: "\(seconds / 3600) h \(seconds / 60 % 60) min"
    default: "\(seconds / 86_400) d \(seconds / 3600 % 24) h"
    }
  }
}
