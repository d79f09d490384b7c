/// The number of activities of a place, and how many of them are done. For an activity, this is the activity itself.
public struct LearningProgress: Hashable, Codable, Sendable {
  /// The number of activities that are done, from 0 to ``total``.
  public var done: Int
  /// The number of activities, without those that were removed from the course.
  public var total: Int

  /// Creates a progress.
  public init(done: Int, total: Int) {
    self.done = done
    self.total = total
  }

  /// The share of the activities that are done, 0…1. 0 if there are no activities.
  public var fraction: Double {
    total == 0 ? 0 : Double(done) / Double(total)
  }

  /// Whether all activities are done, and there is at least one.
  public var isComplete: Bool { total > 0 && done == total }
}
