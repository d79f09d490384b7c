public import LearningModel

extension StoreSnapshot {
  /// Returns the text of nodes around what they were found for; of its text, else of its summary, else the beginning.
  ///
  /// - Parameters:
  ///   - nodes: Which nodes, as a search has found them.
  ///   - query: What they were found for: ``SearchFindings/searchedFor``.
  ///   - length: How many words each has at most, from 1.
  public func snippets(of nodes: [NodeID], for query: String, length: Int = 16) throws -> [Snippet] {
    let words = SearchQuery(query)
    let finder = try PassageFinder(for: words, length: length, in: database)
    // Words that name the way to a node may all be beginnings.
    let other =
      words.phrases.count < 2 || words.isQuoted
      ? finder : try PassageFinder(for: SearchQuery(query, areBeginnings: true), length: length, in: database)
    return try nodes.map { node in
      try interruption?.check()
      let texts = try first(Self.wordsText, node) { [$0[0] as String, $0[1] as String] } ?? []
      let found = texts.lazy.compactMap { finder.passage(of: $0) ?? other.passage(of: $0) }.first
      return found ?? finder.beginning(of: texts.first { !$0.isEmpty } ?? "")
    }
  }

  private static let wordsText = StatementText("SELECT text, summary FROM searchText WHERE node = ?")
}
