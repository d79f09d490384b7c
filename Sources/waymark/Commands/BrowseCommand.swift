import ArgumentParser
import CourseBrowser
import CoursePages
import LearningModel
import NavigationService
import SyncClient
import TerminalIO

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// `waymark browse`, and `waymark` alone.
struct BrowseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Open the full-screen browser.",
    discussion: Example.text("waymark browse english-for-business/negotiating --motion reduced"))

  @OptionGroup var global: GlobalOptions

  @Argument(
    help: "Where to begin (default: where you left off). A path such as english-for-business/negotiating.",
    completion: .places, transform: Given.place)
  var place: String?

  @OptionGroup(title: "How it looks") var look: BrowserLook

  /// Opens the browser, and returns when the learner leaves.
  @MainActor func open() async throws {
    ProcessHeap.share()
    if let linearReason = try linearReason {
      let navigation = try global.navigation(session: .browser)
      if let place { _ = try navigation.place(named: .text(place)) }
      return try browseLinear(linearReason, navigation)
    }
    // A mistyped command is answered as such, wherever the output goes, so the place is looked for first.
    if place == nil { try Self.checkTerminal() }
    let options = try look.options()
    let navigation = try global.navigation(session: .browser)
    if let place {
      _ = try navigation.place(named: .text(place))
      try Self.checkTerminal()
    }
    let recording = try look.record.map { try look.replacing.name($0, database: global.databasePath) }
    // The answer was to keep the file that is there.
    if case .some(nil) = recording { return }
    // The name is taken at once: a recording is worth most when the program crashes.
    if let name = recording ?? nil { try FileOutput(name, isPrivate: true).finish() }
    defer { (recording ?? nil)?.discardIfEmpty() }
    let sync = try SyncOptions.inBackground(of: navigation)
    defer { sync?.finish() }
    let lastWords = try await FullScreen.run(
      options, navigation: navigation, library: global.library(), opening: place.map(PlaceName.text),
      exporting: .of(navigation, database: global.databasePath),
      exportingCourses: .of(global.library(), database: global.databasePath),
      settings: try settingsKeeper,
      synchronising: sync.map { sync in { sync.begin(telling: $0) } })
    for line in lastWords { Printing.line(line) }
  }

  /// The settings as they can be seen and changed from within.
  var settingsKeeper: SettingsKeeper {
    get throws {
      SettingsKeeper(
        path: ProgramEnvironment.current.settingsPath, flags: look.settings,
        environment: try ProgramEnvironment.current.variableSettings)
    }
  }

  private static func checkTerminal() throws {
    guard isatty(STDOUT_FILENO) == 1 else { throw CommandFailure.noTerminal }
  }
}
