/// One node of a course's tree, as the database has it. An activity's content is kept apart.
public struct ContentNode: Hashable, Sendable, Identifiable {
  /// Which node.
  public let id: NodeID
  /// The node at the top of its tree; itself for a course.
  public let course: NodeID
  /// The node above it; `nil` for a course.
  public let parent: NodeID?
  /// The format's stable name of it, unique in its course. It keeps the node's identity across imports.
  public let key: String
  /// What it is.
  public let kind: ContentKind
  /// Its place among its siblings, from 0.
  public let position: Int
  /// Its part of the path, unique among its living siblings; made from its first title and kept.
  public let slug: String
  /// Its title, one line.
  public let title: String
  /// One or two sentences on it; empty where there are none.
  public let summary: String
  /// The author's estimate of how long it takes; `nil` where there is none.
  public let minutes: Int?
  /// The course's revision whose import removed it; `nil` while it lives.
  public let removedInRevision: Int?

  /// Makes a node from all that is known of it.
  package init(
    id: NodeID, course: NodeID, parent: NodeID?, key: String, kind: ContentKind, position: Int, slug: String,
    title: String, summary: String, minutes: Int?, removedInRevision: Int?
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
  }

  /// Whether an import has taken it out of its course.
  public var isRemoved: Bool { removedInRevision != nil }
}

/// Which node of the database. Never used again after its node is gone.
public struct NodeID: RawRepresentable, Hashable, Comparable, Codable, Sendable {
  /// The row's number, from 1.
  public let rawValue: Int64

  /// Names the node of that row.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// Whether the left node came into the database first.
  public static func < (left: NodeID, right: NodeID) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// What a node of a course is.
public enum ContentKind: String, Codable, CaseIterable, Hashable, Sendable {
  /// The top of a tree: its children are goals.
  case course
  /// Something a learner wants to be able to do: its children are lessons.
  case goal
  /// A unit of study: its children are activities, or lessons.
  case lesson
  /// The thing that is read, answered, turned over or followed. It has no children.
  case activity

  /// Whether a node of this kind may stand directly under one of `parent`.
  package func mayStand(under parent: ContentKind) -> Bool {
    switch (self, parent) {
    case (.goal, .course), (.lesson, .goal), (.lesson, .lesson), (.activity, .lesson): true
    default: false
    }
  }
}
