package import LearningModel

/// The values of a navigation event that statistics use.
package struct CountedEvent: Hashable, Sendable {
  package let learner: LearnerID
  package let session: SessionID
  package let operation: NavigationOperation
  /// The transition, or `nil` for the first event of a session.
  package let transition: TransitionKind?
  /// The destination, or `nil` for the root.
  package let to: NodeID?
  package let at: Timestamp
  /// How long the learner was active during the visit, in milliseconds.
  package let activeMilliseconds: Int64
  /// Whether the learner returned to the previous place within ten seconds.
  package let turnedBack: Bool
}

/// The end of a visit.
package struct EndedVisit: Hashable, Sendable {
  package let learner: LearnerID
  /// The place that the learner left.
  package let node: NodeID
  package let leftAt: Timestamp
  /// The operation that had led to the place.
  package let operation: NavigationOperation
  /// The next operation of the session, or `nil` if the session ended.
  package let next: NavigationOperation?
}

extension StoreSnapshot {
  /// The maximum duration of a visit, in milliseconds, for which returning to the previous place counts as turning
  /// back.
  static let returnWindow = 10_000

  /// Calls a function with the values of each matching event.
  package func forEachCount(matching query: HistoryQuery, _ body: (CountedEvent) throws -> Void) throws {
    let columns = """
      event.id, event.learner, event.session, event.operation, event.transition, event.toNode, event.at, \
      ifnull(event.activeMs, 0), \
      CASE WHEN event.leftAt - event.at <= \(Self.returnWindow) AND event.fromKind IS NOT NULL THEN EXISTS ( \
        SELECT 1 FROM navigationEvent AS after WHERE after.session = event.session \
          AND after.sequence = event.sequence + 1 AND after.operation <> 'repair' \
          AND after.toNode IS event.fromNode) ELSE 0 END
      """
    guard let statement = try HistoryStatement(query, columns: columns, limit: nil, in: self) else { return }
    try statements.run(statement.sql, statement.values) { row in
      try body(
        CountedEvent(
          learner: row[1], session: row[2], operation: try row.word(NavigationOperation.self, at: 3) ?? .open,
          transition: try row.word(TransitionKind.self, at: 4), to: row[5], at: row[6], activeMilliseconds: row[7],
          turnedBack: row[8]))
      return true
    }
  }

  /// Calls a function with the end of each matching visit that has ended, in no particular order.
  package func forEachLeaving(matching query: HistoryQuery, _ body: (EndedVisit) throws -> Void) throws {
    let columns = """
      event.id, event.learner, event.toNode, event.leftAt, event.operation, \
      (SELECT after.operation FROM navigationEvent AS after \
       WHERE after.session = event.session AND after.sequence = event.sequence + 1)
      """
    guard let statement = try HistoryStatement(query, columns: columns, limit: nil, in: self) else { return }
    try statements.run(statement.sql, statement.values) { row in
      guard let node: NodeID = row[2], let leftAt: Timestamp = row[3] else { return true }
      try body(
        EndedVisit(
          learner: row[1], node: node, leftAt: leftAt,
          operation: try row.word(NavigationOperation.self, at: 4) ?? .open,
          next: try row.word(NavigationOperation.self, at: 5)))
      return true
    }
  }

  /// Calls a function with the duration of each matching visit, the newest first.
  ///
  /// - Parameter limit: The maximum number of visits.
  package func forEachVisitTime(
    matching query: HistoryQuery, limit: Int, _ body: (VisitTime) throws -> Void
  ) throws {
    let columns = """
      event.id, event.session, event.sequence, event.operation, event.cause, event.at, event.activeMs
      """
    guard let statement = try HistoryStatement(query, columns: columns, limit: limit, in: self) else { return }
    try statements.run(statement.sql, statement.values) { row in
      try body(
        VisitTime(
          id: row[0], session: row[1] as Int64, sequence: row[2],
          operation: try row.word(NavigationOperation.self, at: 3) ?? .open,
          cause: try row.word(NavigationCause.self, at: 4) ?? .system, at: row[5], activeMilliseconds: row[6]))
      return true
    }
  }

  /// Returns how often each place was visited directly after a given place, the most frequent first.
  ///
  /// - Parameters:
  ///   - node: The given place, or `nil` for the root.
  ///   - learner: The learner whose events are counted, or `nil` for all learners.
  package func placesAfter(_ node: NodeID?, for learner: LearnerID?) throws -> [(to: Place, count: Int)] {
    var counts: [NodeID?: (count: Int, last: Int64)] = [:]
    try statements.run(learner == nil ? Self.placesAfterSQL : Self.placesAfterOfLearnerSQL, [node, learner]) { row in
      let place: NodeID? = row[0]
      counts[place] = ((counts[place]?.count ?? 0) + 1, max(counts[place]?.last ?? 0, row[1]))
      return true
    }
    return counts.sorted { ($1.value.count, $1.value.last) < ($0.value.count, $0.value.last) }
      .map { (Place($0.key), $0.value.count) }
  }

  private static let placesAfterSQL = placesAfter(whose: "?2 IS NULL")
  private static let placesAfterOfLearnerSQL = placesAfter(whose: "event.learner = ?2")

  private static func placesAfter(whose condition: String) -> StatementText {
    StatementText(
      """
      SELECT after.toNode, after.id
      FROM navigationEvent AS event INDEXED BY navigationEventByPlace
      CROSS JOIN navigationEvent AS after ON after.session = event.session AND after.sequence = event.sequence + 1
      WHERE event.toNode IS ?1 AND \(condition) AND after.operation <> 'repair' AND after.toNode IS NOT ?1
      """)
  }
}
