/// The number of nodes that an import changes, by kind of change. A node with several changes is counted in each of
/// them.
public struct DifferenceCounts: Hashable, Codable, Sendable {
  /// Nodes with new keys, and removed nodes that are restored.
  public var added: Int
  /// Nodes whose parent changes, or whose position among the siblings with an unchanged parent changes.
  public var moved: Int
  /// Nodes whose title changes.
  public var renamed: Int
  /// Nodes whose kind, summary, estimated duration or content changes.
  public var changed: Int
  /// Nodes whose keys are missing in the source.
  public var removed: Int
  /// Nodes without changes.
  public var unchanged: Int

  package init(
    added: Int = 0, moved: Int = 0, renamed: Int = 0, changed: Int = 0, removed: Int = 0, unchanged: Int = 0
  ) {
    self.added = added
    self.moved = moved
    self.renamed = renamed
    self.changed = changed
    self.removed = removed
    self.unchanged = unchanged
  }

  /// Whether the import does not change any node.
  public var isEmpty: Bool {
    added + moved + renamed + changed + removed == 0
  }
}

/// A change of a node by an import.
public struct NodeChange: Hashable, Codable, Sendable {
  /// The kind of a change.
  public enum Change: String, Hashable, Codable, Sendable {
    /// The node is added or restored.
    case added
    /// The parent or the position of the node changes.
    case moved
    /// The title of the node changes.
    case renamed
    /// The kind, summary, estimated duration or content of the node changes.
    case changed
    /// The node is removed. Its title and position are kept in the database.
    case removed
  }

  /// The kind of the change.
  public let change: Change
  /// The kind of the node.
  public let kind: ContentKind
  /// The key of the node.
  public let key: String
  /// The title after the import or, if the node is removed, before the import.
  public let title: String

  package init(change: Change, kind: ContentKind, key: String, title: String) {
    self.change = change
    self.kind = kind
    self.key = key
    self.title = title
  }
}

/// A kind of record that a learner has at a place.
public enum PlaceRecord: String, Hashable, Codable, Sendable {
  /// The activity is begun or done.
  case progress
  /// Notes and highlights.
  case notes
  case bookmark
  /// Cards with answers, and cards that the learner has made.
  case cards
}

/// The changes that an import makes.
package struct CourseDifference: Hashable, Sendable {
  /// The number of nodes by kind of change.
  package var counts: DifferenceCounts
  /// The changes in reading order, removals last.
  package var changes: [NodeChange]

  package init(counts: DifferenceCounts, changes: [NodeChange]) {
    self.counts = counts
    self.changes = changes
  }
}
