import GRDB
public import LearningModel

/// The tree of all courses as somebody walks it who goes from place to place. A parent of `nil` is the root.
public struct PlaceTree {
  let database: Database

  private static let columns =
    "node.id, node.course, node.parent, node.key, node.kind, node.position, node.slug, node.title, node.summary, "
    + "node.minutes, node.removedInRevision"

  private static func under(_ parent: NodeID?) -> String {
    parent == nil ? "node.parent IS NULL AND ?1 IS NULL" : "node.parent = ?1"
  }

  private func first(_ sql: String, _ arguments: StatementArguments) throws -> ContentNode? {
    try Row.fetchOne(database.cachedStatement(sql: sql), arguments: arguments).map(Self.node)
  }

  private func all(_ sql: String, _ arguments: StatementArguments) throws -> [ContentNode] {
    try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments).map(Self.node)
  }

  static func node(row: Row) throws -> ContentNode {
    ContentNode(
      id: NodeID(rawValue: row[0]), course: NodeID(rawValue: row[1]),
      parent: (row[2] as Int64?).map(NodeID.init(rawValue:)), key: row[3],
      kind: try row.word(ContentKind.self, at: 4) ?? .activity, position: row[5], slug: row[6], title: row[7],
      summary: row[8], minutes: row[9], removedInRevision: row[10])
  }
}

extension StoreSnapshot {
  /// The tree of all courses, to walk in.
  public var tree: PlaceTree { PlaceTree(database: database) }
}

@available(*, unavailable)
extension PlaceTree: Sendable {}

// MARK: - Nodes

extension PlaceTree {
  /// Returns that node, removed or not.
  public func node(_ id: NodeID) throws -> ContentNode? {
    try first("SELECT \(Self.columns) FROM contentNode AS node WHERE id = ?", [id.rawValue])
  }

  /// Returns the nodes from the course down to that one, removed or not; none for the root.
  public func chain(to id: NodeID?) throws -> [ContentNode] {
    guard let id else { return [] }
    let sql = """
      WITH RECURSIVE above (id, height) AS (
        VALUES (?, 0)
        UNION ALL
        SELECT contentNode.parent, height + 1 FROM above JOIN contentNode ON contentNode.id = above.id
        WHERE contentNode.parent IS NOT NULL
      )
      SELECT \(Self.columns) FROM above JOIN contentNode AS node ON node.id = above.id ORDER BY height DESC
      """
    return try all(sql, [id.rawValue])
  }

  /// Returns the living children in their order.
  public func children(of parent: NodeID?) throws -> [ContentNode] {
    let sql = """
      SELECT \(Self.columns) FROM contentNode AS node
      WHERE \(Self.under(parent)) AND node.living = 1 ORDER BY node.position
      """
    return try all(sql, [parent?.rawValue])
  }

  /// Returns the living children after a position, or before it, the nearest first.
  func siblings(of node: ContentNode, after: Bool) throws -> [ContentNode] {
    let sql = """
      SELECT \(Self.columns) FROM contentNode AS node
      WHERE \(Self.under(node.parent)) AND node.living = 1 AND node.position \(after ? ">" : "<") ?2
      ORDER BY node.position \(after ? "ASC" : "DESC")
      """
    return try all(sql, [node.parent?.rawValue, node.position])
  }

  /// Returns a node's number among its living siblings, from 1, and how many they are.
  public func position(of node: ContentNode) throws -> (number: Int, count: Int) {
    let sql = """
      SELECT ifnull(sum(node.position <= ?2), 0), count(*) FROM contentNode AS node
      WHERE \(Self.under(node.parent)) AND node.living = 1
      """
    let row = try Row.fetchOne(
      database.cachedStatement(sql: sql), arguments: [node.parent?.rawValue, node.position])!
    return (row[0], row[1])
  }

  /// Returns which import of its course a node is of.
  public func revision(of course: NodeID) throws -> Int? {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT revision FROM course WHERE node = ?"), arguments: [course.rawValue])
  }

  /// Returns how many courses there are.
  public func courseCount() throws -> Int {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT count(*) FROM contentNode WHERE parent IS NULL AND living = 1")) ?? 0
  }
}

// MARK: - Names

extension PlaceTree {
  /// Returns the child of that slug: a living one, else one that had the slug before it moved, else a removed one.
  public func child(of parent: NodeID?, slug: String) throws -> ContentNode? {
    let living = """
      SELECT \(Self.columns) FROM contentNode AS node
      WHERE \(Self.under(parent)) AND node.living = 1 AND node.slug = ?2
      """
    if let node = try first(living, [parent?.rawValue, slug]) { return node }
    let moved = """
      SELECT \(Self.columns) FROM formerPath JOIN contentNode AS node ON node.id = formerPath.node
      WHERE formerPath.parent IS ?1 AND formerPath.slug = ?2
      ORDER BY node.living IS NULL, formerPath.id DESC LIMIT 1
      """
    if let node = try first(moved, [parent?.rawValue, slug]) { return node }
    let removed = """
      SELECT \(Self.columns) FROM contentNode AS node
      WHERE \(Self.under(parent)) AND node.living IS NULL AND node.slug = ?2
      ORDER BY node.removedInRevision DESC, node.id DESC LIMIT 1
      """
    return try first(removed, [parent?.rawValue, slug])
  }

  /// Returns the node that a path leads to, also by the paths that it had before; `nil` where there is none, and for the
  /// root.
  public func node(at path: PlacePath) throws -> ContentNode? {
    var node: ContentNode?
    for slug in path.slugs {
      guard let next = try child(of: node?.id, slug: slug) else { return nil }
      node = next
    }
    return node
  }

  /// Returns the slugs of the living children, in their order.
  public func slugs(under parent: NodeID?) throws -> [String] {
    let sql = "SELECT slug FROM contentNode AS node WHERE \(Self.under(parent)) AND node.living = 1 ORDER BY position"
    return try String.fetchAll(database.cachedStatement(sql: sql), arguments: [parent?.rawValue])
  }

  /// Returns the living nodes anywhere that have that slug, at most ten.
  public func nodes(withSlug slug: String) throws -> [ContentNode] {
    try all("SELECT \(Self.columns) FROM contentNode AS node WHERE slug = ? AND living = 1 LIMIT 10", [slug])
  }
}

// MARK: - Reading order

extension PlaceTree {
  /// Returns the nearest place of the same kind in reading order, outside the node's own subtree.
  ///
  /// The sibling beside it comes first where it is of the same kind; past the last one, whatever lesson or goal it is in.
  ///
  /// - Returns: `nil` at the end, or the beginning, of the course. Courses follow one another.
  public func neighbour(of node: ContentNode, after: Bool) throws -> ContentNode? {
    var current = node
    while true {
      let siblings = try siblings(of: current, after: after)
      if current.id == node.id, let beside = siblings.first, beside.kind == node.kind { return beside }
      for sibling in siblings {
        if let found = try outermost(node.kind, in: sibling, fromTheStart: after) { return found }
      }
      guard let parent = current.parent, let above = try self.node(parent), above.kind != .course else { return nil }
      // Backwards, a place comes before what is in it.
      if !after, above.kind == node.kind { return above }
      current = above
    }
  }

  /// Returns the first, or the last, node of a kind in a subtree, in reading order.
  private func outermost(_ kind: ContentKind, in node: ContentNode, fromTheStart: Bool) throws -> ContentNode? {
    if fromTheStart, node.kind == kind { return node }
    if node.kind != .activity {
      let children = try children(of: node.id)
      for child in fromTheStart ? children : children.reversed() {
        if let found = try outermost(kind, in: child, fromTheStart: fromTheStart) { return found }
      }
    }
    return node.kind == kind ? node : nil
  }

  /// Returns the first living activity after a place in reading order that a learner has not done.
  ///
  /// - Parameters:
  ///   - node: The place. What is in it counts; an activity itself counts where `includingItself` is set.
  ///   - learner: Whose progress; everything is to do where `nil`.
  public func firstToDo(from node: ContentNode, includingItself: Bool, for learner: LearnerID?) throws -> ContentNode? {
    if node.kind != .activity || includingItself, let inside = try firstToDo(in: node, for: learner) { return inside }
    var current = node
    while let parent = current.parent {
      for sibling in try siblings(of: current, after: true) {
        if let found = try firstToDo(in: sibling, for: learner) { return found }
      }
      guard let above = try self.node(parent) else { return nil }
      current = above
    }
    return nil
  }

  /// Returns the first activity in a subtree that a learner has not done.
  public func firstToDo(in node: ContentNode, for learner: LearnerID?) throws -> ContentNode? {
    let sums = try StoreSnapshot(database: database).progress(of: node.id, for: learner)
    guard sums.done < sums.total, !node.isRemoved else { return nil }
    if node.kind == .activity { return node }
    for child in try children(of: node.id) {
      if let found = try firstToDo(in: child, for: learner) { return found }
    }
    return nil
  }
}
