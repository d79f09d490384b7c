import GRDB
import LearningModel

// What becomes true of the logs when a course changes, in the transaction that changes it.

extension StoreTransaction {
  /// Brings everything that is worked out from the logs in line with a course's new tree, and takes those who are in a
  /// place that went to the nearest one that is left.
  func followInLog(_ change: ContentChange) throws {
    if !change.isAddedUp { try addUpTotals(of: change.course) }
    // Nobody has done anything yet in a course that is new.
    if change.revision > 1 { try addUpProgress(in: change.course) }
    for node in change.moved { try moveVisitsUnder(node) }
    try repairStacks(at: change.at)
  }

  /// Notes the visits to a node, and to those below it, anew under the places where it stands now.
  private func moveVisitsUnder(_ node: NodeID) throws {
    let visited = try Int64.fetchAll(
      database,
      sql: """
        WITH RECURSIVE below (id) AS (
          VALUES (?) UNION SELECT contentNode.id FROM below JOIN contentNode ON contentNode.parent = below.id
        )
        SELECT id FROM below WHERE EXISTS (SELECT 1 FROM navigationEvent WHERE toNode = below.id)
        """, arguments: [node.rawValue])
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

  /// Takes every open session whose stack is no longer a chain of living places to the nearest place that is.
  private func repairStacks(at moment: Timestamp) throws {
    for record in try snapshot.openSessions() {
      let session = record.session
      guard let last = try snapshot.lastStep(of: session.id) else { continue }
      let chain = try snapshot.chain(to: last.event.to.node).prefix { !$0.isRemoved }
      guard try chain.map(\.id) != snapshot.stack(of: session.id) else { continue }
      let draft = StepDraft(
        uuid: RandomIdentifier.make(), session: session, operation: .repair,
        // The card that would move is not on the page any more.
        transition: .crossFade, isAnimated: false, cause: .system, stack: Array(chain), at: moment,
        courseRevision: try chain.first.flatMap { try snapshot.revision(of: $0.id) })
      _ = try append(draft, after: last, presence: record.presence)
    }
  }
}
