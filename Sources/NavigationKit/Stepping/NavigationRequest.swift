public import LearningModel
import LearningStore

/// A name of a place: its identity, its path, or a text that a person typed.
///
/// ```swift
/// try service.perform(.open("english-for-business/\(lesson)"))
/// try service.perform(.push(PlaceName(page.children[0])))
/// ```
public enum PlaceName: Hashable, Sendable {
  /// The place with an identity.
  case place(Place)
  /// The place at a path from the list of courses.
  case path(PlacePath)
  /// The place at a path, or the child or sibling with a slug, as a person types it.
  case text(String)

  /// Creates the name of the place at a path.
  public init(_ path: PlacePath) { self = .path(path) }

  /// Creates the name of a place that a step or a history row has.
  public init(_ place: NamedPlace) { self = .place(place.place) }

  /// Creates the name of the place that a card or the head of a page shows.
  public init(_ summary: PlaceSummary) { self = .place(summary.place.place) }
}

extension PlaceName: ExpressibleByStringInterpolation {
  /// Creates a name from a path or a slug.
  public init(stringLiteral text: String) {
    self = .text(text)
  }
}

extension PlaceName: CustomStringConvertible {
  /// The path or text; the number of an identity, as in `place 12`.
  public var description: String {
    switch self {
    case .place(.root): "/"
    case .place(.node(let id)): "place \(id.rawValue)"
    case .path(let path): path.description
    case .text(let text): text
    }
  }
}

/// A request to navigate: an operation, and the place that it is about.
public enum NavigationRequest: Hashable, Sendable {
  /// Go down to a child of the current place.
  case push(PlaceName)
  /// Go up to the parent.
  case pop
  /// Go up to a place on the stack.
  case popTo(PlaceName)
  /// Go up to the list of courses.
  case popToRoot
  /// Go to another child of the same parent.
  case select(PlaceName)
  /// Go on to what follows in reading order.
  case next
  /// Go to what precedes in reading order.
  case previous
  /// Go anywhere.
  case open(PlaceName)
  /// Go to the visit before this one.
  case back
  /// Go to the visit that `back` came from.
  case forward
  /// Take up where the learner left off.
  case resume

  /// The operation that the log will name.
  public var operation: NavigationOperation {
    switch self {
    case .push: .push
    case .pop: .pop
    case .popTo: .popTo
    case .popToRoot: .popToRoot
    case .select: .select
    case .next: .next
    case .previous: .previous
    case .open: .open
    case .back: .back
    case .forward: .forward
    case .resume: .resume
    }
  }
}

extension NavigationRequest: CustomStringConvertible {
  /// The operation and the place, such as `open english-for-business/negotiating`.
  public var description: String {
    switch self {
    case .push(let name), .popTo(let name), .select(let name), .open(let name): "\(operation.rawValue) \(name)"
    case .pop, .popToRoot, .next, .previous, .back, .forward, .resume: operation.rawValue
    }
  }
}

extension NavigationRequest {
  /// A request that a program wrote and that cannot be made.
  package enum Refusal: Error {
    case unknownOperation
    /// The operation needs a place.
    case placeMissing
  }

  /// Makes a request from the name of its operation and, if the operation needs one, a place.
  package init(operation: String, place: PlaceName?) throws(Refusal) {
    switch (NavigationOperation(rawValue: operation), place) {
    case (.push, let place?): self = .push(place)
    case (.popTo, let place?): self = .popTo(place)
    case (.select, let place?): self = .select(place)
    case (.open, let place?): self = .open(place)
    case (.push, nil), (.popTo, nil), (.select, nil), (.open, nil): throw .placeMissing
    case (.pop, _): self = .pop
    case (.popToRoot, _): self = .popToRoot
    case (.next, _): self = .next
    case (.previous, _): self = .previous
    case (.back, _): self = .back
    case (.forward, _): self = .forward
    case (.resume, _): self = .resume
    case (.repair, _), (.other, _), (nil, _): throw .unknownOperation
    }
  }
}

/// Finds the place with a name.
struct PlaceResolver {
  let snapshot: StoreSnapshot
  /// The nodes from the course down to the current place, as they are now; none where it does not matter.
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
    case .path(let path):
      return try resolve(path, named: path.description, here: nil)
    case .text(let text):
      let path = PlacePath(text)
      if path.isRoot { return [] }
      let here = parent == nil ? nil : try snapshot.path(of: Place(parent)).appending(path.slugs[0])
      if path.slugs.count == 1, let here, let nearby = try snapshot.place(at: here) {
        return try living(nearby.node, named: text)
      }
      return try resolve(path, named: text, here: path.slugs.count == 1 ? here : nil)
    }
  }

  private func resolve(_ path: PlacePath, named name: String, here: PlacePath?) throws -> [ContentNode] {
    if path.isRoot { return [] }
    // A place that only the history of a learner has cannot be named.
    guard let place = try snapshot.place(at: path), try place.node.map(snapshot.isOnlyInHistories) != true else {
      throw NavigationError.unknownPlace(name: name, nearest: try suggestions(for: path, nearby: here))
    }
    return try living(place.node, named: name)
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
    let chain = try snapshot.chain(to: id, along: current)
    guard let node = chain.last else { throw NavigationError.unknownPlace(name: name, nearest: []) }
    guard node.isRemoved else { return chain }
    if let holder = try snapshot.holder(of: node) { return try snapshot.chain(to: holder, along: current) }
    throw NavigationError.removedPlace(title: node.title, nearest: NamedPlace(chain.prefix { !$0.isRemoved }))
  }

  /// Returns the paths that may have been meant by one that leads nowhere: first as the slug of a child or sibling.
  func suggestions(for path: PlacePath, nearby: PlacePath? = nil) throws -> [PlacePath] {
    let near = try nearby.map { nearby in
      try snapshot.suggestions(for: nearby).filter { $0.parent == nearby.parent }
    }
    let far = try snapshot.suggestions(for: path)
    return Array(((near ?? []) + far.filter { near?.contains($0) != true }).prefix(3))
  }
}
