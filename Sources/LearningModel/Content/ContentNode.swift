/// A node in the tree of a course, as stored in the database, without the content of an activity.
public struct ContentNode: Hashable, Sendable, Identifiable {
  /// The identifier of the node.
  public let id: NodeID
  /// The identifier of the course that contains the node. For a course, its own identifier.
  public let course: NodeID
  /// The identifier of the parent, or `nil` for a course.
  public let parent: NodeID?
  /// The name by which imports identify the node, unique in its course. It is defined by the source of the course and
  /// does not change.
  public let key: String
  /// The kind of the node.
  public let kind: ContentKind
  /// The index of the node among its siblings.
  public let position: Int
  /// The last component of the path, unique among the siblings that are not removed. It is made from the first title,
  /// and kept when the title changes.
  public let slug: String
  /// The title, one line.
  public let title: String
  /// A description of one or two sentences, or empty.
  public let summary: String
  /// The author's estimate of how long the node takes, in minutes. `nil` if the author gives none.
  public let minutes: Int?
  /// The revision of the course in which the node was removed. `nil` if the node is not removed.
  public let removedInRevision: Int?
  /// The names of the levels of the course.
  package let levels: LevelNames

  package init(
    id: NodeID, course: NodeID, parent: NodeID?, key: String, kind: ContentKind, position: Int, slug: String,
    title: String, summary: String, minutes: Int?, removedInRevision: Int?, levels: LevelNames = .course
  ) {
    self.id = id
    self.course = course
    self.parent = parent
    self.key = key
    self.kind = kind
    self.position = position
    self.slug = slug
    self.title = title
    self.summary = summary
    self.minutes = minutes
    self.removedInRevision = removedInRevision
    self.levels = levels
  }

  /// Whether an import removed the node from its course.
  public var isRemoved: Bool { removedInRevision != nil }
}

/// The identifier of a node in the database. Identifiers of deleted nodes are not reused.
public struct NodeID: RawRepresentable, Hashable, Comparable, Codable, Sendable {
  /// The number of the row, from 1.
  public let rawValue: Int64

  /// Creates the identifier of the node in a row.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// Returns whether the left node was added to the database before the right one.
  public static func < (left: NodeID, right: NodeID) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The kind of a node.
public enum ContentKind: String, Codable, CaseIterable, Hashable, Sendable {
  /// The root of a course's tree. Its children are goals.
  case course
  /// A skill that a learner wants to acquire. Its children are lessons.
  case goal
  /// A unit of study. Its children are activities or lessons.
  case lesson
  /// A text, quiz, deck of flashcards or link. It has no children.
  case activity

  /// Returns whether a node of this kind can be a child of a node of another kind.
  package func isAllowed(under parent: ContentKind) -> Bool {
    switch (self, parent) {
    case (.goal, .course), (.lesson, .goal), (.lesson, .lesson), (.activity, .lesson): true
    default: false
    }
  }
}
