public import LearningModel
import LearningStore

/// A place as somebody names it.
public enum PlaceName: Hashable, Sendable {
  /// By its node, as a screen does that shows it.
  case place(Place)
  /// By a path, or by the slug of a child or a sibling, as a person types it.
  case text(String)
}

extension PlaceName: ExpressibleByStringLiteral {
  /// Names a place by its path or slug.
  public init(stringLiteral text: String) {
    self = .text(text)
  }
}

/// What a front end asks for: an operation, and the place that it is about.
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

/// Finds the place that somebody names.
struct Naming {
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
    case .text(let text):
      let path = PlacePath(text)
      if path.isRoot { return [] }
      let here = parent == nil ? nil : try snapshot.path(of: Place(parent)).appending(path.slugs[0])
      if path.slugs.count == 1, let here, let nearby = try snapshot.place(at: here) {
        return try living(nearby.node, named: text)
      }
      // What only some learner's history tells of is no place for somebody who names it.
      guard let place = try snapshot.place(at: path), try place.node.map(snapshot.isOnlyInHistories) != true else {
        throw NavigationError.unknownPlace(
          name: text, nearest: try suggestions(for: path, nearby: path.slugs.count == 1 ? here : nil))
      }
      return try living(place.node, named: text)
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
