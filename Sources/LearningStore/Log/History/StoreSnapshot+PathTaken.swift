public import LearningModel

extension StoreSnapshot {
  /// Returns the places of a session's last visits up to the current one, as back and forward move along them, the oldest
  /// first.
  ///
  /// The steps are read backwards from the last one, two for each visit at most, so that the cost does not depend on the
  /// length of the session.
  ///
  /// - Parameter limit: The most places.
  public func pathTaken(in session: Session, limit: Int) throws -> [Place] {
    // A repair replaces the visit that was current before it. Repairs are rare.
    var (replacements, replaced): ([Int: Int], [Int: Int]) = ([:], [:])
    try statements.run(Self.repairsText, [session.learner, session.id]) { row in
      let (repair, visit) = (row[0] as Int, row[1] as Int)
      (replacements[visit], replaced[repair]) = (repair, visit)
      return true
    }

    var places: [Place] = []
    var step: Int = try value(Self.lastSequenceText, session.id) ?? 0
    while places.count < limit, var visit: Int = try value(Self.visitReachedText, session.id, step) {
      while let repair = replacements[visit] { visit = repair }
      places.append(Place(try value(Self.placeText, session.id, visit)))
      // The visit before it is the one that was current when this one was added.
      while let original = replaced[visit] { visit = original }
      step = visit - 1
    }
    return places.reversed()
  }

  private static let lastSequenceText = StatementText("SELECT max(sequence) FROM navigationEvent WHERE session = ?")
  private static let visitReachedText = StatementText(
    "SELECT ifnull(returnsTo, sequence) FROM navigationEvent WHERE session = ? AND sequence = ?")
  private static let placeText = StatementText("SELECT toNode FROM navigationEvent WHERE session = ? AND sequence = ?")
  private static let repairsText = StatementText(
    """
    SELECT repair.sequence, ifnull(before.returnsTo, before.sequence)
    FROM navigationEvent AS repair INDEXED BY navigationEventByOperation
    CROSS JOIN navigationEvent AS before
      ON before.session = repair.session AND before.sequence = repair.sequence - 1
    WHERE repair.learner = ?1 AND repair.operation = 'repair' AND repair.session = ?2
    ORDER BY repair.id
    """)
}
