import Foundation
public import LearningModel

/// A statement of the Experience API: a learner performed an action on a place.
///
/// Source: xAPI 1.0.3, "Part Two: Experience API Data", section 2.4.
public struct LearningStatement: Hashable, Encodable, Sendable {
  /// The action of a statement. The raw value is the last component of the verb's address in ADL's vocabulary.
  public enum Verb: String, CaseIterable, Sendable {
    /// The learner visited a place.
    case experienced
    /// The learner opened an activity.
    case launched
    /// The learner finished an activity.
    case completed
    /// The learner finished a quiz with enough right answers to pass, or passed the check of an exercise.
    case passed
    /// The learner finished a quiz with too few right answers to pass, or did not pass the check of an exercise.
    case failed
    /// The learner answered a card in a review.
    case answered

    /// The verb's identifier.
    ///
    /// Source: the vocabulary of ADL, https://adlnet.gov/expapi/verbs.
    var address: String { "http://adlnet.gov/expapi/verbs/\(rawValue)" }

    /// The `success` property of the result, if the verb determines it. `nil` unless the verb is about an attempt at a
    /// quiz or an exercise.
    ///
    /// Source: cmi5, sections 9.3.4 and 9.3.5 (the verbs), 9.5.2 and 9.5.3 (success, completion).
    var success: Bool? { self == .passed ? true : self == .failed ? false : nil }
  }

  /// The statement's UUID. It is derived from the UUID of the event and the verb, so exporting an event again yields
  /// the same statement.
  public let id: String
  /// The learner's name.
  public let learner: String
  /// The action that the learner performed.
  public let verb: Verb
  /// The place on which the action was performed.
  let object: Object
  /// The ancestors of the place at the time of the action, the course first.
  let ancestors: [Object]
  /// The time of the action.
  public let timestamp: Timestamp
  /// The time that the learner was present or needed for an answer, in milliseconds.
  let duration: Int64?
  /// Whether the learner remembered the card, for an answer in a review.
  var isRemembered: Bool?
  /// The share of right answers, 0…1.
  let score: Double?
  /// The session's UUID.
  let session: String
  /// The UUID of the learner's attempt at the course, which is the same in all sessions. Its value is
  /// ``registration(of:in:)``, which is too slow to compute for each statement.
  let registration: String

  /// A place in a statement.
  struct Object: Hashable, Sendable {
    /// The identifier. It consists of the keys of the course and the place, which renaming and moving do not change.
    /// The domain cannot exist (RFC 6761), so the address cannot be opened.
    let address: String
    /// The address of the nearest type of activity in ADL's vocabulary.
    ///
    /// Source: the vocabulary of ADL, https://adlnet.gov/expapi/activities.
    let type: String
    let title: String
    /// The language of the title as a tag of RFC 5646; `und` if it is unknown.
    let language: String

    /// Returns the description of a card of this place. It has the title of the place, because the text of a card can
    /// change.
    func card(_ key: String) -> Object {
      Object(
        address: "\(address)/cards/\(key.inAddress)", type: "http://adlnet.gov/expapi/activities/question",
        title: title, language: language)
    }

    private init(address: String, type: String, title: String, language: String) {
      (self.address, self.type, self.title, self.language) = (address, type, title, language)
    }

    /// Creates the description of a place.
    ///
    /// - Parameter activity: The type of an activity; `nil` for any other place, and if the type is unknown.
    init(
      courseKey: String, key: String, kind: ContentKind, activity: ActivityType?, title: String, language: String
    ) {
      address =
        "\(LearningStatement.domain)/courses/\(courseKey.inAddress)"
        + (kind == .course ? "" : "/places/\(key.inAddress)")
      let word =
        switch (kind, activity) {
        case (.course, _): "course"
        case (.goal, _): "objective"
        case (.lesson, _): "lesson"
        case (.activity, .reading): "media"
        case (.activity, .quiz): "assessment"
        case (.activity, .link): "link"
        case (.activity, _): "interaction"
        }
      type = "http://adlnet.gov/expapi/activities/\(word)"
      self.title = title
      self.language = language
    }
  }

  /// The domain of all identifiers of this application.
  static let domain = "https://waymark.invalid"

  /// Returns the UUID of a learner's attempt at a course.
  static func registration(of learner: String, in courseKey: String) -> String {
    let person = UUID("\(Self.domain)/learners/\(learner.inAddress)", in: .addresses)
    return UUID(courseKey, in: person).uuidString.lowercased()
  }

  /// Returns the UUID of the statement with a verb about an event.
  static func id(of verb: Verb, event uuid: String) -> String {
    guard let event = UUID(uuidString: uuid) else { return uuid }
    return UUID(verb.address, in: event).uuidString.lowercased()
  }

  /// Formats a duration in ISO 8601, truncated to hundredths of a second.
  ///
  /// Source: xAPI 1.0.3, Part Two, section 4.6.
  static func duration(_ milliseconds: Int64) -> String {
    let hundredths = milliseconds / 10
    let fraction = hundredths % 100
    return "PT\(hundredths / 100)" + (fraction == 0 ? "" : fraction < 10 ? ".0\(fraction)" : ".\(fraction)") + "S"
  }
}

extension String {
  /// The text with percent encoding, so that it can be one component of the path of an address.
  ///
  /// Source: RFC 3986, section 2.3.
  fileprivate var inAddress: String {
    let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
    return addingPercentEncoding(withAllowedCharacters: plain) ?? self
  }
}

extension LearningStatement {
  // Missing values are omitted, whatever the settings of the encoder: record stores reject statements that contain
  // `null`.
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

  private struct VerbBody: Encodable {
    let id: String
    let display: NamedText
  }

  private struct ObjectBody: Encodable {
    let objectType = "Activity"
    let id: String
    let definition: Definition

    init(_ object: Object) {
      id = object.address
      definition = Definition(type: object.type, name: NamedText(name: object.language, text: object.title))
    }
  }

  private struct Definition: Encodable {
    let type: String
    let name: NamedText
  }

  /// A JSON object with one member, such as a text with its language as key. Encoding a dictionary takes several times
  /// as long.
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
    let around: ContextActivities
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

  private struct ContextActivities: Encodable {
    let parent: [ObjectBody]
    let grouping: [ObjectBody]
  }

  /// Encodes the statement in the format of xAPI 1.0.3.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id, forKey: .id)
    try container.encode(Actor(name: learner, account: Account(name: learner)), forKey: .actor)
    try container.encode(
      VerbBody(id: verb.address, display: NamedText(name: "en", text: verb.rawValue)), forKey: .verb)
    try container.encode(ObjectBody(object), forKey: .object)
    let result = Result(
      isComplete: verb == .completed, success: isRemembered ?? verb.success, duration: duration.map(Self.duration),
      score: score.map(Score.init))
    if !result.isEmpty { try container.encode(result, forKey: .result) }
    try container.encode(
      Context(
        registration: registration,
        around: ContextActivities(
          parent: ancestors.suffix(1).map(ObjectBody.init), grouping: ancestors.prefix(1).map(ObjectBody.init)),
        extensions: NamedText(name: "\(Self.domain)/extensions/session", text: session)), forKey: .context)
    try container.encode(timestamp, forKey: .timestamp)
  }
}
