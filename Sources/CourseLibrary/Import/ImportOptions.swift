/// What a person may say about an import.
public struct ImportOptions: Hashable, Sendable {
  /// The name of the source's format; `nil` to find out.
  public var format: String?
  /// The course's key, in the place of the source's own.
  public var key: String?
  /// Whether the import may remove more than half of the course, or change its format.
  public var replaces: Bool
  /// Whether to work out the difference and change nothing.
  public var isDryRun: Bool

  /// Makes options.
  public init(format: String? = nil, key: String? = nil, replaces: Bool = false, isDryRun: Bool = false) {
    self.format = format
    self.key = key
    self.replaces = replaces
    self.isDryRun = isDryRun
  }
}

/// How far an import has come.
public enum ImportProgress: Hashable, Sendable {
  /// The source is read: so many nodes so far.
  case reading(nodes: Int)
  /// The course is compared with what the database has: so many nodes, of how many.
  case comparing(done: Int, total: Int)
  /// The course of so many nodes is written, in one transaction: it is there when this ends, and not before.
  case writing(total: Int)
  /// The course is there, and becomes searchable: so many nodes, of how many.
  case indexing(done: Int, total: Int)
}
