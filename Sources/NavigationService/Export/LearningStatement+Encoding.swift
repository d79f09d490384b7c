import LearningModel

extension LearningStatement {
  // A missing value has no key here, whatever the encoder: a record store refuses a statement with a null in it.
  //
  // Source: xAPI 1.0.3, Part Two, section 2.2.

  private enum Key: String, CodingKey {
    case id, actor, verb, object, result, context, timestamp
  }

  private struct Actor: Encodable {
    let objectType = "Agent"
    let name: String
    let account: Account
  }

  private struct Account: Encodable {
    let homePage = "\(LearningStatement.domain)/learners"
    let name: String
  }

  private struct VerbShape: Encodable {
    let id: String
    let display: NamedText
  }

  private struct Object: Encodable {
    let objectType = "Activity"
    let id: String
    let definition: Definition

    init(_ thing: Thing) {
      id = thing.address
      definition = Definition(type: thing.type, name: NamedText(name: thing.language, text: thing.title))
    }
  }

  private struct Definition: Encodable {
    let type: String
    let name: NamedText
  }

  /// An object with one member, such as the text in one language. A dictionary takes several times as long to encode.
  private struct NamedText: Encodable {
    let name: String
    let text: String

    private struct Key: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }

      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(text, forKey: Key(stringValue: name))
    }
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
    let extensions: NamedText

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

  /// Writes the statement in the shape of xAPI 1.0.3.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id, forKey: .id)
    try container.encode(Actor(name: learner, account: Account(name: learner)), forKey: .actor)
    try container.encode(
      VerbShape(id: verb.address, display: NamedText(name: "en", text: verb.rawValue)), forKey: .verb)
    try container.encode(Object(object), forKey: .object)
    let result = Result(
      isComplete: verb == .completed, success: verb.success, duration: duration.map(Self.duration),
      score: score.map(Score.init))
    if !result.isEmpty { try container.encode(result, forKey: .result) }
    try container.encode(
      Context(
        registration: registration,
        around: Around(parent: above.suffix(1).map(Object.init), grouping: above.prefix(1).map(Object.init)),
        extensions: NamedText(name: "\(Self.domain)/extensions/session", text: session)), forKey: .context)
    try container.encode(timestamp, forKey: .timestamp)
  }
}
