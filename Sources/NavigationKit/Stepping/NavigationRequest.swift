public import LearningModel
import LearningStore

/// The name of a place: its identifier, its path, or a text that a person typed.
///
/// ```swift
/// try service.perform(.open("english-for-business/\(lesson)"))
/// try service.perform(.push(PlaceName(page.children[0])))
/// ```
public enum PlaceName: Hashable, Sendable {
  /// The place with the given identifier.
  case place(Place)
  /// The place at a path from the list of courses.
  case path(PlacePath)
  /// A text as a person types it: a path, or the slug of a child or sibling of the current place.
  case text(String)
  /// A place, or all courses, of which reviews consider only the cards with a tag or a tag below it. For all other purposes the
  /// name of the place.
  indirect case tagged(String, in: PlaceName?)

  /// The tag to which reviews are limited, or `nil` if they are not.
  public var tag: String? { if case .tagged(let tag, _) = self { tag } else { nil } }

  /// Creates the name of the place at a path.
  public init(_ path: PlacePath) { self = .path(path) }

  /// Creates the name of a place from a step or a row of the history.
  public init(_ place: NamedPlace) { self = .place(place.place) }

  /// Creates the name of a place from its summary.
  public init(_ summary: PlaceSummary) { self = .place(summary.place.place) }
}

extension PlaceName: ExpressibleByStringInterpolation {
  /// Creates a name from a path or a slug.
  public init(stringLiteral text: String) {
    self = .text(text)
  }
}

extension PlaceName: CustomStringConvertible {
  /// The path or text, or the number of an identifier, as in `place 12`.
  public var description: String {
    switch self {
    case .place(.root): "/"
    case .place(.node(let id)): "place \(id.rawValue)"
    case .path(let path): path.description
    case .text(let text): text
    case .tagged(let tag, let place): (place.map { "\($0) " } ?? "") + "tag:\(tag)"
    }
  }
}

/// A request to navigate: an operation, and its destination if the operation needs one.
public enum NavigationRequest: Hashable, Sendable {
  /// Goes to a child of the current place.
  case push(PlaceName)
  /// Goes to the parent.
  case pop
  /// Goes to a place on the stack.
  case popTo(PlaceName)
  /// Goes to the list of courses.
  case popToRoot
  /// Goes to another child of the parent.
  case select(PlaceName)
  /// Goes to the next place in reading order.
  case next
  /// Goes to the previous place in reading order.
  case previous
  /// Goes to any place.
  case open(PlaceName)
  /// Goes to the previous visit.
  case back
  /// Goes to the visit from which `back` came.
  case forward
  /// Goes to the place at which the learner left off.
  case resume

  /// The operation that is recorded in the log.
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
  /// The reason why a request from a program, such as a client of the server, is invalid.
  package enum Refusal: Error {
    case unknownOperation
    /// The operation needs a place, and none was given.
    case placeMissing
  }

  /// Creates a request from the name of its operation and, if the operation needs one, a place. The place is ignored
  /// for other operations.
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

/// Finds places by their names.
struct PlaceResolver {
  let snapshot: StoreSnapshot
  /// The nodes from the course to the current place, or empty if relative names are not needed.
  let current: [ContentNode]

  /// Returns the nodes from the course to the place with the given name.
  ///
  /// - Parameters:
  ///   - name: A place, a path, or a text. A text is the slug of a child of `parent` or, if there is no such child, a
  ///     path.
  ///   - parent: The place whose children are searched first for a text without slashes. `nil` if a text is always a
  ///     path.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/removedPlace(title:nearest:)``.
  func resolve(_ name: PlaceName, nearby parent: NodeID?) throws -> [ContentNode] {
    switch name {
    case .tagged(_, let place):
      return try place.map { try resolve($0, nearby: parent) } ?? []
    case .place(let place):
      return try existingNodes(place.node, named: "\(place.node?.rawValue ?? 0)")
    case .path(let path):
      return try resolve(path, named: path.description, here: nil)
    case .text(let text):
      let path = PlacePath(text)
      if path.isRoot { return [] }
      let siblingPath = parent == nil ? nil : try snapshot.path(of: Place(parent)).appending(path.slugs[0])
      if path.slugs.count == 1, let siblingPath, let nearby = try snapshot.place(at: siblingPath) {
        return try existingNodes(nearby.node, named: text)
      }
      return try resolve(path, named: text, here: path.slugs.count == 1 ? siblingPath : nil)
    }
  }

  private func resolve(_ path: PlacePath, named name: String, here siblingPath: PlacePath?) throws -> [ContentNode] {
    if path.isRoot { return [] }
    // A place that exists only in histories, not in a course, cannot be opened by its path.
    guard let place = try snapshot.place(at: path), try place.node.map(snapshot.isOnlyInHistories) != true else {
      throw NavigationError.unknownPlace(name: name, nearest: try suggestions(for: path, nearby: siblingPath))
    }
    return try existingNodes(place.node, named: name)
  }

  /// Returns the nodes from the course to the place with the given name. A text without slashes is first compared with
  /// the slugs on the stack.
  func resolveOnStack(_ name: PlaceName) throws -> [ContentNode] {
    if case .text(let text) = name, let slug = PlacePath(text).slugs.first, PlacePath(text).slugs.count == 1,
      let index = current.lastIndex(where: { $0.slug == slug })
    {
      return Array(current[...index])
    }
    return try resolve(name, nearby: nil)
  }

  private func existingNodes(_ id: NodeID?, named name: String) throws -> [ContentNode] {
    guard let id else { return [] }
    let chain = try snapshot.chain(to: id, along: current)
    guard let node = chain.last else { throw NavigationError.unknownPlace(name: name, nearest: []) }
    guard node.isRemoved else { return chain }
    if let holder = try snapshot.holder(of: node) { return try snapshot.chain(to: holder, along: current) }
    throw NavigationError.removedPlace(title: node.title, nearest: NamedPlace(chain.prefix { !$0.isRemoved }))
  }

  /// Returns existing paths that are similar to a path.
  ///
  /// - Parameters:
  ///   - path: The path, which does not exist.
  ///   - nearby: The path of the child or sibling that a text without slashes would refer to. Existing paths that are
  ///     similar to it come first.
  func suggestions(for path: PlacePath, nearby: PlacePath? = nil) throws -> [PlacePath] {
    let siblings = try nearby.map { nearby in
      try snapshot.suggestions(for: nearby).filter { $0.parent == nearby.parent }
    }
    let others = try snapshot.suggestions(for: path)
    return Array(((siblings ?? []) + others.filter { siblings?.contains($0) != true }).prefix(3))
  }
}
