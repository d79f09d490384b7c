import GRDB
public import LearningModel

extension StoreSnapshot {
  /// The path of a node. A removed one's is that of its last place.
  public func path(of id: NodeID) throws -> PlacePath {
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
  public func path(of place: Place) throws -> PlacePath {
    guard case .node(let id) = place else { return .root }
    return try path(of: id)
  }

  /// A place as it is shown.
  public func reference(to place: Place) throws -> PlaceReference {
    guard case .node(let id) = place, let node = try node(id) else { return .root }
    return PlaceReference(path: try path(of: id), kind: PlaceKind(node.kind), title: node.title)
  }

  /// The place at a path: the living one; else one that was there before it was moved, or before an ancestor was; else
  /// the one in the course whose key the path begins with; else the removed one that was there last.
  ///
  /// - Returns: `nil` where nothing has ever been there.
  public func place(at path: PlacePath) throws -> Place? {
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
  public func isOnlyInHistories(_ node: NodeID) throws -> Bool { try value(Self.isOnlyInHistoriesText, node) ?? false }

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
}
