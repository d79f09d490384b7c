public import LearningModel

/// What statistics need to know of a step.
public struct CountedStep: Hashable, Sendable {
  /// Whose.
  public let learner: LearnerID
  /// In which session.
  public let session: SessionID
  /// What was done.
  public let operation: NavigationOperation
  /// What it looked like.
  public let transition: TransitionKind?
  /// The place after.
  public let to: NodeID?
  /// When.
  public let at: Timestamp
  /// How long the learner was present, in milliseconds.
  public let activeMilliseconds: Int64
  /// Whether the learner went back to where they came from within ten seconds.
  public let turnedBack: Bool
}

extension StoreSnapshot {
  /// After how long a return is no turning back any more, in milliseconds.
  static let turnBackTime = 10_000

  /// Calls a function with what statistics need of each step that is asked for.
  public func forEachCount(matching query: HistoryQuery, _ body: (CountedStep) throws -> Void) throws {
    let columns = """
      event.id, event.learner, event.session, event.operation, event.transition, event.toNode, event.at, \
      ifnull(event.activeMs, 0), \
      CASE WHEN event.leftAt - event.at <= \(Self.turnBackTime) AND event.fromKind IS NOT NULL THEN EXISTS ( \
        SELECT 1 FROM navigationEvent AS after WHERE after.session = event.session \
          AND after.sequence = event.sequence + 1 AND after.operation <> 'repair' \
          AND after.toNode IS event.fromNode) ELSE 0 END
      """
    guard let statement = try HistoryStatement(query, columns: columns, limit: nil, in: database) else { return }
    try statements.run(statement.sql, statement.values) { row in
      try body(
        CountedStep(
          learner: row[1], session: row[2], operation: try row.word(NavigationOperation.self, at: 3) ?? .open,
          transition: try row.word(TransitionKind.self, at: 4), to: row[5], at: row[6], activeMilliseconds: row[7],
          turnedBack: row[8]))
      return true
    }
  }

  /// Returns how often each place came next after a place, the most frequent first.
  ///
  /// - Parameters:
  ///   - node: The place; the root where `nil`.
  ///   - learner: Whose steps; everyone's where `nil`.
  public func placesAfter(_ node: NodeID?, for learner: LearnerID?) throws -> [(to: Place, count: Int)] {
    try all(Self.placesAfterText, node, learner) { (Place($0[0]), $0[1]) }
  }

  private static let placesAfterText = StatementText(
    """
    SELECT after.toNode, count(*) AS number
    FROM navigationEvent AS event INDEXED BY navigationEventByPlace
    JOIN navigationEvent AS after ON after.session = event.session AND after.sequence = event.sequence + 1
    WHERE event.toNode IS ?1 AND event.learner = ifnull(?2, event.learner) AND after.operation <> 'repair'
      AND after.toNode IS NOT ?1
    GROUP BY after.toNode ORDER BY number DESC, max(after.id) DESC
    """)
}
