package import LearningModel

/// The time that a learner has spent in a place and its subtree.
package struct TimeSpent: Hashable, Sendable {
  /// The time of the first visit.
  package let from: Timestamp
  /// The time at which the learner left last, or at which the last visit began if it has not ended.
  package let to: Timestamp
  /// The total active time in milliseconds, without a visit that has not ended.
  package let activeMilliseconds: Int64
}

extension StoreSnapshot {
  /// Returns the time that a learner has spent in a place according to the log, or `nil` if they have never visited it.
  package func timeSpent(in node: NodeID, by learner: LearnerID) throws -> TimeSpent? {
    try first(
      """
      SELECT min(event.at), max(ifnull(event.leftAt, event.at)), ifnull(sum(event.activeMs), 0)
      FROM visitUnder AS visit JOIN navigationEvent AS event ON event.id = visit.event
      WHERE visit.learner = ? AND visit.node = ?
      """, learner, node
    ) { row in
      (row[0] as Timestamp?).map { TimeSpent(from: $0, to: row[1], activeMilliseconds: row[2]) }
    } ?? nil
  }
}
