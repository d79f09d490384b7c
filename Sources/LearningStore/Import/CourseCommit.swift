import GRDB
import LearningModel

/// One plan on its way into the tables, inside the transaction.
struct CourseCommit {
  private let plan: CoursePlan
  private let time: Timestamp
  private let path: String
  private let transaction: StoreTransaction
  private var ids: [NodeID] = []
  private var moved: [NodeID] = []

  private var database: Database { transaction.database }

  init(_ plan: CoursePlan, at time: Timestamp, path: String, in transaction: StoreTransaction) {
    self.plan = plan
    self.time = time
    self.path = path
    self.transaction = transaction
  }

  mutating func run() throws -> (course: NodeID, revision: Int) {
    let known = try transaction.snapshot.course(withKey: plan.key)
    guard known?.revision == plan.base else {
      throw LearningStoreError.changedMeanwhile(path: path, course: plan.key)
    }
    let revision = (plan.base ?? 0) + 1
    let course = try known?.id ?? nextID()

    try writeRevision(revision, of: course)
    try park(in: revision)
    ids.reserveCapacity(plan.nodes.count)
    for (number, node) in plan.nodes.enumerated() {
      try write(node, number: number, course: course, revision: revision)
    }
    for id in plan.removed { try transaction.queueForSearch(id, in: revision) }
    try transaction.contentDidChange(
      ContentChange(course: course, revision: revision, removed: plan.removed, moved: moved, at: time))
    return (course, revision)
  }

  private func nextID() throws -> NodeID {
    let last: Int64? = try transaction.snapshot.value("SELECT seq FROM sqlite_sequence WHERE name = 'contentNode'")
    return NodeID(rawValue: (last ?? 0) + 1)
  }

  private func writeRevision(_ revision: Int, of course: NodeID) throws {
    try execute(
      "INSERT INTO courseRevision VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        course.rawValue, revision, time.milliseconds, plan.format, plan.sourceName, plan.sourceDigest,
        plan.counts.added, plan.counts.moved, plan.counts.renamed, plan.counts.changed, plan.counts.removed,
        plan.counts.unchanged,
      ])
    try execute(
      """
      INSERT INTO course VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (node) DO UPDATE SET language = ?2, sourceFormat = ?3, revision = ?4
      """, [course.rawValue, plan.language, plan.format, revision])
  }

  /// Takes whoever goes or moves out of the tree, so that no two rows want one position or slug on the way. Whoever
  /// moves comes back at its new place.
  private func park(in revision: Int) throws {
    let sql = "UPDATE contentNode SET removedInRevision = ? WHERE id = ? AND removedInRevision IS NULL"
    for node in plan.nodes where node.changes.contains(.placement) {
      if let id = node.id { try execute(sql, [revision, id.rawValue]) }
    }
    for id in plan.removed { try execute(sql, [revision, id.rawValue]) }
  }

  private mutating func write(_ node: PlannedNode, number: Int, course: NodeID, revision: Int) throws {
    let parent = node.parent.map { ids[$0] }
    let id: NodeID
    if let known = node.id {
      id = known
      if node.changes.contains(.placement) { try move(node, known, under: parent) }
      if node.changes.contains(.description) {
        try execute(
          "UPDATE contentNode SET title = ?, summary = ?, minutes = ? WHERE id = ?",
          [node.title, node.summary, node.minutes, known.rawValue])
      }
    } else {
      try execute(
        """
        INSERT INTO contentNode (id, course, parent, key, kind, position, slug, title, summary, minutes)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          number == 0 ? course.rawValue : nil, course.rawValue, parent?.rawValue, node.key, node.kind.rawValue,
          node.position, node.slug, node.title, node.summary, node.minutes,
        ])
      id = NodeID(rawValue: database.lastInsertedRowID)
    }
    ids.append(id)

    if node.kind == .activity, node.id == nil || node.changes.contains(.content) {
      try execute(
        """
        INSERT OR REPLACE INTO activityContent (node, type, content, letters)
        SELECT ?, type, json, letters FROM staging.stagedContent WHERE number = ?
        """, [id.rawValue, number])
    }
    if node.id == nil || !node.changes.isEmpty { try transaction.queueForSearch(id, in: revision) }
  }

  private mutating func move(_ node: PlannedNode, _ id: NodeID, under parent: NodeID?) throws {
    guard let before = try transaction.snapshot.node(id) else { return }
    if before.parent != parent || before.slug != node.slug {
      try execute(
        "INSERT INTO formerPath (parent, slug, node) VALUES (?, ?, ?)",
        [before.parent?.rawValue, before.slug, id.rawValue])
    }
    if before.kind == .activity, node.kind != .activity {
      try execute("DELETE FROM activityContent WHERE node = ?", [id.rawValue])
    }
    try execute(
      "UPDATE contentNode SET parent = ?, kind = ?, position = ?, slug = ?, removedInRevision = NULL WHERE id = ?",
      [parent?.rawValue, node.kind.rawValue, node.position, node.slug, id.rawValue])
    if before.parent != parent || before.kind != node.kind { moved.append(id) }
  }

  private func execute(_ sql: String, _ arguments: StatementArguments) throws {
    try database.cachedStatement(sql: sql).execute(arguments: arguments)
  }
}
