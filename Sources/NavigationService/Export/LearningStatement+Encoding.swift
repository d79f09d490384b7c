import Foundation
import LearningModel

extension LearningStatement {
  // Source: xAPI 1.0.3, Part Two, section 2.2: a record store refuses a statement with a null in it. So what is not there
  // has no key either, and that is not left to the encoder: some write one for what is `nil`.

  private struct Shape: Encodable {
    let id: String
    let actor: Actor
    let verb: VerbShape
    let object: Object
    let result: Result
    let context: Context
    let timestamp: Timestamp

    private enum Key: String, CodingKey {
      case id, actor, verb, object, result, context, timestamp
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(id, forKey: .id)
      try container.encode(actor, forKey: .actor)
      try container.encode(verb, forKey: .verb)
      try container.encode(object, forKey: .object)
      if !result.isEmpty { try container.encode(result, forKey: .result) }
      try container.encode(context, forKey: .context)
      try container.encode(timestamp, forKey: .timestamp)
    }
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
    let isComplete: Bool
    let success: Bool?
    let duration: String?
    let score: Score?

    var isEmpty: Bool { !isComplete && success == nil && duration == nil && score == nil }

    private enum Key: String, CodingKey {
      case completion, success, duration, score
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      if isComplete { try container.encode(true, forKey: .completion) }
      if let success { try container.encode(success, forKey: .success) }
      if let duration { try container.encode(duration, forKey: .duration) }
      if let score { try container.encode(score, forKey: .score) }
    }
  }

  private struct Score: Encodable {
    let scaled: Double
  }

  private struct Context: Encodable {
    let registration: String
    let around: Around
    let extensions: [String: String]

    private enum Key: String, CodingKey {
      case registration, platform, contextActivities, extensions
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(registration, forKey: .registration)
      try container.encode("Waymark", forKey: .platform)
      if !around.parent.isEmpty { try container.encode(around, forKey: .contextActivities) }
      try container.encode(extensions, forKey: .extensions)
    }
  }

  private struct Around: Encodable {
    let parent: [Object]
    let grouping: [Object]
  }

  /// Writes a statement as xAPI 1.0.3 has it.
  public func encode(to encoder: any Encoder) throws {
    try Shape(
      id: id,
      actor: Actor(name: learner, account: Account(homePage: "\(Self.domain)/learners", name: learner)),
      verb: VerbShape(id: verb.address, display: ["en": verb.rawValue]), object: Object(object),
      result: Result(
        isComplete: verb == .completed, success: verb.success, duration: duration.map(Self.duration),
        score: score.map(Score.init)),
      context: Context(
        registration: registration,
        around: Around(parent: above.suffix(1).map(Object.init), grouping: above.prefix(1).map(Object.init)),
        extensions: ["\(Self.domain)/extensions/session": session]),
      timestamp: timestamp
    ).encode(to: encoder)
  }
}
