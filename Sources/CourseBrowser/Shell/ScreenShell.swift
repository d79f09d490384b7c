import CourseLibrary
import CoursePages
import LearningModel
import Motion
import NavigationService
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
