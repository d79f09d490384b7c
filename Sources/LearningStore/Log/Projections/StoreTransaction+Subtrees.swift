import GRDB
import LearningModel

// Which visits were in which subtree: noted with each step, and anew for the places that an edit of the course moves.

extension StoreTransaction {
  /// Notes that a visit was in the subtree of each of those nodes.
  ///
  /// - Parameter stack: The nodes, as the log writes a stack.
  func noteUnder(_ stack: String, learner: LearnerID, event: Int64) throws {
    try run(Self.noteUnderText, learner, stack, event)
  }

  private static let noteUnderText = StatementText(
    "INSERT INTO visitUnder (learner, node, event) SELECT ?1, value, ?3 FROM json_each(?2)")

  /// Notes the visits to a node, and to those below it, anew under the places where it stands now.
  func moveVisitsUnder(_ node: NodeID) throws {
    let visited = try Int64.fetchAll(
      database.cachedStatement(
        sql: """
          WITH RECURSIVE below (id) AS (
            VALUES (?)
            UNION
            SELECT node.id FROM below JOIN contentNode AS node ON node.parent = below.id
          )
          SELECT id FROM below WHERE EXISTS (SELECT 1 FROM navigationEvent WHERE toNode = below.id)
          """), arguments: [node.rawValue])
    for id in visited {
      try database.execute(
        sql: "DELETE FROM visitUnder WHERE event IN (SELECT id FROM navigationEvent WHERE toNode = ?)", arguments: [id])
      try noteUnder(visitsOf: NodeID(rawValue: id))
    }
  }

  /// Notes every visit to a node, or those of one learner, under the places where it stands now.
  func noteUnder(visitsOf node: NodeID, by learner: LearnerID? = nil) throws {
    for above in try snapshot.chain(to: node) {
      try database.cachedStatement(
        sql: """
          INSERT INTO visitUnder (learner, node, event)
          SELECT learner, ?1, id FROM navigationEvent WHERE toNode = ?2\(learner == nil ? "" : " AND learner = ?3")
          """
      ).execute(
        arguments: StatementArguments([above.id.rawValue, node.rawValue] + (learner.map { [$0.rawValue] } ?? [])))
    }
  }
}
