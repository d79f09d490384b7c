/// Which learner of the database.
public struct LearnerID: RawRepresentable, Hashable, Codable, Sendable {
  /// The row's number, from 1.
  public let rawValue: Int64

  /// Names the learner of that row.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }
}

/// Somebody who learns. The name is a label, not an account.
public struct Learner: Hashable, Sendable, Identifiable {
  /// Which learner.
  public let id: LearnerID
  /// What they are called here, unique in the database.
  public let name: String

  /// Names a learner.
  public init(id: LearnerID, name: String) {
    self.id = id
    self.name = name
  }
}
