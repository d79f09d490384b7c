import CourseLibrary
import CoursePages
import LearningModel
import NavigationService
import ScreenKit

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
