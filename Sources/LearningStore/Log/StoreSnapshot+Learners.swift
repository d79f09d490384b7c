package import LearningModel

extension StoreSnapshot {
  /// Returns the learner with the given name, or `nil` if no learner has it.
  package func learner(named name: String) throws -> Learner? {
    try first(Self.learnerNamedSQL, name, as: Learner.init)
  }

  private static let learnerNamedSQL = StatementText("SELECT id, name FROM learner WHERE name = ?")

  /// Returns the learner with the given UUID, which is the same in all databases, or `nil` if no learner has it.
  package func learner(withUUID uuid: String) throws -> Learner? {
    try first("SELECT id, name FROM learner WHERE uuid = ?", uuid, as: Learner.init)
  }

  /// Returns the learner with the given ID, or `nil` if no learner has it.
  package func learner(_ id: LearnerID) throws -> Learner? {
    try first("SELECT id, name FROM learner WHERE id = ?", id, as: Learner.init)
  }

  /// Returns all learners, sorted by name.
  package func learners() throws -> [Learner] {
    try all("SELECT id, name FROM learner ORDER BY name", as: Learner.init)
  }

  /// Returns whether a learner has a name, or a token was created for the name.
  package func isKnown(learnerNamed name: String) throws -> Bool {
    try value(
      "SELECT EXISTS (SELECT 1 FROM learner WHERE name = ?1) OR EXISTS (SELECT 1 FROM accessToken WHERE learner = ?1)",
      name) ?? false
  }

  /// Returns the names of all learners and the names for which tokens were created, sorted.
  package func knownNames() throws -> [String] {
    try all("SELECT name FROM learner UNION SELECT learner FROM accessToken ORDER BY 1") { $0[0] }
  }
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
      try run("INSERT INTO learner (uuid, name, createdAt) VALUES (?, ?, ?)", uuid, name, time)
    } else {
      try run("INSERT INTO learner (name, createdAt) VALUES (?, ?)", name, time)
    }
    return Learner(id: LearnerID(rawValue: lastRow), name: name)
  }
}

extension Learner {
  fileprivate init(row: ResultRow) {
    self.init(id: row[0], name: row[1])
  }
}

extension StoreSnapshot {
  /// Returns the UUID of a learner, which is the same in all databases, or `nil` if there is no such learner.
  package func uuid(of learner: LearnerID) throws -> String? {
    try value("SELECT uuid FROM learner WHERE id = ?", learner)
  }

  /// Returns the number of navigation events of a learner.
  package func navigationEventCount(of learner: LearnerID) throws -> Int {
    try value("SELECT count(*) FROM navigationEvent INDEXED BY navigationEventOfLearner WHERE learner = ?", learner)
      ?? 0
  }
}

extension StoreTransaction {
  /// Changes the UUID of a learner to one that another database uses for the learner. No other learner of this database
  /// may have it.
  package func identify(_ learner: LearnerID, as uuid: String) throws {
    try run("UPDATE learner SET uuid = ? WHERE id = ?", uuid, learner)
  }
}
