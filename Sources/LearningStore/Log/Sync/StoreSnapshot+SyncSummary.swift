public import LearningModel

extension StoreSnapshot {
  /// Returns how far everything of a learner is known, to be compared with another database.
  public func syncState(of learner: LearnerID) throws -> SyncState {
    try SyncState(sessions: sessionMarks(of: learner), facts: factMarks(of: learner))
  }

  private func sessionMarks(of learner: LearnerID) throws -> [SessionMark] {
    try all(Self.sessionMarksText, learner, as: SessionMark.init)
  }

  /// Returns how far one session is known; `nil` where the learner has none of that name.
  public func sessionMark(of uuid: String, by learner: LearnerID) throws -> SessionMark? {
    try first(Self.sessionMarkText, learner, uuid, as: SessionMark.init)
  }

  private func factMarks(of learner: LearnerID) throws -> [FactMark] {
    try facts(of: learner).map { fact in
      FactMark(
        key: fact.key, stamp: fact.version.stamp, replica: fact.version.replica,
        characters: fact.kind == nil ? fact.characters : nil)
    }
  }

  private static let sessionMarksText = sessionMarks("learner = ? ORDER BY uuid")
  private static let sessionMarkText = sessionMarks("learner = ? AND uuid = ?")

  private static func sessionMarks(_ condition: String) -> StatementText {
    StatementText(
      """
      SELECT uuid,
        (SELECT ifnull(max(sequence), 0) FROM navigationEvent WHERE session = session.id),
        (SELECT ifnull(max(sequence), 0) FROM activityEvent WHERE session = session.id),
        NOT openElsewhere AND ifnull((
          SELECT leftAt IS NOT NULL FROM navigationEvent
          WHERE session = session.id ORDER BY sequence DESC LIMIT 1), 0),
        NOT openElsewhere AND endedAt IS NOT NULL,
        (SELECT uuid FROM navigationEvent WHERE session = session.id ORDER BY sequence DESC LIMIT 1),
        (SELECT uuid FROM activityEvent WHERE session = session.id ORDER BY sequence DESC LIMIT 1),
        (SELECT leftAt FROM navigationEvent WHERE session = session.id ORDER BY sequence DESC LIMIT 1),
        (SELECT activeMs FROM navigationEvent WHERE session = session.id ORDER BY sequence DESC LIMIT 1)
      FROM session WHERE \(condition)
      """)
  }

  /// Returns the names of everything in a session that are known, in their order.
  public func names(inSession uuid: String) throws -> (steps: [String], acts: [String])? {
    guard let session = try session(withUUID: uuid)?.session.id else { return nil }
    return (
      try all(Self.stepNamesText, session) { $0[0] }, try all(Self.actNamesText, session) { $0[0] }
    )
  }

  private static let stepNamesText = StatementText(
    "SELECT uuid FROM navigationEvent WHERE session = ? ORDER BY sequence")
  private static let actNamesText = StatementText(
    "SELECT uuid FROM activityEvent WHERE session = ? ORDER BY sequence")
}

extension SessionMark {
  fileprivate init(_ row: ResultRow) {
    self.init(
      uuid: row[0], steps: row[1], acts: row[2], isLeft: row[3], leftAt: row[7], activeMs: row[8], isEnded: row[4],
      lastStep: row[5], lastAct: row[6])
    if !isLeft { (leftAt, activeMs) = (nil, nil) }
  }
}
