/// The amount of data in a database.
public struct DatabaseContents: Hashable, Sendable {
  /// The number of courses, without removed ones.
  public let courses: Int
  /// The number of learners.
  public let learners: Int
  /// The number of steps of all learners.
  public let steps: Int
  /// The time of the last step, or `nil` if there are no steps.
  public let lastStepAt: Timestamp?

  package init(courses: Int, learners: Int, steps: Int, lastStepAt: Timestamp?) {
    self.courses = courses
    self.learners = learners
    self.steps = steps
    self.lastStepAt = lastStepAt
  }
}

/// The numbers of records that a restored database has taken over from the database that it replaces, so that a restore
/// revives neither access nor data.
public struct KeptRecords: Hashable, Sendable {
  /// The number of tokens that were revoked after the copy was made.
  public package(set) var revokedTokens = 0
  /// The number of tokens whose learners were erased after the copy was made.
  public package(set) var erasedTokens = 0
  /// The number of learners who were erased, or a part of whose history was erased, after the copy was made.
  public package(set) var erasures = 0
  /// The number of entries that the audit of the copy did not have.
  public package(set) var auditEntries = 0

  package init() {}
}

/// The result of restoring a database from a copy.
public struct RestoredDatabase: Hashable, Sendable {
  /// The path of the database, without symbolic links.
  public let path: String
  /// The amount of data in the copy.
  public let restored: DatabaseContents
  /// The amount of data in the previous database. `nil` if it did not exist or could not be read.
  public let replaced: DatabaseContents?
  /// The path to which the previous database was renamed, with its write-ahead log next to it. `nil` if there was no
  /// database.
  public let previousPath: String?
  /// What was taken over from the previous database. `nil` if it did not exist or could not be read.
  public let kept: KeptRecords?

  package init(
    path: String, restored: DatabaseContents, replaced: DatabaseContents?, previousPath: String?,
    kept: KeptRecords?
  ) {
    self.path = path
    self.restored = restored
    self.replaced = replaced
    self.previousPath = previousPath
    self.kept = kept
  }
}
