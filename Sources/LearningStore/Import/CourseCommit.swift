import GRDB
import LearningModel

/// Writes a staged plan into the tables, inside one transaction. Changes of many nodes use one statement each. Only
/// places that have children and whose parent or kind changes are moved one by one, because each move can free the path
/// that the next move needs.
struct CourseCommit {
  private let plan: CoursePlan
  private let staging: CourseStaging
  private let time: Timestamp
  private let path: String
  private let transaction: StoreTransaction
  /// The highest node ID before the import. New nodes get the following IDs.
  private var lastID: Int64 = 0
  private var moved: [NodeID] = []

  init(
    _ plan: CoursePlan, _ staging: CourseStaging, at time: Timestamp, path: String, in transaction: StoreTransaction
  ) {
    self.plan = plan
    self.staging = staging
    self.time = time
    self.path = path
    self.transaction = transaction
  }

  mutating func run() throws -> (course: NodeID, revision: Int) {
    let stored = try transaction.snapshot.course(withKey: plan.key)
    guard stored?.revision == plan.base else {
      throw LearningDatabaseError.changedMeanwhile(path: path, course: plan.key)
    }
    let revision = (plan.base ?? 0) + 1
    lastID =
      try transaction.snapshot.value("SELECT seq FROM sqlite_sequence WHERE name = 'contentNode'") ?? 0
    let course = id(of: 0)
    // Other courses may have been added since the plan was made.
    if plan.base == nil { try moveAfterOtherCourses() }

    try writeRevision(revision, of: course)
    try transaction.recordFormerPaths(ofNodes: "IN (SELECT id FROM staging.goingNode)")
    try recordPathsOfBatch()
    moved = try visitedPlacesInBatch()
    try queueTotals()
    try moveAside(in: revision)
    try place(in: course, revision)
    try describe()
    try fill()
    try updateCards(of: course)
    try linkImages(of: course)
    if plan.base != nil { try writeSourceKeys(of: course) }
    if let notes = plan.sourceNotes { try transaction.replaceSourceNotes(of: course, with: notes) }
    try addUp()
    try queue(in: revision)
    // No learner has done anything in a new course.
    if plan.base != nil { try transaction.addUpProgress(ofPlacesIn: "staging.summedPlace") }
    try transaction.contentDidChange(moving: moved, at: time)
    return (course, revision)
  }

  /// Returns the ID of a node by its index in the plan, even if the node is not written yet.
  private func id(of number: Int) -> NodeID {
    plan.nodes[number].id ?? NodeID(rawValue: lastID + Int64(staging.newNodes(number) ?? 0))
  }

  private func moveAfterOtherCourses() throws {
    try transaction.run(
      """
      UPDATE staging.stagedNode SET position = (
        SELECT ifnull(max(position) + 1, 0) FROM contentNode WHERE parent IS NULL AND living = 1)
      WHERE number = 0
      """)
  }

  private func writeRevision(_ revision: Int, of course: NodeID) throws {
    try transaction.run(
      "INSERT INTO courseRevision VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", course, revision, time, plan.format,
      plan.sourceName, plan.sourceDigest, plan.counts.added, plan.counts.moved, plan.counts.renamed,
      plan.counts.changed, plan.counts.removed, plan.counts.unchanged)
    try transaction.run(
      """
      INSERT INTO course VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (node) DO UPDATE SET language = ?2, sourceFormat = ?3, revision = ?4
      """, course, plan.language, plan.format, revision)
  }

  /// Records the places whose learner progress must be summed again, before any node is moved: the places that are
  /// removed, moved, or get a different duration, and the former parents of moved nodes. Activities have no sums, so
  /// their old and new parents are recorded instead.
  private func queueTotals() throws {
    guard plan.base != nil else { return }
    try transaction.run(
      """
      INSERT OR IGNORE INTO staging.summedPlace (id)
      SELECT iif(kind = 'activity', parent, id) FROM contentNode WHERE id IN (SELECT id FROM staging.goingNode)
      UNION ALL
      SELECT iif(node.kind = 'activity', \(Self.newParent), node.id)
      FROM staging.stagedNode AS staged CROSS JOIN contentNode AS node ON node.id = staged.id
      WHERE staged.addsUp OR staged.move <> ?2
      UNION ALL
      SELECT node.parent FROM staging.stagedNode AS staged CROSS JOIN contentNode AS node ON node.id = staged.id
      WHERE move <> ?2 AND node.parent IS NOT NULL
      """, lastID, CourseStaging.MoveKind.shift.rawValue)
  }

  /// Marks nodes that are removed or moved as removed, so that no two rows have the same position or slug in between.
  /// Moved nodes are restored at their new locations.
  private func moveAside(in revision: Int) throws {
    try transaction.run(
      """
      UPDATE contentNode SET removedInRevision = ?1
      WHERE removedInRevision IS NULL AND id IN (
        SELECT id FROM staging.goingNode
        UNION ALL SELECT id FROM staging.stagedNode WHERE move IN (?2, ?3))
      """, revision, CourseStaging.MoveKind.batch.rawValue, CourseStaging.MoveKind.alone.rawValue)
  }

  /// Assigns new positions to nodes that stay under their parent. First moves them after all siblings, so that no two
  /// of them have the same position.
  private func shift() throws {
    guard staging.moving[.shift] != nil else { return }
    try transaction.run(
      """
      UPDATE contentNode SET position = position + 1000000000
      WHERE id IN (SELECT id FROM staging.stagedNode WHERE move = ?)
      """, CourseStaging.MoveKind.shift.rawValue)
    try transaction.run(
      """
      UPDATE contentNode SET position = staged.position
      FROM staging.stagedNode AS staged WHERE staged.move = ? AND contentNode.id = staged.id
      """, CourseStaging.MoveKind.shift.rawValue)
  }

  /// Inserts new nodes and moves existing ones in reading order, so that each parent exists before its children. Nodes
  /// of the kind ``CourseStaging/MoveKind/batch`` are moved last.
  private mutating func place(in course: NodeID, _ revision: Int) throws {
    try shift()
    var next = 0
    for number in staging.movingAlone {
      let node = plan.nodes[number]
      guard let id = node.id else { continue }
      try add(next..<number, to: course)
      next = number
      try move(node, id, under: node.parent.map(self.id(of:)), in: revision)
    }
    try add(next..<plan.nodes.count, to: course)
    guard staging.moving[.batch] != nil else { return }
    try transaction.run(
      """
      UPDATE contentNode
      SET parent = \(Self.newParent), position = staged.position, slug = staged.slug, removedInRevision = NULL
      FROM staging.stagedNode AS staged WHERE staged.move = ?2 AND contentNode.id = staged.id
      """, lastID, CourseStaging.MoveKind.batch.rawValue)
  }

  /// The SQL expression for the new parent of a staged node. `?1` is the highest node ID before the import.
  private static let newParent = "ifnull(staged.parent, ?1 + staged.freshParent)"

  /// Stores the former paths of the nodes in the batch whose paths change. Nodes that are restored come before nodes
  /// that are moved. The path of a restored node was normally already stored when the node was removed.
  private func recordPathsOfBatch() throws {
    guard staging.moving[.batch] != nil else { return }
    try transaction.run(
      """
      INSERT INTO formerPath (parent, slug, node)
      SELECT node.parent, node.slug, node.id
      FROM staging.stagedNode AS staged CROSS JOIN contentNode AS node ON node.id = staged.id
      WHERE staged.move = ?2 AND (node.parent IS NOT \(Self.newParent) OR node.slug <> staged.slug)
        AND (node.living = 1 OR NOT EXISTS (
          SELECT 1 FROM formerPath AS former
          WHERE former.parent IS node.parent AND former.slug = node.slug AND former.node = node.id))
      ORDER BY node.living IS NOT NULL, staged.number
      """, lastID, CourseStaging.MoveKind.batch.rawValue)
  }

  /// Returns the visited nodes of the batch whose parent changes. Also returns nodes that have children, for example
  /// former lessons, because the children may have been visited.
  private func visitedPlacesInBatch() throws -> [NodeID] {
    guard staging.moving[.batch] != nil else { return [] }
    return try transaction.snapshot.all(
      """
      SELECT staged.id FROM staging.stagedNode AS staged CROSS JOIN contentNode AS node ON node.id = staged.id
      WHERE staged.move = ?2 AND node.parent IS NOT \(Self.newParent)
        AND (EXISTS (SELECT 1 FROM navigationEvent WHERE toNode = staged.id)
          OR EXISTS (SELECT 1 FROM contentNode AS below WHERE below.parent = staged.id))
      ORDER BY staged.number
      """, lastID, CourseStaging.MoveKind.batch.rawValue
    ) { $0[0] }
  }

  private func add(_ numbers: Range<Int>, to course: NodeID) throws {
    guard staging.hasNewNodes(in: numbers) else { return }
    for chunk in Self.chunks(of: numbers) {
      try transaction.run(
        """
        INSERT INTO contentNode (id, course, parent, key, kind, position, slug, title, summary, minutes)
        SELECT ?1 + fresh, ?2, ifnull(parent, ?1 + freshParent), key, kind, position, slug, title, summary, minutes
        FROM staging.stagedNode INDEXED BY stagedFresh
        WHERE number >= ?3 AND number < ?4 AND fresh IS NOT NULL ORDER BY number
        """, lastID, course, chunk.lowerBound, chunk.upperBound)
    }
  }

  /// Splits a range into chunks of a thousand. If a statement inserts rows into a table with triggers, SQLite first
  /// collects all of them in memory. For a large course, that would be its whole text.
  private static func chunks(of numbers: Range<Int>) -> some Sequence<Range<Int>> {
    stride(from: numbers.lowerBound, to: numbers.upperBound, by: 1_000).lazy.map { start in
      start..<min(start + 1_000, numbers.upperBound)
    }
  }

  /// Updates titles and summaries. If a user has renamed a place, only the stored title from the course is updated.
  private func describe() throws {
    try transaction.run(
      """
      UPDATE authorTitle SET title = staged.title
      FROM staging.stagedNode AS staged WHERE staged.id = authorTitle.node AND staged.changes & ?
      """, PlannedNode.Changes.description.rawValue)
    try transaction.run(
      """
      UPDATE contentNode
      SET title = iif(contentNode.id IN (SELECT node FROM authorTitle), contentNode.title, staged.title),
        summary = staged.summary, minutes = staged.minutes
      FROM staging.stagedNode AS staged WHERE staged.id = contentNode.id AND staged.changes & ?
      """, PlannedNode.Changes.description.rawValue)
  }

  private func fill() throws {
    for chunk in Self.chunks(of: plan.nodes.indices) {
      try transaction.run(
        """
        INSERT OR REPLACE INTO activityContent (node, type, content, letters, items, hasScore, isReadInParts)
        SELECT ifnull(id, ?1 + fresh), type, json, letters, items, hasScore, isReadInParts
        FROM staging.stagedNode CROSS JOIN staging.stagedContent USING (number)
        WHERE number >= ?3 AND number < ?4 AND kind = 'activity' AND (id IS NULL OR changes & ?2) ORDER BY number
        """, lastID, PlannedNode.Changes.content.rawValue, chunk.lowerBound, chunk.upperBound)
    }
  }

  /// Updates the cards of the activities whose contents were staged.
  private func updateCards(of course: NodeID) throws {
    let changed = try transaction.snapshot.all(
      """
      SELECT ifnull(id, ?1 + fresh), iif(items IS NULL, NULL, json)
      FROM staging.stagedNode CROSS JOIN staging.stagedContent USING (number)
      WHERE kind = 'activity' AND (id IS NULL OR changes & ?2)
        AND (items IS NOT NULL OR id IN (SELECT node FROM card))
      ORDER BY number
      """, lastID, PlannedNode.Changes.content.rawValue
    ) { (node: $0[0] as NodeID, content: $0[1] as String?) }
    try transaction.updateCards(of: course, changed: changed, at: time)
  }

  /// Stores the images of the course and deletes the images that no course uses any more.
  private func linkImages(of course: NodeID) throws {
    try transaction.run(
      "INSERT OR IGNORE INTO picture (digest, bytes) SELECT digest, bytes FROM staging.stagedPicture WHERE bytes NOT NULL"
    )
    // An image that was already stored during staging may have been deleted with another course since.
    let isMissing: Bool? = try transaction.snapshot.value(
      "SELECT EXISTS (SELECT 1 FROM staging.stagedPicture WHERE digest NOT IN (SELECT digest FROM picture))")
    guard isMissing != true else { throw LearningDatabaseError.changedMeanwhile(path: path, course: plan.key) }
    try transaction.run("DELETE FROM coursePicture WHERE course = ?", course)
    try transaction.run(
      "INSERT INTO coursePicture (course, digest) SELECT ?, digest FROM staging.stagedPicture", course)
    try transaction.removeUnusedImages()
  }

  private func writeSourceKeys(of course: NodeID) throws {
    try transaction.run("DELETE FROM sourceKey WHERE course = ?", course)
    for (key, node) in plan.sourceKeys.sorted(by: { $0.key < $1.key }) {
      try transaction.run(
        "INSERT INTO sourceKey (node, course, key) VALUES (?, ?, ?)", node, course, key)
    }
  }

  private func addUp() throws {
    try transaction.run("DELETE FROM placeTotal WHERE node IN (SELECT id FROM staging.goingNode)")
    try transaction.run(
      """
      INSERT OR REPLACE INTO placeTotal (node, activities, seconds)
      SELECT ifnull(id, ?1 + fresh), activities, seconds FROM staging.stagedNode
      WHERE addsUp ORDER BY number
      """, lastID)
  }

  /// Queues nodes for the search index, which is updated later. A node that is only moved needs no update. A restored
  /// node is always indexed again.
  private func queue(in revision: Int) throws {
    try transaction.run(
      "INSERT OR REPLACE INTO searchQueue (node, revision) SELECT id, ? FROM staging.goingNode", revision)
    try transaction.run(
      """
      INSERT OR REPLACE INTO searchQueue (node, revision)
      SELECT ifnull(id, ?1 + fresh), ?2 FROM staging.stagedNode
      WHERE id IS NULL OR changes AND (move IS ?3 OR changes <> \(PlannedNode.Changes.placement.rawValue))
      """, lastID, revision, CourseStaging.MoveKind.alone.rawValue)
  }

  private mutating func move(_ node: PlannedNode, _ id: NodeID, under parent: NodeID?, in revision: Int) throws {
    guard let before = try transaction.snapshot.node(id) else { return }
    if before.parent != parent || before.slug != node.slug {
      try transaction.recordFormerPath(of: before, leavingIn: revision)
    }
    if before.kind == .activity, node.kind != .activity {
      try transaction.run("DELETE FROM activityContent WHERE node = ?", id)
    }
    try transaction.run(
      "UPDATE contentNode SET parent = ?, kind = ?, position = ?, slug = ?, removedInRevision = NULL WHERE id = ?",
      parent, node.kind.rawValue, node.position, node.slug, id)
    if before.parent != parent || before.kind != node.kind { moved.append(id) }
  }

}
