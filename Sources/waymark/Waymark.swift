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

/// The program. Each subcommand is a file of its own in `Commands/`; to add one, write it there, and name it here.
@main
struct Waymark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "waymark",
    abstract: "Find your way through courses.",
    discussion: Example.text(
      "waymark                                     go on where you left off",
      "waymark english-for-business/negotiating    begin at a place",
      "waymark book.epub                           import a file and open it"),
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

  /// Runs on the main thread alone. The first task that runs elsewhere makes libdispatch watch its threads from then on,
  /// once a second, and a browser that nobody touches would never sleep.
  @MainActor static func main() async {
    if let failure = ProgramText.failure { leave(with: failure, silently: false) }
    await run((1..<max(1, cterminal_argument_count())).map { String(cString: cterminal_argument($0)) })
  }

  /// Does what the arguments say; returns only where that went well.
  @MainActor static func run(_ arguments: [String]) async {
    // A closed pipe is seen where it is written to, and ends the program quietly.
    signal(SIGPIPE, SIG_IGN)
    keepIssues()
    do {
      if CompletionScript.isAskedFor(arguments) { return try CompletionScript.write(for: arguments) }
      if let start = BrowserStart(plain: arguments, besides: isCommand) { return try await open(start) }
      var command = try parsed(arguments)
      if let browse = command as? BrowseCommand { try await open(browse.start) } else { try command.run() }
    } catch {
      // A shell that asks for completions has no place for what went wrong, such as a script of another version.
      leave(with: explained(error, arguments), silently: ShellNames.areAskedFor(arguments))
    }
  }

  @MainActor private static func open(_ start: BrowserStart) async throws {
    if let signal = try await start.open() { signal.endProcess() }
  }

  /// Notes what the screens find wrong with the program. Built for debugging, the program stops there.
  @MainActor private static func keepIssues() {
    ScreenIssue.handler = { issue in
      IssueLog(path: ProgramEnvironment.current.issueLogPath).write(issue.description, at: .atNow)
      assertionFailure(issue.description)
    }
  }

  /// Whether a command is called so.
  static func isCommand(_ word: String) -> Bool {
    configuration.subcommands.contains { $0.configuration.commandName == word }
  }

  private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    if let command = named(by: arguments) { return command }
    if let failure = UnknownWord(in: arguments, of: self).helpFailure { throw failure }
    do {
      return try parseAsRoot(arguments)
    } catch {
      // Help and version come as errors too.
      guard exitCode(for: error) == .validationFailure,
        let failure = UnknownWord(in: arguments, of: self).failure
      else { throw error }
      throw failure
    }
  }

  /// The command that the first words name, or what is done where they name none, if all others suit it.
  ///
  /// The parser looks at every command above it too, and at what each does by itself: most of the time of a short start.
  /// It is asked where something is wrong, as only it knows the whole usage.
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
    // Of words that ask for help the parser makes a command of its own.
    guard command != self, let parsed = try? command.parseAsRoot(Array(rest)),
      ([command] + command.configuration.subcommands).contains(where: { $0 == type(of: parsed) })
    else { return nil }
    return parsed
  }

  /// The error itself, or what was meant where the word that named no place may have been meant as a command.
  private static func explained(_ error: any Error, _ arguments: [String]) -> any Error {
    guard case NavigationError.unknownPlace(let name, let nearest) = error else { return error }
    return UnknownWord(in: arguments, of: self).failure(for: name, nearest: nearest.map(\.description)) ?? error
  }
}
