import LearningModel
import LearningStore

/// Finds the place that somebody names.
struct Naming {
  let tree: PlaceTree
  /// The nodes from the course down to the current place.
  let current: [ContentNode]

  /// Returns the nodes that lead to the place of that name.
  ///
  /// - Parameters:
  ///   - name: A place, a path, or the bare slug of a child of `parent`.
  ///   - parent: Where a bare slug is looked up first.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/removedPlace(title:nearest:)``.
  func resolve(_ name: PlaceName, nearby parent: NodeID?) throws -> [ContentNode] {
    switch name {
    case .place(let place):
      return try living(place.node, named: "\(place.node?.rawValue ?? 0)")
    case .text(let text):
      let path = PlacePath(text)
      if path.isRoot { return [] }
      if path.slugs.count == 1, let child = try tree.child(of: parent, slug: path.slugs[0]) {
        return try living(child.id, named: text)
      }
      guard let node = try tree.node(at: path) else {
        throw NavigationError.unknownPlace(name: text, nearest: try nearest(to: path, nearby: parent))
      }
      return try living(node.id, named: text)
    }
  }

  /// Returns the nodes that lead to the place of that name on the stack, where a bare slug also names one of its places.
  func resolveOnStack(_ name: PlaceName) throws -> [ContentNode] {
    if case .text(let text) = name, let slug = PlacePath(text).slugs.first, PlacePath(text).slugs.count == 1,
      let index = current.lastIndex(where: { $0.slug == slug })
    {
      return Array(current[...index])
    }
    return try resolve(name, nearby: nil)
  }

  private func living(_ id: NodeID?, named name: String) throws -> [ContentNode] {
    guard let id else { return [] }
    let chain = try tree.chain(to: id)
    guard let node = chain.last else { throw NavigationError.unknownPlace(name: name, nearest: []) }
    guard node.isRemoved else { return chain }
    throw NavigationError.removedPlace(title: node.title, nearest: NamedPlace(chain.prefix { !$0.isRemoved }))
  }

  /// Returns the paths that look like one that does not exist: those that differ in its first wrong part, and places
  /// anywhere that are called what its last part says.
  func nearest(to path: PlacePath, nearby parent: NodeID?) throws -> [PlacePath] {
    var above: [ContentNode] = []
    for slug in path.slugs {
      guard let next = try tree.child(of: above.last?.id, slug: slug), !next.isRemoved else {
        let prefix = PlacePath(slugs: above.map(\.slug))
        var found = Likeness.nearest(to: slug, among: try tree.slugs(under: above.last?.id)).map(prefix.appending)
        if above.isEmpty, let parent {
          let here = PlacePath(slugs: try tree.chain(to: parent).map(\.slug))
          found = Likeness.nearest(to: slug, among: try tree.slugs(under: parent)).map(here.appending) + found
        }
        let elsewhere = try tree.nodes(withSlug: path.slugs.last ?? slug).map {
          PlacePath(slugs: try tree.chain(to: $0.id).map(\.slug))
        }
        return Array((found + elsewhere.filter { !found.contains($0) }).prefix(3))
      }
      above = try tree.chain(to: next.id)
    }
    return []
  }
}
