package import LearningModel

// Data of learners outside the logs: bookmarks, reading positions, settings, read passages and unfinished quizzes. Also
// notes, which are derived from the log of activity events.

/// A learner's reading position in a text.
package struct StoredReadingPosition: Hashable, Sendable {
  /// The index of the first visible block, from 0.
  package var block: Int
  /// The share of this block that is above the first visible line, from 0 to 1.
  package var blockOffset: Double
  /// The share of the text that was read, from 0 to 1.
  package var fraction: Double
  /// The heading above the first visible block, or `nil` before the first heading.
  package var heading: String?
  package var savedAt: Timestamp

  package init(block: Int, blockOffset: Double, fraction: Double, heading: String?, savedAt: Timestamp) {
    self.block = block
    self.blockOffset = blockOffset
    self.fraction = fraction
    self.heading = heading
    self.savedAt = savedAt
  }
}

extension StoredReadingPosition: StoredRow {
  static let columns = RowReader.columns(of: Self.self)

  init(_ column: inout RowReader) {
    self.init(
      block: column("reading.block"), blockOffset: column("reading.blockOffset"),
      fraction: column("reading.fraction"), heading: column("reading.heading"), savedAt: column("reading.savedAt"))
  }
}

extension StoreTransaction {
  /// Saves the reading position of a learner in a text.
  package func save(_ position: StoredReadingPosition, of node: NodeID, for learner: LearnerID) throws {
    let sql = """
      INSERT INTO readingPosition (learner, node, block, blockOffset, fraction, heading, savedAt)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET block = excluded.block, blockOffset = excluded.blockOffset,
        fraction = excluded.fraction, heading = excluded.heading, savedAt = excluded.savedAt
      """
    try run(
      sql, learner, node, position.block, position.blockOffset, position.fraction, position.heading, position.savedAt)
    try recordChange(of: .position, at: node, by: learner, at: position.savedAt)
    try updateBegun(node, by: learner)
  }

  /// Deletes the reading position of a learner in a text.
  package func removeReadingPosition(of node: NodeID, for learner: LearnerID, at time: Timestamp) throws {
    guard try run("DELETE FROM readingPosition WHERE learner = ? AND node = ?", learner, node) > 0 else { return }
    try recordChange(of: .position, at: node, by: learner, at: time)
    try updateBegun(node, by: learner)
  }

  /// Adds or removes a bookmark.
  ///
  /// - Returns: `false` if the bookmark already exists or, when removing, does not exist.
  package func setBookmark(_ isSet: Bool, at node: NodeID, for learner: LearnerID, at time: Timestamp) throws -> Bool {
    let changed =
      try isSet
      ? run(
        "INSERT INTO bookmark (learner, node, createdAt) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", learner, node, time)
      : run("DELETE FROM bookmark WHERE learner = ? AND node = ?", learner, node)
    guard changed > 0 else { return false }
    try recordChange(of: .bookmark, at: node, by: learner, at: time)
    return true
  }

  /// Saves a setting of a learner, or deletes it if `value` is `nil`.
  package func set(
    _ value: String?, forSetting name: String, of learner: LearnerID, at time: Timestamp
  ) throws {
    if let value {
      try run(
        """
        INSERT INTO learnerSetting (learner, name, value) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET value = excluded.value
        """, learner, name, value)
    } else {
      try run("DELETE FROM learnerSetting WHERE learner = ? AND name = ?", learner, name)
    }
    try recordChange(of: .setting, at: nil, named: name, by: learner, at: time)
    let weights = ReviewSettingName.weights.rawValue
    if name == weights || name.hasPrefix(weights + "@") {
      let course = name.dropFirst(weights.count + 1)
      try recomputeMemories(of: learner, course: course.isEmpty ? nil : String(course))
    }
  }
}

extension StoreSnapshot {
  /// Returns the reading position of a learner in a text, or `nil` if none is saved.
  package func readingPosition(of node: NodeID, for learner: LearnerID) throws -> StoredReadingPosition? {
    try first(
      "SELECT \(StoredReadingPosition.columns) FROM readingPosition AS reading WHERE learner = ? AND node = ?", learner,
      node, as: StoredReadingPosition.init)
  }

  /// Returns the bookmarks of a learner, the newest first, including those of removed places.
  package func bookmarks(of learner: LearnerID) throws -> [(node: NodeID, createdAt: Timestamp)] {
    try all("SELECT node, createdAt FROM bookmark WHERE learner = ?", learner) { (node: $0[0], createdAt: $0[1]) }
      .sorted { ($1.createdAt, $1.node) < ($0.createdAt, $0.node) }
  }

  /// Returns when a learner has added a bookmark to a place, or `nil` if the place has no bookmark.
  func bookmark(at node: NodeID, of learner: LearnerID) throws -> Timestamp? {
    try value("SELECT createdAt FROM bookmark WHERE learner = ? AND node = ?", learner, node)
  }

  /// Returns the value of a learner's setting, or `nil` if it is not set.
  package func setting(_ name: String, of learner: LearnerID) throws -> String? {
    try value("SELECT value FROM learnerSetting WHERE learner = ? AND name = ?", learner, name)
  }

  /// Returns the values of review settings that are set. A value of the course precedes that of all courses.
  ///
  /// - Parameter course: The key of a course.
  package func settings(
    _ names: [ReviewSettingName], of learner: LearnerID, course: String?
  ) throws -> [ReviewSettingName: String] {
    var stored: [String: String] = [:]
    let texts = names.map(\.rawValue) + (course == nil ? [] : names.map { $0.of(course) })
    try statements.run(Self.settingsSQL[texts.count], [learner] + texts) { row in
      stored[row[0]] = row[1]
      return true
    }
    return names.reduce(into: [:]) { $0[$1] = stored[$1.of(course)] ?? stored[$1.rawValue] }
  }

  /// The statements by the number of names.
  private static let settingsSQL = (0...2 * ReviewSettingName.allCases.count).map { count in
    StatementText(
      "SELECT name, value FROM learnerSetting WHERE learner = ? AND name IN ("
        + Array(repeating: "?", count: count).joined(separator: ", ") + ")")
  }
}

extension StoreTransaction {
  /// Adds read passages of a text to those that the learner has read before.
  ///
  /// - Parameters:
  ///   - passages: The read characters of each passage, by the digest of the passage.
  ///   - isMerged: Whether the passages were read in another database. If so, the later time is stored even if no
  ///     characters are added.
  package func savePassages(
    _ passages: [String: RangeSet<Int>], readIn node: NodeID, by learner: LearnerID, at time: Timestamp,
    isMerged: Bool = false
  ) throws {
    for (digest, characters) in passages {
      let (stored, savedAt) =
        try snapshot.first(Self.knownSQL, learner, node, digest) { (RangeSet(characters: $0[0]), $0[1] as Timestamp) }
        ?? (RangeSet(), time)
      let all = stored.union(characters)
      // Nothing is written if nothing changes, so that merging twice has no effect.
      guard all != stored || isMerged && savedAt < time else { continue }
      try run(Self.keepPassagesSQL, learner, node, digest, all.characters, time)
    }
  }

  private static let knownSQL = StatementText(
    "SELECT characters, savedAt FROM passageRead WHERE learner = ? AND node = ? AND digest = ?")
  private static let keepPassagesSQL = StatementText(
    """
    INSERT INTO passageRead (learner, node, digest, characters, savedAt) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET characters = excluded.characters, savedAt = max(savedAt, excluded.savedAt)
    """)
}

extension StoreSnapshot {
  /// Returns the read characters of a text by the digests of its passages, including passages that the text does not
  /// contain any more.
  package func passagesRead(in node: NodeID, by learner: LearnerID) throws -> [String: RangeSet<Int>] {
    try all("SELECT digest, characters FROM passageRead WHERE learner = ? AND node = ?", learner, node) { row in
      (row[0] as String, RangeSet(characters: row[1]))
    }
    .reduce(into: [:]) { $0[$1.0] = $1.1 }
  }
}

extension RangeSet<Int> {
  /// The ranges in the format of the table: `0-120 130-140`.
  var characters: String { ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: " ") }

  /// Creates a set from the format of the table. Invalid ranges are ignored.
  init(characters: String) {
    self.init()
    for range in characters.split(separator: " ") {
      let bounds = range.split(separator: "-").compactMap { Int($0) }
      if bounds.count == 2, bounds[0] < bounds[1] { insert(contentsOf: bounds[0]..<bounds[1]) }
    }
  }
}

// Notes, which are derived from the log of activity events.

/// A note with its activity.
package struct StoredNote: Hashable, Sendable {
  package let node: NodeID
  package let note: Note
}

extension StoreTransaction {
  /// Updates the notes of a learner in an activity from the log. The last event of each note determines its content.
  /// The order of events is the same in all databases.
  func updateNotes(in node: NodeID, by learner: LearnerID) throws {
    try run("DELETE FROM note WHERE learner = ? AND node = ?", learner, node)
    try run(
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
        WHERE event.learner = ?1 AND event.node = ?2 AND event.kind IN ('noted', 'noteRemoved')
          AND event.uuid NOT IN (\(Self.undoneEvents)))
      WHERE number = 1 AND kind = 'noted' AND length(name) = 36
      """, learner, node)
  }
}

extension StoreSnapshot {
  /// Returns the notes of a learner in an activity, the oldest first.
  package func notes(in node: NodeID, by learner: LearnerID) throws -> [Note] {
    try all(
      "SELECT \(StoredNote.columns) FROM note WHERE learner = ? AND node = ? ORDER BY createdAt, uuid", learner, node
    ) {
      try StoredNote(row: $0).note
    }
  }

  /// Returns the notes of a learner in a place and its subtree, the most recently changed first.
  ///
  /// - Parameter node: The place, or `nil` for all places.
  package func notes(of learner: LearnerID, under node: NodeID?) throws -> [StoredNote] {
    guard let node else {
      return try all(
        "SELECT \(StoredNote.columns) FROM note WHERE learner = ? ORDER BY changedAt DESC, uuid", learner,
        as: StoredNote.init)
    }
    return try all(
      """
      WITH RECURSIVE below (id) AS (
        VALUES (?2) UNION ALL SELECT contentNode.id FROM below JOIN contentNode ON contentNode.parent = below.id
      )
      SELECT \(StoredNote.columns) FROM below CROSS JOIN note ON note.learner = ?1 AND note.node = below.id
      ORDER BY changedAt DESC, uuid
      """, learner, node, as: StoredNote.init)
  }

  /// Returns a note of a learner with its activity, or `nil` if there is no note with this UUID.
  package func note(_ id: String, of learner: LearnerID) throws -> StoredNote? {
    try first("SELECT \(StoredNote.columns) FROM note WHERE learner = ? AND uuid = ?", learner, id, as: StoredNote.init)
  }
}

extension StoredNote: StoredRow {
  static let columns = RowReader.columns(of: Self.self)

  init(_ column: inout RowReader) {
    node = column("node")
    note = Note(
      id: column("uuid"), text: column("text"),
      anchor: NoteAnchor(
        heading: column("anchor"), digest: column("digest"), characters: column("start")..<column("stop"),
        quote: column("quote")), createdAt: column("createdAt"), changedAt: column("changedAt"))
  }
}

/// The state of a quiz that the learner has left before the end.
package struct StoredQuiz: Hashable, Sendable {
  /// A digest of the questions.
  package var questions: String
  /// For each question, the indices of the selected choices, as a JSON array of arrays.
  package var answers: String
  /// The index of the current question, from 0.
  package var question: Int
  /// Whether the answer to the current question was already checked.
  package var isChecked: Bool
  package var savedAt: Timestamp

  package init(questions: String, answers: String, question: Int, isChecked: Bool, savedAt: Timestamp) {
    self.questions = questions
    self.answers = answers
    self.question = question
    self.isChecked = isChecked
    self.savedAt = savedAt
  }
}

extension StoreTransaction {
  /// Saves the state of an unfinished quiz, or deletes it if `quiz` is `nil`.
  ///
  /// - Parameter time: The time of the change.
  package func save(_ quiz: StoredQuiz?, of node: NodeID, for learner: LearnerID, at time: Timestamp) throws {
    if let quiz {
      try run(
        """
        INSERT INTO unfinishedQuiz (learner, node, questions, answers, question, isChecked, savedAt)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET questions = excluded.questions, answers = excluded.answers, question = excluded.question,
          isChecked = excluded.isChecked, savedAt = excluded.savedAt
        """, learner, node, quiz.questions, quiz.answers, quiz.question, quiz.isChecked, quiz.savedAt)
    } else {
      guard try run("DELETE FROM unfinishedQuiz WHERE learner = ? AND node = ?", learner, node) > 0 else { return }
    }
    try recordChange(of: .quiz, at: node, by: learner, at: time)
  }
}

extension StoreSnapshot {
  /// Returns the state of an unfinished quiz, or `nil` if none is saved.
  package func unfinishedQuiz(of node: NodeID, for learner: LearnerID) throws -> StoredQuiz? {
    try first(
      "SELECT questions, answers, question, isChecked, savedAt FROM unfinishedQuiz WHERE learner = ? AND node = ?",
      learner, node
    ) { row in
      StoredQuiz(questions: row[0], answers: row[1], question: row[2], isChecked: row[3], savedAt: row[4])
    }
  }
}
