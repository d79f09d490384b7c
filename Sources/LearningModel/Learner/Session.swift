/// The identifier of a session in the database.
public struct SessionID: RawRepresentable, Hashable, Codable, Sendable {
  /// The number of the row, from 1.
  public let rawValue: Int64

  /// Creates the identifier of the session in a row.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }
}

/// A session of a learner in a front end.
public struct Session: Hashable, Sendable, Identifiable {
  /// The identifier of the session.
  public let id: SessionID
  /// The session's UUID in lower case, which is the same in all databases.
  public let uuid: String
  /// The identifier of the learner.
  public let learner: LearnerID
  /// The name: `browser`, or the name that was given to a command.
  public let name: String
  /// The learner's time zone, as a name of the IANA database.
  public let timeZone: String
  /// The time at which the session began.
  public let startedAt: Timestamp
  /// The time of the learner's last input.
  public let lastInputAt: Timestamp
  /// The time at which the session ended, or `nil` if it is open.
  public let endedAt: Timestamp?

  package init(
    id: SessionID, uuid: String, learner: LearnerID, name: String, timeZone: String, startedAt: Timestamp,
    lastInputAt: Timestamp, endedAt: Timestamp?
  ) {
    self.id = id
    self.uuid = uuid
    self.learner = learner
    self.name = name
    self.timeZone = timeZone
    self.startedAt = startedAt
    self.lastInputAt = lastInputAt
    self.endedAt = endedAt
  }
}
