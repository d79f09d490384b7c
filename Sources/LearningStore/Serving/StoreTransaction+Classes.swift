import GRDB
package import LearningModel

extension StoreTransaction {
  /// Makes a class.
  ///
  /// - Returns: Whether there was none of that name.
  package func addClass(_ name: String, at moment: Timestamp) throws -> Bool {
    try run(Self.addText, name, moment)
    return database.changesCount > 0
  }

  /// Takes a class away; its members stay as they are.
  ///
  /// - Returns: Whether there was one of that name.
  package func removeClass(_ name: String) throws -> Bool {
    try run(Self.dissolveText, name)
    try run(Self.removeText, name)
    return database.changesCount > 0
  }

  /// Brings a learner into a class.
  ///
  /// - Returns: Whether they were not in it.
  package func join(_ learner: LearnerID, toClass name: String, at moment: Timestamp) throws -> Bool {
    try run(Self.joinText, name, learner, moment)
    return database.changesCount > 0
  }

  /// Takes a learner out of a class.
  ///
  /// - Returns: Whether they were in it.
  package func leave(_ learner: String, fromClass name: String) throws -> Bool {
    try run(Self.leaveText, name, learner)
    return database.changesCount > 0
  }

  private static let addText = StatementText("INSERT INTO class (name, createdAt) VALUES (?, ?) ON CONFLICT DO NOTHING")
  private static let dissolveText = StatementText(
    "DELETE FROM member WHERE class = (SELECT id FROM class WHERE name = ?)")
  private static let removeText = StatementText("DELETE FROM class WHERE name = ?")
  private static let joinText = StatementText(
    """
    INSERT INTO member (class, learner, joinedAt) SELECT id, ?2, ?3 FROM class WHERE name = ?1
    ON CONFLICT DO NOTHING
    """)
  private static let leaveText = StatementText(
    """
    DELETE FROM member WHERE class = (SELECT id FROM class WHERE name = ?1)
      AND learner = (SELECT id FROM learner WHERE name = ?2)
    """)
}

extension StoreSnapshot {
  /// Returns every class with its members, by name.
  package func classes() throws -> [LearnerClass] {
    let members = try all(Self.membersText) { row -> (Int64, String) in (row[0], row[1]) }
    let names = Dictionary(grouping: members) { $0.0 }
    return try all(Self.classesText) { row in
      let id: Int64 = row[0]
      return LearnerClass(name: row[1], createdAt: row[2], members: (names[id] ?? []).map(\.1))
    }
  }

  private static let classesText = StatementText("SELECT id, name, createdAt FROM class ORDER BY name")
  private static let membersText = StatementText(
    "SELECT class, name FROM member JOIN learner ON learner.id = learner ORDER BY name")
}
