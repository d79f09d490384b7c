import GRDB
package import LearningModel

extension StoreSnapshot {
  /// The path of a node. A removed one's is that of its last place.
  package func path(of id: NodeID) throws -> PlacePath {
    var upwards: [String] = []
    var next: NodeID? = id
    while let id = next {
      next =
        try first(Self.slugText, id) { row in
          upwards.append(row[0])
          return row[1]
        } ?? nil
    }
    return PlacePath(slugs: upwards.reversed())
  }

  private static let slugText = StatementText("SELECT slug, parent FROM contentNode WHERE id = ?")

  /// The path of a place.
  package func path(of place: Place) throws -> PlacePath {
    guard case .node(let id) = place else { return .root }
    return try path(of: id)
  }

  /// A place as it is shown.
  package func reference(to place: Place) throws -> PlaceReference {
    guard case .node(let id) = place, let node = try node(id) else { return .root }
    return PlaceReference(path: try path(of: id), kind: PlaceKind(node.kind), title: node.title)
  }

  /// The place at a path: the living one; else one that was there before it was moved, or before an ancestor was; else
  /// the one in the course whose key the path begins with; else the removed one that was there last.
  ///
  /// - Returns: `nil` where nothing has ever been there.
  package func place(at path: PlacePath) throws -> Place? {
    try place(at: path.slugs[...], below: .root, through: [.living])
      ?? place(at: path.slugs[...], below: .root, through: [.living, .former])
      ?? place(inCourseWithKeyOf: path)
      ?? place(at: path.slugs[...], below: .root, through: [.living, .former, .removed])
  }

  /// Who imports a course knows its key, which need not be what its title makes of its path.
  private func place(inCourseWithKeyOf path: PlacePath) throws -> Place? {
    guard let key = path.slugs.first, let course: NodeID = try value(Self.courseOfKeyText, key) else { return nil }
    return try place(at: path.slugs.dropFirst(), below: .node(course), through: [.living])
      ?? place(at: path.slugs.dropFirst(), below: .node(course), through: [.living, .former])
  }

  private static let courseOfKeyText = StatementText(
    "SELECT id FROM contentNode WHERE parent IS NULL AND living = 1 AND key = ?")

  /// Whether a node is of a course that was never imported here: it is known from what a learner did elsewhere.
  package func isOnlyInHistories(_ node: NodeID) throws -> Bool { try value(Self.isOnlyInHistoriesText, node) ?? false }

  private static let isOnlyInHistoriesText = StatementText(
    """
    SELECT sourceFormat = 'learner' FROM contentNode AS node JOIN course ON course.node = node.course WHERE node.id = ?
    """)

  private enum Step {
    case living
    case former
    case removed
  }

  private func place(at slugs: ArraySlice<String>, below place: Place, through steps: [Step]) throws -> Place? {
    guard let slug = slugs.first else { return place }
    for step in steps {
      for child in try children(named: slug, of: place, step) {
        if let found = try self.place(at: slugs.dropFirst(), below: .node(child), through: steps) { return found }
      }
    }
    return nil
  }

  private func children(named slug: String, of place: Place, _ step: Step) throws -> [NodeID] {
    // `IS` compares nulls too; the planner knows the parent's index for it.
    let texts =
      switch step {
      case .living: [place == .root ? Self.livingCourseText : Self.livingText]
      case .former: [Self.formerText]
      case .removed: [Self.formerOfRemovedText, Self.removedText]
      }
    return try texts.flatMap { text in try all(text, place.node, slug) { $0[0] } }
  }

  private static let livingText = StatementText(
    "SELECT id FROM contentNode AS node WHERE parent = ? AND slug = ? AND node.living = 1")
  private static let livingCourseText = StatementText(
    "SELECT id FROM contentNode AS node WHERE parent IS ? AND slug = ? AND node.living = 1")
  private static let formerText = former(where: "node.living = 1")
  private static let formerOfRemovedText = former(where: "node.living IS NULL")

  private static func former(where condition: String) -> StatementText {
    StatementText(
      """
      SELECT formerPath.node FROM formerPath JOIN contentNode AS node ON node.id = formerPath.node
      WHERE formerPath.parent IS ? AND formerPath.slug = ? AND \(condition) ORDER BY formerPath.id DESC
      """)
  }

  // Of nodes that were never in a course here, no former path is kept.
  private static let removedText = StatementText(
    """
    SELECT id FROM contentNode AS node
    WHERE parent IS ? AND living IS NULL AND slug = ? ORDER BY removedInRevision DESC
    """)

  /// The slugs under each node of a course by which living nodes can be found that no longer stand there.
  package func formerSlugs(in course: NodeID) throws -> [NodeID: [String: NodeID]] {
    let statement = try database.cachedStatement(
      sql: """
        SELECT formerPath.parent, formerPath.slug, formerPath.node
        FROM formerPath JOIN contentNode AS node ON node.id = formerPath.node
        WHERE formerPath.parent IS NOT NULL AND node.living = 1 AND node.course = ?
        ORDER BY formerPath.id
        """)
    var slugs: [NodeID: [String: NodeID]] = [:]
    for row in try Row.fetchAll(statement, arguments: [course.rawValue]) {
      slugs[NodeID(rawValue: row[0]), default: [:]][row[1]] = NodeID(rawValue: row[2])
    }
    return slugs
  }
}

// Where nodes stood: what a path leads to that somebody wrote down before the course was edited. The newest row of a spot
// says who left it last.

extension StoreTransaction {
  /// Keeps where living nodes stand that are about to be removed.
  ///
  /// - Parameter condition: What stands behind a node's id, to say which.
  func keepPaths(ofNodes condition: String) throws {
    try database.execute(
      sql: """
        INSERT INTO formerPath (parent, slug, node)
        SELECT node.parent, node.slug, node.id FROM contentNode AS node
        WHERE node.id \(condition) AND node.id IS NOT (
          SELECT former.node FROM formerPath AS former
          WHERE former.parent IS node.parent AND former.slug = node.slug ORDER BY former.id DESC LIMIT 1)
        ORDER BY node.id
        """)
  }

  /// Keeps where a node stood that is about to stand elsewhere.
  ///
  /// - Parameters:
  ///   - node: The node as it stood. One that was removed before left its place then, and that was kept: who has come and
  ///     gone there since was there after it.
  ///   - revision: The revision that moves it.
  func keepPath(of node: ContentNode, leavingIn revision: Int) throws {
    let isKept: Bool? =
      node.removedInRevision == revision
      ? false
      : try snapshot.value(
        "SELECT EXISTS (SELECT 1 FROM formerPath WHERE parent IS ? AND slug = ? AND node = ?)",
        [node.parent?.rawValue, node.slug, node.id.rawValue])
    guard isKept != true else { return }
    try database.cachedStatement(sql: "INSERT INTO formerPath (parent, slug, node) VALUES (?, ?, ?)").execute(
      arguments: [node.parent?.rawValue, node.slug, node.id.rawValue])
  }
}

extension StoreSnapshot {
  /// The living places that may have been meant by a path that leads nowhere, the likeliest first.
  ///
  /// - Parameter limit: How many at most.
  package func suggestions(for path: PlacePath, limit: Int = 3) throws -> [PlacePath] {
    var found: [(path: PlacePath, cost: Int)] = []
    try correct(path.slugs[...], below: .root, path: .root, cost: 0, into: &found)
    // A slug typed without what stands before it, or below the wrong place.
    if let last = path.slugs.last {
      for node in try nodes(Self.sameSlugText, last) {
        found.append((try self.path(of: node.id), 1))
      }
    }
    var seen: Set<PlacePath> = [path]
    return
      found
      .sorted { ($0.cost, $0.path.description) < ($1.cost, $1.path.description) }
      .filter { seen.insert($0.path).inserted }
      .prefix(limit).map(\.path)
  }

  private static let sameSlugText = StatementText(
    "SELECT \(ContentNode.columns) FROM contentNode AS node WHERE slug = ? AND living = 1 LIMIT 10")

  private func correct(
    _ slugs: ArraySlice<String>, below place: Place, path: PlacePath, cost: Int,
    into found: inout [(path: PlacePath, cost: Int)]
  ) throws {
    guard let slug = slugs.first else {
      found.append((path, cost))
      return
    }
    let children = try children(of: place)
    let near = children.compactMap { child in
      Self.cost(of: slug, for: child.slug).map { (child: child, cost: $0) }
    }.sorted { $0.cost < $1.cost }.prefix(3)
    for (child, more) in near {
      try correct(
        slugs.dropFirst(), below: .node(child.id), path: path.appending(child.slug), cost: cost + more, into: &found)
    }
    // What was right so far is something, where nothing further on is.
    if near.isEmpty, !path.isRoot { found.append((path, cost + 10 * slugs.count)) }
  }

  /// How unlikely it is that the one was typed for the other; `nil` where it cannot be.
  private static func cost(of typed: String, for slug: String) -> Int? {
    if typed == slug { return 0 }
    let left = Array(typed.lowercased().unicodeScalars)
    let right = Array(slug.unicodeScalars)
    if let distance = EditDistance.between(left, right, limit: max(2, right.count / 4)) { return 1 + distance }
    return left.count >= 3 && (slug.hasPrefix(typed.lowercased()) || slug.contains(typed.lowercased())) ? 4 : nil
  }
}
