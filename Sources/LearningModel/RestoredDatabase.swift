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

  package init(path: String, restored: DatabaseContents, replaced: DatabaseContents?, previousPath: String?) {
    self.path = path
    self.restored = restored
    self.replaced = replaced
    self.previousPath = previousPath
  }
}
