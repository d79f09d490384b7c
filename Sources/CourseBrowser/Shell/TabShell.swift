import CoursePages
import LearningModel
import NavigationService
import ScreenKit

/// What a page beside the course, such as Find, needs of the browser around it.
@MainActor protocol TabShell: ScreenShell {
  var stage: Stage { get }
  /// The time now.
  var now: Timestamp { get }
  /// The course page that the learner came from; `nil` before there is one.
  var shownPage: (any CoursePage)? { get }
  /// The course that it is in; `nil` in the list of courses.
  var shownCourse: Place? { get }
  /// The steps that are watched in place of the learner's own; `nil` where nothing is watched.
  var performedPath: [HistoryRow]? { get }

  /// Whether a tab is the one that is seen.
  func isSelected(_ tab: Screen) -> Bool
  func selectTab(_ index: Int)
  /// Shows again what stands beside the page.
  func showAside()
  /// Lists the learner's notes.
  func showNotes()
  /// Opens a place that was found; a text shows what it was found for.
  func openFound(_ place: Place, for query: String?, cause: NavigationCause)

  /// Goes to a note's words, or to its text where their place is gone.
  func go(to note: PlacedNote)
  /// Opens a quiz, and shows how it went the last time.
  func openLastAttempt(at quiz: Place)

  /// The steps that the history shows: the learner's, or those of what they watch.
  ///
  /// - Returns: The newest of them, or those after the cursor, and where older ones begin.
  func shownHistory(
    _ filter: HistoryFilter, limit: Int, after cursor: HistoryCursor?
  ) throws -> (rows: [HistoryRow], older: HistoryCursor?)
  func showHistoryFilter()
  func showHistoryExport()
  /// Shows a sitting again.
  func replay(session: Int64)
}
