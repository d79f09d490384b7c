import CoursePages
import LearningModel
import NavigationService
import TextCanvas

/// The week's bars, and those of the weeks before.
extension HistoryScreen {
  /// Milliseconds of a week.
  private static let weekLength: Int64 = 7 * 24 * 3_600_000

  /// Shows the bars of another week, so many further, and goes to its last step.
  func showWeek(by step: Int) {
    let next = min(0, weekNumber + step)
    guard next != weekNumber else { return }
    let moment = shell.now.advanced(byMilliseconds: Int64(next) * Self.weekLength)
    shell.trying {
      let week = try HistoryWeek(of: shell.navigation, at: moment, now: shell.now, symbols: drawing.symbols)
      // Behind the first step there is nothing to go to.
      let until = HistoryFilter(until: week.end)
      guard try next == 0 || !shell.navigation.history(until, limit: 1).rows.isEmpty else {
        return shell.notify("Nothing was done before this week.")
      }
      (self.week, weekNumber) = (week, next)
      goToLastStep(until: week.end)
    }
  }

  /// Answers the arrows that lead from week to week.
  func handleWeeks(_ event: InputEvent) -> Bool {
    guard case .key(let key) = event, key.phase != .release, key.modifiers.isEmpty else { return false }
    switch key.key {
    case .left: showWeek(by: -1)
    case .right: showWeek(by: 1)
    default: return false
    }
    return true
  }
}
