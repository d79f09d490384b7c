/// How much a database holds.
public struct DatabaseContents: Hashable, Sendable {
  /// Courses that are not removed.
  public let courses: Int
  /// Learners.
  public let learners: Int
  /// Navigation events of all learners.
  public let steps: Int
  /// The time of the last navigation event; `nil` without events.
  public let lastStepAt: Timestamp?

  /// Creates a value from its parts.
  package init(courses: Int, learners: Int, steps: Int, lastStepAt: Timestamp?) {
    self.courses = courses
    self.learners = learners
    self.steps = steps
    self.lastStepAt = lastStepAt
  }
}

/// The result of restoring a database from a copy.
public struct RestoredDatabase: Hashable, Sendable {
  /// The database, without symbolic links.
  public let path: String
  /// The contents of the copy.
  public let restored: DatabaseContents
  /// The contents of the previous database; `nil` if it was missing or could not be read.
  public let replaced: DatabaseContents?
  /// The file to which the database before was renamed, with its log next to it; `nil` if there was none.
  public let kept: String?

  /// Creates a value from its parts.
  package init(path: String, restored: DatabaseContents, replaced: DatabaseContents?, kept: String?) {
    self.path = path
    self.restored = restored
    self.replaced = replaced
    self.kept = kept
  }
}
