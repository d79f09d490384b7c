import GRDB
public import LearningModel

/// What an import makes of a course, worked out before anything is written.
public struct CoursePlan: Sendable {
  /// The course's key.
  public var key: String
  /// The revision that the plan was made against; `nil` where the database has never had the course.
  public var base: Int?
  /// The name of the format of the source.
  public var format: String
  /// What a person calls the source.
  public var sourceName: String
  /// A fingerprint of the source's bytes.
  public var sourceDigest: String
  /// The language of the texts as a BCP 47 tag.
  public var language: String?
  /// Every node that the course will have, in reading order, the course first.
  public var nodes: [PlannedNode]
  /// The living nodes that it will no longer have.
  public var removed: [NodeID]
  /// What the import does, in numbers.
  public var counts: DifferenceCounts

  /// Makes a plan.
  public init(
    key: String, base: Int?, format: String, sourceName: String, sourceDigest: String, language: String?,
    nodes: [PlannedNode], removed: [NodeID], counts: DifferenceCounts
  ) {
    self.key = key
    self.base = base
    self.format = format
    self.sourceName = sourceName
    self.sourceDigest = sourceDigest
    self.language = language
    self.nodes = nodes
    self.removed = removed
    self.counts = counts
  }
}

/// One node of a plan.
public struct PlannedNode: Hashable, Sendable {
  /// What of a node a plan changes.
  public struct Changes: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes a set of those bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Where it stands: parent, position, slug or kind; of one that returns, in any case.
    public static let placement = Changes(rawValue: 1)
    /// What it says of itself: title, summary, estimate.
    public static let description = Changes(rawValue: 2)
    /// What it is made of; the new content is staged.
    public static let content = Changes(rawValue: 4)
    /// That it is there again after it was removed; every node that returns has it, beside ``placement``. It is searched
    /// again, also where all that it says is as it was.
    public static let returning = Changes(rawValue: 8)
  }

  /// The node that it already is; `nil` for a new one, all of which is written whatever ``changes`` says.
  public var id: NodeID?
  /// The index of its parent in the plan; `nil` for the course.
  public var parent: Int?
  /// Its stable name.
  public var key: String
  /// What it is.
  public var kind: ContentKind
  /// Its place among its siblings, from 0.
  public var position: Int
  /// Its part of the path.
  public var slug: String
  /// Its title.
  public var title: String
  /// One or two sentences on it.
  public var summary: String
  /// The author's estimate of how long it takes.
  public var minutes: Int?
  /// What of it is written.
  public var changes: Changes

  /// Makes a node.
  public init(
    id: NodeID?, parent: Int?, key: String, kind: ContentKind, position: Int, slug: String, title: String,
    summary: String, minutes: Int?, changes: Changes
  ) {
    self.id = id
    self.parent = parent
    self.key = key
    self.kind = kind
    self.position = position
    self.slug = slug
    self.title = title
    self.summary = summary
    self.minutes = minutes
    self.changes = changes
  }
}

extension CoursePlan {
  /// Whether the database has become another one since the plan was made, so that what it wants cannot be: another
  /// revision of the course is there, another course has its name or its position, or a node that would be new came in
  /// somebody's record from elsewhere.
  func isOutdated(in database: Database) throws -> Bool {
    let snapshot = StoreTransaction(database: database).snapshot
    let known = try snapshot.course(withKey: key)
    guard known?.revision == base else { return true }
    let isTaken: Bool? = try snapshot.value(
      """
      SELECT EXISTS (
        SELECT 1 FROM contentNode
        WHERE parent IS NULL AND living = 1 AND id IS NOT ? AND (slug = ? OR position = ?))
      """, [known?.id.rawValue, nodes[0].slug, nodes[0].position])
    if isTaken == true { return true }
    guard let course = known?.id else { return false }
    return try nodes.contains { try $0.id == nil && snapshot.node(withKey: $0.key, inCourse: course) != nil }
  }
}
