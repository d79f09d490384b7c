import GRDB
public import LearningModel

extension StoreSnapshot {
  /// The living places that may have been meant by a path that leads nowhere, the likeliest first.
  ///
  /// - Parameter limit: How many at most.
  public func suggestions(for path: PlacePath, limit: Int = 3) throws -> [PlacePath] {
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
