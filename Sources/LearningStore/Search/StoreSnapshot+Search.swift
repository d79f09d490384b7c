import GRDB
package import LearningModel

/// The result of a search.
package struct SearchFindings: Hashable, Sendable {
  /// A node that a search has found.
  package struct Hit: Hashable, Sendable {
    package let node: ContentNode
    /// The relevance of the node. Higher is better.
    package let score: Double
  }

  /// The best nodes, the best first.
  package var hits: [Hit]
  /// The corrected query, if some words of the query occur in no text, otherwise `nil`. If the query itself has found
  /// nothing, ``hits`` are the results of the corrected query.
  package var didYouMean: String?
  /// The query that has found ``hits``: the original or the corrected one.
  package var searchedFor: String

  /// The maximum number of characters of a query. The rest of a longer text is ignored.
  package static var maximumQueryLength: Int { SearchQuery.maximumLetters }
}

extension StoreSnapshot {
  /// The number of matching nodes from which the best are chosen. Ranking all 100,000 nodes that contain a common word
  /// would take a fifth of a second.
  static let candidates = 1000

  /// The beginning of a word of a query that names a tag.
  private static let tagPrefix = "tag:"

  /// Searches the titles, summaries and texts of all current nodes.
  ///
  /// All words must occur in a node. The last word may be a prefix, unless a space or quotation mark follows it. Words
  /// in quotation marks must occur next to each other in this order. Case and accents are ignored. Matches in titles
  /// have the highest weight. Several words may also be abbreviations of the titles of a node and its ancestors: see
  /// ``StoreSnapshot/hitsByPath(of:scope:limit:)``.
  ///
  /// A word such as `tag:verb` finds activities that contain a card with the tag or a tag below it.
  ///
  /// - Parameters:
  ///   - text: Any text that a user has typed.
  ///   - course: The course to search, or `nil` for all courses.
  ///   - preferred: The course whose nodes come first, both among nodes that are found by their titles and among all
  ///     others. `nil` for no preference.
  ///   - kind: The kind of nodes to find, or `nil` for all kinds.
  ///   - limit: The maximum number of hits, at least 0.
  package func search(
    _ text: String, course: NodeID? = nil, preferring preferred: NodeID? = nil, kind: ContentKind? = nil,
    limit: Int = 20
  ) throws -> SearchFindings {
    let words = text.split(separator: " ")
    let tags = words.filter { $0.hasPrefix(Self.tagPrefix) && $0 != Self.tagPrefix }
    if !tags.isEmpty {
      let tagged = try tags.map { try cards(tagged: String($0.dropFirst(Self.tagPrefix.count))) }
      let nodes = Set(tagged.dropFirst().reduce(tagged[0]) { $0.intersection($1) }.map(\.node))
      let rest = words.filter { !tags.contains($0) }.joined(separator: " ")
      var findings = try search(rest, course: course, preferring: preferred, kind: kind, limit: Self.candidates)
      if SearchQuery(rest).isEmpty {
        findings.hits = try nodes.sorted().compactMap { id in
          guard kind == nil || kind == .activity, let node = try node(id) else { return nil }
          return try course == nil || ancestors(of: id).first?.id == course
            ? SearchFindings.Hit(node: node, score: 1) : nil
        }
      }
      findings.hits = Array(findings.hits.filter { nodes.contains($0.node.id) }.prefix(max(0, limit)))
      return findings
    }
    let query = SearchQuery(text)
    guard !query.isEmpty, limit > 0 else { return SearchFindings(hits: [], didYouMean: nil, searchedFor: text) }
    let scope = SearchScope(course: course, kind: kind, preferred: course == nil ? preferred : nil)
    let (hits, usesAncestors) = try self.hits(of: query, scope, limit: limit)
    var findings = SearchFindings(hits: hits, didYouMean: nil, searchedFor: text)
    // The abbreviations of an ancestor path are not misspellings.
    guard !usesAncestors, hits.count < min(3, limit), let correction = try correction(of: query) else {
      return findings
    }
    findings.didYouMean = correction
    if findings.hits.isEmpty {
      // The corrected word is first searched as a whole word, and as a prefix only if that finds fewer than `limit`
      // nodes.
      findings.searchedFor = correction + " "
      findings.hits = try self.hits(of: SearchQuery(correction + " "), scope, limit: limit).hits
      if query.isOpenEnded, findings.hits.count < limit {
        findings.searchedFor = correction
        findings.hits = try self.hits(of: SearchQuery(correction), scope, limit: limit).hits
      }
    }
    if findings.hits.isEmpty { findings.didYouMean = nil }
    return findings
  }

  /// Returns the best hits, and whether some of them were found by abbreviations of their ancestors' titles.
  private func hits(
    of query: SearchQuery, _ scope: SearchScope, limit: Int
  ) throws -> (hits: [SearchFindings.Hit], usesAncestors: Bool) {
    var usesAncestors = false
    let title = query.phrases.joined(separator: " ").foldedForSearch
    var best = try ranked(query, in: "title", scope, bonus: 10, title: title, limit: limit)
    // If enough titles match, texts are not searched. For a common prefix, searching the texts takes most of the time.
    if best.count < limit {
      let inAny = try ranked(
        query, in: "title summary text", scope, bonus: 0, title: title, limit: limit + best.count)
      let byPath = try hitsByPath(of: query, scope: scope, limit: limit)
      var nodes = Set(best.map(\.node))
      usesAncestors = !byPath.isEmpty
      let score = (inAny.first?.score ?? 0) + 1
      best += byPath.filter { nodes.insert($0).inserted }.map { (node: $0, score: score) }
      best += inAny.filter { nodes.insert($0.node).inserted }
    }
    let hits = try best.prefix(limit).compactMap { id, score in
      try node(id).map { SearchFindings.Hit(node: $0, score: score) }
    }
    return (hits, usesAncestors)
  }

  /// Returns the current nodes that match a query in some columns, the best first. Nodes of the preferred course come
  /// before all others.
  private func ranked(
    _ query: SearchQuery, in columns: String, _ scope: SearchScope, bonus: Double, title: String, limit: Int
  ) throws -> [(node: NodeID, score: Double)] {
    let beginnings = try Vocabulary(snapshot: self).completions(of: query)
    func ranked(_ scope: SearchScope) throws -> [RankedNode] {
      try interruption?.check()
      return try all(
        scope.preferred == nil ? Self.rankedSQL : Self.preferringSQL,
        query.expression(in: columns, scope: scope, endingWith: beginnings), bonus, Self.candidates, limit, title,
        scope.preferred ?? NodeID(rawValue: 0), scope.phraseCount,
        beginnings == nil ? query.phrases.count : query.phrases.count - 1
      ) { RankedNode(node: $0[0], score: $0[1], isPreferred: $0[2], candidates: $0[3]) }
    }
    var hits = try ranked(scope)
    if let preferred = scope.preferred, let last = hits.last, !last.isPreferred, last.candidates >= Self.candidates {
      // The number of candidates has reached its limit, so nodes of the preferred course may be missing.
      let preferredHits = try ranked(SearchScope(course: preferred, kind: scope.kind, preferred: preferred))
      hits = Array((preferredHits + hits.filter { !$0.isPreferred }).prefix(limit))
    }
    return hits.map { ($0.node, $0.score) }
  }

  private struct RankedNode {
    let node: NodeID
    let score: Double
    /// Whether the node belongs to the preferred course.
    let isPreferred: Bool
    /// The number of nodes among which the node was ranked.
    let candidates: Int
  }

  private static let rankedSQL = rankedSQL(isPreferred: "?6 <> 0", candidates: "0")
  private static let preferringSQL = rankedSQL(isPreferred: "node.course = ?6", candidates: "count(*) OVER ()")

  /// Returns the statement that ranks nodes. A match of the whole title comes before a match of a part of a title.
  /// Among equal scores, a course comes before a goal, a lesson and an activity.
  private static func rankedSQL(isPreferred: String, candidates: String) -> StatementText {
    StatementText(
      """
      SELECT
        found.id,
        ?2 - found.rank + CASE WHEN folded(node.title) = ?5 THEN 10.0 ELSE 0.0 END AS score,
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
      guard try !vocabulary.contains(word, orBeginning: isBeginning) else { continue }
      guard let correctedWord = try vocabulary.correction(of: word) else { continue }
      words[index] = correctedWord
      isCorrected = true
    }
    return isCorrected ? words.joined(separator: " ") : nil
  }
}

extension LearningStore {
  /// The maximum size in bytes of a database whose index is read ahead. The operating system would evict the pages of a
  /// larger one from its cache before they are searched.
  private static let maximumReadAheadBytes = 512_000_000

  /// Reads the search index from disk into the operating system's file cache. Otherwise the search for each typed
  /// letter may wait for a hundred pages, one after the other.
  ///
  /// - Parameter interruption: Can stop the reading.
  /// - Throws: `CancellationError` if the reading was stopped, and ``LearningDatabaseError``.
  package func readSearchAhead(until interruption: Interruption) throws {
    guard refusal == nil, DatabaseFile.size(at: path) <= Self.maximumReadAheadBytes else { return }
    do {
      var configuration = Configuration()
      configuration.label = "waymark.ahead"
      configuration.readonly = true
      // On a separate connection, so that the other connections keep their page caches, and this one's cache is
      // released afterwards.
      let connection = try DatabaseQueue(path: path, configuration: configuration)
      defer { connection.retire() }
      try connection.read { database in
        try interruption.watching(database) {
          // Counting the rows of a table reads each of its leaf pages, but not their contents.
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
