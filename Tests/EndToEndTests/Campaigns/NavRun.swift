import Foundation
import TerminalHarness

/// A `waymark nav run` process that performs operations line by line.
final class NavRun {
  let program: PipedProgram
  /// All answers so far.
  private(set) var answers: [NavAnswer] = []

  init(_ program: PipedProgram) { self.program = program }

  convenience init(_ home: HomeFixture, learner: String, session: String) throws {
    self.init(try home.start(["nav", "run", "--learner", learner, "--session", session]))
  }

  /// Sends an operation.
  func tell(_ operation: NavLine) throws { try program.write(operation.json + "\n") }

  /// Sends an operation and waits for its answer.
  @discardableResult
  func ask(_ operation: NavLine) throws -> NavAnswer {
    try tell(operation)
    guard let answer = try nextAnswer() else { throw Unexpected(answer: Answer(code: -1)) }
    return answer
  }

  /// Returns the next answer, or `nil` if the output ends or its last line is incomplete.
  func nextAnswer() throws -> NavAnswer? {
    guard let line = try program.readLine() else { return nil }
    let answer = try JSONDecoder().decode(NavAnswer.self, from: Data(line.utf8))
    answers.append(answer)
    return answer
  }

  /// Reads the remaining answers after the program has ended.
  func readRest() throws {
    while try nextAnswer() != nil {}
  }
}

/// An operation as input of `nav run`.
struct NavLine {
  let operation: String
  var place: String?

  var json: String {
    place.map { #"{"operation": "\#(operation)", "place": "\#($0)"}"# } ?? #"{"operation": "\#(operation)"}"#
  }

  /// Returns a random operation that is never refused, even if other programs change the database. It may have no
  /// effect.
  static func random(among places: [String], _ random: inout some RandomNumberGenerator) -> NavLine {
    let names = ["next", "next", "previous", "pop", "popToRoot", "back", "forward", "resume", "open", "open", "open"]
    let name = names.randomElement(using: &random) ?? "open"
    return NavLine(operation: name, place: name == "open" ? places.randomElement(using: &random) : nil)
  }
}

/// An answer of `nav run`.
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
