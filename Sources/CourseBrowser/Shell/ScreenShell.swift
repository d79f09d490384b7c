import CourseLibrary
import CoursePages
import LearningModel
import NavigationService
import ScreenKit
import TextCanvas

/// What every screen needs of the browser around it.
@MainActor protocol ScreenShell: AnyObject, Sendable {
  var navigation: NavigationService { get }
  var library: CourseLibrary { get }
  var appearance: Appearance { get }
  /// The whole terminal.
  var size: CellSize { get }
  /// How much moves.
  var motion: MotionPreference { get }
  /// The days that words such as "yesterday" go by.
  var dayNames: DayNames { get }
  /// The pictures of texts, as they are drawn.
  var pictures: DrawnPictures { get }
  /// Does what takes longer than a frame.
  var inBackground: BackgroundWork { get }

  /// Does something that no input asked for, and sees that it is drawn.
  func besideInput(_ body: () -> Void)
  /// Does something with the services, and says in the next step's row what went wrong.
  func trying(_ body: () throws -> Void)
  /// Says something in the row of the next step, for a while.
  func notify(_ words: String)
  /// Puts a text on the clipboard of the terminal, and says so.
  ///
  /// - Parameters:
  ///   - name: What the text is, in a word or two, such as `the link`.
  ///   - more: What else is to be said; `nil` where nothing is.
  func copy(_ text: String, named name: String, saying more: String?)
  /// The key of a command, as the screen shows it; `nil` where it has none.
  func label(of command: Command) -> String?
  /// Says again in the last two rows what can be done.
  func showFooter()
}

extension ScreenShell {
  /// Puts a text on the clipboard, and says so.
  func copy(_ text: String, named name: String) { copy(text, named: name, saying: nil) }
}

/// A page of the course as the shell knows it: where it is, what it says, and how it comes to say something else.
@MainActor protocol CoursePage: Screen {
  var place: Place { get }
  var page: PageModel { get }
  /// Shows what has changed in the meantime.
  func show(_ page: PageModel)
}

/// A page on which something is done, of which the shell keeps how far it is done.
@MainActor protocol ActivityPage: CoursePage {
  /// What to keep of how far the learner has come; `nil` where there is nothing to keep.
  func position(at moment: Timestamp) -> ReadingPosition?
  /// What was read of its passages since that was asked for the last time.
  func takeUnkeptPassages() -> [String: RangeSet<Int>]
}

/// What a link of a text leads to in the same course.
struct LinkTarget: Hashable {
  var node: NodeID
  /// The heading that is meant; `nil` where the place itself is.
  var anchor: String?
  var title: String
  /// What it is, such as `flashcards, 12 cards`.
  var detail: String
}

/// What screens that write notes need of the browser around them.
@MainActor protocol NoteShell: ScreenShell {
  /// Writes a note about words of the text that is seen, or a highlight where it is empty, and shows it there.
  ///
  /// - Parameter id: Of the note that is changed; `nil` for a new one.
  func write(_ text: String, at anchor: NoteAnchor, replacing id: String?)
  /// Takes a note away, and shows that.
  func remove(_ note: Note)
}

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

/// What lies on top of a page needs of the browser around it.
@MainActor protocol OverlayShell: NoteShell {
  /// Which keys mean what.
  var bindings: KeyBindings { get }
  /// Where courses to add are looked for.
  var folders: FolderListing { get }
  /// What can be changed while it runs; `nil` where nothing can.
  var settings: SettingsKeeper? { get }
  /// What can be pressed on the page, or the tab, that is seen below.
  var keysHere: [KeyHint] { get }
  /// Whether what stands beside the page can take the keys.
  var hasPanes: Bool { get }
  /// The place of the page that is seen below.
  var shownPlace: Place? { get }
  /// The headings of the text that is seen below.
  var headings: [ReadingText.Heading] { get }
  /// The pages below, with everything on them.
  var pagesLayer: Layer { get }

  /// Whether an overlay has the keys.
  func isOnTop(_ overlay: Screen) -> Bool
  /// Takes the overlay away; what was below it wakes up.
  func dismissOverlay()
  /// Does what a key, or a word of the palette, asks for.
  func perform(_ command: Command) -> Bool
  /// Goes to a place from wherever the learner is, also from another tab.
  func go(to place: Place)
  /// Goes to a note's words, or to its text where their place is gone.
  func go(to note: PlacedNote)
  /// Goes to a question that was answered wrongly, as it was answered.
  func go(to answer: WrongAnswer)
  /// Shows a heading of the text below at its top.
  func show(anchor: String)
  /// Looks for words in everything.
  func find(_ words: String)
  /// Shows the settings, or the values of one of them.
  func showSettings(at name: String?)
  /// Lets other settings count from now on, as far as they can.
  func apply(_ settings: Settings)
  /// Shows a course that has just come in, where the learner sees the list of courses, and offers what it was before.
  func courseWasAdded(_ report: ImportReport, replacing former: FormerCourse?)
  /// Brings the course in that comes with Waymark, and shows it.
  func addBundledCourse()
  /// Removes a course when the notice of it ends: until then it can be kept.
  func removeSoon(_ course: NamedPlace)
  /// Asks for the file that all notes are written into.
  func exportNotes()
  /// Gives a place a name, its author's where `nil`, and offers to take that back.
  func rename(_ place: NamedPlace, to title: String?)
  /// Lets a text be written in the learner's own editor, and tells what it is then, or why it stays as it was. `nil` where
  /// there is no editor.
  var onEdit: ((_ text: String, _ done: @escaping (Result<String, TextEditor.Failure>) -> Void) -> Void)? { get }
  /// Hands a picture to the system's own program for it; where there is none, says where it is.
  func openOutside(_ picture: KeptPicture)
}
