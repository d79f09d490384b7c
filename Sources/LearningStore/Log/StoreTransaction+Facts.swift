import GRDB
package import LearningModel

// Facts that are in no log: bookmarks, how far texts were read, settings. Quizzes left in the middle have a file of their
// own.

/// How far a learner has read a text.
package struct StoredReadingPosition: Hashable, Sendable {
  /// The first block in view, from 0.
  package var block: Int
  /// The share of that block above the first line in view, 0…1.
  package var blockOffset: Double
  /// The share of the text that was seen, 0…1.
  package var fraction: Double
  /// The heading above that block; `nil` before the first.
  package var heading: String?
  /// When it was saved.
  package var savedAt: Timestamp

  /// Makes a position.
  package init(block: Int, blockOffset: Double, fraction: Double, heading: String?, savedAt: Timestamp) {
    self.block = block
    self.blockOffset = blockOffset
    self.fraction = fraction
    self.heading = heading
    self.savedAt = savedAt
  }
}

extension StoreTransaction {
  /// Keeps how far a learner has read a text.
  package func save(_ position: StoredReadingPosition, of node: NodeID, for learner: LearnerID) throws {
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
  package func forgetReadingPosition(of node: NodeID, for learner: LearnerID, at moment: Timestamp) throws {
    try database.execute(
      sql: "DELETE FROM readingPosition WHERE learner = ? AND node = ?",
      arguments: [learner.rawValue, node.rawValue])
    if database.changesCount > 0 { try noteChange(of: .position, at: node, by: learner, at: moment) }
  }

  /// Sets a bookmark, or takes it away.
  ///
  /// - Returns: Whether that changed anything.
  package func setBookmark(_ isSet: Bool, at node: NodeID, for learner: LearnerID, at moment: Timestamp) throws -> Bool
  {
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
  package func set(
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
  package func readingPosition(of node: NodeID, for learner: LearnerID) throws -> StoredReadingPosition? {
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
  package func bookmarks(of learner: LearnerID) throws -> [(node: NodeID, createdAt: Timestamp)] {
    try all(Self.bookmarksText, learner) { (node: $0[0], createdAt: $0[1]) }
      .sorted { ($1.createdAt, $1.node) < ($0.createdAt, $0.node) }
  }

  private static let bookmarksText = StatementText("SELECT node, createdAt FROM bookmark WHERE learner = ?")

  /// Returns since when a learner has marked a place; `nil` where they have not.
  func bookmark(at node: NodeID, of learner: LearnerID) throws -> Timestamp? {
    try value(Self.bookmarkText, learner, node)
  }

  private static let bookmarkText = StatementText("SELECT createdAt FROM bookmark WHERE learner = ? AND node = ?")

  /// Returns a setting of a learner; `nil` where it is not set.
  package func setting(_ name: String, of learner: LearnerID) throws -> String? {
    try String.fetchOne(
      database.cachedStatement(sql: "SELECT value FROM learnerSetting WHERE learner = ? AND name = ?"),
      arguments: [learner.rawValue, name])
  }
}

extension StoreTransaction {
  /// Keeps what a learner has read of a text, beside what they had read of it before.
  ///
  /// - Parameters:
  ///   - passages: By the digests of the passages, their characters that were read.
  ///   - isMerged: Whether it was read in another database: then the later time is kept, also where nothing else is new.
  package func keep(
    _ passages: [String: RangeSet<Int>], readIn node: NodeID, by learner: LearnerID, at moment: Timestamp,
    isMerged: Bool = false
  ) throws {
    for (digest, characters) in passages {
      let (known, savedAt) =
        try snapshot.first(Self.knownText, learner, node, digest) { (RangeSet(characters: $0[0]), $0[1] as Timestamp) }
        ?? (RangeSet(), moment)
      let all = known.union(characters)
      // Nothing is written where nothing is new, so that what is merged twice changes nothing.
      guard all != known || isMerged && savedAt < moment else { continue }
      try run(Self.keepPassagesText, learner, node, digest, all.characters, moment)
    }
  }

  private static let knownText = StatementText(
    "SELECT characters, savedAt FROM passageRead WHERE learner = ? AND node = ? AND digest = ?")
  private static let keepPassagesText = StatementText(
    """
    INSERT INTO passageRead (learner, node, digest, characters, savedAt) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET characters = excluded.characters, savedAt = max(savedAt, excluded.savedAt)
    """)
}

extension StoreSnapshot {
  /// Returns what a learner has read of a text, by the digests of its passages; also of those that it does not have any
  /// more.
  package func passagesRead(in node: NodeID, by learner: LearnerID) throws -> [String: RangeSet<Int>] {
    try all(Self.passagesText, learner, node) { row in (row[0] as String, RangeSet(characters: row[1])) }
      .reduce(into: [:]) { $0[$1.0] = $1.1 }
  }

  private static let passagesText = StatementText(
    "SELECT digest, characters FROM passageRead WHERE learner = ? AND node = ?")
}

extension RangeSet<Int> {
  /// The ranges as the table has them: `0-120 130-140`.
  var characters: String { ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: " ") }

  /// Reads them; what is none is left out.
  init(characters: String) {
    self.init()
    for range in characters.split(separator: " ") {
      let ends = range.split(separator: "-").compactMap { Int($0) }
      if ends.count == 2, ends[0] < ends[1] { insert(contentsOf: ends[0]..<ends[1]) }
    }
  }
}

// Notes, as the log of things done says them.

/// A note, and the activity that it stands in.
package struct StoredNote: Hashable, Sendable {
  /// In which activity.
  package let node: NodeID
  /// The note.
  package let note: Note
}

extension StoreTransaction {
  /// Works out which notes of a learner there are in an activity: of each the last event holds. In which order events
  /// were is the same in every database.
  func foldNotes(in node: NodeID, by learner: LearnerID) throws {
    try run(Self.forgetNoteText, learner, node)
    try run(Self.foldText, learner, node)
  }

  private static let forgetNoteText = StatementText("DELETE FROM note WHERE learner = ? AND node = ?")
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
  package func notes(in node: NodeID, by learner: LearnerID) throws -> [Note] {
    try all(Self.notesText, learner, node) { try Self.note(row: $0).note }
  }

  private static let columns = "node, uuid, text, anchor, digest, start, stop, quote, createdAt, changedAt"
  private static let notesText = StatementText(
    "SELECT \(columns) FROM note WHERE learner = ? AND node = ? ORDER BY createdAt, uuid")

  /// Returns the notes of a learner at a place and below it, the newest first.
  ///
  /// - Parameter node: The place; `nil` for all of them.
  package func notes(of learner: LearnerID, under node: NodeID?) throws -> [StoredNote] {
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
  package func note(_ id: String, of learner: LearnerID) throws -> StoredNote? {
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

/// A quiz that was left in the middle.
package struct StoredQuiz: Hashable, Sendable {
  /// A fingerprint of the questions.
  package var questions: String
  /// For each question the numbers of the choices taken, as a list of lists in JSON.
  package var answers: String
  /// The number of the question that is asked, from 0.
  package var question: Int
  /// Whether its answer is checked already.
  package var isChecked: Bool
  /// When it was saved.
  package var savedAt: Timestamp

  /// Makes one from all that is known of it.
  package init(questions: String, answers: String, question: Int, isChecked: Bool, savedAt: Timestamp) {
    self.questions = questions
    self.answers = answers
    self.question = question
    self.isChecked = isChecked
    self.savedAt = savedAt
  }
}

extension StoreTransaction {
  /// Keeps how far a learner has come in a quiz; `nil` where there is nothing to come back to.
  ///
  /// - Parameter moment: When.
  package func save(_ quiz: StoredQuiz?, of node: NodeID, for learner: LearnerID, at moment: Timestamp) throws {
    if let quiz {
      try run(
        Self.keepQuizText, learner, node, quiz.questions, quiz.answers, quiz.question, quiz.isChecked, quiz.savedAt)
    } else {
      try run(Self.forgetQuizText, learner, node)
      guard database.changesCount > 0 else { return }
    }
    try noteChange(of: .quiz, at: node, by: learner, at: moment)
  }

  private static let forgetQuizText = StatementText("DELETE FROM unfinishedQuiz WHERE learner = ? AND node = ?")
  private static let keepQuizText = StatementText(
    """
    INSERT INTO unfinishedQuiz (learner, node, questions, answers, question, isChecked, savedAt)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET questions = excluded.questions, answers = excluded.answers, question = excluded.question,
      isChecked = excluded.isChecked, savedAt = excluded.savedAt
    """)
}

extension StoreSnapshot {
  /// Returns how far a learner has come in a quiz that was left in the middle; `nil` where there is none.
  package func unfinishedQuiz(of node: NodeID, for learner: LearnerID) throws -> StoredQuiz? {
    try first(Self.quizText, learner, node) { row in
      StoredQuiz(questions: row[0], answers: row[1], question: row[2], isChecked: row[3], savedAt: row[4])
    }
  }

  private static let quizText = StatementText(
    "SELECT questions, answers, question, isChecked, savedAt FROM unfinishedQuiz WHERE learner = ? AND node = ?")
}
