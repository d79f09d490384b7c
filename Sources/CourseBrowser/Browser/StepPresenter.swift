import LearningModel
import Motion
import NavigationService
import ScreenKit

/// Shows steps: each becomes a push, a pop or a switch. It alone knows what is in flight, and what a hand holds of it.
@MainActor final class StepPresenter: BrowserPart {
  let transitions = BrowserTransitions()
  let tabTransitions = TabTransitions()
  /// The step that a hand makes, or has caught, until it has arrived.
  var hand: HandStep?
  /// The step whose transition runs.
  var flight: Flight? { didSet { if flight == nil, hasNews { followImport() } } }
  /// Whether a course was imported while the transition of a step ran.
  var hasNews = false
  /// The change of tabs whose transition runs.
  var tabFlight: Transition?
  /// What says that another process has changed the database.
  var dataVersion: Int?
  private(set) lazy var gestures = HandGestures(steps: self)

  /// The pages from the list of courses to the one where the learner is, by the log.
  override var pages: [PageScreen] { hand?.pages ?? stack.screens.compactMap { $0 as? PageScreen } }
  /// The page that commands are for: the one where the learner is, also while it still moves in.
  override var page: PageScreen? { pages.last }
}
