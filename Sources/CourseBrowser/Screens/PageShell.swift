internal import LearningModel
internal import NavigationService
internal import ScreenKit
internal import TextCanvas

/// What a page needs of the browser around it.
@MainActor protocol PageShell: AnyObject {
  var appearance: Appearance { get }
  /// The whole terminal.
  var size: CellSize { get }
  /// How much moves.
  var motion: MotionPreference { get }

  /// The layout of lists that was asked for; `nil` lets the room decide.
  var layout: ListGeometry.Layout? { get }

  /// Goes somewhere: computes and records the step, then shows it.
  func navigate(_ request: NavigationRequest, cause: NavigationCause)
  /// Opens a card of a page: goes to its place, or does what it says.
  func open(_ card: CardModel, on page: ListScreen, cause: NavigationCause)
  /// The end of a text was read: it is done, and the next one follows.
  func readOn(from page: ReadingScreen)
  /// Tells that what a page says has changed: its keys, its progress.
  func pageChanged(_ page: PageScreen)
}
