public import LearningModel

extension StoreSnapshot {
  /// Returns the text of nodes around what they were found for; of its text, else of its summary, else the beginning.
  ///
  /// - Parameters:
  ///   - nodes: Which nodes, as a search has found them.
  ///   - query: What they were found for: ``SearchFindings/searchedFor``.
  ///   - length: How many words each has at most, from 1.
  public func snippets(of nodes: [NodeID], for query: String, length: Int = 16) throws -> [Snippet] {
    let (finder, other) = try finders(for: query, length: length)
    return try nodes.map { node in
      try interruption?.check()
      let texts = try first(Self.wordsText, node) { [$0[0] as String, $0[1] as String].map(LetterPairs.text) } ?? []
      let found = texts.lazy.compactMap { finder.passage(of: $0) ?? other.passage(of: $0) }.first
      return found ?? finder.beginning(of: texts.first { !$0.isEmpty } ?? "")
    }
  }

  /// Words of a title in which what was searched for is looked for.
  private static let wordsOfTitles = 1_000

  /// Returns titles with what they were found for.
  ///
  /// - Parameters:
  ///   - titles: What nodes are called that a search has found.
  ///   - query: What they were found for: ``SearchFindings/searchedFor``.
  public func marked(_ titles: [String], for query: String) throws -> [Snippet] {
    let (finder, other) = try finders(for: query, length: Self.wordsOfTitles)
    return titles.map { title in
      let found = [finder, other].compactMap { $0.whole(title) }
      return found.max { $0.parts.count { $0.isMatch } < $1.parts.count { $0.isMatch } }
        ?? Snippet(parts: [Snippet.Part(text: title, isMatch: false)])
    }
  }

  /// Words in which what was searched for shall be near to each other; of a single word all places are as good.
  private static let wordsOfBest = 24

  /// Returns where in a text something stands that it was found for.
  ///
  /// - Parameters:
  ///   - text: A text as somebody sees it; of a very long one the first 2²⁰ bytes are read.
  ///   - query: What it was found for: ``SearchFindings/searchedFor``.
  public func matches(of query: String, in text: String) throws -> TextMatches {
    let isOneWord = SearchQuery(query).phrases.count == 1
    let (finder, other) = try finders(for: query, length: isOneWord ? text.utf8.count : Self.wordsOfBest)
    let matches = finder.places(in: text)
    return matches.places.isEmpty ? other.places(in: text) : matches
  }

  /// What finds a query in texts, and what finds it where that finds nothing: words that name the way to a node may all
  /// be beginnings.
  private func finders(for query: String, length: Int) throws -> (PassageFinder, PassageFinder) {
    let words = SearchQuery(query)
    let finder = try PassageFinder(for: words, length: length, in: database)
    guard words.phrases.count > 1, !words.isQuoted else { return (finder, finder) }
    return (finder, try PassageFinder(for: SearchQuery(query, areBeginnings: true), length: length, in: database))
  }

  private static let wordsText = StatementText("SELECT text, summary FROM searchText WHERE node = ?")
}
