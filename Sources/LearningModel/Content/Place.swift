/// A location to which a learner can navigate: the list of courses, or a node of a course.
public enum Place: Hashable, Sendable {
  /// The list of all courses.
  case root
  /// A course, goal, lesson or activity.
  case node(NodeID)

  /// The identifier of the node, or `nil` for the list of courses.
  public var node: NodeID? {
    if case .node(let id) = self { id } else { nil }
  }

  /// Creates the place of a node, or the list of courses for `nil`.
  public init(_ node: NodeID?) {
    self = node.map(Place.node) ?? .root
  }
}

/// The kind of a place: the root, or the kind of a node.
public enum PlaceKind: OpenVocabulary {
  /// The list of courses.
  case root
  /// A course, whose children are goals.
  case course
  /// A goal, whose children are lessons.
  case goal
  /// A lesson, whose children are activities or lessons.
  case lesson
  /// An activity, which has no children.
  case activity
  /// A kind that a newer version has written.
  case other(String)

  /// The kinds that this version knows, from the root to the activity.
  public static let allCases: [Self] = [.root, .course, .goal, .lesson, .activity]
  /// The known kinds by their raw values.
  public static let meanings = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The name of the kind in the log.
  public var rawValue: String {
    switch self {
    case .root: "root"
    case .course: "course"
    case .goal: "goal"
    case .lesson: "lesson"
    case .activity: "activity"
    case .other(let word): word
    }
  }

  /// Creates the kind of the place of a node.
  public init(_ kind: ContentKind) {
    switch kind {
    case .course: self = .course
    case .goal: self = .goal
    case .lesson: self = .lesson
    case .activity: self = .activity
    }
  }
}

/// The path, kind and title of a place, for users and scripts.
public struct PlaceReference: Hashable, Codable, Sendable {
  /// The path of the place.
  public let path: PlacePath
  /// The kind of the place.
  public let kind: PlaceKind
  /// The title. The root is titled `Courses`.
  public let title: String

  /// Creates a reference to a place.
  public init(path: PlacePath, kind: PlaceKind, title: String) {
    self.path = path
    self.kind = kind
    self.title = title
  }

  /// The list of courses.
  public static let root = PlaceReference(path: .root, kind: .root, title: "Courses")
}

/// The path of a place: the slugs from the course to the place. Users type paths, and deep links contain them.
///
/// Law: `PlacePath(path.description) == path`.
public struct PlacePath: Hashable, Sendable {
  /// The slugs, the course's first. Empty for the root.
  public let slugs: [String]

  /// The path of the list of courses, written `/`.
  public static let root = PlacePath(slugs: [])

  /// Creates a path from slugs.
  public init(slugs: [String]) {
    self.slugs = slugs
  }

  /// Reads a path that a user has typed. Empty components are ignored, including those of leading and trailing slashes.
  public init(_ text: String) {
    slugs = text.split(separator: "/").map(String.init)
  }

  /// Whether this is the path of the list of courses.
  public var isRoot: Bool { slugs.isEmpty }

  /// The path of the parent, or `nil` for the root.
  public var parent: PlacePath? {
    isRoot ? nil : PlacePath(slugs: Array(slugs.dropLast()))
  }

  /// Returns the path of the child with the given slug.
  public func appending(_ slug: String) -> PlacePath {
    PlacePath(slugs: slugs + [slug])
  }
}

extension PlacePath: CustomStringConvertible {
  /// The slugs joined by slashes, without a leading slash; `/` for the root.
  public var description: String {
    isRoot ? "/" : slugs.joined(separator: "/")
  }
}

extension PlacePath: Codable {
  /// Decodes the path from a string.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes the path as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
