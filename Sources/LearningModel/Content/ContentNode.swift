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
  public init(
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
