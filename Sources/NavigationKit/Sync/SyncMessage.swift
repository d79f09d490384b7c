package import LearningModel
package import LearningStore
import WholeNumbers

/// A message from one database to another. Messages are independent of each other, so a synchronisation can be
/// interrupted and repeated at any time.
///
/// As JSON, a message is an object with two members: the name of the message with its content, and the version of the
/// protocol.
///
/// ```json
/// {"names":{"learner":"0c5e…","session":"77d1…"},"version":2}
/// ```
package enum SyncMessage: Hashable, Sendable {
  /// Requests the identity of the learner.
  case hello
  /// Requests the data that differs from the sender's data.
  case compare(Comparison)
  /// Sends data that the other side lacks.
  case push(PushPayload)
  /// Requests data, as much as fits into one message.
  case pull(PullRequest)
  /// Requests the UUIDs of the events in a session.
  case names(SessionName)

  /// Whether answering the message may change the database.
  package var mayWrite: Bool {
    switch self {
    case .hello, .push: true
    case .compare(let comparison): comparison.erased != LearnerRecord.Erasure()
    case .pull, .names: false
    }
  }

  /// The version of the protocol, which every message contains. Decoding a message with another version throws
  /// ``SyncError/otherVersion(_:)``.
  package static let version = 2

  /// A summary of the sender's data about a learner.
  package struct Comparison: Hashable, Codable, Sendable {
    /// An identity of the learner.
    package var learner: String
    /// Hashes of the sender's sessions and changes in 64 groups each. A group whose hash differs on the other side is
    /// compared in detail.
    package var summary: SyncSummary
    package var erased: LearnerRecord.Erasure
  }

  /// A part of a learner's record.
  package struct PushPayload: Hashable, Codable, Sendable {
    package var record: LearnerRecord
  }

  /// A request for a part of a learner's record.
  package struct PullRequest: Hashable, Codable, Sendable {
    /// An identity of the learner.
    package var learner: String
    package var part: RecordDelta
    /// The maximum number of steps, activity events and changes, at least 3. `nil` or a larger number than fits into a
    /// message means as many as fit.
    package var limit: Int?
  }

  /// A session of a learner.
  package struct SessionName: Hashable, Codable, Sendable {
    /// An identity of the learner.
    package var learner: String
    /// The session's UUID.
    package var session: String
  }
}

/// The answer of a database to a message.
package enum SyncAnswer: Hashable, Sendable {
  /// The identity of the learner.
  case hello(Hello)
  /// The data that differs.
  case comparison(Difference)
  /// The data was merged.
  case acknowledged(Acknowledgement)
  /// The requested data as far as it fits, and the rest of the request.
  case payload(PullPayload)
  /// The UUIDs of the events in a session.
  case names(Names)
  /// The session with this UUID was continued in both databases.
  case fork(String)
  /// The learner was erased and cannot be restored.
  case erased

  /// The learner in the answering database.
  package struct Hello: Hashable, Codable, Sendable {
    /// The highest supported version of the protocol.
    package var version = SyncMessage.version
    /// The learner's UUID.
    package var learner: String
    /// The learner's name in the answering database.
    package var name: String
    /// The number of the learner's steps in the answering database.
    package var steps: Int

    /// Creates the description of a learner.
    package init(learner: String, name: String, steps: Int) {
      (self.learner, self.name, self.steps) = (learner, name, steps)
    }
  }

  /// The versions of all data in the parts of the record in which two databases differ.
  package struct Difference: Hashable, Codable, Sendable {
    /// A summary of the answering database's data, with which the sender finds its own data in the same parts.
    package var summary: SyncSummary
    /// The sessions and the numbers of their events.
    package var sessions: [SessionVersion]
    /// The bookmarks, settings, positions and other changes, with their times.
    package var facts: [FactVersion]
    package var erased: LearnerRecord.Erasure

    /// Creates the description of a difference.
    package init(summary: SyncSummary, sessions: [SessionVersion], facts: [FactVersion], erased: LearnerRecord.Erasure)
    {
      (self.summary, self.sessions, self.facts, self.erased) = (summary, sessions, facts, erased)
    }
  }

  /// The result of merging a part of a record.
  package struct Acknowledgement: Hashable, Codable, Sendable {
    /// The changes whose times were in the future, with the times that were stored instead.
    package var limited: [FactVersion]
    /// The numbers of events in the sessions of the part after merging. `nil` from servers that do not report them.
    package var sessions: [SessionVersion]?
  }

  /// A part of the requested data.
  package struct PullPayload: Hashable, Codable, Sendable {
    package var record: LearnerRecord
    /// The rest of the request.
    package var rest: RecordDelta
  }

  /// The UUIDs of the events in a session, in their order.
  package struct Names: Hashable, Codable, Sendable {
    /// The UUIDs of the steps.
    package var steps: [String]
    /// The UUIDs of the activity events.
    package var acts: [String]
  }
}

// The key is the name of the message, and the value is its content. The synthesised conformance would add a nested
// object.

extension SyncMessage: Codable {
  private enum Name: String, CodingKey { case greet, compare, push, pull, names }
  private enum Envelope: String, CodingKey { case version }

  /// Decodes a message.
  ///
  /// - Throws: ``SyncError/otherVersion(_:)`` if the message has another version, and `DecodingError`.
  package init(from decoder: any Decoder) throws {
    // The version is checked first, because other versions may have other messages.
    let version = try decoder.container(keyedBy: Envelope.self).decode(Double.self, forKey: .version)
    guard version == Double(Self.version) else { throw SyncError.otherVersion(Int(clamping: version)) }
    let container = try decoder.container(keyedBy: Name.self)
    switch try container.only {
    case .greet:
      _ = try container.nestedContainer(keyedBy: Name.self, forKey: .greet)
      self = .hello
    case .compare: self = .compare(try container.decode(Comparison.self, forKey: .compare))
    case .push: self = .push(try container.decode(PushPayload.self, forKey: .push))
    case .pull: self = .pull(try container.decode(PullRequest.self, forKey: .pull))
    case .names: self = .names(try container.decode(SessionName.self, forKey: .names))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var envelope = encoder.container(keyedBy: Envelope.self)
    try envelope.encode(Self.version, forKey: .version)
    var container = encoder.container(keyedBy: Name.self)
    switch self {
    // An empty object.
    case .hello: _ = container.nestedContainer(keyedBy: Name.self, forKey: .greet)
    case .compare(let comparison): try container.encode(comparison, forKey: .compare)
    case .push(let payload): try container.encode(payload, forKey: .push)
    case .pull(let request): try container.encode(request, forKey: .pull)
    case .names(let name): try container.encode(name, forKey: .names)
    }
  }
}

extension SyncAnswer: Codable {
  /// Checks whether an object is a known answer, without decoding its content.
  struct Member: Decodable {
    let isKnown: Bool

    init(from decoder: any Decoder) throws {
      isKnown = try decoder.container(keyedBy: Name.self).allKeys.count == 1
    }
  }

  fileprivate enum Name: String, CodingKey { case greeting, comparison, taken, parcel, names, fork, erased }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Name.self)
    switch try container.only {
    case .greeting: self = .hello(try container.decode(Hello.self, forKey: .greeting))
    case .comparison: self = .comparison(try container.decode(Difference.self, forKey: .comparison))
    case .taken: self = .acknowledged(try container.decode(Acknowledgement.self, forKey: .taken))
    case .parcel: self = .payload(try container.decode(PullPayload.self, forKey: .parcel))
    case .names: self = .names(try container.decode(Names.self, forKey: .names))
    case .fork: self = .fork(try container.decode(String.self, forKey: .fork))
    case .erased: self = .erased
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    switch self {
    case .hello(let hello): try container.encode(hello, forKey: .greeting)
    case .comparison(let difference): try container.encode(difference, forKey: .comparison)
    case .acknowledged(let acknowledgement): try container.encode(acknowledgement, forKey: .taken)
    case .payload(let payload): try container.encode(payload, forKey: .parcel)
    case .names(let names): try container.encode(names, forKey: .names)
    case .fork(let session): try container.encode(session, forKey: .fork)
    case .erased: try container.encode(true, forKey: .erased)
    }
  }
}

extension KeyedDecodingContainer {
  /// The only key of the object.
  ///
  /// - Throws: `DecodingError` if the object does not have exactly one known key.
  fileprivate var only: Key {
    get throws {
      guard let key = allKeys.first, allKeys.count == 1 else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: codingPath, debugDescription: "The object must have exactly one known member."))
      }
      return key
    }
  }
}

/// The reason why two databases could not be synchronised.
package enum SyncError: ExplainedError, Hashable {
  /// The learner was erased in this database.
  case erasedHere
  /// The learner was erased in the other database.
  case erasedThere(name: String)
  /// The message is not about the learner with this name. If `name` is `nil`, the message is not about the token's
  /// learner.
  case anotherLearner(name: String?)
  /// The learners of the two databases are not known to be the same person.
  case notJoined(name: String, steps: Int, otherName: String, otherSteps: Int)
  /// The learner of the other database has another name in this database.
  case knownAs(name: String, other: String)
  /// The other database uses another version of the protocol.
  case otherVersion(Int)
  /// The session with this UUID was continued in both databases.
  case fork(String)
  /// The event with this UUID is not the same in both databases.
  case otherContent(uuid: String)
  /// A part of a record contradicts itself or the data in this database.
  case contradictory(detail: String)
  /// A single event is larger than a message may be.
  case tooLarge(bytes: Int)
  /// The activity event with this UUID is larger than an event may be.
  case eventTooLarge(uuid: String, bytes: Int)
  /// The other side sent content that only later versions understand.
  case unknownMessage
  /// The other side sent an answer that does not match the message.
  case unexpectedAnswer

  package var kind: FailureKind {
    switch self {
    case .erasedHere, .erasedThere, .notJoined, .knownAs, .otherContent: .refused
    case .anotherLearner: .notFound
    case .otherVersion, .fork, .contradictory, .tooLarge, .eventTooLarge, .unknownMessage, .unexpectedAnswer: .badData
    }
  }

  /// The remedy, if it depends on the program. `nil` if no remedy is known, or if `description` includes it.
  package var remedy: Remedy? {
    switch self {
    case .erasedHere: .chooseTokenOrLearner
    case .notJoined: .joinOrChooseLearner
    case .knownAs(_, let other): .chooseLearner(name: other)
    case .otherVersion, .unknownMessage: .updateProgram
    case .eventTooLarge: .eraseHistory
    default: nil
    }
  }

  /// A sentence with the cause of the failure, followed by the remedy if it is the same in every program.
  package var description: String {
    switch self {
    case .erasedHere:
      "Could not synchronise: the learner was erased in this database and cannot be added again."
    case .erasedThere(let name):
      "Could not synchronise \(quoted: name): the learner was erased on the server, and therefore also in this database."
    case .anotherLearner(let name):
      "Could not synchronise\(name.map { " \(quoted: $0)" } ?? ""): the data belongs to another learner. "
        + "Check which learner the token is for."
    case .notJoined(let name, let steps, let otherName, let otherSteps):
      "Could not synchronise \(quoted: name) (here, \(steps) \(steps == 1 ? "step" : "steps")) with \(quoted: otherName) (on the server, "
        + "\(otherSteps) \(otherSteps == 1 ? "step" : "steps")): it is not known whether they are the same person."
    case .knownAs(let name, let other):
      "Could not synchronise \(quoted: name): the token is for the learner who has the name \(quoted: other) in this database."
    case .otherVersion(let version):
      "Could not synchronise: the other side uses version \(version) of the protocol, and this program uses "
        + "version \(SyncMessage.version). Both sides need the same version."
    case .fork(let session):
      "Could not synchronise: the session \(session) was continued in both databases. Synchronise again."
    case .otherContent(let uuid):
      "Could not synchronise: the event \(uuid) differs between the two databases. Nothing was changed. "
        + "Check whether one of the databases was edited."
    case .contradictory(let detail):
      "Could not synchronise: the received data contradicts itself or the data in this database: \(detail). Please "
        + "report this."
    case .tooLarge(let bytes):
      "Could not synchronise: an event takes \(bytes) bytes, more than the maximum size of a message. Please report "
        + "this."
    case .eventTooLarge(let uuid, let bytes):
      "Could not synchronise: the activity event \(uuid) takes \(bytes) bytes, and a server accepts at most "
        + "\(LearnerSync.maximumEventBytes). The data that belongs to the same message was not sent."
    case .unknownMessage:
      "Could not receive the data of the other side: this version does not support a part of it. The data of this "
        + "database was sent."
    case .unexpectedAnswer:
      "Could not synchronise: the answer does not match the request. Check that the other side is a Waymark server."
    }
  }
}
