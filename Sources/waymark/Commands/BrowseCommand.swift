import ArgumentParser
import CoursePages

/// `waymark browse`, the default command.
struct BrowseCommand: BrowserCommand {
  static let configuration = CommandConfiguration(
    commandName: BrowserStart.command,
    abstract: "Open the full-screen browser.",
    discussion: Example.text("waymark browse english-for-business/negotiating --motion reduced")
      + "\n\nA file, folder, archive or Git repository is imported first, and imported again if it has changed.")

  @OptionGroup var global: GlobalOptions

  @Argument(
    help: ArgumentHelp(
      "The place to open, such as english-for-business/negotiating (default: where you stopped), or a source to import "
        + "first: a file, a folder, a Git URL, or - for standard input.", valueName: "place"),
    completion: .places, transform: ArgumentParsers.place)
  var place: String?
  @Flag(help: "Open a file or folder without saving it to the database.") var peek = false
  @Flag(help: "Run the checks of exercises even if this system cannot confine them, or as root.") var unprotected =
    false

  @OptionGroup(title: "Display options") var look: BrowserFlags

  func validate() throws {
    if peek, place == nil { throw ValidationError("--peek requires a file, a folder or a Git URL to open.") }
  }

  /// The flags and the argument as plain values, without the parser's property wrappers.
  var start: BrowserStart {
    BrowserStart(
      database: global.database, learner: global.learner, place: place, look: look.settings,
      recording: look.record, replaces: look.replacing.force, isTemporary: peek, isUnprotectedAllowed: unprotected)
  }
}
