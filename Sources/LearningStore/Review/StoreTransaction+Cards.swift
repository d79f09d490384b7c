import Foundation
import JSONCoding
import LearningModel

// The cards of activities, written when the content of an activity changes.

extension StoreTransaction {
  /// Updates the cards of an activity from its content. A card that is recognised keeps its key: see ``CardKeys``.
  ///
  /// - Parameters:
  ///   - items: The outlines of the flashcards or questions.
  ///   - digests: The digests of their whole contents.
  ///   - tags: The tags of each item. Empty if the items have no tags.
  ///   - time: The time of the import.
  func updateCards(
    of node: NodeID, to items: [CardOutline], digests: [String], tags: [[String]] = [], at time: Timestamp
  ) throws {
    var known: [CardKeys.Known] = []
    var order: [String: Int] = [:]
    try statements.run(Self.knownSQL, [node]) { row in
      let base: String = row[0]
      guard order[base] == nil else { return true }
      order[base] = known.count
      known.append(CardKeys.Known(key: base, item: row[1], front: row[2], back: row[3]))
      return true
    }
    if known.isEmpty, items.isEmpty { return }
    try run(Self.loseSQL, node)
    try run(Self.untagSQL, node)
    let keys = CardKeys.keys(of: items, knowing: known)
    var position = 0
    for (index, item) in items.enumerated() {
      for variant in item.variants {
        let word = variant.word
        let key = word.isEmpty ? keys[index] : "\(keys[index])/\(word)"
        try run(Self.writeSQL) { parameters in
          parameters.add(node)
          parameters.add(key)
          parameters.add(keys[index])
          parameters.add(word)
          parameters.add(position)
          parameters.add(index)
          parameters.add(item.front)
          parameters.add(item.back)
          parameters.add(index < digests.count ? digests[index] : nil)
          parameters.add(time)
        }
        position += 1
        guard index < tags.count else { continue }
        for tag in tags[index] where !tag.isEmpty { try run(Self.tagSQL, tag, node, key) }
      }
    }
  }

  private static let knownSQL = StatementText(
    """
    SELECT base, iif(position IS NULL, NULL, item), front, back FROM card WHERE node = ?
    ORDER BY position IS NULL, position
    """)
  private static let loseSQL = StatementText("UPDATE card SET position = NULL WHERE node = ? AND position IS NOT NULL")
  private static let untagSQL = StatementText("DELETE FROM cardTag WHERE node = ?")
  private static let tagSQL = StatementText("INSERT OR IGNORE INTO cardTag (tag, node, key) VALUES (?, ?, ?)")
  private static let writeSQL = StatementText(
    """
    INSERT INTO card (node, key, base, variant, position, item, front, back, digest, changedAt)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET position = excluded.position, item = excluded.item, front = excluded.front,
      back = excluded.back, digest = excluded.digest,
      changedAt = CASE
        WHEN digest = excluded.digest OR digest IS NULL AND front = excluded.front AND back = excluded.back
        THEN changedAt ELSE excluded.changedAt END
    """)
  private static let digestsSQL = StatementText(
    """
    SELECT item.value FROM activityContent AS activity, json_each(activity.content, '$.' || activity.type) AS item
    WHERE activity.node = ? ORDER BY item.key
    """)

  /// Updates the cards of the activities whose contents were staged, and then everything that depends on which cards a
  /// course contains.
  ///
  /// - Parameters:
  ///   - changed: The activities with changed contents, which are stored. The content is `nil` if it has no cards.
  ///   - time: The time of the import.
  func updateCards(of course: NodeID, changed: [(node: NodeID, content: String?)], at time: Timestamp) throws {
    for (node, content) in changed {
      let content = try content.map { try JSONDecoding.decode(ActivityContent.self, from: Array($0.utf8)) }
      let digests = content == nil ? [] : try snapshot.all(Self.digestsSQL, node) { CardDigest.digest($0[0]) }
      let tags: [[String]] = if case .flashcards(_, let cards)? = content { cards.map(\.tags) } else { [] }
      try updateCards(of: node, to: content?.cardOutlines ?? [], digests: digests, tags: tags, at: time)
    }
    try updatePresence(in: course)
  }

  /// Updates which cards of a course are present: the totals of its activities, and the queues of all learners.
  func updatePresence(in course: NodeID) throws {
    // All nodes of a course have higher IDs than its root node, so the walks begin there.
    try run(
      """
      DELETE FROM cardTotal WHERE node >= ?1 AND (SELECT course FROM contentNode WHERE id = cardTotal.node) = ?1
      """, course)
    try run(
      """
      INSERT INTO cardTotal (node, cards)
      SELECT card.node, count(*) FROM card CROSS JOIN contentNode AS node ON node.id = card.node
      WHERE card.node >= ?1 AND card.position IS NOT NULL AND node.course = ?1 AND node.living = 1
      GROUP BY card.node
      """, course)
    try run(
      """
      UPDATE cardMemory SET isPresent = now.isPresent, isQueued = now.isPresent AND isSuspended = 0
      FROM (
        SELECT memory.learner, memory.node, memory.key,
          \(Self.isPresent(node: "memory.node", key: "memory.key", learner: "memory.learner")) AS isPresent
        FROM cardMemory AS memory JOIN contentNode AS place ON place.id = memory.node AND place.course = ?1
      ) AS now
      WHERE now.learner = cardMemory.learner AND now.node = cardMemory.node AND now.key = cardMemory.key
        AND cardMemory.isPresent <> now.isPresent
      """, course)
    try run("DELETE FROM cardsMet WHERE node IN (SELECT id FROM contentNode WHERE course = ?)", course)
    try run(
      """
      INSERT INTO cardsMet (learner, node, cards)
      SELECT learner, node, count(*) FROM cardMemory
      WHERE course = ? AND isPresent = 1 AND key NOT GLOB 'own:*' GROUP BY learner, node
      """, course)
  }

  /// Returns an expression that is 1 if an activity is in a course and contains a card, or the learner has made it.
  static func isPresent(node: String, key: String, learner: String) -> String {
    """
    ((SELECT living FROM contentNode WHERE id = \(node)) IS 1 AND (
      EXISTS (SELECT 1 FROM card WHERE card.node = \(node) AND card.key = \(key) AND card.position IS NOT NULL)
      OR EXISTS (
        SELECT 1 FROM madeCard AS made
        WHERE made.learner = \(learner) AND made.node = \(node) AND made.key = \(key))))
    """
  }
}
