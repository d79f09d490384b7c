import ArgumentParser
import CourseBrowser

/// `waymark browse`, and `waymark` alone.
struct BrowseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Open the full-screen browser.",
    discussion: Example.text("waymark browse english-for-business/negotiating --motion reduced"))

  @OptionGroup var global: GlobalOptions

  @Argument(help: "Where to begin (default: where you left off). A path such as english-for-business/negotiating.")
  var place: String?

  @OptionGroup(title: "How it looks") var look: BrowserLook
}
