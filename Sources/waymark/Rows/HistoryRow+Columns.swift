import Foundation
import LearningModel
import NavigationKit

extension HistoryRow {
  /// What a person wants to know of a step.
  static func columns(in zone: TimeZone) -> [Column<HistoryRow>] {
    [
      Column("id", alignment: .right) { String($0.id) },
      Column("when") { LocalTime.text($0.at, in: zone) },
      Column("learner") { $0.learner },
      Column("did") { $0.operation.rawValue },
      Column("to", mayShrink: true) { $0.to.title },
      Column("kind") { $0.to.kind.rawValue },
      Column("stayed", alignment: .right) { $0.dwellMilliseconds.map(TimeSpent.text) ?? "" },
      Column("path", mayShrink: true) { $0.to.path.description },
    ]
  }
}

/// A moment as a person reads it.
enum LocalTime {
  /// `2026-11-20 10:15:00`, in a zone.
  static func text(_ moment: Timestamp, in zone: TimeZone) -> String {
    let offset = Int64(zone.secondsFromGMT(for: moment.date)) * 1000
    return String(moment.advanced(byMilliseconds: offset).description.prefix(19)).replacing("T", with: " ")
  }
}

/// A length of time as a person reads it.
enum TimeSpent {
  /// `48 min`, `12 s`: the largest unit of which there is one, and the next one below it while that is coarse.
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
