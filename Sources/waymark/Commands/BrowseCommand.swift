import ArgumentParser
import CoursePages

/// `waymark browse`, and `waymark` alone.
struct BrowseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: BrowserStart.command,
    abstract: "Open the full-screen browser.",
    discussion: Example.text("waymark browse english-for-business/negotiating --motion reduced"))

  @OptionGroup var global: GlobalOptions

  @Argument(
    help: "Where to begin (default: where you left off). A path such as english-for-business/negotiating.",
    completion: .places, transform: Given.place)
  var place: String?

  @OptionGroup(title: "How it looks") var look: BrowserLook

  /// What its flags and its argument ask for.
  var start: BrowserStart {
    BrowserStart(
      database: global.database, learner: global.learner, place: place, look: look.settings, isLinear: look.linear,
      recording: look.record, replaces: look.replacing.force)
  }
}
