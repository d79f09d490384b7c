/// The number of activities of a place that are done. An activity counts itself.
public struct LearningProgress: Hashable, Codable, Sendable {
  /// The number of activities that are done, 0…``total``.
  public var done: Int
  /// The number of activities, without those that were removed from the course.
  public var total: Int

  /// Creates a progress from its numbers.
  public init(done: Int, total: Int) {
    self.done = done
    self.total = total
  }

  /// The share of the activities that is done, 0…1; 0 if there are none.
  public var fraction: Double {
    total == 0 ? 0 : Double(done) / Double(total)
  }

  /// Whether all activities are done, and there is at least one.
  public var isComplete: Bool { total > 0 && done == total }
}
