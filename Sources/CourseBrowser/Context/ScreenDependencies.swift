import CourseKit
import CoursePages
import Exercises
import ExternalPrograms
import LearningModel
import NavigationKit
import ScreenKit
import TextCanvas

/// The dependencies of a page of a course.
@MainActor struct PageContext {
  unowned let screen: ScreenContext
  unowned let navigator: any PageNavigator
  unowned let recorder: any ActivityLog
  unowned let overlays: any TextOverlays
  unowned let observer: any PageObserver
}

/// Opens the places to which cards and links of a page lead.
@MainActor protocol PageNavigator: AnyObject {
  /// Computes and records a navigation, then shows it.
  func navigate(_ request: NavigationRequest, cause: NavigationCause)
  /// Computes and records a navigation, then shows it with a notice that an activity is not done.
  func navigate(_ request: NavigationRequest, cause: NavigationCause, notice: String)
  /// Opens the place of a card, or performs the action of a card without a place.
  func open(_ card: CardModel, cause: NavigationCause)
  /// Returns the target of a link in the same library, or `nil` if the link is a web address or its target does not
  /// exist.
  func target(of destination: String, on page: any CoursePage) -> LinkTarget?
  /// Follows a link. A web address is opened by the system, or copied if the system cannot open it.
  func follow(_ destination: String, from page: any CoursePage, cause: NavigationCause)
  /// Searches the page's course for a query that was typed in a text.
  func widenSearch(_ query: String)
}

/// Opens the places that tabs and overlays list.
@MainActor protocol PlaceNavigator: AnyObject {
  /// The page of the learner's current place, or `nil` before there is one.
  var currentPage: (any CoursePage)? { get }
  /// The course that the learner is in, or `nil` in the list of courses.
  var currentCourse: Place? { get }

  /// Opens a place from a tab. If a query is given, a text highlights its matches.
  func openSearchResult(_ place: Place, for query: String?, cause: NavigationCause, then: @escaping () -> Void)
  /// Opens a quiz and shows its last attempt.
  ///
  /// - Parameter question: The question to show, or `nil` for the list of all.
  func openLastAttempt(at quiz: Place, question: Int?)
  /// Goes to the text of a note.
  func go(to note: PlacedNote)
  /// Opens the activity of a card at the card: the flashcard, the question, or the passage of an own card.
  func open(_ card: ReviewCard, then: @escaping () -> Void)
}

/// Records the learner's activity on pages, and their notes.
@MainActor protocol ActivityLog: AnyObject {
  /// Whether the learner looks at the page: no overlay covers it, the terminal has the focus, and nothing is played
  /// back.
  var isReading: Bool { get }

  /// Records an activity event and updates the screen.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - place: The activity.
  ///   - page: The page of the activity, or a list that contains it.
  /// - Returns: A message about the lesson, goal or course that the event completes, or `nil` if it completes none.
  @discardableResult func record(_ event: ActivityEventContent, in place: Place, on page: any CoursePage) -> String?
  /// Marks an activity as done or not done, and shows a notice with the key that undoes it.
  func mark(_ place: Place, asDone isDone: Bool, on page: any CoursePage)
  /// Saves the position in an activity, so that the learner can continue there.
  func savePosition(of page: any ActivityPage)
  /// Keeps an unfinished quiz until the program ends. `nil` discards it.
  func saveRun(_ run: QuizRun?, in place: Place)
  /// Saves a note at an anchor in the visible text, or a highlight if `text` is empty. Shows a notice about a note with the
  /// key that undoes it.
  ///
  /// - Parameters:
  ///   - id: The note to change, or `nil` for a new one.
  ///   - onFailure: Called if the note could not be saved, possibly after a wait.
  func write(_ text: String, at anchor: NoteAnchor, replacing id: String?, onFailure: @escaping () -> Void)
  /// Removes a note or an own card, and shows a notice with the key that restores it.
  ///
  /// - Parameter place: The activity, or `nil` for the visible one.
  func remove(_ note: Note, in place: Place?)
  /// Reads the notes and own cards of the page again.
  func updateNotesOfPage()
}

/// Opens overlays for the text of a page.
@MainActor protocol TextOverlays: AnyObject {
  /// Shows an image from a text in an overlay that grows from the image's rectangle, which `sourceFrame` returns.
  func show(_ image: ReadingText.Image, from sourceFrame: @escaping () -> CellRect)
  /// Returns the note that the learner began to write in a text and did not save, or `nil`.
  func draft(in place: Place) -> NoteDraft?
  /// Asks for the question and the answer of a new card of an activity.
  ///
  /// - Parameters:
  ///   - question: The question that is suggested.
  ///   - answer: The answer that is suggested. Paragraphs are separated by empty lines.
  ///   - anchor: The passage of which the card is made, or `nil`.
  func askForCard(question: String, answer: String, at anchor: NoteAnchor?, in place: Place)
  /// Asks for the changed question and answer of an own card.
  ///
  /// - Parameter another: Makes another card of the same passage, or `nil`.
  func askToChange(card: Note, in place: Place, another: (() -> Void)?)
  /// Shows the commands of an exercise's course. If the learner allows them, calls `done`.
  func askForPermission(
    _ exercise: CourseExercise, under protection: SandboxProtection, done: @escaping () -> Void) throws
  /// Shows the hints of an exercise that the learner has asked for.
  func showHints(of exercise: CourseExercise, _ work: ExerciseWork, isPassed: Bool) throws
  /// Asks for the text of an existing note, or of a new note if `note` is `nil`.
  func askForNote(_ note: Note?, at anchor: NoteAnchor)
}

/// Reads the cards of lists.
@MainActor protocol CardSource: AnyObject {
  /// Returns cards around a focus, about as many before it as after it. Returns `nil` if they cannot be read.
  func cards(of place: Place, around focus: ChildSummaries.Focus) -> CardWindow?
  /// Returns a description for a place without a summary: the first titles in the place, or the beginning of its text.
  func contents(of card: CardModel) -> String
  /// Returns what is next in a course: `next: Counter-offers`, `begins with: Foreword`, or `done`.
  func next(in course: CardModel) -> String
}

/// Is notified of changes of a page.
@MainActor protocol PageObserver: AnyObject {
  /// Called when the content of a page, such as its keys or its progress, has changed.
  func pageChanged(_ page: any CoursePage)
  /// Called when content of a page has moved but not changed.
  func pageMoved()
}

/// A page of a course.
@MainActor protocol CoursePage: Screen {
  var place: Place { get }
  var page: PageModel { get }
  /// The node of the selected card, or `nil` on pages without cards.
  var chosenNode: NodeID? { get }
  /// Shows a newer model.
  func show(_ page: PageModel)
}

/// A page whose progress is recorded.
@MainActor protocol ActivityPage: CoursePage {
  /// Returns the position to save, or `nil` if there is nothing to save.
  func position(at time: Timestamp) -> ReadingPosition?
  /// Returns the passages that were read since the last call.
  func takeUnsavedPassages() -> [String: RangeSet<Int>]
}

/// The target of a link in the library.
struct LinkTarget: Hashable {
  var node: NodeID
  /// The heading to show, or `nil` for the beginning.
  var anchor: String?
  var title: String
  /// A description, such as `flashcards, 12 cards`.
  var detail: String
}

/// A tour or a replay: the browser shows steps while the learner watches. The steps are computed but not recorded.
@MainActor protocol Playback: CommandResponder {
  var hint: Footer.Hint { get }
  /// The steps that History shows, or `nil` to show the learner's own history.
  var path: [HistoryRow]? { get }

  /// Handles an event.
  ///
  /// - Returns: `false` if the event is a key of a command, or has ended the playback.
  func handle(_ event: InputEvent) -> Bool

  /// Cancels everything that is scheduled.
  func stop()
}

extension InputEvent {
  /// Whether the event is an intended action. `false` for key releases, focus changes and resizes.
  var isIntended: Bool {
    switch self {
    case .key(let key): key.phase != .release
    case .mouse(let mouse):
      switch mouse.action {
      case .press, .scroll: true
      default: false
      }
    case .paste: true
    case .focus, .resize: false
    }
  }
}

/// A note that the learner began to write and did not save.
struct NoteDraft {
  let note: Note?
  let anchor: NoteAnchor
  let text: String

  /// Identifies the note: an existing one, or the passage for a new one.
  struct Subject: Hashable {
    let place: Place?
    let note: String?
    let digest: String
    let quote: String

    init(_ place: Place?, _ note: Note?, _ anchor: NoteAnchor) {
      (self.place, self.note, digest, quote) = (place, note?.id, anchor.digest, anchor.quote)
    }
  }
}
