import CoursePages
import Foundation
import NavigationService

extension HistoryRow {
  /// How long a place is looked at when a sitting is watched again, in seconds: longer where the learner was for long,
  /// and never for long.
  var secondsInReplay: Double {
    let minutes = Double(activeMilliseconds ?? 0) / 60_000
    return 1.4 + min(1.6, 0.4 * log2(1 + max(0, minutes)))
  }
}

extension [HistoryRow] {
  /// What it takes to watch them again, such as `9 steps, about 20 seconds`.
  var durationOfReplay: String {
    let seconds = Int(reduce(0) { $0 + $1.secondsInReplay }.rounded(.up))
    let time =
      seconds < 10
      ? "\(seconds) seconds"
      : seconds < 100
        ? "about \((seconds + 2) / 5 * 5) seconds"
        : "about \((seconds + 30) / 60) min"
    return Words.count(count, "step") + ", " + time
  }
}
