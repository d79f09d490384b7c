/// How many nodes an import changes, and how. A node that was moved and renamed counts in both.
public struct DifferenceCounts: Hashable, Codable, Sendable {
  /// New keys, and keys that had been removed and return.
  public var added: Int
  /// Another parent, or another place among the siblings that stayed.
  public var moved: Int
  /// Another title.
  public var renamed: Int
  /// Another kind, summary, estimate or content.
  public var changed: Int
  /// Keys that are no longer there.
  public var removed: Int
  /// As before in every respect.
  public var unchanged: Int

  /// Makes counts.
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

  /// Whether the import would leave the course as it is.
  public var isEmpty: Bool {
    added + moved + renamed + changed + removed == 0
  }
}

/// One node that an import changes.
public struct NodeChange: Hashable, Codable, Sendable {
  /// What happens to it.
  public enum Change: String, Hashable, Codable, Sendable {
    /// It comes, or comes back.
    case added
    /// It gets another parent or position.
    case moved
    /// It gets another title.
    case renamed
    /// It gets another kind, summary, estimate or content.
    case changed
    /// It goes; its title and place are kept.
    case removed
  }

  /// What happens to it.
  public let change: Change
  /// What it is.
  public let kind: ContentKind
  /// Its key.
  public let key: String
  /// Its title after the import; before it, where it is removed.
  public let title: String

  /// Makes a change.
  package init(change: Change, kind: ContentKind, key: String, title: String) {
    self.change = change
    self.kind = kind
    self.key = key
    self.title = title
  }
}

/// What an import changes.
package struct CourseDifference: Hashable, Sendable {
  /// How many nodes, by what happens to them.
  package var counts: DifferenceCounts
  /// The changes in reading order, removals last.
  package var changes: [NodeChange]

  /// Makes a difference.
  package init(counts: DifferenceCounts, changes: [NodeChange]) {
    self.counts = counts
    self.changes = changes
  }
}
