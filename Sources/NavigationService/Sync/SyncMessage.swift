import LearningModel
package import LearningStore

/// What a database asks another one, and tells it. Each message stands for itself, so a conversation may end anywhere and
/// begin anew.
///
/// As JSON it is an object with one member, the name of the message:
///
/// ```json
/// {"compare":{"erased":{"sessions":[],"spans":[]},"learner":"0c5e…","protocol":1,"summary":{"facts":[…],"sessions":[…]}}}
/// ```
package enum SyncMessage: Hashable, Codable, Sendable {
  /// Who is it that is spoken of?
  case greet(Greeting)
  /// What do we have that the other one has not?
  case compare(Comparison)
  /// Take this in.
  case push(Parcel)
  /// Give me as much of that as fits.
  case pull(Wish)
  /// What happened in a session, by name?
  case names(SessionName)

  /// The version of these messages. One that is asked in a later one says so.
  package static let version = 1

  /// The beginning of a conversation.
  package struct Greeting: Hashable, Codable, Sendable {
    /// The version of the messages that follow.
    package var `protocol` = SyncMessage.version
  }

  /// What a database has of the learner.
  package struct Comparison: Hashable, Codable, Sendable {
    /// The version of the messages.
    package var `protocol` = SyncMessage.version
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
package enum SyncAnswer: Hashable, Codable, Sendable {
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
    package var `protocol` = SyncMessage.version
    /// Who they are everywhere.
    package var learner: String
    /// What they are called there.
    package var name: String
    /// How many steps of them are there.
    package var steps: Int
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
  }

  /// What became of a parcel.
  package struct Receipt: Hashable, Codable, Sendable {
    /// Changes that say a time that has not come yet, with the time for which they are taken.
    package var limited: [FactMark]
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
