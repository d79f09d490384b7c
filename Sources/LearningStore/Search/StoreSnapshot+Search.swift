import GRDB
package import LearningModel

/// What a search found.
package struct SearchFindings: Hashable, Sendable {
  /// One node that was found.
  package struct Hit: Hashable, Sendable {
    /// The node.
    package let node: ContentNode
    /// How well it fits; more is better.
    package let score: Double
  }

  /// The best ones, the best first.
  package var hits: [Hit]
  /// What was probably meant, where words of the query are in no text. Where nothing was found for the query, the hits
  /// are those of this one.
  package var didYouMean: String?
  /// What the hits were found for: the query, or what was meant.
  package var searchedFor: String

  /// The largest number of characters of a query that are searched for.
  package static var longestQuery: Int { SearchQuery.mostLetters }
}

extension StoreSnapshot {
  /// From how many places the best are chosen. Ranking all 100,000 that hold a common word would take a fifth of a
  /// second.
  static let candidates = 1000

  /// Searches the titles, summaries and texts of all living nodes.
  ///
  /// All words must be found in a node; the last one may be a beginning, unless a space or quotation mark follows it.
  /// What is in quotation marks must stand so. Case and accents do not count. Titles count most. Several words may also
  /// name the way to a node: see ``StoreSnapshot/hits(onTheWayOf:scope:limit:)``.
  ///
  /// - Parameters:
  ///   - text: Whatever a person types.
  ///   - course: In which course; `nil` for all.
  ///   - preferred: The course whose nodes come first, of those that are found by their titles and of the others.
  ///   - kind: For which kind of node; `nil` for all.
  ///   - limit: How many hits at most, from 0.
  package func search(
    _ text: String, course: NodeID? = nil, preferring preferred: NodeID? = nil, kind: ContentKind? = nil,
    limit: Int = 20
  ) throws -> SearchFindings {
    let query = SearchQuery(text)
    guard !query.isEmpty, limit > 0 else { return SearchFindings(hits: [], didYouMean: nil, searchedFor: text) }
    let scope = SearchScope(course: course, kind: kind, preferred: course == nil ? preferred : nil)
    let (hits, isWay) = try self.hits(of: query, scope, limit: limit)
    var findings = SearchFindings(hits: hits, didYouMean: nil, searchedFor: text)
    // The beginnings of words on a way are no slips.
    guard !isWay, hits.count < min(3, limit), let meant = try correction(of: query) else { return findings }
    findings.didYouMean = meant
    if findings.hits.isEmpty {
      // What was put right is a whole word, and the beginning of others only where that finds too little.
      findings.searchedFor = meant + " "
      findings.hits = try self.hits(of: SearchQuery(meant + " "), scope, limit: limit).hits
      if query.isOpenEnded, findings.hits.count < limit {
        findings.searchedFor = meant
        findings.hits = try self.hits(of: SearchQuery(meant), scope, limit: limit).hits
      }
    }
    if findings.hits.isEmpty { findings.didYouMean = nil }
    return findings
  }

  /// Returns the best hits, and whether some of them were named by the way to them.
  private func hits(
    of query: SearchQuery, _ scope: SearchScope, limit: Int
  ) throws -> (hits: [SearchFindings.Hit], isWay: Bool) {
    var isWay = false
    let title = query.phrases.joined(separator: " ")
    var best = try ranked(query, in: "title", scope, bonus: 10, title: title, limit: limit)
    // A search that finds enough by titles asks no more: of a common beginning that is most of the time.
    if best.count < limit {
      let inAny = try ranked(
        query, in: "title summary text", scope, bonus: 0, title: title, limit: limit + best.count)
      let onTheWay = try hits(onTheWayOf: query, scope: scope, limit: limit)
      var known = Set(best.map(\.node))
      isWay = !onTheWay.isEmpty
      let worth = (inAny.first?.score ?? 0) + 1
      best += onTheWay.filter { known.insert($0).inserted }.map { (node: $0, score: worth) }
      best += inAny.filter { known.insert($0.node).inserted }
    }
    let hits = try best.prefix(limit).compactMap { id, score in
      try node(id).map { SearchFindings.Hit(node: $0, score: score) }
    }
    return (hits, isWay)
  }

  /// The living nodes that a query finds in some columns, the best first; before all others those of the preferred course.
  private func ranked(
    _ query: SearchQuery, in columns: String, _ scope: SearchScope, bonus: Double, title: String, limit: Int
  ) throws -> [(node: NodeID, score: Double)] {
    try statements.knowWordFit()
    let beginnings = try Vocabulary(snapshot: self).words(atTheEndOf: query)
    func ranked(_ scope: SearchScope) throws -> [RankedNode] {
      try interruption?.check()
      return try all(
        scope.preferred == nil ? Self.rankedText : Self.preferringText,
        query.expression(in: columns, scope: scope, endingWith: beginnings), bonus, Self.candidates, limit, title,
        scope.preferred ?? NodeID(rawValue: 0), scope.phraseCount,
        beginnings == nil ? query.phrases.count : query.phrases.count - 1
      ) { RankedNode(node: $0[0], score: $0[1], isPreferred: $0[2], candidates: $0[3]) }
    }
    var found = try ranked(scope)
    if let preferred = scope.preferred, let last = found.last, !last.isPreferred, last.candidates >= Self.candidates {
      // Of so many, those of the course may not have been among the candidates.
      let here = try ranked(SearchScope(course: preferred, kind: scope.kind, preferred: preferred))
      found = Array((here + found.filter { !$0.isPreferred }).prefix(limit))
    }
    return found.map { ($0.node, $0.score) }
  }

  private struct RankedNode {
    let node: NodeID
    let score: Double
    /// Whether it is of the preferred course.
    let isPreferred: Bool
    /// Among how many it was ranked.
    let candidates: Int
  }

  private static let rankedText = rankedText(isPreferred: "?6 <> 0", candidates: "0")
  private static let preferringText = rankedText(isPreferred: "node.course = ?6", candidates: "count(*) OVER ()")

  /// Whole titles come before parts of titles, and of equals the higher kind before the lower.
  private static func rankedText(isPreferred: String, candidates: String) -> StatementText {
    StatementText(
      """
      SELECT
        found.id,
        ?2 - found.rank + CASE WHEN node.title = ?5 COLLATE NOCASE THEN 10.0 ELSE 0.0 END AS score,
        \(isPreferred) AS isPreferred, \(candidates)
      FROM (
        SELECT rowid AS id,
          wordFit(nodeSearch, (SELECT max(node) FROM searchText), ?7, ?8, 8.0, 3.0, 1.0) AS rank
        FROM nodeSearch WHERE nodeSearch MATCH ?1 LIMIT ?3
      ) AS found
      JOIN contentNode AS node ON node.id = found.id AND node.living = 1
      ORDER BY isPreferred DESC, score DESC, instr('course goal lesson activity', node.kind), node.id
      LIMIT ?4
      """)
  }

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

extension LearningStore {
  /// Bytes of a database of which the index is read ahead, at most: of more, the system would let go again before it is
  /// searched.
  private static let longest = 512_000_000

  /// Has the system take what a search looks into from the disk: where it is not in memory, a letter waits for a hundred
  /// pages one after the other.
  ///
  /// - Parameter interruption: Who may stop it.
  /// - Throws: `CancellationError` where it was stopped, and ``LearningDatabaseError``.
  package func readSearchAhead(until interruption: Interruption) throws {
    guard refusal == nil, DatabaseFile.size(at: path) <= Self.longest else { return }
    do {
      var configuration = Configuration()
      configuration.label = "waymark.ahead"
      configuration.readonly = true
      // The others keep what they have read, and this one's memory goes with it.
      let connection = try DatabaseQueue(path: path, configuration: configuration)
      defer { connection.retire() }
      try connection.read { database in
        try interruption.watching(database) {
          // Counting a table looks at each of its leaves, and at nothing in them.
          for table in ["nodeSearch_data", "contentNode NOT INDEXED", "searchText"] {
            _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)")
          }
        }
      }
    } catch {
      throw LearningDatabaseError.explaining(error, at: path)
    }
  }
}
