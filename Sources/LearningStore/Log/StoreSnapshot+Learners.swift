import GRDB
public import LearningModel

extension StoreSnapshot {
  /// Returns the learner of that name; `nil` where there is none.
  public func learner(named name: String) throws -> Learner? {
    try Row.fetchOne(database.cachedStatement(sql: "SELECT id, name FROM learner WHERE name = ?"), arguments: [name])
      .map(Learner.init)
  }

  /// Returns that learner; `nil` where there is none.
  public func learner(_ id: LearnerID) throws -> Learner? {
    try Row.fetchOne(
      database.cachedStatement(sql: "SELECT id, name FROM learner WHERE id = ?"), arguments: [id.rawValue]
    )
    .map(Learner.init)
  }

  /// Returns everyone, in the order of their names.
  public func learners() throws -> [Learner] {
    try Row.fetchAll(database.cachedStatement(sql: "SELECT id, name FROM learner ORDER BY name")).map(Learner.init)
  }
}

extension StoreTransaction {
  /// Returns the learner of that name, who is made where there is none yet.
  public func makeLearner(named name: String, at moment: Timestamp) throws -> Learner {
    if let learner = try snapshot.learner(named: name) { return learner }
    try database.execute(
      sql: "INSERT INTO learner (name, createdAt) VALUES (?, ?)", arguments: [name, moment.milliseconds])
    return Learner(id: LearnerID(rawValue: database.lastInsertedRowID), name: name)
  }
}

extension Learner {
  fileprivate init(row: Row) {
    self.init(id: LearnerID(rawValue: row[0]), name: row[1])
  }
}
