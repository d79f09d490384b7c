import Foundation
package import LearningModel

// The cards of places: their contents, their numbers and their tags.

extension StoreSnapshot {
  /// Returns the numbers of the cards of each course, and of those that a learner has met.
  package func cardsByCourse(of learner: LearnerID?) throws -> [NodeID: (all: Int, met: Int)] {
    let rows = try all(
      """
      SELECT node.course, sum(total.cards), sum(ifnull(met.cards, 0))
      FROM cardTotal AS total CROSS JOIN contentNode AS node ON node.id = total.node
      LEFT JOIN cardsMet AS met ON met.learner = ?1 AND met.node = total.node GROUP BY node.course
      """, learner
    ) { ($0[0] as NodeID, (all: $0[1] as Int, met: $0[2] as Int)) }
    return Dictionary(uniqueKeysWithValues: rows)
  }

  /// Returns the activities with cards at a place and below, in reading order, and the number of their cards.
  package func activitiesWithCards(under node: NodeID, madeBy learner: LearnerID?) throws -> [NodeID] {
    let nodes = try subtree(from: .node(node)).lazy.map(\.node).filter { $0.kind == .activity }.map(\.id)
    return try nodes.filter {
      try value(
        """
        SELECT EXISTS (SELECT 1 FROM cardTotal WHERE node = ?1)
          OR EXISTS (SELECT 1 FROM cardMemory WHERE learner = ?2 AND node = ?1)
        """, $0, learner) ?? false
    }
  }

  /// Returns the keys of the cards of an activity: those in its content, in their order, then those that the learner has
  /// made.
  package func cardReferences(in node: NodeID, of learner: LearnerID?) throws -> [CardReference] {
    try all(
      """
      SELECT key FROM (
        SELECT key, position AS place FROM card WHERE node = ?1 AND position IS NOT NULL
        UNION ALL
        SELECT key, 1000000000 FROM madeCard WHERE learner = ?2 AND node = ?1
      ) ORDER BY place, key
      """, node, learner
    ) { CardReference(node: node, key: $0[0]) }
  }

  /// Returns the card that asks a flashcard of an activity from front to back, or `nil` if the flashcard has gaps.
  ///
  /// - Parameter item: The index of the flashcard.
  package func card(ofItem item: Int, in node: NodeID) throws -> CardReference? {
    try first(Self.cardOfItemSQL, node, item) { CardReference(node: node, key: $0[0]) }
  }

  private static let cardOfItemSQL = StatementText(
    "SELECT key FROM card INDEXED BY cardInOrder WHERE node = ? AND position IS NOT NULL AND item = ? AND variant = ''")

  /// Returns what a card asks, or `nil` if its activity does not contain it and the learner has not made it.
  package func faces(of card: CardReference, for learner: LearnerID?) throws -> CardFaces? {
    if card.key.hasPrefix(CardHistory.madePrefix) {
      return try first(Self.madeSQL, learner, card.node, card.key) { row in
        CardFaces(
          question: [.paragraph([.text(row[0])])],
          answer: (row[1] as String).split(separator: "\n\n").map { .paragraph([.text(String($0))]) })
      }
    }
    guard
      let (item, word) = try first(Self.itemSQL, card.node, card.key, as: { ($0[0] as Int, $0[1] as String) }),
      let (type, json) = try first(
        Self.contentSQL, card.node, item, as: { (try $0.word(ActivityType.self, at: 0), $0[1] as String?) }), let json
    else { return nil }
    return try type?.faces(ofItem: Data(json.utf8), CardVariant(word: word))
  }

  /// Returns the index of the flashcard or question that a card asks, or `nil` for a card that the learner has made.
  package func item(of card: CardReference) throws -> Int? {
    try first(Self.itemSQL, card.node, card.key) { $0[0] }
  }

  /// Returns the cards that a learner has made, the most recently changed first, with the passages of which they were made.
  /// For a card without a passage, such as one of a question, the passage is its answer.
  ///
  /// - Parameter node: The place whose cards are returned, with those of the places below, or `nil` for all places.
  package func madeCards(of learner: LearnerID, under node: NodeID? = nil) throws -> [StoredNote] {
    try all(Self.allMadeSQL, learner, node) { row in
      let back: String = row[3]
      let from = max(0, row[8] as Int? ?? 0)
      let anchor = NoteAnchor(
        heading: row[6] ?? "", digest: row[7] ?? "", characters: from..<max(from, row[9] as Int? ?? 0),
        quote: row[10] ?? String(back.prefix(NoteAnchor.maximumQuoteLength)))
      return StoredNote(
        node: row[0],
        note: Note(id: row[1], text: row[2], anchor: anchor, createdAt: row[4], changedAt: row[5], answer: back))
    }
  }

  // Only the event that makes a card has a passage.
  private static let allMadeSQL = StatementText(
    """
    SELECT made.node, made.key, made.front, made.back, min(event.at), max(event.at), max(event.detail ->> 'anchor'),
      max(event.detail ->> 'digest'), max(CAST(event.detail ->> 'from' AS INTEGER)),
      max(CAST(event.detail ->> 'to' AS INTEGER)), max(event.detail ->> 'quote')
    FROM madeCard AS made CROSS JOIN activityEvent AS event INDEXED BY activityEventOfCard
      ON event.learner = made.learner AND event.node = made.node AND event.detail ->> 'key' = made.key
    WHERE made.learner = ?1 AND (?2 IS NULL OR made.node IN (
      WITH RECURSIVE below (id) AS (
        VALUES (?2) UNION ALL SELECT contentNode.id FROM below JOIN contentNode ON contentNode.parent = below.id)
      SELECT id FROM below)) AND event.kind GLOB 'card*' AND event.kind = 'cardMade'
    GROUP BY made.node, made.key ORDER BY max(event.at) DESC, made.key
    """)
  private static let madeSQL = StatementText(
    "SELECT front, back FROM madeCard WHERE learner = ? AND node = ? AND key = ?")
  private static let itemSQL = StatementText(
    "SELECT item, variant FROM card WHERE node = ? AND key = ? AND position IS NOT NULL")
  private static let contentSQL = StatementText(
    """
    SELECT type, content -> ('$.' || type || '[' || ?2 || ']') FROM activityContent
    WHERE node = ?1 AND items IS NOT NULL
    """)

  /// Returns the key of the first card of a flashcard or question, or `nil` if the activity has none with this number.
  package func cardKey(ofItem item: Int, in node: NodeID) throws -> String? {
    try value(Self.keyOfItemSQL, node, item)
  }

  private static let keyOfItemSQL = StatementText(
    "SELECT key FROM card WHERE node = ? AND item = ? AND position IS NOT NULL ORDER BY position LIMIT 1")

  /// Returns whether an activity contains a card, or the learner has made it.
  package func hasCard(_ key: String, in node: NodeID, for learner: LearnerID) throws -> Bool {
    try value(Self.hasCardSQL, node, key, learner) ?? false
  }

  private static let hasCardSQL = StatementText(
    "SELECT \(StoreTransaction.isPresent(node: "?1", key: "?2", learner: "?3"))")

  // MARK: - Tags

  /// Returns the current cards with a tag or a tag below it, such as `verb::irregular` for `verb`.
  package func cards(tagged tag: String) throws -> Set<CardReference> {
    Set(
      try all("SELECT cardTag.node, cardTag.key FROM cardTag \(Self.isTagged)", tag) {
        CardReference(node: $0[0], key: $0[1])
      })
  }

  /// Returns the tags of current cards and the numbers of their cards, in alphabetical order.
  package func tags() throws -> [(tag: String, cards: Int)] {
    try all(
      """
      SELECT min(tag), count(*) FROM cardTag CROSS JOIN contentNode AS place ON place.id = cardTag.node AND place.living = 1
      GROUP BY tag ORDER BY tag
      """
    ) { (tag: $0[0], cards: $0[1]) }
  }

  private static let isTagged = """
    CROSS JOIN contentNode AS place ON place.id = cardTag.node AND place.living = 1
    WHERE tag = ?1 OR tag > ?1 || '::' AND tag < ?1 || ':;'
    """
}
