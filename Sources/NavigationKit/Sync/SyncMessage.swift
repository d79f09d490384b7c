package import LearningModel
package import LearningStore

/// What a database asks another one, and tells it. Each message stands for itself, so a conversation may end anywhere and
/// begin anew.
///
/// As JSON it is an object with two members: the name of the message, with what it says, and the version of the messages.
///
/// ```json
/// {"names":{"learner":"0c5e…","session":"77d1…"},"version":1}
/// ```
package enum SyncMessage: Hashable, Sendable {
  /// Who is it that is spoken of?
  case greet
  /// What do we have that the other one has not?
  case compare(Comparison)
  /// Take this in.
  case push(Parcel)
  /// Give me as much of that as fits.
  case pull(Wish)
  /// What happened in a session, by name?
  case names(SessionName)

  /// Whether answering it may change the database that is asked.
  package var mayWrite: Bool {
    switch self {
    case .greet, .push: true
    case .compare(let comparison): comparison.erased != LearnerRecord.Erased()
    case .pull, .names: false
    }
  }

  /// The version of these messages. Each says it, since each stands for itself; who is asked in a later one says so.
  package static let version = 1

  /// What a database has of the learner.
  package struct Comparison: Hashable, Codable, Sendable {
    /// Who is spoken of.
    package var learner: String
    /// What there is of them.
    package var summary: SyncSummary
    /// What was erased.
    package var erased: LearnerRecord.Erased
  }

  /// A part of a learner's record.
  package struct Parcel: Hashable, Codable, Sendable {
    /// What is sent.
    package var record: LearnerRecord
  }

  /// What is wanted.
  package struct Wish: Hashable, Codable, Sendable {
    /// Who is spoken of.
    package var learner: String
    /// Which part of what is known of them.
    package var part: RecordPart
    /// How many steps, things done and facts to send at most, from 2 on; `nil`, and what is more, for as many as fit.
    package var limit: Int?
  }

  /// A session.
  package struct SessionName: Hashable, Codable, Sendable {
    /// Who is spoken of.
    package var learner: String
    /// The session's name everywhere.
    package var session: String
  }
}

/// What a database answers.
package enum SyncAnswer: Hashable, Sendable {
  /// Of whom there is how much.
  case greeting(Known)
  /// What there is where both differ.
  case comparison(Difference)
  /// It is taken in.
  case taken(Receipt)
  /// As much as fits, and what is left.
  case parcel(Share)
  /// What happened in the session.
  case names(Names)
  /// Something else was done in that session.
  case fork(String)
  /// The learner was erased, and does not come back.
  case erased

  /// The learner that the other database speaks of.
  package struct Known: Hashable, Codable, Sendable {
    /// The highest version of messages that is understood.
    package var version = SyncMessage.version
    /// Who they are everywhere.
    package var learner: String
    /// What they are called there.
    package var name: String
    /// How many steps of them are there.
    package var steps: Int

    /// Says of whom there is how much.
    package init(learner: String, name: String, steps: Int) {
      (self.learner, self.name, self.steps) = (learner, name, steps)
    }
  }

  /// How far everything is known where two databases differ.
  package struct Difference: Hashable, Codable, Sendable {
    /// What there is, so that the asking one finds what it has where they differ.
    package var summary: SyncSummary
    /// The sessions.
    package var sessions: [SessionMark]
    /// The facts.
    package var facts: [FactMark]
    /// What was erased.
    package var erased: LearnerRecord.Erased

    /// Says what there is where both differ.
    package init(summary: SyncSummary, sessions: [SessionMark], facts: [FactMark], erased: LearnerRecord.Erased) {
      (self.summary, self.sessions, self.facts, self.erased) = (summary, sessions, facts, erased)
    }
  }

  /// What became of a parcel.
  package struct Receipt: Hashable, Codable, Sendable {
    /// Changes that say a time that has not come yet, with the time for which they are taken.
    package var limited: [FactMark]
    /// How far the sessions of the parcel are known now; `nil` from a server that does not say so.
    package var sessions: [SessionMark]?
  }

  /// A part of what was wanted.
  package struct Share: Hashable, Codable, Sendable {
    /// The part.
    package var record: LearnerRecord
    /// What is left.
    package var rest: RecordPart
  }

  /// The names of what happened in a session, in their order.
  package struct Names: Hashable, Codable, Sendable {
    /// The steps.
    package var steps: [String]
    /// The things done.
    package var acts: [String]
  }
}

// A member of a message is its name; Swift's own way would put what it says into another member below it.

extension SyncMessage: Codable {
  private enum Name: String, CodingKey { case greet, compare, push, pull, names }
  private enum Envelope: String, CodingKey { case version }

  /// Reads a message.
  ///
  /// - Throws: ``SyncError/newer(_:)`` where it is of a later version, and `DecodingError`.
  package init(from decoder: any Decoder) throws {
    // First of all: in a later version messages may have other names.
    let envelope = try decoder.container(keyedBy: Envelope.self)
    let version = try envelope.decode(Int.self, forKey: .version)
    guard version <= Self.version else { throw SyncError.newer(version) }
    guard version >= 1 else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: envelope, debugDescription: "There is no version \(version).")
    }
    let container = try decoder.container(keyedBy: Name.self)
    switch try container.only {
    case .greet:
      _ = try container.nestedContainer(keyedBy: Name.self, forKey: .greet)
      self = .greet
    case .compare: self = .compare(try container.decode(Comparison.self, forKey: .compare))
    case .push: self = .push(try container.decode(Parcel.self, forKey: .push))
    case .pull: self = .pull(try container.decode(Wish.self, forKey: .pull))
    case .names: self = .names(try container.decode(SessionName.self, forKey: .names))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var envelope = encoder.container(keyedBy: Envelope.self)
    try envelope.encode(Self.version, forKey: .version)
    var container = encoder.container(keyedBy: Name.self)
    switch self {
    // An object that is empty.
    case .greet: _ = container.nestedContainer(keyedBy: Name.self, forKey: .greet)
    case .compare(let comparison): try container.encode(comparison, forKey: .compare)
    case .push(let parcel): try container.encode(parcel, forKey: .push)
    case .pull(let wish): try container.encode(wish, forKey: .pull)
    case .names(let name): try container.encode(name, forKey: .names)
    }
  }
}

extension SyncAnswer: Codable {
  /// Which answer it is, whatever it says.
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
    case .greeting: self = .greeting(try container.decode(Known.self, forKey: .greeting))
    case .comparison: self = .comparison(try container.decode(Difference.self, forKey: .comparison))
    case .taken: self = .taken(try container.decode(Receipt.self, forKey: .taken))
    case .parcel: self = .parcel(try container.decode(Share.self, forKey: .parcel))
    case .names: self = .names(try container.decode(Names.self, forKey: .names))
    case .fork: self = .fork(try container.decode(String.self, forKey: .fork))
    case .erased: self = .erased
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    switch self {
    case .greeting(let known): try container.encode(known, forKey: .greeting)
    case .comparison(let difference): try container.encode(difference, forKey: .comparison)
    case .taken(let receipt): try container.encode(receipt, forKey: .taken)
    case .parcel(let share): try container.encode(share, forKey: .parcel)
    case .names(let names): try container.encode(names, forKey: .names)
    case .fork(let session): try container.encode(session, forKey: .fork)
    case .erased: try container.encode(true, forKey: .erased)
    }
  }
}

extension KeyedDecodingContainer {
  /// The one member of an object that has no other.
  fileprivate var only: Key {
    get throws {
      guard let key = allKeys.first, allKeys.count == 1 else {
        throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "It has not one member."))
      }
      return key
    }
  }
}

/// Why two databases could not be synchronised.
package enum SyncError: ExplainedError, Hashable {
  /// The learner was erased in this database.
  case erasedHere
  /// The learner was erased in the other database.
  case erasedThere(name: String)
  /// What is spoken of is somebody else than the learner of this name.
  case anotherLearner(name: String)
  /// The learner here and the one there are not known to be one person.
  case notJoined(name: String, steps: Int, otherName: String, otherSteps: Int)
  /// The one there is here under another name.
  case knownAs(name: String, other: String)
  /// The other database speaks a later version.
  case newer(Int)
  /// Something else was done in a session.
  case fork(String)
  /// What both sides call by this name is not the same.
  case otherContent(uuid: String)
  /// A part of a record says what cannot be.
  case contradictory(detail: String)
  /// One thing that happened is larger than a message may be.
  case tooLarge(bytes: Int)
  /// One thing that was done is larger than such a thing may be.
  case eventTooLarge(uuid: String, bytes: Int)
  /// The other side says something that only later versions understand.
  case unknownWords
  /// The other side answered something else than was asked.
  case unexpectedAnswer

  /// The kind of the failure.
  package var kind: FailureKind {
    switch self {
    case .erasedHere, .erasedThere, .notJoined, .knownAs, .otherContent: .refused
    case .anotherLearner: .notFound
    case .newer, .fork, .contradictory, .tooLarge, .eventTooLarge, .unknownWords, .unexpectedAnswer: .badData
    }
  }

  /// The advice, if each program offers it in its own way; `nil` if `description` includes it.
  package var remedy: Remedy? {
    switch self {
    case .erasedHere: .chooseTokenOrLearner
    case .notJoined: .joinOrChooseLearner
    case .knownAs(_, let other): .chooseLearner(name: other)
    case .newer, .unknownWords: .updateProgram
    case .eventTooLarge: .eraseHistory
    default: nil
    }
  }

  /// The cause of the failure, and the advice that fits every program.
  package var description: String {
    switch self {
    case .erasedHere:
      "Could not synchronise: this learner was erased here, and does not come back."
    case .erasedThere(let name):
      "Could not synchronise '\(name)': they were erased on the server, and so they were here."
    case .anotherLearner(let name):
      "Could not synchronise '\(name)': the other side speaks of somebody else. Look whose token it is."
    case .notJoined(let name, let steps, let otherName, let otherSteps):
      "Could not synchronise '\(name)' (here, \(steps) \(steps == 1 ? "step" : "steps")) with '\(otherName)' (on the server, "
        + "\(otherSteps) \(otherSteps == 1 ? "step" : "steps")): they are not known to be one person."
    case .knownAs(let name, let other):
      "Could not synchronise '\(name)': the token is of somebody who is called '\(other)' here."
    case .newer(let version):
      "Could not synchronise: the other side speaks version \(version), this one up to \(SyncMessage.version)."
    case .fork(let session):
      "Could not synchronise: two databases went on with the session \(session). Synchronise again."
    case .otherContent(let uuid):
      "Could not synchronise: \(uuid) is not the same here and on the other side. Nothing was changed. Look whether somebody "
        + "has edited one of the two databases."
    case .contradictory(let detail):
      "Could not synchronise: what the other side tells contradicts itself, or what is here: \(detail). Please report this."
    case .tooLarge(let bytes):
      "Could not synchronise: one thing that happened takes \(bytes) bytes, more than a message may. Please report this."
    case .eventTooLarge(let uuid, let bytes):
      "Could not synchronise: \(uuid), which was done here, takes \(bytes) bytes; at most \(NavigationService.longestEvent) go "
        + "to a server. Nothing that comes with it went."
    case .unknownWords:
      "Could not take what the other side has: it tells of something that this version does not know. What was done here is "
        + "there."
    case .unexpectedAnswer:
      "Could not synchronise: the other side answered something else than it was asked. Look whether it is a Waymark server."
    }
  }
}
