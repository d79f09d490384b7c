import GRDB
package import LearningModel

/// What an import makes of a course, worked out before anything is written.
package struct CoursePlan: Sendable {
  /// The course's key.
  package var key: String
  /// The revision that the plan was made against; `nil` where the database has never had the course.
  package var base: Int?
  /// The name of the format of the source.
  package var format: String
  /// What a person calls the source.
  package var sourceName: String
  /// A fingerprint of the source's bytes.
  package var sourceDigest: String
  /// The language of the texts as a BCP 47 tag.
  package var language: String?
  /// Every node that the course will have, in reading order, the course first.
  package var nodes: [PlannedNode]
  /// The living nodes that it will no longer have.
  package var removed: [NodeID]
  /// What the import does, in numbers.
  package var counts: DifferenceCounts

  /// Makes a plan.
  package init(
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
package struct PlannedNode: Hashable, Sendable {
  /// What of a node a plan changes.
  package struct Changes: OptionSet, Hashable, Sendable {
    /// The bits.
    package let rawValue: UInt8

    /// Makes a set of those bits.
    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Where it stands: parent, position, slug or kind; of one that returns, in any case.
    package static let placement = Changes(rawValue: 1)
    /// What it says of itself: title, summary, estimate.
    package static let description = Changes(rawValue: 2)
    /// What it is made of; the new content is staged.
    package static let content = Changes(rawValue: 4)
    /// That it is there again after it was removed; every node that returns has it, beside ``placement``. It is searched
    /// again, also where all that it says is as it was.
    package static let returning = Changes(rawValue: 8)
  }

  /// The node that it already is; `nil` for a new one, all of which is written whatever ``changes`` says.
  package var id: NodeID?
  /// The index of its parent in the plan; `nil` for the course.
  package var parent: Int?
  /// Its stable name.
  package var key: String
  /// What it is.
  package var kind: ContentKind
  /// Its place among its siblings, from 0.
  package var position: Int
  /// Its part of the path.
  package var slug: String
  /// Its title.
  package var title: String
  /// One or two sentences on it.
  package var summary: String
  /// The author's estimate of how long it takes.
  package var minutes: Int?
  /// What of it is written.
  package var changes: Changes

  /// Makes a node.
  package init(
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
