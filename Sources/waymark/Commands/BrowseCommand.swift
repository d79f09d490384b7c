import ArgumentParser
import CourseBrowser
import CourseLibrary
import Foundation
import NavigationService
import ScreenKit
import TerminalIO

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

  func run() throws {
    let library = try CourseLibrary(databaseAt: global.databasePath)
    let navigation = try NavigationService(
      databaseAt: global.databasePath, learner: global.learnerName, session: .browser)
    let options = look.browserOptions
    let first = place.map(PlaceName.text)
    // A wrong place is said before the screen is taken.
    if let first { _ = try navigation.place(named: first) }

    Task { @MainActor in
      do {
        try await FullScreen.run(options, navigation: navigation, library: library, opening: first)
        Waymark.exit()
      } catch {
        ExitStatus.leave(with: error)
      }
    }
    // The main actor's work is done by the main thread's run loop, which sleeps while there is none.
    RunLoop.main.run()
  }
}
