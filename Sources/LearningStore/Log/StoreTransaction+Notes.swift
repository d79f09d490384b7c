public import LearningModel

// Notes, as the log of things done says them.

/// A note, and the activity that it stands in.
public struct StoredNote: Hashable, Sendable {
  /// In which activity.
  public let node: NodeID
  /// The note.
  public let note: Note
}

extension StoreTransaction {
  /// Works out which notes of a learner there are in an activity: of each the last event holds. In which order events
  /// were is the same in every database.
  func foldNotes(in node: NodeID, by learner: LearnerID) throws {
    try run(Self.forgetText, learner, node)
    try run(Self.foldText, learner, node)
  }

  private static let forgetText = StatementText("DELETE FROM note WHERE learner = ? AND node = ?")
  private static let foldText = StatementText(
    """
    INSERT INTO note (learner, node, uuid, text, anchor, digest, start, stop, quote, createdAt, changedAt)
    SELECT ?1, ?2, name, ifnull(CAST(detail ->> 'text' AS TEXT), ''), ifnull(CAST(detail ->> 'anchor' AS TEXT), ''),
      ifnull(CAST(detail ->> 'digest' AS TEXT), ''), start, max(start, ifnull(CAST(detail ->> 'to' AS INTEGER), 0)),
      ifnull(CAST(detail ->> 'quote' AS TEXT), ''), createdAt, at
    FROM (
      SELECT event.kind, event.detail, event.at, event.detail ->> 'note' AS name,
        max(0, ifnull(CAST(event.detail ->> 'from' AS INTEGER), 0)) AS start,
        row_number() OVER (
          PARTITION BY event.detail ->> 'note'
          ORDER BY event.orderedAt DESC, session.uuid DESC, event.sequence DESC) AS number,
        min(event.at) OVER (PARTITION BY event.detail ->> 'note') AS createdAt
      FROM activityEvent AS event INDEXED BY activityEventOfLearner
      JOIN session ON session.id = event.session
      WHERE event.learner = ?1 AND event.node = ?2 AND event.kind IN ('noted', 'noteRemoved'))
    WHERE number = 1 AND kind = 'noted' AND length(name) = 36
    """)
}

extension StoreSnapshot {
  /// Returns the notes of a learner in an activity, the oldest first.
  public func notes(in node: NodeID, by learner: LearnerID) throws -> [Note] {
    try all(Self.notesText, learner, node) { try Self.note(row: $0).note }
  }

  private static let columns = "node, uuid, text, anchor, digest, start, stop, quote, createdAt, changedAt"
  private static let notesText = StatementText(
    "SELECT \(columns) FROM note WHERE learner = ? AND node = ? ORDER BY createdAt, uuid")

  /// Returns the notes of a learner at a place and below it, the newest first.
  ///
  /// - Parameter node: The place; `nil` for all of them.
  public func notes(of learner: LearnerID, under node: NodeID?) throws -> [StoredNote] {
    guard let node else { return try all(Self.allText, learner) { try Self.note(row: $0) } }
    return try all(Self.underText, learner, node) { try Self.note(row: $0) }
  }

  private static let allText = StatementText(
    "SELECT \(columns) FROM note WHERE learner = ? ORDER BY changedAt DESC, uuid")
  private static let underText = StatementText(
    """
    WITH RECURSIVE below (id) AS (
      VALUES (?2) UNION ALL SELECT contentNode.id FROM below JOIN contentNode ON contentNode.parent = below.id
    )
    SELECT \(columns) FROM below CROSS JOIN note ON note.learner = ?1 AND note.node = below.id
    ORDER BY changedAt DESC, uuid
    """)

  /// Returns a note of a learner, and where it stands; `nil` where there is none of that name.
  public func note(_ id: String, of learner: LearnerID) throws -> StoredNote? {
    try first(Self.oneText, learner, id) { try Self.note(row: $0) }
  }

  private static let oneText = StatementText("SELECT \(columns) FROM note WHERE learner = ? AND uuid = ?")

  private static func note(row: ResultRow) throws -> StoredNote {
    StoredNote(
      node: row[0],
      note: Note(
        id: row[1], text: row[2],
        anchor: NoteAnchor(
          heading: row[3], digest: row[4], characters: (row[5] as Int)..<(row[6] as Int), quote: row[7]),
        createdAt: row[8], changedAt: row[9]))
  }
}
