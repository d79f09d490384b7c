import Foundation
import TerminalHarness

/// A `waymark nav run` that is asked line by line.
final class NavRun {
  let program: PipedProgram
  /// Every answer so far.
  private(set) var answers: [NavAnswer] = []

  init(_ program: PipedProgram) { self.program = program }

  convenience init(_ home: Home, learner: String, session: String) throws {
    self.init(try home.start(["nav", "run", "--learner", learner, "--session", session]))
  }

  /// Writes one operation.
  func tell(_ operation: NavLine) throws { try program.write(operation.json + "\n") }

  /// Writes one operation, and waits for its answer.
  @discardableResult
  func ask(_ operation: NavLine) throws -> NavAnswer {
    try tell(operation)
    guard let answer = try nextAnswer() else { throw Unexpected(answer: Answer(code: -1)) }
    return answer
  }

  /// The next answer; `nil` where the output ends, or ends in half a line.
  func nextAnswer() throws -> NavAnswer? {
    guard let line = try program.readLine() else { return nil }
    let answer = try JSONDecoder().decode(NavAnswer.self, from: Data(line.utf8))
    answers.append(answer)
    return answer
  }

  /// Reads what was answered before the program ended.
  func readRest() throws {
    while try nextAnswer() != nil {}
  }
}

/// One operation.
struct NavLine {
  let operation: String
  var place: String?

  var json: String {
    place.map { #"{"operation": "\#(operation)", "place": "\#($0)"}"# } ?? #"{"operation": "\#(operation)"}"#
  }

  /// An operation that is never refused, whoever else changes the database: it may have nothing to do.
  static func random(among places: [String], _ random: inout some RandomNumberGenerator) -> NavLine {
    let names = ["next", "next", "previous", "pop", "popToRoot", "back", "forward", "resume", "open", "open", "open"]
    let name = names.randomElement(using: &random) ?? "open"
    return NavLine(operation: name, place: name == "open" ? places.randomElement(using: &random) : nil)
  }
}

/// What was answered.
struct NavAnswer: Decodable {
  struct Event: Decodable, Hashable, Sendable {
    let id: Int64
    let sequence: Int
  }

  struct Reason: Decodable {
    let code: Int
    let message: String
  }

  struct End: Decodable {
    let path: String
  }

  let operation: String?
  let performed: Bool
  let event: Event?
  let to: End?
  let error: Reason?
}
