/// Which sitting of the database.
public struct SessionID: RawRepresentable, Hashable, Codable, Sendable {
  /// The row's number, from 1.
  public let rawValue: Int64

  /// Names the session of that row.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }
}

/// One sitting of one learner in one front end.
public struct Session: Hashable, Sendable, Identifiable {
  /// Which sitting.
  public let id: SessionID
  /// Its name everywhere, as lower-case hexadecimal digits with hyphens.
  public let uuid: String
  /// Whose.
  public let learner: LearnerID
  /// What it is called: `browser`, or the name given to a command.
  public let name: String
  /// The learner's time zone as a name of the IANA database.
  public let timeZone: String
  /// When it began.
  public let startedAt: Timestamp
  /// When the learner last did something.
  public let lastInputAt: Timestamp
  /// When it ended; `nil` while it is open.
  public let endedAt: Timestamp?

  /// Makes a session from all that is known of it.
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
