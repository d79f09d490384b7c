/// Where somebody can be: the list of courses, or a node.
public enum Place: Hashable, Sendable {
  /// The list of all courses.
  case root
  /// A course, goal, lesson or activity.
  case node(NodeID)

  /// The node, where the place is one.
  public var node: NodeID? {
    if case .node(let id) = self { id } else { nil }
  }

  /// The place of that node; the root where there is none.
  public init(_ node: NodeID?) {
    self = node.map(Place.node) ?? .root
  }
}

/// What a place is: the root, or a node of some kind.
public enum PlaceKind: OpenVocabulary {
  /// The list of courses.
  case root
  /// A course.
  case course
  /// A goal.
  case goal
  /// A lesson.
  case lesson
  /// An activity.
  case activity
  /// One that a later program has written.
  case other(String)

  /// Those that are known here.
  public static let allCases: [Self] = [.root, .course, .goal, .lesson, .activity]
  /// What their words mean.
  public static let meanings = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The word in the log.
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

  /// The kind of the place that a node of this kind is.
  public init(_ kind: ContentKind) {
    switch kind {
    case .course: self = .course
    case .goal: self = .goal
    case .lesson: self = .lesson
    case .activity: self = .activity
    }
  }
}

/// A place as it is shown to a person or a script.
public struct PlaceReference: Hashable, Codable, Sendable {
  /// Its address.
  public let path: PlacePath
  /// What it is.
  public let kind: PlaceKind
  /// Its title; `Courses` for the root.
  public let title: String

  /// Names a place.
  public init(path: PlacePath, kind: PlaceKind, title: String) {
    self.path = path
    self.kind = kind
    self.title = title
  }

  /// The list of courses.
  public static let root = PlaceReference(path: .root, kind: .root, title: "Courses")
}

/// The address of a place: the slugs from the course down, what a person types and a deep link holds.
///
/// Law: `PlacePath(path.description) == path`.
public struct PlacePath: Hashable, Sendable {
  /// The slugs, the course's first; empty for the root.
  public let slugs: [String]

  /// The list of courses, written `/`.
  public static let root = PlacePath(slugs: [])

  /// Makes the path through those slugs.
  public init(slugs: [String]) {
    self.slugs = slugs
  }

  /// Reads a typed path. Empty parts, and so leading and closing slashes, do not count.
  public init(_ text: String) {
    slugs = text.split(separator: "/").map(String.init)
  }

  /// Whether it is the list of courses.
  public var isRoot: Bool { slugs.isEmpty }

  /// The path one step up; `nil` at the root.
  public var parent: PlacePath? {
    isRoot ? nil : PlacePath(slugs: Array(slugs.dropLast()))
  }

  /// The path of the child with that slug.
  public func appending(_ slug: String) -> PlacePath {
    PlacePath(slugs: slugs + [slug])
  }
}

extension PlacePath: CustomStringConvertible {
  /// The slugs joined by slashes, without one in front; `/` for the root.
  public var description: String {
    isRoot ? "/" : slugs.joined(separator: "/")
  }
}

extension PlacePath: Codable {
  /// Reads the written form.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the written form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
