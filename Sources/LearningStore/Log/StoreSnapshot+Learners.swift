import GRDB
public import LearningModel

extension StoreSnapshot {
  /// Returns the learner of that name; `nil` where there is none.
  public func learner(named name: String) throws -> Learner? {
    try first(Self.learnerNamedText, name, as: Learner.init)
  }

  private static let learnerNamedText = StatementText("SELECT id, name FROM learner WHERE name = ?")
  private static let learnerText = StatementText("SELECT id, name FROM learner WHERE id = ?")
  private static let learnersText = StatementText("SELECT id, name FROM learner ORDER BY name")

  /// Returns that learner; `nil` where there is none.
  public func learner(_ id: LearnerID) throws -> Learner? {
    try first(Self.learnerText, id, as: Learner.init)
  }

  /// Returns everyone, in the order of their names.
  public func learners() throws -> [Learner] {
    try all(Self.learnersText, as: Learner.init)
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
  fileprivate init(row: ResultRow) {
    self.init(id: row[0], name: row[1])
  }
}
