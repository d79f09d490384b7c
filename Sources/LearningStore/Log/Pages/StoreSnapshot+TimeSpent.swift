package import LearningModel

/// When a learner was in a place and everything below it.
package struct TimeSpent: Hashable, Sendable {
  /// When they came for the first time.
  package let from: Timestamp
  /// When they left for the last time, or came, where they are still there.
  package let to: Timestamp
  /// How long they were present in all, in milliseconds; the visit that is not over yet does not count.
  package let activeMilliseconds: Int64
}

extension StoreSnapshot {
  /// Returns when a learner was in a place, by the log; `nil` where they never were.
  package func timeSpent(in node: NodeID, by learner: LearnerID) throws -> TimeSpent? {
    try first(Self.timeText, learner, node) { row in
      (row[0] as Timestamp?).map { TimeSpent(from: $0, to: row[1], activeMilliseconds: row[2]) }
    } ?? nil
  }

  private static let timeText = StatementText(
    """
    SELECT min(at), max(ifnull(leftAt, at)), ifnull(sum(activeMs), 0)
    FROM visitUnder AS visit JOIN navigationEvent AS event ON event.id = visit.event
    WHERE visit.learner = ? AND visit.node = ?
    """)
}
