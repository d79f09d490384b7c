import GRDB
public import LearningModel

// Facts that are in no log: bookmarks, how far texts were read, settings. Quizzes left in the middle have a file of their
// own.

/// How far a learner has read a text.
public struct StoredReadingPosition: Hashable, Sendable {
  /// The first block in view, from 0.
  public var block: Int
  /// The share of that block above the first line in view, 0…1.
  public var blockOffset: Double
  /// The share of the text that was seen, 0…1.
  public var fraction: Double
  /// The heading above that block; `nil` before the first.
  public var heading: String?
  /// When it was saved.
  public var savedAt: Timestamp

  /// Makes a position.
  public init(block: Int, blockOffset: Double, fraction: Double, heading: String?, savedAt: Timestamp) {
    self.block = block
    self.blockOffset = blockOffset
    self.fraction = fraction
    self.heading = heading
    self.savedAt = savedAt
  }
}

extension StoreTransaction {
  /// Keeps how far a learner has read a text.
  public func save(_ position: StoredReadingPosition, of node: NodeID, for learner: LearnerID) throws {
    let sql = """
      INSERT INTO readingPosition (learner, node, block, blockOffset, fraction, heading, savedAt)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET block = excluded.block, blockOffset = excluded.blockOffset,
        fraction = excluded.fraction, heading = excluded.heading, savedAt = excluded.savedAt
      """
    try database.cachedStatement(sql: sql).execute(arguments: [
      learner.rawValue, node.rawValue, position.block, position.blockOffset, position.fraction, position.heading,
      position.savedAt.milliseconds,
    ])
    try noteChange(of: .position, at: node, by: learner, at: position.savedAt)
  }

  /// Forgets how far a learner has read a text.
  public func forgetReadingPosition(of node: NodeID, for learner: LearnerID, at moment: Timestamp) throws {
    try database.execute(
      sql: "DELETE FROM readingPosition WHERE learner = ? AND node = ?",
      arguments: [learner.rawValue, node.rawValue])
    if database.changesCount > 0 { try noteChange(of: .position, at: node, by: learner, at: moment) }
  }

  /// Sets a bookmark, or takes it away.
  ///
  /// - Returns: Whether that changed anything.
  public func setBookmark(_ isSet: Bool, at node: NodeID, for learner: LearnerID, at moment: Timestamp) throws -> Bool {
    if isSet {
      try database.execute(
        sql: "INSERT INTO bookmark (learner, node, createdAt) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        arguments: [learner.rawValue, node.rawValue, moment.milliseconds])
    } else {
      try database.execute(
        sql: "DELETE FROM bookmark WHERE learner = ? AND node = ?", arguments: [learner.rawValue, node.rawValue])
    }
    guard database.changesCount > 0 else { return false }
    try noteChange(of: .bookmark, at: node, by: learner, at: moment)
    return true
  }

  /// Keeps a setting of a learner; `nil` forgets it.
  public func set(
    _ value: String?, forSetting name: String, of learner: LearnerID, at moment: Timestamp
  ) throws {
    if let value {
      try database.execute(
        sql: """
          INSERT INTO learnerSetting (learner, name, value) VALUES (?, ?, ?)
          ON CONFLICT DO UPDATE SET value = excluded.value
          """, arguments: [learner.rawValue, name, value])
    } else {
      try database.execute(
        sql: "DELETE FROM learnerSetting WHERE learner = ? AND name = ?", arguments: [learner.rawValue, name])
    }
    try noteChange(of: .setting, at: nil, named: name, by: learner, at: moment)
  }
}

extension StoreSnapshot {
  /// Returns how far a learner has read a text; `nil` where they have not.
  public func readingPosition(of node: NodeID, for learner: LearnerID) throws -> StoredReadingPosition? {
    let sql =
      "SELECT block, blockOffset, fraction, heading, savedAt FROM readingPosition WHERE learner = ? AND node = ?"
    return try Row.fetchOne(
      database.cachedStatement(sql: sql), arguments: [learner.rawValue, node.rawValue]
    ).map {
      StoredReadingPosition(
        block: $0[0], blockOffset: $0[1], fraction: $0[2], heading: $0[3],
        savedAt: Timestamp(milliseconds: $0[4]))
    }
  }

  /// Returns the places that a learner has marked, the newest mark first. Removed ones are among them.
  public func bookmarks(of learner: LearnerID) throws -> [(node: NodeID, createdAt: Timestamp)] {
    try all(Self.bookmarksText, learner) { (node: $0[0], createdAt: $0[1]) }
      .sorted { ($1.createdAt, $1.node) < ($0.createdAt, $0.node) }
  }

  private static let bookmarksText = StatementText("SELECT node, createdAt FROM bookmark WHERE learner = ?")

  /// Returns since when a learner has marked a place; `nil` where they have not.
  func bookmark(at node: NodeID, of learner: LearnerID) throws -> Timestamp? {
    try value(Self.bookmarkText, learner, node)
  }

  private static let bookmarkText = StatementText("SELECT createdAt FROM bookmark WHERE learner = ? AND node = ?")

  /// Whether a learner has marked a place.
  public func isBookmarked(_ node: NodeID, by learner: LearnerID) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM bookmark WHERE learner = ? AND node = ?)"),
      arguments: [learner.rawValue, node.rawValue]) ?? false
  }

  /// Returns a setting of a learner; `nil` where it is not set.
  public func setting(_ name: String, of learner: LearnerID) throws -> String? {
    try String.fetchOne(
      database.cachedStatement(sql: "SELECT value FROM learnerSetting WHERE learner = ? AND name = ?"),
      arguments: [learner.rawValue, name])
  }
}
