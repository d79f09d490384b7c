import Answers
import ArgumentParser
import CourseBrowser
import CourseKit
import CoursePages
import Exercises
import Foundation
import LearningModel
import LinearBrowser
import NavigationKit
import ScreenKit
import TerminalIO
import TextCanvas

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The flags and the argument of `waymark browse`, usually all at their defaults.
///
/// The type does not use the property wrappers of the argument parser, which inspect each flag's type at run time.
/// Measured: creating the wrappers takes 1/30 of the start-up time, and parsing with them 1/4.
struct BrowserStart: LearnerChoice, Equatable {
  var database: String?
  var learner: String?
  /// The place to open, or a source to import first. If `nil`, the learner's last place is opened.
  var place: String?
  /// Words in the text of the place, which is shown at their best match.
  var query: String?
  /// The settings that are given by flags.
  var look = Settings()
  /// The file to which the session is recorded, or `nil`.
  var recording: String?
  /// Whether an existing recording may be replaced.
  var replaces = false
  /// Whether the database is temporary and deleted at the end.
  var isTemporary = false
  /// The review with which the browser begins, or `nil`.
  var review: ReviewRequest?
  /// Whether the manual is shown, from which it cannot be opened again.
  var isManual = false
  /// Whether checks of exercises may run if the system does not confine them, or as root.
  var isUnprotectedAllowed = false
}

/// A command that opens the browser.
protocol BrowserCommand: ParsableCommand {
  var start: BrowserStart { get }
}

extension BrowserStart {
  /// The name of the command, which is also the default command.
  static let command = "browse"

  /// Parses arguments without flags in the same way as the argument parser. Returns `nil` if the arguments may contain
  /// anything other than a place.
  ///
  /// - Parameter isCommand: Returns whether a word is the name of a command.
  init?(plain arguments: [String], besides isCommand: (String) -> Bool) {
    self.init()
    let isNamed = arguments.first == Self.command
    let remaining = arguments.dropFirst(isNamed ? 1 : 0)
    guard remaining.count < 2,
      remaining.allSatisfy({ $0 != "help" && (!$0.hasPrefix("-") || $0 == ScratchFolder.standardInput) })
    else {
      return nil
    }
    guard let word = remaining.first else { return }
    // These arguments are left to the argument parser, which prints an error with the matching usage.
    guard isNamed || !isCommand(word), let place = try? ArgumentParsers.place(word) else { return nil }
    self.place = place
  }

  /// Opens the browser and returns when the learner quits.
  ///
  /// - Returns: The signal that ended the browser, or `nil`. The process must end itself with this signal after the
  ///   database has been closed. Closing writes the write-ahead log to the database file, so that the next start need
  ///   not read the log.
  @MainActor func open() async throws -> EndingSignal? {
    ProcessHeap.useSharedHeap()
    return try await isTemporary || place == ScratchFolder.standardInput ? openTemporarily() : openBrowser()
  }

  @MainActor func openBrowser() async throws -> EndingSignal? {
    if let linearReason = try linearReason {
      if let recording { throw CommandFailure.cannotRecordLines(file: recording) }
      let navigation = try browserNavigation()
      let opening = try place.map { try path(of: $0, in: navigation) }
      // The user declined an import.
      if case .some(nil) = opening { return nil }
      try browseLinear(linearReason, navigation, at: opening ?? nil, reviewing: review)
      return nil
    }
    // The place is resolved before the terminal is checked, so that a mistyped command is reported as such even without
    // a terminal.
    if place == nil, review?.place == nil { try Self.checkTerminal() }
    let settings = try look.over(ProgramEnvironment.current.settings)
    let navigation = try browserNavigation()
    if let reviewed = review?.place { _ = try navigation.places.named(reviewed) }
    let opening = try place.map { try path(of: $0, in: navigation, checking: Self.checkTerminal) }
    // The user declined an import.
    if case .some(nil) = opening { return nil }
    try Self.checkTerminal()
    let file = try recording.map {
      try OutputName($0, database: databasePath, replacing: replaces ? .always : .asking)
    }
    // The user declined to replace the file.
    if case .some(nil) = file { return nil }
    // The file is created at once: a recording is most useful if the program crashes.
    if let name = file ?? nil { try FileOutput(name, isPrivate: true).finish() }
    defer { (file ?? nil)?.discardIfEmpty() }
    let sync = try isTemporary ? nil : SyncOptions.inBackground(of: navigation)
    defer { sync?.finish() }
    let library = try library()
    let (lastWords, signal) = try await FullScreen.run(
      settings, recording: recording, navigation: navigation, library: library,
      opening: (opening ?? nil).map { .text($0.description) }, matching: query, reviewing: review,
      exporting: .of(navigation, database: databasePath),
      exportingCourses: .of(library, database: databasePath, learner: learnerName),
      changing: try settingsStore, checkingUnprotected: isUnprotectedAllowed, losingChanges: lossReason,
      manual: isManual ? nil : .embedded(look),
      synchronising: sync.map { sync in { sync.begin(reportingTo: $0) } })
    if signal != .hangup { for line in lastWords { Printing.line(line) } }
    return signal
  }

  /// Returns the navigation service of an interactive front end. If the database cannot be written, the service
  /// continues without recording.
  func browserNavigation() throws -> NavigationService {
    let navigation = try navigation(session: .browser)
    navigation.allowUnrecordedSteps()
    return navigation
  }

  /// The settings with their sources, which the browser can show and change.
  var settingsStore: SettingsStore {
    get throws {
      SettingsStore(
        path: ProgramEnvironment.current.settingsPath, flags: look,
        environment: try ProgramEnvironment.current.variableSettings)
    }
  }

  /// Why the learner's changes are lost at the end, or `nil` if the database is kept.
  private var lossReason: String? {
    isTemporary ? isManual ? "the manual is not kept" : "this course is not kept" : nil
  }

  static func checkTerminal() throws {
    guard isatty(STDOUT_FILENO) == 1 else { throw CommandFailure.noTerminal }
  }
}

struct BrowserFlags: ParsableArguments {
  struct Motion: SettingWord { static let setting = SettingName.motion; let text: String }
  struct Colour: SettingWord { static let setting = SettingName.color; let text: String }
  struct Theme: SettingWord { static let setting = SettingName.theme; let text: String }
  struct Layout: SettingWord { static let setting = SettingName.layout; let text: String }
  struct Symbols: SettingWord { static let setting = SettingName.symbols; let text: String }
  struct Mouse: SettingWord { static let setting = SettingName.mouse; let text: String }
  struct Pictures: SettingWord { static let setting = SettingName.pictures; let text: String }

  @Option(help: .setting(.motion)) var motion: Motion?
  @Option(parsing: .unconditional, help: .setting(.frameRate)) var frameRate: Int?
  @Option(help: .setting(.color)) var color: Colour?
  @Option(help: .setting(.theme)) var theme: Theme?
  @Option(help: .setting(.layout)) var layout: Layout?
  @Option(help: .setting(.symbols)) var symbols: Symbols?
  @Option(help: .setting(.mouse)) var mouse: Mouse?
  @Option(help: .setting(.pictures)) var pictures: Pictures?
  @Flag(help: .setting(.linear)) var linear = false
  @Option(help: ArgumentHelp("Record the session to an asciicast file.", valueName: "file.cast"), completion: .file())
  var record: String?
  @OptionGroup var replacing: ReplacingOption

  func validate() throws {
    if let frameRate, !SettingsTable.frameRates.contains(frameRate) {
      throw ValidationError("--frame-rate must be from 1 to 240, not \(frameRate).")
    }
  }

  /// The settings from the flags.
  var settings: Settings {
    var settings = Settings()
    for name in SettingName.allCases {
      if let text = text(of: name) { _ = settings.set(name, to: text) }
    }
    return settings
  }

  /// Returns the value that a flag gives to a setting, or `nil` if the flag is missing.
  private func text(of name: SettingName) -> String? {
    switch name {
    case .theme: theme?.text
    case .motion: motion?.text
    case .frameRate: frameRate.map { String($0) }
    case .color: color?.text
    case .layout: layout?.text
    case .symbols: symbols?.text
    case .mouse: mouse?.text
    case .pictures: pictures?.text
    case .linear: linear ? "on" : nil
    case .width, .hyperlinks, .editor, .sync: nil
    }
  }
}

/// The value of a flag that accepts the same words as a setting.
protocol SettingWord: ExpressibleByArgument {
  static var setting: SettingName { get }
  var text: String { get }

  init(text: String)
}

extension SettingWord {
  static var allValueStrings: [String] { setting.row.allowedWords }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
  var defaultValueDescription: String { text }

  init?(argument: String) {
    guard Self.allValueStrings.contains(argument) else { return nil }
    self.init(text: argument)
  }
}

extension ArgumentHelp {
  /// Returns the help for the flag of a setting.
  static func setting(_ name: SettingName) -> ArgumentHelp {
    let flag = name.row.flag
    return ArgumentHelp(flag?.help ?? "", valueName: flag?.valueName)
  }
}

extension BrowserStart {
  /// The reason for linear mode: the flag, the environment, the settings file or a dumb terminal. `nil` for full-screen
  /// mode.
  ///
  /// - Throws: `SettingsError`. The settings file is read even if the flag is set, so that a file that cannot be read is
  ///   reported early.
  var linearReason: LinearReason? {
    get throws {
      let environment = ProgramEnvironment.current
      let (variables, file) = (try environment.variableSettings, try environment.fileSettings)
      if look.isLinear { return .flag }
      if variables.isLinear { return .environment }
      if variables.text(of: .linear) == nil, file.isLinear { return .settings }
      return environment.isDumb && StandardOutput().isTerminal ? .dumbTerminal : nil
    }
  }

  /// Runs the linear browser on standard input and standard output.
  ///
  /// - Parameters:
  ///   - opening: The first place, or `nil` for the learner's last place.
  ///   - review: The review that is begun instead of showing the place, or `nil`.
  func browseLinear(
    _ reason: LinearReason, _ navigation: NavigationService, at opening: PlacePath?,
    reviewing review: ReviewRequest? = nil
  ) throws {
    let library = try library()
    let browser = LinearBrowser(navigation: navigation, library: library, reason: reason)
    browser.settings = try settingsStore
    browser.lossReason = lossReason
    if !isManual { browser.manual = .embedded(look, isLinear: true) }
    let export = CourseExport.of(library, database: databasePath, learner: learnerName)
    browser.exportCourse = { course, file, replaces in
      guard let format = export.formats.first(where: { file.lowercased().hasSuffix("." + $0.fileExtension) }) else {
        return ""
      }
      return try export.write(course, format, file, replaces)
    }
    let sync = try isTemporary ? nil : SyncOptions.inBackground(of: navigation)
    sync?.begin { if case .failed(let message) = $0 { StandardError.write(message.harmlessLines + "\n") } }
    defer { sync?.finish() }
    var output = StandardOutput()
    browser.isUnprotectedAllowed = isUnprotectedAllowed
    if isatty(STDIN_FILENO) == 1 {
      let settings = try look.over(ProgramEnvironment.current.settings)
      browser.editor = WorkEditor(setting: settings.editor) { TerminalEnvironment.process[$0] }
    }
    browser.writeNow = { text in
      output.printText(text)
      output.flush()
    }
    var input = StandardInput(keepingBlankLines: true)
    try browser.run(
      at: opening.map { .text($0.description) }, reviewing: review, columns: { StandardOutput().width ?? 80 },
      echoes: isatty(STDIN_FILENO) != 1,
      reading: {
        while let line = input.next() {
          if case .text(let bytes) = line {
            return String(decoding: bytes.last == 0x0D ? bytes.dropLast() : bytes[...], as: UTF8.self)
          }
          let failure = CommandFailure.lineTooLong(limit: LineBuffer.maximumBytes)
          output.printText(CommandWords.text(failure) + "\n> ")
          output.flush()
        }
        return nil
      },
      writing: { text in
        output.printText(text)
        output.flush()
      })
  }
}

// Opening a source: a file, a folder, an archive, `-` or the address of a Git repository.

extension BrowserStart {
  /// The maximum number of files that are imported without confirmation.
  private static let maximumFiles = 5_000

  /// Opens the browser with a temporary database, which is deleted at the end.
  @MainActor func openTemporarily() async throws -> EndingSignal? {
    let scratch = try ScratchFolder()
    defer { scratch.remove() }
    var start = self
    start.isTemporary = true
    start.database = scratch.path + "/waymark.sqlite"
    if place == ScratchFolder.standardInput {
      if try linearReason == nil { try Self.checkTerminal() }
      start.place = try scratch.saveStandardInput()
    }
    return try await start.openBrowser()
  }

  /// Returns the place to open. A source is imported first.
  ///
  /// - Parameters:
  ///   - word: The path of a place. If no place has that path, it is treated as a source.
  ///   - check: Called before an import. Throws if the imported course could not be shown.
  /// - Returns: `nil` if the user declined the import.
  /// - Throws: `NavigationError` if `word` is neither a place nor a source; `CourseLibraryError`, ``CommandFailure``.
  func path(
    of word: String, in navigation: NavigationService, checking check: () throws -> Void = {}
  ) throws -> PlacePath? {
    do throws(NavigationError) {
      return try navigation.places.named(.text(word)).path
    } catch {
      switch error {
      case .unknownPlace, .removedPlace:
        guard try CourseLibrary.isSource(word) else { throw error }
        try check()
        return try importSource(word)
      default: throw error
      }
    }
  }

  private func importSource(_ source: String) throws -> PlacePath? {
    let library = try library()
    let bar = ProgressBar()
    Interruption.startObserving()
    defer { Interruption.stopObserving() }
    do {
      defer { bar.clear() }
      var answer = Result<Bool, any Error>.success(true)
      let report = try library.open(
        source, askingAbove: Self.maximumFiles,
        confirm: {
          answer = Result {
            guard Confirmation.isPossible else {
              throw CommandFailure.manyFiles(source: source, limit: Self.maximumFiles)
            }
            return try Confirmation.ask(
              "\(quoted: source) has more than \(Self.maximumFiles) files. Import it?", orFail: "import it")
          }
          return (try? answer.get()) ?? false
        },
        cancellation: Interruption.cancellation, progress: bar.show)
      _ = try answer.get()
      return try report.map { try library.firstText(under: $0.course ?? .root) }
    } catch CourseLibraryError.importRefused(let refusal, let report) {
      StandardError.write(report.diagnosticLines)
      throw CourseLibraryError.importRefused(refusal, report: report)
    } catch let error as CourseLibraryError {
      if case .importCancelled = error { Interruption.leave() }
      throw error
    }
  }
}

extension CourseLibrary {
  /// Returns the first place to open in a course. If a place has only one child, the child is opened instead. The pages
  /// that a single page links are not counted.
  fileprivate func firstText(under course: PlacePath) throws -> PlacePath {
    var path = course
    while true {
      let children = try children(of: place(at: path).place).filter { $0.key != Self.linkedPagesKey }
      guard let onlyChild = children.first, children.count == 1 else { return path }
      path = path.appending(onlyChild.slug)
    }
  }
}
