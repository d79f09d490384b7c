import GRDB
package import LearningModel

extension StoreSnapshot {
  /// Returns the node with the given ID, even if it was removed, or `nil` if there never was such a node.
  package func node(_ id: NodeID) throws -> ContentNode? {
    try firstNode(Self.nodeSQL, id)
  }

  private static let nodeSQL = StatementText("SELECT \(ContentNode.columns) FROM contentNode AS node WHERE id = ?")

  /// Returns the keys of a node and of its course, or `nil` if the node does not exist.
  package func keys(of id: NodeID) throws -> (course: String, node: String)? {
    try first(Self.keysSQL, id) { (course: $0[0], node: $0[1]) }
  }

  private static let keysSQL = StatementText(
    """
    SELECT course.key, node.key FROM contentNode AS node JOIN contentNode AS course ON course.id = node.course
    WHERE node.id = ?
    """)

  /// Returns the node of a course with the given key, even if it was removed, or `nil` if there never was such a node.
  package func node(withKey key: String, inCourse course: NodeID) throws -> ContentNode? {
    try firstNode(Self.nodeWithKeySQL, course, key)
  }

  private static let nodeWithKeySQL = StatementText(
    "SELECT \(ContentNode.columns) FROM contentNode AS node WHERE course = ? AND key = ?")

  /// Returns the nodes of a course that its source contains under other keys, by the keys in the source.
  package func sourceKeys(of course: NodeID) throws -> [String: ContentNode] {
    let rows = try all(Self.sourceKeysSQL, course, as: { ($0[11] as String, try ContentNode(row: $0)) })
    return Dictionary(uniqueKeysWithValues: rows)
  }

  private static let sourceKeysSQL = StatementText(
    """
    SELECT \(ContentNode.columns), sourceKey.key
    FROM sourceKey JOIN contentNode AS node ON node.id = sourceKey.node WHERE sourceKey.course = ?
    """)

  /// Returns the current children of a place, in their order. The children of the root are the courses.
  package func children(of place: Place) throws -> [ContentNode] {
    switch place {
    case .root: try nodes(Self.coursesSQL)
    case .node(let id): try nodes(Self.childrenSQL, id)
    }
  }

  private static let coursesSQL = StatementText(
    "SELECT \(ContentNode.columns) FROM contentNode AS node WHERE parent IS NULL AND living = 1 ORDER BY position")
  private static let childrenSQL = StatementText(
    "SELECT \(ContentNode.columns) FROM contentNode AS node WHERE parent = ? AND node.living = 1 ORDER BY position")

  /// Returns the ancestors of a node, from its course to its parent. For a removed node, returns the ancestors of its
  /// last location.
  package func ancestors(of id: NodeID) throws -> [ContentNode] {
    try chain(to: node(id)?.parent)
  }

  /// Returns the nodes on the path from the course to a node, even if they were removed. Empty for the root.
  ///
  /// - Parameter ancestors: The current nodes on the path from the course to another node. Nodes that both paths share
  ///   are taken from it instead of being read again.
  package func chain(to id: NodeID?, along ancestors: [ContentNode] = []) throws -> [ContentNode] {
    // Trees are only a few levels deep. Reading node by node takes half the time of a recursive query.
    var reversedChain: [ContentNode] = []
    var next = id
    while let id = next {
      if let shared = ancestors.lastIndex(where: { $0.id == id }) {
        return ancestors[...shared] + reversedChain.reversed()
      }
      guard let node = try node(id) else { break }
      reversedChain.append(node)
      next = node.parent
    }
    return reversedChain.reversed()
  }

  /// Returns the nodes on the path from the course to a node that was already read.
  package func chain(to node: ContentNode, along ancestors: [ContentNode]) throws -> [ContentNode] {
    try chain(to: node.parent, along: ancestors) + [node]
  }

  /// Returns a node and its current descendants in reading order, or all courses and their descendants for the root.
  ///
  /// - Parameters:
  ///   - place: The topmost place. A removed node has no descendants.
  ///   - depth: The maximum number of levels below the topmost node, at least 0, or `nil` for all levels.
  ///   - limit: The maximum number of nodes.
  /// - Returns: Each node with its depth. The depth of the place itself is 0; for the root, the depth of each course is
  ///   0.
  package func subtree(
    from place: Place, depth: Int? = nil, limit: Int = .max
  ) throws -> [(node: ContentNode, depth: Int)] {
    var nodes: [(node: ContentNode, depth: Int)] = []
    let text = place == .root ? Self.everythingSQL : Self.subtreeSQL
    try statements.run(text, [depth ?? Int(Int32.max)] + (place.node.map { [$0] } ?? [])) { row in
      nodes.append((try ContentNode(row: row), row[11]))
      return nodes.count < limit
    }
    return nodes
  }

  private static let everythingSQL = downwards(from: "parent IS NULL AND living = 1")
  private static let subtreeSQL = downwards(from: "id = ?2")

  /// Returns a statement that reads nodes and their descendants. The deepest node is taken from the queue first, and
  /// the one with the lowest position among nodes of the same depth, which results in reading order. Joining the result
  /// of the recursion with another table would not keep this order.
  private static func downwards(from condition: String) -> StatementText {
    StatementText(
      """
      WITH RECURSIVE below (
        id, course, parent, key, kind, position, slug, title, summary, minutes, removedInRevision, depth
      ) AS (
        SELECT \(ContentNode.columns), 0 FROM contentNode AS node WHERE \(condition)
        UNION ALL
        SELECT \(ContentNode.columns), below.depth + 1
        FROM below JOIN contentNode AS node ON node.parent = below.id AND node.living = 1
        WHERE below.depth < ?1
        ORDER BY 12 DESC, 6
      )
      SELECT * FROM below
      """)
  }

  /// Returns the activity that now contains the text of a removed activity. When a page is edited, its sections can be
  /// joined or split. The result is an activity of the same page that contains the heading, or the title of the
  /// exercise, with which the removed one began.
  ///
  /// - Returns: `nil` if the node was not removed, or if no current activity contains that heading or exercise.
  package func holder(of removed: ContentNode) throws -> ContentNode? {
    guard removed.isRemoved, removed.kind == .activity, let parent = removed.parent,
      let separator = removed.key.lastIndex(of: "#")
    else { return nil }
    let anchor = removed.key[removed.key.index(after: separator)...]
    for node in try children(of: .node(parent)) where node.key.hasPrefix(removed.key[...separator]) {
      guard node.kind == .activity else { continue }
      if anchor.isEmpty { return node }
      guard case .reading(let blocks) = try content(of: node.id) else { continue }
      if blocks.contains(where: { $0.begins(anchor) }) { return node }
    }
    return nil
  }

  /// Returns the node itself if it was not removed, otherwise its nearest ancestor that was not removed, or the root if
  /// all ancestors were removed.
  package func nearestExisting(of id: NodeID) throws -> Place {
    guard let node = try node(id) else { return .root }
    guard node.isRemoved else { return .node(id) }
    return Place(try ancestors(of: id).last { !$0.isRemoved }?.id)
  }

  /// Returns the nodes on the path from the course to a place. If the place was removed, the path leads to the activity
  /// that now contains its text, otherwise to the nearest ancestor that was not removed.
  ///
  /// - Returns: The nodes of the path. `removed` is the place itself if it was removed and no activity contains its
  ///   text, otherwise `nil`.
  package func survivingChain(to place: Place) throws -> (chain: [ContentNode], removed: ContentNode?) {
    let chain = try chain(to: place.node)
    guard let node = chain.last, chain.contains(where: \.isRemoved) else { return (chain, nil) }
    if let holder = try holder(of: node) { return (try self.chain(to: holder.id), nil) }
    return (Array(chain.prefix { !$0.isRemoved }), node)
  }
}

extension Block {
  /// Returns whether the block is the heading with an anchor, or an exercise such as "Exercise: Loops" whose title has
  /// this anchor.
  fileprivate func begins(_ anchor: Substring) -> Bool {
    switch self {
    case .heading(_, _, let headingAnchor): return headingAnchor == anchor
    case .quote(let blocks):
      guard case .paragraph(let line) = blocks.first, line.count == 1, case .strong(let text) = line[0] else {
        return false
      }
      let components = text.plainText.split(separator: ": ", maxSplits: 1)
      return components.count == 2 && Anchor.make(from: String(components[1])) == anchor
    default: return false
    }
  }
}

extension ContentNode {
  /// The columns of a node, in the order in which ``init(row:)`` reads them.
  static let columns = """
    node.id, node.course, node.parent, node.key, node.kind, node.position, node.slug, node.title, node.summary, \
    node.minutes, node.removedInRevision
    """

  /// Creates a node from the first columns of a row.
  init(row: ResultRow) throws {
    guard let kind = ContentKind(rawValue: row[4]) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a node of kind '\(row[4] as String)'")
    }
    self.init(
      id: row[0], course: row[1], parent: row[2], key: row[3], kind: kind, position: row[5], slug: row[6],
      title: row[7], summary: row[8], minutes: row[9], removedInRevision: row[10])
  }
}

extension StoreSnapshot {
  /// Returns the nodes of a statement that selects ``ContentNode/columns``.
  func nodes(_ text: StatementText, _ values: any ColumnValue...) throws -> [ContentNode] {
    var nodes: [ContentNode] = []
    try statements.run(text, values) { row in
      nodes.append(try ContentNode(row: row))
      return true
    }
    return nodes
  }

  /// Returns the first node of a statement that selects ``ContentNode/columns``, or `nil` if it has no rows.
  func firstNode(_ text: StatementText, _ values: any ColumnValue...) throws -> ContentNode? {
    var node: ContentNode?
    try statements.run(text, values) { row in
      node = try ContentNode(row: row)
      return false
    }
    return node
  }
}

/// The children of a place whose slugs have a common prefix.
package struct ChildrenBeginning: Hashable, Sendable {
  /// The first matching children in their order, up to the limit.
  package var nodes: [ContentNode]
  /// The longest common prefix of the slugs of all matching children, including those not in ``nodes``.
  package var common: String
}

extension StoreSnapshot {
  /// The maximum number of children that are found by slug. If there are more, the first ones in the order of the
  /// course are found as well.
  private static let maximumBySlug = 100
  /// The number of children, from the first one, that are searched in the order of the course.
  private static let maximumInOrder = 2_000

  /// Returns the current children of a place whose slugs begin with a prefix. The children of the root are the courses.
  ///
  /// Called for each typed character, and a place may have ten thousand children, so the cost does not depend on their
  /// number. If more than 100 slugs match, only the first 2,000 children are searched in the order of the course. Of
  /// the later children, only those that come first alphabetically are found.
  ///
  /// - Parameters:
  ///   - beginning: The prefix, or an empty string to match all children.
  ///   - limit: The maximum number of children, at least 0.
  package func children(
    of place: Place, beginningWith beginning: String, limit: Int
  ) throws -> ChildrenBeginning {
    guard let parent = place.node else {
      let courses = try children(of: .root).filter { $0.slug.hasPrefix(beginning) }
      let slugs = courses.map(\.slug).sorted()
      return ChildrenBeginning(
        nodes: Array(courses.prefix(limit)), common: slugs.last.map { slugs[0].commonPrefix(with: $0) } ?? beginning)
    }
    let end = beginning + "\u{10FFFF}"
    let bySlug = try nodes(Self.bySlugSQL, parent, beginning, end, Self.maximumBySlug)
    guard let first = bySlug.first else { return ChildrenBeginning(nodes: [], common: beginning) }
    let last: String = try value(Self.lastSlugSQL, parent, beginning, end) ?? first.slug
    var selected: [ContentNode] = []
    if bySlug.count == Self.maximumBySlug {
      selected = try nodes(Self.inOrderSQL, parent, beginning, end, Self.maximumInOrder, limit)
    }
    let ids = Set(selected.map(\.id))
    selected += bySlug.filter { !ids.contains($0.id) }.sorted { $0.position < $1.position }
    return ChildrenBeginning(nodes: Array(selected.prefix(limit)), common: first.slug.commonPrefix(with: last))
  }

  private static let bySlugSQL = StatementText(
    """
    SELECT \(ContentNode.columns) FROM contentNode AS node
    WHERE parent = ?1 AND living = 1 AND slug >= ?2 AND slug < ?3 ORDER BY slug LIMIT ?4
    """)
  private static let lastSlugSQL = StatementText(
    """
    SELECT slug FROM contentNode
    WHERE parent = ?1 AND living = 1 AND slug >= ?2 AND slug < ?3 ORDER BY slug DESC LIMIT 1
    """)
  private static let inOrderSQL = StatementText(
    """
    SELECT \(ContentNode.columns) FROM (
      SELECT * FROM contentNode WHERE parent = ?1 AND living = 1 ORDER BY position LIMIT ?4
    ) AS node
    WHERE slug >= ?2 AND slug < ?3 ORDER BY position LIMIT ?5
    """)
}

extension String {
  /// Returns the longest common prefix of two texts.
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
