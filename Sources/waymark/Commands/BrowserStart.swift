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

/// A start of the browser: what was asked for, most of the time nothing.
///
/// It has none of the argument parser's wrappers, which ask the runtime for the abilities of each flag's type: making them
/// takes a thirtieth of a start, and parsing with them a quarter.
struct BrowserStart: LearnerChoice, Equatable {
  var database: String?
  var learner: String?
  /// Where to begin: a place, or a source to import first; `nil` for where the learner left off.
  var place: String?
  /// What the flags say of how it looks.
  var look = Settings()
  /// Whether a flag asks for lines instead of a full screen.
  var isLinear = false
  /// The file to record the session into.
  var recording: String?
  /// Whether that file may be there already.
  var replaces = false
  /// Whether nothing is kept: the database is deleted at the end.
  var isTemporary = false
}

extension BrowserStart {
  /// The command that opens the browser, also where no command is named.
  static let command = "browse"

  /// What words without a flag ask for, as the parser would read them; `nil` where they may be more than a place.
  ///
  /// - Parameter isCommand: Whether a command is called so.
  init?(plain words: [String], besides isCommand: (String) -> Bool) {
    self.init()
    let isNamed = words.first == Self.command
    let rest = words.dropFirst(isNamed ? 1 : 0)
    guard rest.count < 2, rest.allSatisfy({ $0 != "help" && (!$0.hasPrefix("-") || $0 == Self.standardInput) }) else {
      return nil
    }
    guard let word = rest.first else { return }
    // The parser knows the usage that belongs to what is wrong.
    guard isNamed || !isCommand(word), let place = try? Given.place(word) else { return nil }
    self.place = place
  }

  /// Opens the browser, and returns when the learner leaves.
  ///
  /// - Returns: The signal that ended it, where one did. The process shall end by it now that the database is closed: what
  ///   its log holds is in the file, and the next start need not read it.
  @MainActor func open() async throws -> EndingSignal? {
    ProcessHeap.share()
    return try await isTemporary || place == Self.standardInput ? openTemporarily() : openBrowser()
  }

  @MainActor func openBrowser() async throws -> EndingSignal? {
    if let linearReason = try linearReason {
      if let recording { throw CommandFailure.cannotRecordLines(file: recording) }
      let navigation = try browserNavigation()
      let opening = try place.map { try path(of: $0, in: navigation) }
      // The user declined an import.
      if case .some(nil) = opening { return nil }
      try browseLinear(linearReason, navigation, at: opening ?? nil)
      return nil
    }
    // A mistyped command is answered as such, wherever the output goes, so the place is looked for first.
    if place == nil { try Self.checkTerminal() }
    let options = try options
    let navigation = try browserNavigation()
    let opening = try place.map { try path(of: $0, in: navigation, checking: Self.checkTerminal) }
    // The user declined an import.
    if case .some(nil) = opening { return nil }
    try Self.checkTerminal()
    let file = try recording.map {
      try OutputName($0, database: databasePath, replacing: replaces ? .always : .asking)
    }
    // The answer was to keep the file that is there.
    if case .some(nil) = file { return nil }
    // The name is taken at once: a recording is worth most when the program crashes.
    if let name = file ?? nil { try FileOutput(name, isPrivate: true).finish() }
    defer { (file ?? nil)?.discardIfEmpty() }
    let sync = try isTemporary ? nil : SyncOptions.inBackground(of: navigation)
    defer { sync?.finish() }
    let library = try library()
    let (lastWords, signal) = try await FullScreen.run(
      options, navigation: navigation, library: library, opening: (opening ?? nil).map { .text($0.description) },
      exporting: .of(navigation, database: databasePath),
      exportingCourses: .of(library, database: databasePath),
      settings: try settingsKeeper,
      synchronising: sync.map { sync in { sync.begin(telling: $0) } })
    if signal == nil { for line in lastWords { Printing.line(line) } }
    return signal
  }

  /// The navigation of an interactive front end, which continues without recording if the database cannot be written.
  private func browserNavigation() throws -> NavigationService {
    let navigation = try navigation(session: .browser)
    navigation.allowUnrecordedSteps()
    return navigation
  }

  /// What is asked of the browser; what no flag says is left to the environment, then to the settings file.
  private var options: BrowserOptions {
    get throws {
      var options = look.over(try ProgramEnvironment.current.settings).options
      options.recordingPath = recording
      return options
    }
  }

  /// The settings as they can be seen and changed from within.
  var settingsKeeper: SettingsKeeper {
    get throws {
      SettingsKeeper(
        path: ProgramEnvironment.current.settingsPath, flags: look,
        environment: try ProgramEnvironment.current.variableSettings)
    }
  }

  static func checkTerminal() throws {
    guard isatty(STDOUT_FILENO) == 1 else { throw CommandFailure.noTerminal }
  }
}
