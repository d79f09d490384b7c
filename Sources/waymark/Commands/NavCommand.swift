import Answers
import ArgumentParser
import Foundation
import LearningModel
import NavigationKit
import TextCanvas

/// `waymark nav`, with a subcommand for each navigation operation and one for a stream of operations.
struct NavCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "nav", "Navigate through the courses, one operation at a time.",
    example: "waymark nav open english-for-business/negotiating",
    subcommands: [
      NavPushCommand.self, NavPopCommand.self, NavPopToCommand.self, NavPopToRootCommand.self, NavSelectCommand.self,
      NavNextCommand.self, NavPreviousCommand.self, NavOpenCommand.self, NavBackCommand.self, NavForwardCommand.self,
      NavResumeCommand.self, NavRunCommand.self,
    ])

  @OptionGroup var global: GlobalOptions
}

/// The flags of all subcommands that perform a single operation.
struct StepOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The session to navigate in. A session ends after four hours without use.", valueName: "name"),
    transform: ArgumentParsers.session)
  var session = "shell"

  @Flag(help: "Print what would happen, without changing anything.") var dryRun = false

  @OptionGroup var output: OutputOptions
}

/// A subcommand that performs or predicts one operation and prints the resulting step.
protocol StepCommand: ParsableCommand {
  var global: GlobalOptions { get }
  var step: StepOptions { get }
  var request: NavigationRequest { get }
}

extension StepCommand {
  mutating func run() throws {
    let service = try global.navigation(session: .named(step.session))
    let answer = step.dryRun ? try service.predict(request) : try service.perform(request, cause: .shell)

    try Printing.value(answer, fields: CSVColumns.step, table: answer.sentence, as: step.output.format)
  }
}

/// `waymark nav open PLACE`.
struct NavOpenCommand: StepCommand {
  static let configuration = CommandConfiguration(
    "open", "Go to any place.", example: "waymark nav open english-for-business/negotiating")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var step: StepOptions
  @Argument(
    help: "A path such as english-for-business/negotiating.", completion: .places, transform: ArgumentParsers.place)
  var place: String

  var request: NavigationRequest { .open(.text(place)) }
}

/// `waymark nav push PLACE`.
struct NavPushCommand: StepCommand {
  static let configuration = CommandConfiguration(
    "push", "Go to a child of the current place.", example: "waymark nav push english-for-business")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var step: StepOptions
  @Argument(help: "A path, or the slug of a child.", completion: .places, transform: ArgumentParsers.place) var place:
    String

  var request: NavigationRequest { .push(.text(place)) }
}

/// `waymark nav select PLACE`.
struct NavSelectCommand: StepCommand {
  static let configuration = CommandConfiguration(
    commandName: "select", abstract: "Go to a sibling of the current place.",
    discussion: Example.text("waymark nav open english-for-business/negotiating", "waymark nav select writing"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var step: StepOptions
  @Argument(help: "A path, or the slug of a sibling.", completion: .places, transform: ArgumentParsers.place) var place:
    String

  var request: NavigationRequest { .select(.text(place)) }
}

/// `waymark nav next`.
struct NavNextCommand: StepCommand {
  static let configuration = CommandConfiguration(
    "next", "Go to the next place in reading order.", example: "waymark nav next")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var step: StepOptions

  var request: NavigationRequest { .next }
}

/// `waymark nav previous`.
struct NavPreviousCommand: StepCommand {
  static let configuration = CommandConfiguration(
    "previous", "Go to the previous place in reading order.", example: "waymark nav previous")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var step: StepOptions

  var request: NavigationRequest { .previous }
}

/// `waymark nav back`.
struct NavBackCommand: StepCommand {
  static let configuration = CommandConfiguration(
    "back", "Go back to the previous visit.", example: "waymark nav back")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var step: StepOptions

  var request: NavigationRequest { .back }
}

/// `waymark nav forward`.
struct NavForwardCommand: StepCommand {
  static let configuration = CommandConfiguration(
    "forward", "Go forward to the visit before the last back.", example: "waymark nav forward")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var step: StepOptions

  var request: NavigationRequest { .forward }
}

/// `waymark nav pop`.
struct NavPopCommand: StepCommand {
  static let configuration = CommandConfiguration("pop", "Go to the parent.", example: "waymark nav pop --dry-run")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var step: StepOptions

  var request: NavigationRequest { .pop }
}

/// `waymark nav pop-to PLACE`.
struct NavPopToCommand: StepCommand {
  static let configuration = CommandConfiguration(
    commandName: "pop-to", abstract: "Go to a place above the current place.",
    discussion: Example.text(
      "waymark nav open english-for-business/negotiating", "waymark nav pop-to english-for-business"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var step: StepOptions
  @Argument(
    help: "A path, or the slug of a place above the current one.", completion: .places, transform: ArgumentParsers.place
  )
  var place: String

  var request: NavigationRequest { .popTo(.text(place)) }
}

/// `waymark nav pop-to-root`.
struct NavPopToRootCommand: StepCommand {
  static let configuration = CommandConfiguration(
    "pop-to-root", "Go to the list of courses.", example: "waymark nav pop-to-root")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var step: StepOptions

  var request: NavigationRequest { .popToRoot }
}

/// `waymark nav resume`.
struct NavResumeCommand: StepCommand {
  static let configuration = CommandConfiguration(
    "resume", "Go to the place where you stopped, in any session.", example: "waymark nav resume")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var step: StepOptions

  var request: NavigationRequest { .resume }
}

/// `waymark nav run`, an interface for programs. It reads one operation per line and prints one answer per line. Each
/// operation is committed to disk before its answer is printed.
struct NavRunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "run", "Perform operations from standard input, one JSON object per line, and print one answer per line.",
    example: #"echo '{"operation": "resume"}' | waymark nav run"#)

  @OptionGroup var global: GlobalOptions

  @Option(
    help: ArgumentHelp("The session to navigate in. A session ends after four hours without use.", valueName: "name"),
    transform: ArgumentParsers.session)
  var session = "shell"

  @Flag(
    help: ArgumentHelp(
      "Print what would happen, without changing anything; every line starts from the current place. "
        + "\"dryRun\": true in a line does the same for that line."))
  var dryRun = false

  /// An operation, as decoded from one line of standard input.
  private struct Line: Decodable {
    let operation: String
    let place: String?
    /// Whether this operation is only predicted.
    let dryRun: Bool?
  }

  /// The answer to a line whose operation was not performed.
  private struct Refusal: Encodable {
    let operation: String?
    let performed = false
    let error: Reason

    struct Reason: Encodable {
      let code: Int
      let message: String
    }
  }

  mutating func run() throws {
    let service = try global.navigation(session: .named(session))
    var output = StandardOutput()
    var firstRefusal: Int32?
    var input = StandardInput()
    while let received = input.next() {
      var line: Line?
      do {
        guard case .text(let bytes) = received else { throw CommandFailure.lineTooLong(limit: LineBuffer.maximumBytes) }
        line = try? JSONDecoder().decode(Line.self, from: Data(bytes))
        let request = try Self.request(line, text: String(decoding: bytes, as: UTF8.self))
        let step =
          dryRun || line?.dryRun == true ? try service.predict(request) : try service.perform(request, cause: .shell)
        output.write(try AnswerText.jsonLine(step) + "\n")
      } catch let error as any ExplainedError {
        let code = error.kind.exitStatus
        firstRefusal = firstRefusal ?? code
        let reason = Refusal.Reason(code: Int(code), message: CommandWords.text(error))
        output.write(try AnswerText.jsonLine(Refusal(operation: line?.operation.shortened, error: reason)) + "\n")
      }
      // A program may be waiting for this answer before it sends the next line.
      output.flush()
    }
    if let firstRefusal { throw ExitCode(firstRefusal) }
  }

  private static func request(_ line: Line?, text: String) throws -> NavigationRequest {
    guard let line else { throw CommandFailure.unreadableLine(text: text) }
    let place = line.place.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    do throws(NavigationRequest.Refusal) {
      return try NavigationRequest(operation: line.operation, place: place.map(PlaceName.text))
    } catch .placeMissing {
      throw CommandFailure.placeMissing(operation: line.operation)
    } catch {
      throw CommandFailure.unknownOperation(name: line.operation)
    }
  }
}

extension NavigationStep {
  /// The step as text: one line with the operation, and one with the path of the resulting place.
  var sentence: String {
    if case .nothingToDo = outcome { return (message ?? "Nothing to do.") + "\n" }

    let verb = isPerformed ? operation.verbs.past : "Would " + operation.verbs.infinitive
    let line = verb + ": " + (from.map { $0.title.harmless + " → " } ?? "") + to.title.harmless
    let note = message.map { $0.harmless + "\n" } ?? ""
    return line + "\n" + "  " + to.path.description.harmless + "\n" + note
  }
}

extension NavigationOperation {
  /// The verb for a step that was performed, and for one that would be performed.
  fileprivate var verbs: (past: String, infinitive: String) {
    switch self {
    case .push, .open: ("Opened", "open")
    case .pop, .popTo, .popToRoot: ("Went up", "go up")
    case .select: ("Selected", "select")
    case .next: ("Went to the next place", "go to the next place")
    case .previous: ("Went to the previous place", "go to the previous place")
    case .back: ("Went back", "go back")
    case .forward: ("Went forward", "go forward")
    case .resume: ("Resumed", "resume")
    case .repair, .other: ("Moved", "move")
    }
  }
}
