package import LearningModel

// The cards that a learner has not met, and the notes to which cards belong.

extension StoreSnapshot {
  /// Returns the activities of begun lessons, and those whose cards the learner has added to the reviews, with cards that
  /// the learner has not met. The lesson that was begun first is first, and its activities are in their order.
  package func newCards(of learner: LearnerID) throws -> [NewCards] {
    try all(
      """
      SELECT node.course, node.id, total.cards - ifnull(met.cards, 0)
      FROM (
        SELECT id, min(since) AS since FROM (
          SELECT node.id, begun.since FROM (
            SELECT above.parent AS lesson, min(progress.begunAt) AS since
            FROM progress CROSS JOIN contentNode AS above ON above.id = progress.node
            WHERE progress.learner = ?1 AND progress.isBegun = 1 AND above.living = 1
            GROUP BY above.parent
          ) AS begun
          CROSS JOIN contentNode AS node ON node.parent = begun.lesson AND node.living = 1
          UNION ALL
          SELECT node, min(at) FROM activityEvent AS event INDEXED BY activityEventIncluding
          WHERE learner = ?1 AND kind = 'cardsIncluded' AND NOT \(Self.isUndone) GROUP BY node
        ) GROUP BY id
      ) AS offered
      CROSS JOIN contentNode AS node ON node.id = offered.id AND node.living = 1
      CROSS JOIN cardTotal AS total ON total.node = node.id
      LEFT JOIN cardsMet AS met ON met.learner = ?1 AND met.node = node.id
      WHERE total.cards > ifnull(met.cards, 0)
      ORDER BY offered.since, node.parent, node.position
      """, learner
    ) { NewCards(course: $0[0], node: $0[1], cards: $0[2]) }
  }

  /// The cards of an activity that a learner has not met.
  package struct NewCards: Hashable, Sendable {
    package let course: NodeID
    package let node: NodeID
    package var cards: Int
  }

  /// Returns the number of cards of an activity that a learner has not met.
  package func newCardCount(in node: NodeID, of learner: LearnerID) throws -> Int {
    try value("SELECT count(*) \(Self.newInActivity)", node, learner) ?? 0
  }

  /// Calls a function with the cards of an activity that a learner has not met, in their order, until it returns `false`.
  ///
  /// - Parameter body: Receives a card, its note (see ``note(of:)``) and the number of its side: 0 for front to back or the
  ///   first gap, 1 for back to front or the second gap, and so on.
  package func forEachNewCard(
    in node: NodeID, of learner: LearnerID,
    _ body: (_ card: CardReference, _ note: CardReference, _ side: Int) throws -> Bool
  ) throws {
    try statements.run(Self.newInActivitySQL, [node, learner]) { row in
      try body(
        CardReference(node: node, key: row[0]),
        CardReference(node: node, key: CardKeys.note(of: row[1], isFromAnki: row[2])), row[3])
    }
  }

  private static let newInActivity = """
    FROM card INDEXED BY cardInOrder
    WHERE card.node = ?1 AND card.position IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM cardMemory AS memory WHERE memory.learner = ?2 AND memory.node = ?1 AND memory.key = card.key)
    """
  private static let isFromAnki =
    "(SELECT sourceFormat = 'anki' FROM course JOIN contentNode ON contentNode.course = course.node WHERE contentNode.id = ?1)"
  private static let newInActivitySQL = StatementText(
    """
    SELECT card.key, card.base, \(isFromAnki), CASE
      WHEN card.variant = 'r' THEN 1
      WHEN card.variant LIKE 'c%' THEN max(0, CAST(substr(card.variant, 2) AS INTEGER) - 1)
      WHEN NOT \(isFromAnki) THEN 0
      WHEN card.base GLOB '*/[0-9]' THEN CAST(substr(card.base, -1) AS INTEGER)
      WHEN card.base GLOB '*/[0-9][0-9]' THEN CAST(substr(card.base, -2) AS INTEGER)
      ELSE 0 END
    \(newInActivity) ORDER BY card.position
    """)

  /// Returns what identifies the flashcard or question that a card asks, or the note of a card from Anki. Cards with the same
  /// note are siblings.
  package func note(of card: CardReference) throws -> CardReference {
    let key = try first(Self.noteSQL, card.node, card.key) { CardKeys.note(of: $0[0], isFromAnki: $0[1]) }
    return CardReference(node: card.node, key: key ?? card.key)
  }

  /// Returns the current cards of a note: see ``note(of:)``.
  package func cards(ofNote note: CardReference) throws -> [CardReference] {
    var cards: [CardReference] = []
    try statements.run(Self.cardsOfNoteSQL, [note.node, note.key]) { row in
      if CardKeys.note(of: row[1], isFromAnki: row[2]) == note.key {
        cards.append(CardReference(node: note.node, key: row[0]))
      }
      return true
    }
    return cards
  }

  // The keys of the cards begin with that of the note and `/`, after which `0` is the next character.
  private static let cardsOfNoteSQL = StatementText(
    """
    SELECT key, base, \(isFromAnki) FROM card
    WHERE node = ?1 AND (key = ?2 OR key > ?2 || '/' AND key < ?2 || '0') AND position IS NOT NULL
    """)
  private static let noteSQL = StatementText("SELECT base, \(isFromAnki) FROM card WHERE node = ?1 AND key = ?2")

  /// Returns the notes of the cards that a learner has answered on a day, the newest answer first.
  package func notes(answeredBy learner: LearnerID, on day: Int) throws -> [CardReference] {
    try answers(of: learner, in: nil, limit: nil, since: day).lazy.filter { !$0.isUndone }.map { try note(of: $0.card) }
  }
}
