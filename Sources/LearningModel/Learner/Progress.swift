/// How much of a place is done: its living activities, or itself where it is one.
public struct Progress: Hashable, Codable, Sendable {
  /// Activities done, 0…``total``.
  public var done: Int
  /// Living activities.
  public var total: Int

  /// Makes a progress.
  public init(done: Int, total: Int) {
    self.done = done
    self.total = total
  }

  /// The share that is done, 0…1; 0 where there is nothing to do.
  public var fraction: Double {
    total == 0 ? 0 : Double(done) / Double(total)
  }

  /// Whether everything is done, and there was something to do.
  public var isComplete: Bool { total > 0 && done == total }
}
