public import LearningModel

/// What a search found.
public struct SearchFindings: Hashable, Sendable {
  /// One node that was found.
  public struct Hit: Hashable, Sendable {
    /// The node.
    public let node: ContentNode
    /// How well it fits; more is better.
    public let score: Double
    /// Its text around what was searched for; empty where it has no text.
    public let snippet: Snippet
  }

  /// The best ones, the best first.
  public var hits: [Hit]
  /// What was probably meant, where words of the query are in no text. Where nothing was found for the query, the hits
  /// are those of this one.
  public var didYouMean: String?
}

extension StoreSnapshot {
  /// From how many places the best are chosen. Ranking all 100,000 that hold a common word would take a fifth of a
  /// second.
  private static let candidates = 1000

  /// Searches the titles, summaries and texts of all living nodes.
  ///
  /// All words must be found in a node; the last one may be a beginning, unless a space or quotation mark follows it.
  /// What is in quotation marks must stand so. Case and accents do not count. Titles count most.
  ///
  /// - Parameters:
  ///   - text: Whatever a person types.
  ///   - course: In which course; `nil` for all.
  ///   - kind: For which kind of node; `nil` for all.
  ///   - limit: How many hits at most, from 0.
  public func search(
    _ text: String, course: NodeID? = nil, kind: ContentKind? = nil, limit: Int = 20
  ) throws -> SearchFindings {
    let query = SearchQuery(text)
    guard !query.isEmpty, limit > 0 else { return SearchFindings(hits: [], didYouMean: nil) }
    let scope: [String] = [course.map { "course\($0.rawValue)" }, kind.map { "kind\($0.rawValue)" }].compactMap(\.self)
    var hits = try self.hits(of: query, scope: scope, limit: limit)
    var meant: String?
    if hits.count < min(3, limit) {
      meant = try correction(of: query)
      if hits.isEmpty, let meant {
        // What was put right is a whole word, and the beginning of others only where that finds too little.
        hits = try self.hits(of: SearchQuery(meant + " "), scope: scope, limit: limit)
        if query.isOpenEnded, hits.count < limit {
          hits = try self.hits(of: SearchQuery(meant), scope: scope, limit: limit)
        }
      }
      if hits.isEmpty { meant = nil }
    }
    return SearchFindings(hits: hits, didYouMean: meant)
  }

  private func hits(of query: SearchQuery, scope: [String], limit: Int) throws -> [SearchFindings.Hit] {
    let everywhere = query.expression(in: "title summary text", scope: scope)
    let title = query.phrases.joined(separator: " ")
    let inTitle = try ranked(query.expression(in: "title", scope: scope), bonus: 10, title: title, limit: limit)
    let inAny = try ranked(everywhere, bonus: 0, title: title, limit: limit + inTitle.count)
    let best = inTitle + inAny.filter { hit in !inTitle.contains { $0.node == hit.node } }

    return try best.prefix(limit).compactMap { id, score in
      guard let node = try node(id) else { return nil }
      return SearchFindings.Hit(node: node, score: score, snippet: try snippet(of: id, for: everywhere))
    }
  }

  /// The living nodes that an expression finds, the best first. Whole titles come before parts of titles, and of equals
  /// the higher kind before the lower.
  private func ranked(
    _ expression: String, bonus: Double, title: String, limit: Int
  ) throws -> [(node: NodeID, score: Double)] {
    try all(Self.rankedText, expression, bonus, Self.candidates, limit, title) { (node: $0[0], score: $0[1]) }
  }

  private static let rankedText = StatementText(
    """
    SELECT found.id, ?2 - found.rank + CASE WHEN node.title = ?5 COLLATE NOCASE THEN 10.0 ELSE 0.0 END AS score
    FROM (
      SELECT rowid AS id, bm25(nodeSearch, 8.0, 3.0, 1.0, 0.0) AS rank
      FROM nodeSearch WHERE nodeSearch MATCH ?1 LIMIT ?3
    ) AS found
    JOIN contentNode AS node ON node.id = found.id AND node.living = 1
    ORDER BY score DESC, instr('course goal lesson activity', node.kind), node.id
    LIMIT ?4
    """)

  private func snippet(of node: NodeID, for expression: String) throws -> Snippet {
    try first(Self.snippetText, expression, node) { row in
      let text: String = row[0]
      return Snippet(marked: text.isEmpty ? row[1] : text)
    } ?? Snippet(parts: [])
  }

  /// The control characters around a match stand in no text that is indexed.
  private static let snippetText = StatementText(
    """
    SELECT snippet(nodeSearch, 2, char(2), char(3), '…', 16), snippet(nodeSearch, 1, char(2), char(3), '…', 16)
    FROM nodeSearch WHERE nodeSearch MATCH ? AND rowid = ?
    """)

  private func correction(of query: SearchQuery) throws -> String? {
    let vocabulary = Vocabulary(snapshot: self)
    var words = query.words
    var isCorrected = false
    for (index, word) in words.enumerated() {
      let isBeginning = query.isOpenEnded && index == words.count - 1
      guard try !vocabulary.knows(word, orBeginning: isBeginning) else { continue }
      guard let meant = try vocabulary.correction(of: word) else { continue }
      words[index] = meant
      isCorrected = true
    }
    return isCorrected ? words.joined(separator: " ") : nil
  }
}

extension Snippet {
  /// Reads a text in which matches stand between the control characters 2 and 3.
  fileprivate init(marked text: String) {
    var parts: [Part] = []
    var current = ""
    func finish(isMatch: Bool) {
      if !current.isEmpty { parts.append(Part(text: current, isMatch: isMatch)) }
      current = ""
    }
    for character in text {
      switch character {
      case "\u{2}": finish(isMatch: false)
      case "\u{3}": finish(isMatch: true)
      case "\n", "\t", "\r\n": current.append(" ")
      default: current.append(character)
      }
    }
    finish(isMatch: false)
    self.init(parts: parts)
  }
}
