import GRDB
import JSONCoding
package import LearningModel

// What an export for another flashcard program needs to know about cards, and the notes of courses from such a program.

extension StoreSnapshot {
  /// Returns the flashcards and questions of an activity in their order.
  ///
  /// - Parameter learner: The learner whose progress is returned, or `nil` for no progress.
  package func cardExports(of node: ContentNode, for learner: LearnerID?) throws -> [CardExport] {
    let model = try learner.map { try memoryModel(of: $0, in: node.id) } ?? .standard
    var cards: [CardExport] = []
    var item = -1
    for row in try all(
      Self.exportedSQL, node.id,
      as: { row in
        (
          item: row[0] as Int, base: row[1] as String, word: row[2] as String, key: row[3] as String,
          at: row[4] as Timestamp
        )
      })
    {
      if row.item != item { cards.append(CardExport(activity: node.key, key: row.base, changedAt: row.at)) }
      item = row.item
      if let learner, let log = try log(of: row.key, in: node.id, by: learner, model) {
        cards[cards.count - 1].progress[CardVariant(word: row.word)] = log
      }
    }
    return cards
  }

  // The cards of an item change together. Without a time, they are unchanged since the first import.
  private static let exportedSQL = StatementText(
    """
    SELECT item, base, variant, key, ifnull(
      max(changedAt) OVER (PARTITION BY item),
      (SELECT importedAt FROM courseRevision JOIN contentNode AS place ON place.id = card.node
       WHERE courseRevision.course = place.course ORDER BY number LIMIT 1))
    FROM card WHERE node = ? AND position IS NOT NULL ORDER BY position
    """)

  /// Returns the cards that a learner has made in an activity, with their texts, in the order in which they were made.
  ///
  /// - Parameter hasProgress: Whether the progress of the cards is returned.
  package func madeCards(in node: ContentNode, by learner: LearnerID, hasProgress: Bool) throws -> [(
    card: CardExport, front: String, back: String
  )] {
    let model = try memoryModel(of: learner, in: node.id)
    return try all(
      "SELECT key, front, back FROM madeCard WHERE learner = ? AND node = ? ORDER BY key", learner, node.id
    ) { (key: $0[0] as String, front: $0[1] as String, back: $0[2] as String) }.map { made in
      let events = try cardEvents(of: made.key, in: node.id, by: learner)
      let times = events.filter { $0.kind == .cardMade }.map(\.at)
      var card = CardExport(activity: node.key, key: made.key, changedAt: times.last ?? Timestamp(milliseconds: 0))
      if hasProgress, let log = try log(of: made.key, in: node.id, by: learner, model) { card.progress[.forward] = log }
      return (times.first ?? card.changedAt, card, made.front, made.back)
    }.sorted { $0.0 < $1.0 }.map { ($0.1, $0.2, $0.3) }
  }

  /// Returns whether a learner has made cards in an activity.
  package func hasMadeCards(inActivity key: String, ofCourse course: String) throws -> Bool {
    guard let course = try self.course(withKey: course)?.id, let node = try node(withKey: key, inCourse: course)?.id
    else { return false }
    return try value("SELECT EXISTS (SELECT 1 FROM madeCard WHERE node = ?)", node) ?? false
  }

  private func log(
    of key: String, in node: NodeID, by learner: LearnerID, _ model: MemoryModel
  ) throws -> CardLog? {
    guard let memory = try storedMemory(of: key, in: node, by: learner) else { return nil }
    return CardLog(try cardEvents(of: key, in: node, by: learner), model: model, history: memory.history)
  }

  /// Returns the events of one card, in their order, including those that were undone.
  package func cardEvents(of key: String, in node: NodeID, by learner: LearnerID) throws -> [CardHistory.Event] {
    try all(Self.eventsOfCardSQL, learner, node, key) { try CardHistory.Event(row: $0) }
  }

  static let eventsOfCardSQL = StatementText(
    """
    SELECT \(CardHistory.Event.columns), event.orderedAt, event.id
    FROM activityEvent AS event INDEXED BY activityEventOfCard JOIN session ON session.id = event.session
    WHERE event.learner = ?1 AND event.node = ?2 AND event.detail ->> 'key' = ?3 AND event.kind GLOB 'card*'
    ORDER BY event.orderedAt, session.uuid, event.sequence
    """)

  /// Calls a function with each flashcard and question of the courses that were not imported from a format, and with each card
  /// that a learner has made.
  package func forEachCard(
    notFrom format: String, _ body: (ExportedCard) -> Void
  ) throws {
    let sql = """
      SELECT course.key, activity.key, card.base FROM (
        SELECT DISTINCT node, base, 0 AS isMade FROM card WHERE position IS NOT NULL
        UNION ALL SELECT DISTINCT node, key, 1 FROM madeCard
      ) AS card
      JOIN contentNode AS activity ON activity.id = card.node AND activity.living = 1
      JOIN contentNode AS course ON course.id = activity.course JOIN course AS kind ON kind.node = course.id
      WHERE card.isMade OR kind.sourceFormat <> ?
      """
    try statements.run(sql, [format]) { row in
      body(ExportedCard(course: row[0], activity: row[1], key: row[2]))
      return true
    }
  }

  // MARK: - Notes

  /// Returns the notes of a course, as the program from which it was imported stores them.
  package func sourceNotes(of course: NodeID) throws -> SourceNotes {
    SourceNotes(
      types: try all("SELECT content FROM sourceNoteType WHERE course = ? ORDER BY id", course) {
        try JSONDecoding.decode(SourceNotes.NoteType.self, from: Array(($0[0] as String).utf8))
      },
      notes: try all(
        "SELECT guid, type, changedAt, tags, fields, id, cards FROM sourceNote WHERE course = ? ORDER BY rowid", course
      ) {
        SourceNotes.Note(
          id: $0[5], guid: $0[0], type: $0[1], changedAt: $0[2],
          tags: ($0[3] as String).split(separator: " ").map(String.init),
          fields: ($0[4] as String).split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init),
          cards: try JSONDecoding.decode([SourceNotes.Card].self, from: Array(($0[6] as String).utf8)))
      })
  }

  /// Returns the number of stored notes of a course that have a number.
  package func sourceNoteCount(of course: NodeID) throws -> Int {
    try value("SELECT count(*) FROM sourceNote WHERE course = ? AND id <> 0", course) ?? 0
  }
}

extension StoreTransaction {
  /// Replaces the stored notes of a course.
  func replaceSourceNotes(of course: NodeID, with notes: SourceNotes) throws {
    try run("DELETE FROM sourceNoteType WHERE course = ?", course)
    try run("DELETE FROM sourceNote WHERE course = ?", course)
    for type in notes.types {
      let json = String(decoding: try JSONEncoding.sorted(type), as: UTF8.self)
      try run("INSERT INTO sourceNoteType (course, id, content) VALUES (?, ?, ?)", course, type.id, json)
    }
    for note in notes.notes {
      let cards = String(decoding: try JSONEncoding.sorted(note.cards), as: UTF8.self)
      try run("INSERT OR IGNORE INTO sourceNote VALUES (?, ?, ?, ?, ?, ?, ?, ?)") { parameters in
        parameters.add(course)
        parameters.add(note.guid)
        parameters.add(note.type)
        parameters.add(note.changedAt)
        parameters.add(note.tags.joined(separator: " "))
        parameters.add(note.fields.joined(separator: "\u{1F}"))
        parameters.add(note.id)
        parameters.add(cards)
      }
    }
  }
}
