import Answers
import ArgumentParser
import Foundation
import LearningModel
import NavigationService

/// `waymark nav run`: a front end for programs. One operation a line in, one answer a line out, each durable before its
/// answer.
struct NavRunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Perform operations from standard input, one JSON object a line, and answer each on its line.",
    discussion: Example.text(
      #"echo '{"operation": "push", "place": "writing"}' | waymark nav run"#))

  @OptionGroup var global: GlobalOptions

  @Option(
    help: ArgumentHelp("The session that moves; it ends after four idle hours.", valueName: "name"),
    transform: Given.session)
  var session = "shell"

  @Flag(
    help:
      "Only say what would happen; each line is computed from where the session is. A line may also ask for it itself: \"dryRun\": true."
  ) var dryRun = false

  /// One line of standard input.
  private struct Line: Decodable {
    let operation: String
    let place: String?
    /// Whether this line alone is only computed.
    let dryRun: Bool?
  }

  /// The answer to a line that was not obeyed.
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
    while let text = readLine() {
      guard text.contains(where: { !$0.isWhitespace }) else { continue }
      let line = try? JSONDecoder().decode(Line.self, from: Data(text.utf8))
      do {
        let request = try Self.request(line, text: text)
        let step =
          dryRun || line?.dryRun == true ? try service.predict(request) : try service.perform(request, cause: .shell)
        output.write(try AnswerText.jsonLine(step) + "\n")
      } catch let error as any ExplainedError {
        let code = ExitStatus.code(for: error)
        firstRefusal = firstRefusal ?? code
        let reason = Refusal.Reason(code: Int(code), message: error.description)
        output.write(try AnswerText.jsonLine(Refusal(operation: line?.operation, error: reason)) + "\n")
      }
      // Whoever reads the answer may rely on it, and may be waiting for it.
      output.flush()
    }
    if let firstRefusal { throw ExitCode(firstRefusal) }
  }

  private static func request(_ line: Line?, text: String) throws -> NavigationRequest {
    guard let line else { throw CommandFailure.unreadableLine(text: text) }
    let place = line.place.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    switch (NavigationOperation(rawValue: line.operation), place) {
    case (.push, let place?): return .push(.text(place))
    case (.popTo, let place?): return .popTo(.text(place))
    case (.select, let place?): return .select(.text(place))
    case (.open, let place?): return .open(.text(place))
    case (.push, nil), (.popTo, nil), (.select, nil), (.open, nil):
      throw CommandFailure.placeMissing(operation: line.operation)
    case (.pop, _): return .pop
    case (.popToRoot, _): return .popToRoot
    case (.next, _): return .next
    case (.previous, _): return .previous
    case (.back, _): return .back
    case (.forward, _): return .forward
    case (.resume, _): return .resume
    case (.repair, _), (.other, _), (nil, _): throw CommandFailure.unknownOperation(name: line.operation)
    }
  }
}
