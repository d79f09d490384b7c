import CoursePages
import LearningModel
import NavigationService
import ScreenKit
import TextCanvas

/// What a page of a course needs of the browser around it.
@MainActor protocol PageShell: NoteShell {
  /// The layout of lists that was asked for; `nil` lets the room decide.
  var layout: ListGeometry.Layout? { get }
  /// Whether the learner looks at the page: nothing lies on it, the terminal has the keyboard, and nothing is performed.
  var isAttending: Bool { get }
  /// Whether something lies on the page, which is dimmed then.
  var isCovered: Bool { get }

  /// More of the cards of a page's list, about as many before as after one of them; `nil` where they cannot be read.
  func cards(of place: Place, around focus: ChildCards.Focus) -> CardWindow?
  /// What is in a place, where its author has written no summary: the first titles, or the first words of its text.
  func contents(of card: CardModel) -> String

  /// Goes somewhere: computes and records the step, then shows it.
  func navigate(_ request: NavigationRequest, cause: NavigationCause)
  /// Opens a card of the page that is seen: goes to its place, or does what it says.
  func open(_ card: CardModel, cause: NavigationCause)
  /// Asks which course to add.
  func addCourse()

  /// Writes down what the learner did, and shows everywhere what follows from it.
  ///
  /// - Parameters:
  ///   - place: The activity.
  ///   - page: Where they did it: the activity's own page, or a list that it is in.
  /// - Returns: What is said of the lesson, the goal or the course that is done with it; `nil` where none is.
  @discardableResult func record(_ act: LearningAct, in place: Place, on page: any CoursePage) -> String?
  /// Keeps how far the learner has come in an activity, so that it is taken up there.
  func keepPosition(of page: any ActivityPage)
  /// Keeps a quiz as it is seen when it is left, such as for a link in an explanation, until the program ends; `nil` where
  /// there is nothing to come back to. What is not answered to its end is kept for longer with the position.
  func keep(_ run: QuizRun?, in place: Place)

  /// What a link of a text leads to in the same course; `nil` where it leads out of the course, or nowhere.
  func target(of destination: String, on page: any CoursePage) -> LinkTarget?
  /// Goes where a link leads. An address outside the course is shown by the system, and copied where nobody would see
  /// that; of anything else it says that it is not opened.
  func follow(_ destination: String, from page: any CoursePage, cause: NavigationCause)
  /// Where in a text something stands that its place was found for; nowhere where that cannot be read.
  func matches(of query: String, in text: String) -> TextMatches
  /// Looks for words that were looked for in one text in its course, and from there in everything.
  func widenSearch(_ words: String)
  /// Shows a picture of a text on a page of its own, from where it stands.
  func show(_ picture: ReadingText.Picture, from place: @escaping () -> CellRect)
  /// What was begun to be written in a text, and left; `nil` where nothing was.
  func draft(in place: Place) -> NoteDraft?
  /// Asks for the words of a note, a new one where `nil`, about words of the page that is seen.
  func askForNote(_ note: Note?, at anchor: NoteAnchor)

  /// Tells that what a page says has changed: its keys, its progress.
  func pageChanged(_ page: any CoursePage)
  /// Tells that something of a page has another place, and nothing else has changed.
  func pageMoved()
}
