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
  fileprivate let isEnded: Bool
}

// The first column of each type is the ID of the event.

extension CountedEvent: StoredRow {
  static let columns = RowReader.columns(of: Self.self)
  /// The maximum duration of a visit, in milliseconds, for which returning to the previous place counts as turning
  /// back.
  private static let returnWindow = 10_000

  init(_ column: inout RowReader) {
    let _: Int64 = column("event.id")
    self.init(
      learner: column("event.learner"), session: column("event.session"),
      operation: column.word("event.operation") ?? .open, transition: column.word("event.transition"),
      to: column("event.toNode"), at: column("event.at"), activeMilliseconds: column("ifnull(event.activeMs, 0)"),
      turnedBack: column(
        """
        CASE WHEN event.leftAt - event.at <= \(Self.returnWindow) AND event.fromKind IS NOT NULL THEN EXISTS (
          SELECT 1 FROM navigationEvent AS after WHERE after.session = event.session
            AND after.sequence = event.sequence + 1 AND after.operation <> 'repair'
            AND after.toNode IS event.fromNode) ELSE 0 END
        """))
  }
}

extension EndedVisit: StoredRow {
  static let columns = RowReader.columns(of: Self.self)

  init(_ column: inout RowReader) {
    let _: Int64 = column("event.id")
    self.init(
      learner: column("event.learner"), node: column("event.toNode"), leftAt: column("event.leftAt"),
      operation: column.word("event.operation") ?? .open,
      next: column.word(
        """
        (SELECT after.operation FROM navigationEvent AS after
         WHERE after.session = event.session AND after.sequence = event.sequence + 1)
        """), isEnded: column("event.leftAt IS NOT NULL AND event.toNode IS NOT NULL"))
  }
}

extension VisitTime: StoredRow {
  static let columns = RowReader.columns(of: Self.self)

  init(_ column: inout RowReader) {
    self.init(
      id: column("event.id"), session: column("event.session"), sequence: column("event.sequence"),
      operation: column.word("event.operation") ?? .open, cause: column.word("event.cause") ?? .system,
      at: column("event.at"), activeMilliseconds: column("event.activeMs"))
  }
}

extension StoreSnapshot {
  /// Calls a function with the values of each matching event.
  package func forEachCount(matching query: HistoryQuery, _ body: (CountedEvent) throws -> Void) throws {
    try forEachRow(matching: query) { (event: CountedEvent) in
      try body(event)
      return true
    }
  }

  /// Calls a function with the end of each matching visit that has ended, in no particular order.
  package func forEachLeaving(matching query: HistoryQuery, _ body: (EndedVisit) throws -> Void) throws {
    try forEachRow(matching: query) { (visit: EndedVisit) in
      if visit.isEnded { try body(visit) }
      return true
    }
  }

  /// Calls a function with the duration of each matching visit, the newest first.
  ///
  /// - Parameter limit: The maximum number of visits.
  package func forEachVisitTime(
    matching query: HistoryQuery, limit: Int, _ body: (VisitTime) throws -> Void
  ) throws {
    try forEachRow(matching: query, limit: limit) { (visit: VisitTime) in
      try body(visit)
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
    try statements.run(Self.placesAfterSQL[learner == nil], [node, learner]) { row in
      let place: NodeID? = row[0]
      counts[place] = ((counts[place]?.count ?? 0) + 1, max(counts[place]?.last ?? 0, row[1]))
      return true
    }
    return counts.sorted { ($1.value.count, $1.value.last) < ($0.value.count, $0.value.last) }
      .map { (Place($0.key), $0.value.count) }
  }

  private static let placesAfterSQL = ScopedText("event.learner = ?2", "?2 IS NULL") { scope in
    """
    SELECT after.toNode, after.id
    FROM navigationEvent AS event INDEXED BY navigationEventByPlace
    CROSS JOIN navigationEvent AS after ON after.session = event.session AND after.sequence = event.sequence + 1
    WHERE event.toNode IS ?1 AND \(scope) AND after.operation <> 'repair' AND after.toNode IS NOT ?1
    """
  }
}
