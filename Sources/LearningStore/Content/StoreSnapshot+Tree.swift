import GRDB
package import LearningModel

extension StoreSnapshot {
  /// Returns the node with the given ID, even if it was removed, or `nil` if there never was such a node.
  package func node(_ id: NodeID) throws -> ContentNode? {
    try first(Self.nodeSQL, id, as: ContentNode.init)
  }

  private static let nodeSQL = StatementText("SELECT \(ContentNode.columns) FROM contentNode AS node WHERE id = ?")

  /// Returns the keys of a node and of its course, or `nil` if the node does not exist.
  package func keys(of id: NodeID) throws -> (course: String, node: String)? {
    try first(
      """
      SELECT course.key, node.key FROM contentNode AS node JOIN contentNode AS course ON course.id = node.course
      WHERE node.id = ?
      """, id
    ) { (course: $0[0], node: $0[1]) }
  }

  /// Returns the node of a course with the given key, even if it was removed, or `nil` if there never was such a node.
  package func node(withKey key: String, inCourse course: NodeID) throws -> ContentNode? {
    try first(Self.nodeWithKeySQL, course, key, as: ContentNode.init)
  }

  private static let nodeWithKeySQL = StatementText(
    "SELECT \(ContentNode.columns) FROM contentNode AS node WHERE course = ? AND key = ?")

  /// Returns the nodes of a course that its source contains under other keys, by the keys in the source.
  package func sourceKeys(of course: NodeID) throws -> [String: ContentNode] {
    let rows = try all(
      """
      SELECT \(ContentNode.columns), sourceKey.key
      FROM sourceKey JOIN contentNode AS node ON node.id = sourceKey.node WHERE sourceKey.course = ?
      """, course, as: { ($0[12] as String, try ContentNode(row: $0)) })
    return Dictionary(uniqueKeysWithValues: rows)
  }

  /// Returns the current children of a place, in their order. The children of the root are the courses.
  package func children(of place: Place) throws -> [ContentNode] {
    switch place {
    case .root: try all(Self.coursesSQL, as: ContentNode.init)
    case .node(let id): try all(Self.childrenSQL, id, as: ContentNode.init)
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
    try statements.run(Self.subtreeSQL[place == .root], [depth ?? Int(Int32.max)] + (place.node.map { [$0] } ?? [])) {
      row in
      nodes.append((try ContentNode(row: row), row[12]))
      return nodes.count < limit
    }
    return nodes
  }

  // The deepest node is taken from the queue first, and the one with the lowest position among nodes of the same depth,
  // which results in reading order. Joining the result of the recursion with another table would not keep this order.
  private static let subtreeSQL = ScopedText("id = ?2", "parent IS NULL AND living = 1") { scope in
    """
    WITH RECURSIVE below (\((1...12).map { "column\($0)" }.joined(separator: ", ")), depth) AS (
      SELECT \(ContentNode.columns), 0 FROM contentNode AS node WHERE \(scope)
      UNION ALL
      SELECT \(ContentNode.columns), below.depth + 1
      FROM below JOIN contentNode AS node ON node.parent = below.column1 AND node.living = 1
      WHERE below.depth < ?1
      ORDER BY 13 DESC, 6
    )
    SELECT * FROM below
    """
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
      if try content(of: node.id)?.text.contains(where: { $0.begins(anchor) }) == true { return node }
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

extension ContentNode: StoredRow {
  static let columns = RowReader.columns(of: Self.self)

  init(_ column: inout RowReader) throws {
    self.init(
      id: column("node.id"), course: column("node.course"), parent: column("node.parent"), key: column("node.key"),
      kind: try column.enumeration("node.kind") ?? .course, position: column("node.position"),
      slug: column("node.slug"),
      title: column("node.title"), summary: column("node.summary"), minutes: column("node.minutes"),
      removedInRevision: column("node.removedInRevision"),
      levels: LevelNames(
        format: column("ifnull((SELECT sourceFormat FROM course WHERE course.node = node.course), '')")))
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
    let bySlug = try all(
      """
      SELECT \(ContentNode.columns) FROM contentNode AS node
      WHERE parent = ?1 AND living = 1 AND slug >= ?2 AND slug < ?3 ORDER BY slug LIMIT ?4
      """, parent, beginning, end, Self.maximumBySlug, as: ContentNode.init)
    guard let first = bySlug.first else { return ChildrenBeginning(nodes: [], common: beginning) }
    let last: String =
      try value(
        """
        SELECT slug FROM contentNode
        WHERE parent = ?1 AND living = 1 AND slug >= ?2 AND slug < ?3 ORDER BY slug DESC LIMIT 1
        """, parent, beginning, end) ?? first.slug
    var selected: [ContentNode] = []
    if bySlug.count == Self.maximumBySlug {
      selected = try all(
        """
        SELECT \(ContentNode.columns) FROM (
          SELECT * FROM contentNode WHERE parent = ?1 AND living = 1 ORDER BY position LIMIT ?4
        ) AS node
        WHERE slug >= ?2 AND slug < ?3 ORDER BY position LIMIT ?5
        """, parent, beginning, end, Self.maximumInOrder, limit, as: ContentNode.init)
    }
    let ids = Set(selected.map(\.id))
    selected += bySlug.filter { !ids.contains($0.id) }.sorted { $0.position < $1.position }
    return ChildrenBeginning(nodes: Array(selected.prefix(limit)), common: first.slug.commonPrefix(with: last))
  }
}

extension String {
  /// Returns the longest common prefix of two texts.
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
