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
    guard let statement = try HistoryStatement(query, columns: columns, limit: nil, in: self) else { return }
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
    var counts: [NodeID?: (count: Int, last: Int64)] = [:]
    try statements.run(learner == nil ? Self.placesAfterText : Self.placesAfterOfLearnerText, [node, learner]) { row in
      let place: NodeID? = row[0]
      counts[place] = ((counts[place]?.count ?? 0) + 1, max(counts[place]?.last ?? 0, row[1]))
      return true
    }
    return counts.sorted { ($1.value.count, $1.value.last) < ($0.value.count, $0.value.last) }
      .map { (Place($0.key), $0.value.count) }
  }

  private static let placesAfterText = placesAfter(whose: "?2 IS NULL")
  private static let placesAfterOfLearnerText = placesAfter(whose: "event.learner = ?2")

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
