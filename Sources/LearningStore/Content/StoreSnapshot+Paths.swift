import Foundation
package import LearningModel

extension StoreSnapshot {
  /// Returns the path of a node. For a removed node, returns its last path.
  package func path(of id: NodeID) throws -> PlacePath {
    var reversedSlugs: [String] = []
    var next: NodeID? = id
    while let id = next {
      next =
        try first(Self.slugSQL, id) { row in
          reversedSlugs.append(row[0])
          return row[1]
        } ?? nil
    }
    return PlacePath(slugs: reversedSlugs.reversed())
  }

  private static let slugSQL = StatementText("SELECT slug, parent FROM contentNode WHERE id = ?")

  package func path(of place: Place) throws -> PlacePath {
    guard case .node(let id) = place else { return .root }
    return try path(of: id)
  }

  /// Returns the path, kind and title of a place.
  package func reference(to place: Place) throws -> PlaceReference {
    guard case .node(let id) = place, let node = try node(id) else { return .root }
    return PlaceReference(path: try path(of: id), kind: PlaceKind(node.kind), title: node.title)
  }

  /// Returns the place at a path. The first of these is returned:
  ///
  /// 1. the current place at the path,
  /// 2. a current place that had this path before it or one of its ancestors was moved,
  /// 3. the current place at this path in the course whose key is the first component of the path,
  /// 4. the place that was removed last from this path.
  ///
  /// - Returns: `nil` if no place has ever had this path.
  package func place(at path: PlacePath) throws -> Place? {
    try place(at: path.slugs[...], below: .root, through: [.current])
      ?? place(at: path.slugs[...], below: .root, through: [.current, .renamed])
      ?? place(inCourseWithKeyOf: path)
      ?? place(at: path.slugs[...], below: .root, through: [.current, .renamed, .removed])
  }

  /// Returns the place in the course whose key is the first component of a path. The key of a course can differ from
  /// its slug, which is made from its title, and users who import a course know its key.
  private func place(inCourseWithKeyOf path: PlacePath) throws -> Place? {
    let forms = path.slugs.first?.unicodeForms ?? []
    guard
      let course = try forms.compactMap({
        try value("SELECT id FROM contentNode WHERE parent IS NULL AND living = 1 AND key = ?", $0) as NodeID?
      }).first
    else { return nil }
    return try place(at: path.slugs.dropFirst(), below: .node(course), through: [.current])
      ?? place(at: path.slugs.dropFirst(), below: .node(course), through: [.current, .renamed])
  }

  /// Returns whether the node belongs to a course that was never imported into this database, and is only known from
  /// the merged history of a learner.
  package func isOnlyInHistories(_ node: NodeID) throws -> Bool {
    try value(
      """
      SELECT sourceFormat = 'learner' FROM contentNode AS node JOIN course ON course.node = node.course WHERE node.id = ?
      """, node) ?? false
  }

  private enum PathComponentState {
    case current
    case renamed
    case removed
  }

  private func place(at slugs: ArraySlice<String>, below place: Place, through steps: [PathComponentState]) throws
    -> Place?
  {
    guard let slug = slugs.first else { return place }
    for step in steps {
      for child in try children(named: slug, of: place, step) {
        if let match = try self.place(at: slugs.dropFirst(), below: .node(child), through: steps) { return match }
      }
    }
    return nil
  }

  private func children(named slug: String, of place: Place, _ step: PathComponentState) throws -> [NodeID] {
    // `IS` also matches null, and SQLite's query planner uses the index on `parent` for it.
    let texts =
      switch step {
      case .current: [place == .root ? Self.livingCourseSQL : Self.livingSQL]
      case .renamed: [Self.formerSQL]
      case .removed: [Self.formerOfRemovedSQL, Self.removedSQL]
      }
    return try texts.flatMap { text in try slug.unicodeForms.flatMap { try all(text, place.node, $0) { $0[0] } } }
  }

  private static let livingSQL = StatementText(
    "SELECT id FROM contentNode AS node WHERE parent = ? AND slug = ? AND node.living = 1")
  private static let livingCourseSQL = StatementText(
    "SELECT id FROM contentNode AS node WHERE parent IS ? AND slug = ? AND node.living = 1")
  private static let formerSQL = former(where: "node.living = 1")
  private static let formerOfRemovedSQL = former(where: "node.living IS NULL")

  private static func former(where condition: String) -> StatementText {
    StatementText(
      """
      SELECT formerPath.node FROM formerPath JOIN contentNode AS node ON node.id = formerPath.node
      WHERE formerPath.parent IS ? AND formerPath.slug = ? AND \(condition) ORDER BY formerPath.id DESC
      """)
  }

  // Nodes of a course that was never imported here have no rows in `formerPath`.
  private static let removedSQL = StatementText(
    """
    SELECT id FROM contentNode AS node
    WHERE parent IS ? AND living IS NULL AND slug = ? ORDER BY removedInRevision DESC
    """)

  /// Returns the previous slugs of the nodes of a course that were moved but not removed: for each former parent, the
  /// slugs and the nodes they lead to.
  package func formerSlugs(in course: NodeID) throws -> [NodeID: [String: NodeID]] {
    var slugs: [NodeID: [String: NodeID]] = [:]
    try statements.run(
      """
      SELECT formerPath.parent, formerPath.slug, formerPath.node
      FROM formerPath JOIN contentNode AS node ON node.id = formerPath.node
      WHERE formerPath.parent IS NOT NULL AND node.living = 1 AND node.course = ?
      ORDER BY formerPath.id
      """, [course]
    ) { row in
      slugs[row[0], default: [:]][row[1]] = row[2]
      return true
    }
    return slugs
  }
}

extension String {
  /// The text, and its precomposed and decomposed forms if their bytes differ. SQLite compares bytes, but a user cannot
  /// distinguish the forms.
  var unicodeForms: [String] {
    guard utf8.contains(where: { $0 >= 0x80 }) else { return [self] }
    return [precomposedStringWithCanonicalMapping, decomposedStringWithCanonicalMapping].reduce(into: [self]) {
      forms, form in
      if !forms.contains(where: { $0.utf8.elementsEqual(form.utf8) }) { forms.append(form) }
    }
  }
}

// Former paths of nodes, so that a path that was noted before the course was edited still leads to its node. The newest
// row for a parent and slug identifies the node that left this location last.

extension StoreTransaction {
  /// Stores the current paths of nodes that are about to be removed.
  ///
  /// - Parameter condition: The SQL condition that selects the nodes, without its left operand, the node's ID.
  func recordFormerPaths(ofNodes condition: String) throws {
    try run(
      """
      INSERT INTO formerPath (parent, slug, node)
      SELECT node.parent, node.slug, node.id FROM contentNode AS node
      WHERE node.id \(condition) AND node.id IS NOT (
        SELECT former.node FROM formerPath AS former
        WHERE former.parent IS node.parent AND former.slug = node.slug ORDER BY former.id DESC LIMIT 1)
      ORDER BY node.id
      """)
  }

  /// Stores the path of a node that is about to be moved.
  ///
  /// - Parameters:
  ///   - node: The node before the change. If it was removed in an earlier revision, its path was already stored then.
  ///     It must not be stored again, because other nodes may have had that path since.
  ///   - revision: The revision that moves the node.
  func recordFormerPath(of node: ContentNode, leavingIn revision: Int) throws {
    let isKept: Bool? = try snapshot.value(
      "SELECT EXISTS (SELECT 1 FROM formerPath WHERE parent IS ? AND slug = ? AND node = ?)", node.parent, node.slug,
      node.id)
    guard isKept != true || node.removedInRevision == revision else { return }
    try run("INSERT INTO formerPath (parent, slug, node) VALUES (?, ?, ?)", node.parent, node.slug, node.id)
  }
}

// Suggestions for paths that do not exist.
extension StoreSnapshot {
  /// Returns the current paths that are most similar to a path that does not exist, the most likely first.
  ///
  /// - Parameter limit: The maximum number of paths.
  package func suggestions(for path: PlacePath, limit: Int = 3) throws -> [PlacePath] {
    var candidates: [(path: PlacePath, cost: Int)] = []
    try correct(path.slugs[...], below: .root, path: .root, cost: 0, into: &candidates)
    // The slug may have been typed without its ancestors, or below a wrong parent.
    if let last = path.slugs.last {
      for node in try all(
        "SELECT \(ContentNode.columns) FROM contentNode AS node WHERE slug = ? AND living = 1 LIMIT 10", last,
        as: ContentNode.init)
      {
        candidates.append((try self.path(of: node.id), 1))
      }
    }
    var visited: Set<PlacePath> = [path]
    return
      candidates
      .sorted { ($0.cost, $0.path.description) < ($1.cost, $1.path.description) }
      .filter { visited.insert($0.path).inserted }
      .prefix(limit).map(\.path)
  }

  private func correct(
    _ slugs: ArraySlice<String>, below place: Place, path: PlacePath, cost: Int,
    into candidates: inout [(path: PlacePath, cost: Int)]
  ) throws {
    guard let slug = slugs.first else {
      candidates.append((path, cost))
      return
    }
    let children = try children(of: place)
    let similar = children.compactMap { child in
      Self.cost(of: slug, for: child.slug).map { (child: child, cost: $0) }
    }.sorted { $0.cost < $1.cost }.prefix(3)
    for (child, extraCost) in similar {
      try correct(
        slugs.dropFirst(), below: .node(child.id), path: path.appending(child.slug), cost: cost + extraCost,
        into: &candidates)
    }
    // If no child matches, the place found so far is still a suggestion.
    if similar.isEmpty, !path.isRoot { candidates.append((path, cost + 10 * slugs.count)) }
  }

  /// Returns the cost of correcting a typed slug to an existing one: 0 for equal slugs, higher for less similar ones,
  /// or `nil` if they are too different.
  private static func cost(of typed: String, for slug: String) -> Int? {
    if typed == slug { return 0 }
    let letters = Array(typed.lowercased().unicodeScalars)
    let slugLetters = Array(slug.unicodeScalars)
    if let distance = EditDistance.distance(letters, slugLetters, limit: max(2, slugLetters.count / 4)) {
      return 1 + distance
    }
    return letters.count >= 3 && (slug.hasPrefix(typed.lowercased()) || slug.contains(typed.lowercased())) ? 4 : nil
  }
}
