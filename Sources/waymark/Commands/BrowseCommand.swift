import ArgumentParser
import CoursePages

/// `waymark browse`, the default command.
struct BrowseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: BrowserStart.command,
    abstract: "Open the full-screen browser.",
    discussion: Example.text("waymark browse english-for-business/negotiating --motion reduced")
      + "\n\nA file, folder, archive or Git repository is imported first, and again when it has changed.")

  @OptionGroup var global: GlobalOptions

  @Argument(
    help: ArgumentHelp(
      "Where to begin (default: where you left off): a place such as english-for-business/negotiating, a file, a folder, "
        + "- for standard input, or the address of a Git repository.", valueName: "place"),
    completion: .places, transform: Given.place)
  var place: String?
  @Flag(help: "Open a file or folder and keep nothing of it.") var peek = false

  @OptionGroup(title: "How it looks") var look: BrowserLook

  func validate() throws {
    if peek, place == nil { throw ValidationError("--peek needs a file, a folder or an address to open.") }
  }

  /// The flags and the argument, without the parser's wrappers.
  var start: BrowserStart {
    BrowserStart(
      database: global.database, learner: global.learner, place: place, look: look.settings,
      recording: look.record, replaces: look.replacing.force, isTemporary: peek)
  }
}
