import Foundation
import LearningModel

extension StoreSnapshot {
  /// Returns the nodes whose ancestor path matches several abbreviations, the best first. Each word must be a prefix of
  /// a word in the title of the node or of an ancestor, and at least one must match the title of the node. A number at
  /// the end can also be a position among siblings: `neg op 2` finds the second child of "Negotiating, Opening offers".
  ///
  /// Nodes whose own titles match more words come first, then nodes with fewer ancestors. Returns no nodes for a single
  /// word or for a query in quotation marks.
  func hitsByPath(of query: SearchQuery, scope: SearchScope, limit: Int) throws -> [NodeID] {
    let words = query.words
    // A ``WordSet`` has only eight bits.
    guard !query.isQuoted, (2...8).contains(words.count) else { return [] }
    var matches = try nodes(named: words, scope: scope, limit: limit)
    if let number = words.last.flatMap({ Int($0) }), number > 0, matches.count < limit {
      // The parents may be of any kind.
      let parents = try nodes(named: words.dropLast(), scope: SearchScope(course: scope.course), limit: 10)
      matches += try parents.compactMap { try first(Self.numberedSQL, $0, number - 1) { $0[0] as NodeID } }
        .filter { child in try scope.kind.map { try node(child)?.kind == $0 } ?? true }
    }
    if let preferred = scope.preferred {
      let preferredMatches = try Set(matches.filter { try self.node($0)?.course == preferred })
      matches = matches.filter(preferredMatches.contains) + matches.filter { !preferredMatches.contains($0) }
    }
    return Array(matches.prefix(limit))
  }

  private static let numberedSQL = StatementText(
    "SELECT id FROM contentNode WHERE parent = ? AND living = 1 ORDER BY position LIMIT 1 OFFSET ?")

  private func nodes(named words: some Collection<String>, scope: SearchScope, limit: Int) throws -> [NodeID] {
    var ancestorTitles = AncestorTitles(named: Array(words), in: self)
    var matches: [(node: NodeID, direct: Int, depth: Int)] = []
    var visited: Set<NodeID> = []
    for word in words.reversed() where matches.count < limit {
      try interruption?.check()
      let beginning = try Vocabulary(snapshot: self).expression(ofPrefix: word, in: "title")
      guard let beginning else { continue }
      try statements.run(Self.namedSQL, [scope.expression + beginning, Self.candidates]) { row in
        guard visited.insert(row[0]).inserted else { return true }
        let direct = ancestorTitles.matchingWords(in: row[1])
        if let ancestorWords = try ancestorTitles.ancestorWords(row[2]),
          direct.union(ancestorWords.words) == ancestorTitles.allWords
        {
          matches.append((row[0], direct.count, ancestorWords.depth + 1))
        }
        return true
      }
    }
    return matches.sorted { ($1.direct, $0.depth, $0.node.rawValue) < ($0.direct, $1.depth, $1.node.rawValue) }
      .prefix(limit).map(\.node)
  }

  private static let namedSQL = StatementText(
    """
    SELECT node.id, node.title, node.parent
    FROM (SELECT rowid AS id FROM nodeSearch WHERE nodeSearch MATCH ?1 LIMIT ?2) AS found
    JOIN contentNode AS node ON node.id = found.id AND node.living = 1
    """)
}

private struct TitleWords {
  private let title: String
  private let words: [Substring.UTF8View]

  init(_ title: String) {
    self.title = title.foldedForSearch
    // Most titles are ASCII. Determining the Unicode category of each letter takes longer than everything else.
    words =
      title.utf8.allSatisfy { $0 < 0x80 }
      ? self.title.utf8.split { !Self.isLetterOrDigit($0) }
      : self.title.split { !($0.isLetter || $0.isNumber) }.map(\.utf8)
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }

  /// Returns whether a word of the title begins with a text. In a script without spaces, the text may occur anywhere.
  func begins(_ word: String) -> Bool {
    words.contains { $0.starts(with: word.utf8) } || LetterPairs.areNeeded(for: word) && title.contains(word)
  }
}

/// A set of words of a query, with one bit for each of at most eight words.
private struct WordSet: OptionSet {
  var rawValue: UInt8 = 0

  var count: Int { rawValue.nonzeroBitCount }
}

/// The words of a query that match the titles of the ancestors of nodes. Results are cached, because many nodes have
/// the same ancestors.
private struct AncestorTitles {
  let allWords: WordSet
  private let queryWords: [String]
  private let snapshot: StoreSnapshot
  private var cache: [NodeID: (words: WordSet, depth: Int)?] = [:]

  init(named words: [String], in snapshot: StoreSnapshot) {
    self.queryWords = words
    self.snapshot = snapshot
    allWords = words.indices.reduce(into: []) { $0.insert(WordSet(rawValue: 1 << $1)) }
  }

  /// Returns the words of the query that are prefixes of words of a title.
  func matchingWords(in title: String) -> WordSet {
    let title = TitleWords(title)
    return queryWords.indices.reduce(into: []) { set, number in
      if title.begins(queryWords[number]) { set.insert(WordSet(rawValue: 1 << number)) }
    }
  }

  /// Returns the words of the query that match the title of a node or of its ancestors, and the number of these titles.
  /// Returns `nil` if the node was removed.
  mutating func ancestorWords(_ node: NodeID?) throws -> (words: WordSet, depth: Int)? {
    guard let node else { return ([], 0) }
    if let cached = cache[node] { return cached }
    var match: (words: WordSet, depth: Int)?
    if let (title, parent) = try snapshot.first(Self.titleSQL, node, as: { ($0[0] as String, $0[1] as NodeID?) }),
      let parentWords = try ancestorWords(parent)
    {
      match = (matchingWords(in: title).union(parentWords.words), parentWords.depth + 1)
    }
    cache[node] = .some(match)
    return match
  }

  private static let titleSQL = StatementText("SELECT title, parent FROM contentNode WHERE id = ? AND living = 1")
}
