import Answers
import ArgumentParser
import CTerminal
import LearningModel
import LearningStore
import NavigationKit
import ScreenKit
import TerminalIO

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The command-line program. Each subcommand has its own file in `Commands/`. To add a subcommand, create its file and
/// add the type to a group.
@main
struct Waymark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "waymark",
    abstract: "Read courses and books in a terminal.",
    discussion: Example.text(
      "waymark                                     resume where you stopped",
      "waymark english-for-business/negotiating    open a place",
      "waymark ~/book.epub                         import a file and open it"),
    version: ProgramVersion.current,
    groupedSubcommands: [
      CommandGroup(
        name: "Reading",
        subcommands: [
          BrowseCommand.self, CoursesCommand.self, TreeCommand.self, ShowCommand.self, SearchCommand.self,
          WhereCommand.self, RecentsCommand.self, NavCommand.self, BookmarksCommand.self, NotesCommand.self,
        ]),
      CommandGroup(
        name: "Learning",
        subcommands: [
          ReviewCommand.self, ExerciseCommand.self, ProgressCommand.self, AttemptsCommand.self, HistoryCommand.self,
        ]),
      CommandGroup(
        name: "Course",
        subcommands: [
          ImportCommand.self, UpdateCommand.self, ExportCommand.self, RenameCommand.self, RemoveCommand.self,
          FormatsCommand.self,
        ]),
      CommandGroup(
        name: "Data", subcommands: [LearnersCommand.self, SyncCommand.self, DatabaseCommand.self]),
      CommandGroup(
        name: "Other", subcommands: [ManualCommand.self, DoctorCommand.self, MCPCommand.self, RenderCommand.self]),
    ],
    defaultSubcommand: BrowseCommand.self)

  @OptionGroup var global: GlobalOptions

  /// Runs the program on the main thread. No task may run on a different thread: after the first such task, libdispatch
  /// wakes up once a second to check its threads, even if the browser is idle.
  @MainActor static func main() async {
    cterminal_prepare(32)
    if let failure = ProgramText.failure { terminate(with: failure) }
    await run((1..<max(1, cterminal_argument_count())).map { String(cString: cterminal_argument($0)) })
  }

  /// Runs the command that the arguments describe. Exits the process if the command fails.
  @MainActor static func run(_ arguments: [String]) async {
    // With this, writing to a closed pipe fails with `EPIPE`, which ends the program without an error message.
    signal(SIGPIPE, SIG_IGN)
    recordIssues()
    if !NameCompletions.isRequested(arguments) { reportWaits() }
    do {
      guard arguments.count <= CommandFailure.maximumArguments else {
        throw CommandFailure.tooManyArguments(arguments.count)
      }
      if let start = BrowserStart(plain: arguments, besides: isCommand) { return try await open(start) }
      var command = try parsed(arguments)
      switch command {
      case let browse as any BrowserCommand: try await open(browse.start)
      case let command as any TerminalCommand: try await command.perform()
      default: try command.run()
      }
    } catch {
      // Shell completions cannot show error messages, for example if the script is from another version of the program.
      terminate(with: explained(error, arguments), arguments, silently: NameCompletions.isRequested(arguments))
    }
  }

  @MainActor private static func open(_ start: BrowserStart) async throws {
    if let signal = try await start.open() { signal.endProcess() }
  }

  /// Prints a message while a command or the start of a front end waits for another program. The full-screen browser
  /// shows a notice instead.
  private static func reportWaits() {
    LockWait.observe { if !cterminal_guard_is_armed() { StandardError.write(CommandWords.databaseWait + "\n") } }
  }

  /// Logs program faults that the screens report. A debug build stops with an assertion failure.
  @MainActor private static func recordIssues() {
    ScreenIssue.handler = { issue in
      IssueLog(path: ProgramEnvironment.current.issueLogPath).write(issue.description, at: .atNow)
      assertionFailure(issue.description)
    }
  }

  /// Returns whether a word is the name of a command.
  static func isCommand(_ word: String) -> Bool {
    configuration.subcommands.contains { $0.configuration.commandName == word }
  }

  private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    if let command = named(by: arguments) { return command }
    if let failure = MistypedCommand(in: arguments, of: self).helpFailure { throw failure }
    do {
      return try parseAsRoot(arguments)
    } catch {
      // The argument parser throws help and version as errors too.
      guard exitCode(for: error) == .validationFailure,
        let failure = MistypedCommand(in: arguments, of: self).failure
      else { throw error }
      throw failure
    }
  }

  /// Returns the command that the first words name, or its default subcommand. Returns `nil` if the remaining arguments
  /// are invalid.
  ///
  /// This is faster than parsing from the root. The parser also inspects all parent commands, which takes most of the
  /// run time of a short command. If there is an error, the arguments are parsed from the root, so that the message
  /// contains the complete usage.
  static func named(by arguments: [String]) -> (any ParsableCommand)? {
    var command: any ParsableCommand.Type = self
    var remaining = arguments[...]
    while let word = remaining.first,
      let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == word })
    {
      command = next
      remaining.removeFirst()
    }
    let usesDefault = remaining.first.map { $0 != "help" && !$0.hasPrefix("-") } ?? true
    if usesDefault, let defaultSubcommand = command.configuration.defaultSubcommand { command = defaultSubcommand }
    // If the arguments request help, the parser returns its own help command.
    guard command != self, let parsed = try? command.parseAsRoot(Array(remaining)),
      ([command] + command.configuration.subcommands).contains(where: { $0 == type(of: parsed) })
    else { return nil }
    return parsed
  }

  /// Returns the error. If the error is about an unknown place that may be a mistyped command, returns an error that
  /// suggests commands.
  private static func explained(_ error: any Error, _ arguments: [String]) -> any Error {
    guard case NavigationError.unknownPlace(let name, let nearest) = error else { return error }
    return MistypedCommand(in: arguments, of: self).failure(for: name, nearest: nearest.map(\.description)) ?? error
  }
}
