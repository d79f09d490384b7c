import Foundation
import LearningModel

extension LearningStatement {
  private struct Shape: Encodable {
    let id: String
    let actor: Actor
    let verb: VerbShape
    let object: Object
    let result: Result?
    let context: Context
    let timestamp: Timestamp
  }

  private struct Actor: Encodable {
    let objectType = "Agent"
    let name: String
    let account: Account
  }

  private struct Account: Encodable {
    let homePage: String
    let name: String
  }

  private struct VerbShape: Encodable {
    let id: String
    let display: [String: String]
  }

  private struct Object: Encodable {
    let objectType = "Activity"
    let id: String
    let definition: Definition

    init(_ thing: Thing) {
      id = thing.address
      definition = Definition(type: thing.type, name: [thing.language: thing.title])
    }
  }

  private struct Definition: Encodable {
    let type: String
    let name: [String: String]
  }

  private struct Result: Encodable {
    let completion: Bool?
    let duration: String?
    let score: Score?
  }

  private struct Score: Encodable {
    let scaled: Double
  }

  private struct Context: Encodable {
    let registration: String
    let platform = "Waymark"
    let contextActivities: Around?
    let extensions: [String: String]
  }

  private struct Around: Encodable {
    let parent: [Object]
    let grouping: [Object]
  }

  /// Writes a statement as xAPI 1.0.3 has it.
  public func encode(to encoder: any Encoder) throws {
    let result = Result(
      completion: verb == .completed ? true : nil, duration: duration.map(Self.duration),
      score: score.map(Score.init))
    let isEmpty = verb != .completed && duration == nil && score == nil
    try Shape(
      id: id,
      actor: Actor(name: learner, account: Account(homePage: "\(Self.domain)/learners", name: learner)),
      verb: VerbShape(id: verb.address, display: ["en": verb.rawValue]), object: Object(object),
      result: isEmpty ? nil : result,
      context: Context(
        registration: registration,
        contextActivities: above.isEmpty
          ? nil : Around(parent: above.suffix(1).map(Object.init), grouping: above.prefix(1).map(Object.init)),
        extensions: ["\(Self.domain)/extensions/session": session]),
      timestamp: timestamp
    ).encode(to: encoder)
  }
}
