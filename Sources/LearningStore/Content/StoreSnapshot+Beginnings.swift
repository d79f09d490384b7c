public import LearningModel

/// Children whose slugs begin so.
public struct ChildrenBeginning: Hashable, Sendable {
  /// Some of them, in their order: the first ones.
  public var nodes: [ContentNode]
  /// How far the slugs of all of them are the same, also of those that are not here.
  public var common: String
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
  public func children(
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
