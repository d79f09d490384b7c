import GRDB
package import LearningModel

extension StoreSnapshot {
  /// The node, living or removed; `nil` where there has never been one of that number.
  package func node(_ id: NodeID) throws -> ContentNode? {
    try firstNode(Self.nodeText, id)
  }

  private static let nodeText = StatementText("SELECT \(ContentNode.columns) FROM contentNode AS node WHERE id = ?")

  /// The node of that key in a course, living or removed.
  package func node(withKey key: String, inCourse course: NodeID) throws -> ContentNode? {
    try firstNode(Self.nodeWithKeyText, course, key)
  }

  private static let nodeWithKeyText = StatementText(
    "SELECT \(ContentNode.columns) FROM contentNode AS node WHERE course = ? AND key = ?")

  /// The living children in their order; the courses, where the place is the root.
  package func children(of place: Place) throws -> [ContentNode] {
    switch place {
    case .root: try nodes(Self.coursesText)
    case .node(let id): try nodes(Self.childrenText, id)
    }
  }

  private static let coursesText = StatementText(
    "SELECT \(ContentNode.columns) FROM contentNode AS node WHERE parent IS NULL AND living = 1 ORDER BY position")
  private static let childrenText = StatementText(
    "SELECT \(ContentNode.columns) FROM contentNode AS node WHERE parent = ? AND node.living = 1 ORDER BY position")

  /// The nodes above a node, its course first, its parent last. A removed node's are those of its last place.
  package func ancestors(of id: NodeID) throws -> [ContentNode] {
    try chain(to: node(id)?.parent)
  }

  /// The nodes from the course down to that one, removed or not; none for the root.
  ///
  /// - Parameter known: Nodes from the course down to another one, as they are now: what leads to both is not asked for
  ///   again.
  package func chain(to id: NodeID?, along known: [ContentNode] = []) throws -> [ContentNode] {
    // A tree is a few levels deep: asking node by node takes half the time of a recursive query.
    var upwards: [ContentNode] = []
    var next = id
    while let id = next {
      if let shared = known.lastIndex(where: { $0.id == id }) { return known[...shared] + upwards.reversed() }
      guard let node = try node(id) else { break }
      upwards.append(node)
      next = node.parent
    }
    return upwards.reversed()
  }

  /// The nodes from the course down to one that is known already.
  package func chain(to node: ContentNode, along known: [ContentNode]) throws -> [ContentNode] {
    try chain(to: node.parent, along: known) + [node]
  }

  /// A node and the living nodes below it, in reading order; from the root, every course and what is below it.
  ///
  /// - Parameters:
  ///   - place: Where to begin. A removed node has nothing below it.
  ///   - depth: How many levels below the first one to show, from 0; `nil` for all of them.
  /// - Returns: Each node with its depth: 0 for the place, or for each course where the place is the root.
  package func subtree(
    from place: Place, depth: Int? = nil, limit: Int = .max
  ) throws -> [(node: ContentNode, depth: Int)] {
    var found: [(node: ContentNode, depth: Int)] = []
    let text = place == .root ? Self.everythingText : Self.subtreeText
    try statements.run(text, [depth ?? Int(Int32.max)] + (place.node.map { [$0] } ?? [])) { row in
      found.append((try ContentNode(row: row), row[11]))
      return found.count < limit
    }
    return found
  }

  private static let everythingText = downwards(from: "parent IS NULL AND living = 1")
  private static let subtreeText = downwards(from: "id = ?2")

  /// Walks down from some nodes. The deepest node is taken from the queue first, and of those the first in position:
  /// reading order. A join around the recursion would lose that order.
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

  /// The living activity that holds what a removed one said: one of the same page whose text has the heading, or the box
  /// of an exercise, that the removed one began with. As a page grows and shrinks, its sections are joined and parted.
  ///
  /// - Returns: `nil` for a node that lives, and where no such text is there.
  package func holder(of removed: ContentNode) throws -> ContentNode? {
    guard removed.isRemoved, removed.kind == .activity, let parent = removed.parent,
      let mark = removed.key.lastIndex(of: "#")
    else { return nil }
    let anchor = removed.key[removed.key.index(after: mark)...]
    for node in try children(of: .node(parent)) where node.key.hasPrefix(removed.key[...mark]) {
      guard node.kind == .activity else { continue }
      if anchor.isEmpty { return node }
      guard case .reading(let blocks) = try content(of: node.id) else { continue }
      if blocks.contains(where: { $0.begins(anchor) }) { return node }
    }
    return nil
  }

  /// The node itself where it lives, else the nearest node above it that does; the root where none does.
  package func nearestLiving(of id: NodeID) throws -> Place {
    guard let node = try node(id) else { return .root }
    guard node.isRemoved else { return .node(id) }
    return Place(try ancestors(of: id).last { !$0.isRemoved }?.id)
  }

  /// The nodes from the course down to a place; where it was removed, to the activity that holds its text now, else to the
  /// nearest node above it that lives.
  ///
  /// - Returns: The nodes, and the place itself where it was removed and nothing holds it.
  package func survivingChain(to place: Place) throws -> (chain: [ContentNode], removed: ContentNode?) {
    let chain = try chain(to: place.node)
    guard let node = chain.last, chain.contains(where: \.isRemoved) else { return (chain, nil) }
    if let holder = try holder(of: node) { return (try self.chain(to: holder.id), nil) }
    return (Array(chain.prefix { !$0.isRemoved }), node)
  }
}

extension Block {
  /// Whether a part of that anchor can begin with it: a heading, or a box such as "Exercise: Loops".
  fileprivate func begins(_ anchor: Substring) -> Bool {
    switch self {
    case .heading(_, _, let own): return own == anchor
    case .quote(let blocks):
      guard case .paragraph(let line) = blocks.first, line.count == 1, case .strong(let words) = line[0] else {
        return false
      }
      let parts = words.plainText.split(separator: ": ", maxSplits: 1)
      return parts.count == 2 && Anchor.make(from: String(parts[1])) == anchor
    default: return false
    }
  }
}

extension ContentNode {
  /// The columns that a node is read from, in the order in which ``init(row:)`` wants them.
  static let columns = """
    node.id, node.course, node.parent, node.key, node.kind, node.position, node.slug, node.title, node.summary, \
    node.minutes, node.removedInRevision
    """

  /// Reads a node from the first columns of a row.
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
  /// The nodes of a statement that selects ``ContentNode/columns``.
  func nodes(_ text: StatementText, _ values: any ColumnValue...) throws -> [ContentNode] {
    var nodes: [ContentNode] = []
    try statements.run(text, values) { row in
      nodes.append(try ContentNode(row: row))
      return true
    }
    return nodes
  }

  /// The first of them.
  func firstNode(_ text: StatementText, _ values: any ColumnValue...) throws -> ContentNode? {
    var node: ContentNode?
    try statements.run(text, values) { row in
      node = try ContentNode(row: row)
      return false
    }
    return node
  }
}

/// Children whose slugs begin so.
package struct ChildrenBeginning: Hashable, Sendable {
  /// Some of them, in their order: the first ones.
  package var nodes: [ContentNode]
  /// How far the slugs of all of them are the same, also of those that are not here.
  package var common: String
}

extension StoreSnapshot {
  /// As many are found by their slugs; of more the first are looked for in their order.
  private static let mostBySlug = 100
  /// Among how many of all children they are looked for in their order.
  private static let mostInOrder = 2_000

  /// Returns the living children of a place whose slugs begin so; of the root, courses.
  ///
  /// This is asked for each letter that somebody types, and a place may have ten thousand children: what it costs does
  /// not depend on how many there are. Where more than 100 begin so, some that stand far behind in their order come in
  /// that of the alphabet.
  ///
  /// - Parameters:
  ///   - beginning: How their slugs begin; empty for any.
  ///   - limit: How many at most, from 0.
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
    let bySlug = try nodes(Self.bySlugText, parent, beginning, end, Self.mostBySlug)
    guard let first = bySlug.first else { return ChildrenBeginning(nodes: [], common: beginning) }
    let last: String = try value(Self.lastSlugText, parent, beginning, end) ?? first.slug
    var found: [ContentNode] = []
    if bySlug.count == Self.mostBySlug {
      found = try nodes(Self.inOrderText, parent, beginning, end, Self.mostInOrder, limit)
    }
    let known = Set(found.map(\.id))
    found += bySlug.filter { !known.contains($0.id) }.sorted { $0.position < $1.position }
    return ChildrenBeginning(nodes: Array(found.prefix(limit)), common: first.slug.commonPrefix(with: last))
  }

  private static let bySlugText = StatementText(
    """
    SELECT \(ContentNode.columns) FROM contentNode AS node
    WHERE parent = ?1 AND living = 1 AND slug >= ?2 AND slug < ?3 ORDER BY slug LIMIT ?4
    """)
  private static let lastSlugText = StatementText(
    """
    SELECT slug FROM contentNode
    WHERE parent = ?1 AND living = 1 AND slug >= ?2 AND slug < ?3 ORDER BY slug DESC LIMIT 1
    """)
  private static let inOrderText = StatementText(
    """
    SELECT \(ContentNode.columns) FROM (
      SELECT * FROM contentNode WHERE parent = ?1 AND living = 1 ORDER BY position LIMIT ?4
    ) AS node
    WHERE slug >= ?2 AND slug < ?3 ORDER BY position LIMIT ?5
    """)
}

extension String {
  /// How far two texts begin alike.
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
