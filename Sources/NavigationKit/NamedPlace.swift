public import LearningModel
import LearningStore

/// A place with its path, kind and title.
public struct NamedPlace: Hashable, Sendable {
  /// The identifier of the place.
  public let place: Place
  /// The path. A removed place has the path that it had before it was removed.
  public let path: PlacePath
  /// The kind of the place.
  public let kind: PlaceKind
  /// The title. The root is titled `Courses`.
  public let title: String
  /// Whether an import removed the place from its course.
  public let isRemoved: Bool
  /// The names of the levels of the place's course.
  package private(set) var levels = LevelNames.course

  /// What readers of the course call places of this kind.
  package var noun: Noun { levels.noun(for: kind) }

  /// Creates a named place.
  public init(place: Place, path: PlacePath, kind: PlaceKind, title: String, isRemoved: Bool = false) {
    self.place = place
    self.path = path
    self.kind = kind
    self.title = title
    self.isRemoved = isRemoved
  }

  package init(_ node: ContentNode, at path: PlacePath) {
    self.init(
      place: .node(node.id), path: path, kind: PlaceKind(node.kind), title: node.title, isRemoved: node.isRemoved)
    levels = node.levels
  }

  /// Returns the same place with the kind and title that it had at an earlier time.
  func renamed(_ kind: PlaceKind, _ title: String) -> NamedPlace {
    var place = NamedPlace(place: place, path: path, kind: kind, title: title, isRemoved: isRemoved)
    place.levels = levels
    return place
  }

  /// The list of courses.
  public static let root = NamedPlace(place: .root, path: .root, kind: .root, title: PlaceReference.root.title)

  /// The path, kind and title, without the identifier.
  public var reference: PlaceReference {
    PlaceReference(path: path, kind: kind, title: title)
  }
}

extension NamedPlace: Encodable {
  /// Encodes `path`, `kind` and `title`.
  public func encode(to encoder: any Encoder) throws {
    try reference.encode(to: encoder)
  }
}

/// A cache of the names of places and learners in one snapshot.
final class PlaceNames {
  private let snapshot: StoreSnapshot
  private var known: [NodeID: (place: NamedPlace, parent: NodeID?)] = [:]
  private var learners: [LearnerID: String] = [:]

  init(_ snapshot: StoreSnapshot) {
    self.snapshot = snapshot
  }

  /// Returns the name of a place, with its current kind.
  func name(of place: Place) throws -> NamedPlace {
    guard let node = place.node else { return .root }
    return try entry(node).place
  }

  /// Returns the name of a place, with the kind that it had at an earlier time.
  ///
  /// - Parameter kind: The earlier kind, or `nil` for the current kind. For a place of an unknown kind that is not a
  ///   node, the raw value of the kind is used as the title. Such kinds are written by newer versions.
  func name(of place: Place, then kind: PlaceKind?) throws -> NamedPlace {
    let today = try name(of: place)
    guard let kind, kind != today.kind else { return today }
    return today.renamed(kind, place == .root ? kind.rawValue : today.title)
  }

  /// Returns the nearest place of the given kind among a place and its ancestors, or `nil` if none of them has this
  /// kind.
  func nearest(_ kind: PlaceKind, to node: NodeID) throws -> NamedPlace? {
    var current: NodeID? = node
    while let id = current {
      let (place, parent) = try entry(id)
      if place.kind == kind { return place }
      current = parent
    }
    return nil
  }

  /// Returns the name of a learner.
  func name(of learner: LearnerID) throws -> String {
    if let name = learners[learner] { return name }
    let name = try snapshot.learner(learner)?.name ?? ""
    learners[learner] = name
    return name
  }

  private func entry(_ id: NodeID) throws -> (place: NamedPlace, parent: NodeID?) {
    if let entry = known[id] { return entry }
    guard let node = try snapshot.node(id) else { return (.root, nil) }
    let parentPath = try node.parent.map { try entry($0).place.path } ?? .root
    let place = NamedPlace(node, at: parentPath.appending(node.slug))
    known[id] = (place, node.parent)
    return (place, node.parent)
  }
}

extension HistoryRow {
  init(_ step: StoredEvent, names: PlaceNames) throws {
    let event = step.event
    self.init(
      id: event.id, uuid: event.uuid, learner: try names.name(of: event.learner), session: event.session.rawValue,
      sequence: event.sequence, operation: event.operation, isAnimated: event.isAnimated, cause: event.cause,
      transition: try event.transition.map { choice in
        StepTransition(choice: choice, node: try choice.node.map { try names.name(of: .node($0)) })
      }, from: try event.from.map { try names.name(of: $0, then: step.fromKind) },
      to: try names.name(of: event.to, then: step.toKind), stack: try event.stack.map { try names.name(of: $0) },
      at: event.at, leftAt: event.leftAt, activeTime: event.activeMilliseconds.map { .milliseconds($0) })
  }
}
