import LearningModel

/// A fact that is kept of a learner, told apart from every other one in every database.
struct KeptFact {
  /// Of which kind; `nil` for what was read of a passage.
  let kind: FactKind?
  /// At which node; `nil` for a setting.
  let node: NodeID?
  /// The name of a setting, the digest of a passage, and whatever tells facts of a later program apart.
  let name: String
  /// When it was last changed, and where. Of a passage, when it was last read, in milliseconds.
  let version: FactChange
  /// The characters that were read of a passage.
  let characters: String
  /// What it is called everywhere: its kind, the keys of the course and of the node, and its name.
  let key: String
}

extension StoreSnapshot {
  /// Returns every fact that is kept of a learner, or was and is taken away, in the order of their last changes.
  func facts(of learner: LearnerID) throws -> [KeptFact] {
    try all(Self.factsText, learner) { row in
      let kind = try row.word(FactKind.self, at: 0)
      let id: NodeID = row[1]
      let name: String = row[2]
      let words = [row[0] as String? ?? "passage", row[5] as String? ?? "", row[6] as String? ?? "", name]
      return KeptFact(
        kind: kind, node: id.rawValue == 0 ? nil : id, name: name,
        version: FactChange(stamp: row[3], replica: row[4]), characters: row[7], key: words.joined(separator: "\u{1F}"))
    }
  }

  private static let factsText = StatementText(
    """
    WITH fact (kind, node, name, stamp, replica, characters) AS (
      SELECT kind, node, name, stamp, replica, '' FROM factChange WHERE learner = ?1
      UNION ALL
      SELECT NULL, node, digest, savedAt, '', characters FROM passageRead WHERE learner = ?1
    )
    SELECT fact.kind, fact.node, fact.name, stamp, replica, course.key, place.key, characters
    FROM fact
    LEFT JOIN contentNode AS place ON place.id = fact.node
    LEFT JOIN contentNode AS course ON course.id = place.course
    ORDER BY stamp, replica, fact.kind, course.key, place.key, fact.name
    """)
}
