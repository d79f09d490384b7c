import GRDB
package import LearningModel

extension StoreSnapshot {
  /// Returns the learner with the given name, or `nil` if no learner has it.
  package func learner(named name: String) throws -> Learner? {
    try first(Self.learnerNamedSQL, name, as: Learner.init)
  }

  private static let learnerNamedSQL = StatementText("SELECT id, name FROM learner WHERE name = ?")
  private static let learnerWithUUIDSQL = StatementText("SELECT id, name FROM learner WHERE uuid = ?")
  private static let learnerSQL = StatementText("SELECT id, name FROM learner WHERE id = ?")
  private static let learnersSQL = StatementText("SELECT id, name FROM learner ORDER BY name")

  /// Returns the learner with the given UUID, which is the same in all databases, or `nil` if no learner has it.
  package func learner(withUUID uuid: String) throws -> Learner? {
    try first(Self.learnerWithUUIDSQL, uuid, as: Learner.init)
  }

  /// Returns the learner with the given ID, or `nil` if no learner has it.
  package func learner(_ id: LearnerID) throws -> Learner? {
    try first(Self.learnerSQL, id, as: Learner.init)
  }

  /// Returns all learners, sorted by name.
  package func learners() throws -> [Learner] {
    try all(Self.learnersSQL, as: Learner.init)
  }

  /// Returns whether a learner has a name, or a token was created for the name.
  package func isKnown(learnerNamed name: String) throws -> Bool { try value(Self.isKnownSQL, name) ?? false }

  /// Returns the names of all learners and the names for which tokens were created, sorted.
  package func knownNames() throws -> [String] { try all(Self.knownNamesSQL) { $0[0] } }

  private static let isKnownSQL = StatementText(
    "SELECT EXISTS (SELECT 1 FROM learner WHERE name = ?1) OR EXISTS (SELECT 1 FROM accessToken WHERE learner = ?1)")
  private static let knownNamesSQL = StatementText(
    "SELECT name FROM learner UNION SELECT learner FROM accessToken ORDER BY 1")
}

extension StoreTransaction {
  /// Returns the learner with the given name, and creates the learner if necessary.
  ///
  /// - Parameter uuid: The UUID of a new learner. If it is `nil`, already used by a learner with another name, or the
  ///   UUID of an erased learner, a new UUID is generated.
  package func makeLearner(named name: String, uuid: String? = nil, at time: Timestamp) throws -> Learner {
    if let learner = try snapshot.learner(named: name) { return learner }
    let isFree = try uuid.map { uuid in
      try snapshot.learner(withUUID: uuid) == nil && !snapshot.isErased(learnerWithUUID: uuid)
    }
    if let uuid, isFree == true {
      try database.execute(
        sql: "INSERT INTO learner (uuid, name, createdAt) VALUES (?, ?, ?)",
        arguments: [uuid, name, time.milliseconds])
    } else {
      try database.execute(
        sql: "INSERT INTO learner (name, createdAt) VALUES (?, ?)", arguments: [name, time.milliseconds])
    }
    return Learner(id: LearnerID(rawValue: database.lastInsertedRowID), name: name)
  }
}

extension Learner {
  fileprivate init(row: ResultRow) {
    self.init(id: row[0], name: row[1])
  }
}

extension StoreSnapshot {
  /// Returns the UUID of a learner, which is the same in all databases, or `nil` if there is no such learner.
  package func uuid(of learner: LearnerID) throws -> String? { try value(Self.uuidSQL, learner) }

  private static let uuidSQL = StatementText("SELECT uuid FROM learner WHERE id = ?")

  /// Returns the number of navigation events of a learner.
  package func navigationEventCount(of learner: LearnerID) throws -> Int { try value(Self.stepCountSQL, learner) ?? 0 }

  private static let stepCountSQL = StatementText(
    "SELECT count(*) FROM navigationEvent INDEXED BY navigationEventOfLearner WHERE learner = ?")
}

extension StoreTransaction {
  /// Changes the UUID of a learner to one that another database uses for the learner. No other learner of this database
  /// may have it.
  package func identify(_ learner: LearnerID, as uuid: String) throws {
    try run(Self.identifySQL, uuid, learner)
  }

  private static let identifySQL = StatementText("UPDATE learner SET uuid = ? WHERE id = ?")
}
