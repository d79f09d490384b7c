import GRDB
package import LearningModel

/// The changes that an import will make to a course, computed before anything is written.
package struct CoursePlan: Sendable {
  package var key: String
  /// The revision against which the plan was computed, or `nil` if the database has never contained the course.
  package var base: Int?
  /// The name of the source's format.
  package var format: String
  /// The name of the source that is shown to users.
  package var sourceName: String
  /// A digest of the source's bytes.
  package var sourceDigest: String
  /// The language of the texts as a BCP 47 tag, or `nil` if unknown.
  package var language: String?
  /// All nodes that the course will have, in reading order. The first one is the course itself.
  package var nodes: [PlannedNode]
  /// The current nodes that the course will no longer have.
  package var removed: [NodeID]
  /// The numbers of added, moved, renamed, changed, removed and unchanged nodes.
  package var counts: DifferenceCounts
  /// The nodes that the source contains under other keys than the database, by the keys in the source.
  package var sourceKeys: [String: NodeID] = [:]
  /// The notes from which the cards were made, or `nil` to keep the stored ones.
  package var sourceNotes: SourceNotes?

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

package struct PlannedNode: Hashable, Sendable {
  /// The aspects of a node that a plan changes.
  package struct Changes: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// The parent, position, slug or kind. Always set for a node that is restored.
    package static let placement = Changes(rawValue: 1)
    /// The title, summary or estimated duration.
    package static let description = Changes(rawValue: 2)
    /// The content of an activity. The new content is staged.
    package static let content = Changes(rawValue: 4)
    /// The node is restored after it was removed. Always set together with ``placement``. The node is added to the
    /// search index again, even if its texts are unchanged.
    package static let returning = Changes(rawValue: 8)
  }

  /// The ID of the existing node, or `nil` for a new node. A new node is written completely, regardless of ``changes``.
  package var id: NodeID?
  /// The index of the parent in the plan, or `nil` for the course.
  package var parent: Int?
  /// The stable name of the node within the course.
  package var key: String
  package var kind: ContentKind
  /// The position among the siblings, from 0.
  package var position: Int
  /// The component of the path that identifies the node among its siblings.
  package var slug: String
  package var title: String
  /// One or two sentences that describe the node.
  package var summary: String
  /// The author's estimate of the duration in minutes, or `nil` if the author gives none.
  package var minutes: Int?
  package var changes: Changes

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
  /// Returns whether the database has changed since the plan was made, so that the plan cannot be applied: the course
  /// has another revision, another course has its slug or position, or a node that the plan adds was added by a merged
  /// learner's record.
  func isOutdated(in database: Database) throws -> Bool {
    let snapshot = StoreTransaction(database: database).snapshot
    let stored = try snapshot.course(withKey: key)
    guard stored?.revision == base else { return true }
    let isTaken: Bool? = try snapshot.value(
      """
      SELECT EXISTS (
        SELECT 1 FROM contentNode
        WHERE parent IS NULL AND living = 1 AND id IS NOT ? AND (slug = ? OR position = ?))
      """, stored?.id, nodes[0].slug, nodes[0].position)
    if isTaken == true { return true }
    guard let course = stored?.id else { return false }
    return try nodes.contains { try $0.id == nil && snapshot.node(withKey: $0.key, inCourse: course) != nil }
  }
}
