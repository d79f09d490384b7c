import ArgumentParser
import CTerminal
import LearningModel
import NavigationKit
import ScreenKit
import TerminalIO

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The command-line program. Each subcommand has a file of its own in `Commands/`. To add one, create its file and add
/// it to `subcommands`.
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
    subcommands: [
      BrowseCommand.self, ImportCommand.self, UpdateCommand.self, ExportCommand.self, RenameCommand.self,
      RemoveCommand.self,
      CoursesCommand.self,
      TreeCommand.self, ShowCommand.self, SearchCommand.self, WhereCommand.self, NavCommand.self, HistoryCommand.self,
      ProgressCommand.self, AttemptsCommand.self, BookmarksCommand.self, NotesCommand.self, RecentsCommand.self,
      LearnersCommand.self, SyncCommand.self, MCPCommand.self, RenderCommand.self, DatabaseCommand.self,
      FormatsCommand.self,
    ],
    defaultSubcommand: BrowseCommand.self)

  @OptionGroup var global: GlobalOptions

  /// Runs on the main thread only. After the first task on another thread, libdispatch wakes up once a second to check
  /// its threads, so an idle browser would never sleep.
  @MainActor static func main() async {
    if let failure = ProgramText.failure { leave(with: failure, silently: false) }
    await run((1..<max(1, cterminal_argument_count())).map { String(cString: cterminal_argument($0)) })
  }

  /// Runs the command that the arguments describe. Exits the process if the command fails.
  @MainActor static func run(_ arguments: [String]) async {
    // Writing to a closed pipe then fails with `EPIPE`, which ends the program without an error message.
    signal(SIGPIPE, SIG_IGN)
    keepIssues()
    do {
      if CompletionScript.isAskedFor(arguments) { return try CompletionScript.write(for: arguments) }
      if let start = BrowserStart(plain: arguments, besides: isCommand) { return try await open(start) }
      var command = try parsed(arguments)
      if let browse = command as? BrowseCommand { try await open(browse.start) } else { try command.run() }
    } catch {
      // Shell completions have no place for error messages, for example if the script is of another version.
      leave(with: explained(error, arguments), silently: ShellNames.areAskedFor(arguments))
    }
  }

  @MainActor private static func open(_ start: BrowserStart) async throws {
    if let signal = try await start.open() { signal.endProcess() }
  }

  /// Logs program faults that the screens report. A debug build stops with an assertion failure.
  @MainActor private static func keepIssues() {
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
    if let failure = UnknownWord(in: arguments, of: self).helpFailure { throw failure }
    do {
      return try parseAsRoot(arguments)
    } catch {
      // Help and version are thrown as errors too.
      guard exitCode(for: error) == .validationFailure,
        let failure = UnknownWord(in: arguments, of: self).failure
      else { throw error }
      throw failure
    }
  }

  /// Returns the command that the first words name, or its default subcommand, if the remaining arguments are valid for
  /// it. Otherwise returns `nil`.
  ///
  /// This is faster than parsing from the root: the parser also inspects all parent commands, which takes most of the
  /// time of a short command. Errors are left to the parser, because only it knows the complete usage.
  static func named(by arguments: [String]) -> (any ParsableCommand)? {
    var command: any ParsableCommand.Type = self
    var rest = arguments[...]
    while let word = rest.first,
      let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == word })
    {
      command = next
      rest.removeFirst()
    }
    let isUsual = rest.first.map { $0 != "help" && !$0.hasPrefix("-") } ?? true
    if isUsual, let usual = command.configuration.defaultSubcommand { command = usual }
    // For arguments that request help, the parser returns a command of its own.
    guard command != self, let parsed = try? command.parseAsRoot(Array(rest)),
      ([command] + command.configuration.subcommands).contains(where: { $0 == type(of: parsed) })
    else { return nil }
    return parsed
  }

  /// Returns the error, or a better one if an unknown place may be a mistyped command.
  private static func explained(_ error: any Error, _ arguments: [String]) -> any Error {
    guard case NavigationError.unknownPlace(let name, let nearest) = error else { return error }
    return UnknownWord(in: arguments, of: self).failure(for: name, nearest: nearest.map(\.description)) ?? error
  }
}
