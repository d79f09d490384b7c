public import LearningModel
import LearningStore

/// Stops a search that is not awaited any more, from any thread: the next letter was typed.
///
/// ```swift
/// let interruption = SearchInterruption()
/// // Elsewhere: interruption.interrupt()
/// let result = try library.search("anchor", until: interruption)
/// ```
public final class SearchInterruption: Sendable {
  let reading = Interruption()

  /// Makes one for a search that is still to begin.
  public init() {}

  /// Stops the search within about a millisecond, also one that has not begun.
  public func interrupt() { reading.interrupt() }

  /// Whether it was stopped.
  public var isInterrupted: Bool { reading.isInterrupted }
}

extension CourseLibrary {
  /// The largest number of characters of a query. A longer query is refused.
  public static var longestQuery: Int { SearchFindings.longestQuery }

  /// Searches the titles, summaries and texts of all places.
  ///
  /// All words must be found in a place; the last one may be a beginning, unless a space follows it. What is in
  /// quotation marks must stand so. Case and accents do not count. In Chinese, Japanese and Korean, which part no words,
  /// one is found wherever it stands. Several words may also name the way to a place, each
  /// by its beginning: in `neg op 2` the first is Negotiating, in which Opening offers is, and the number is a place
  /// among siblings.
  ///
  /// - Parameters:
  ///   - text: Whatever a person types, at most ``longestQuery`` characters.
  ///   - course: In which course; `nil` for all.
  ///   - preferred: The course whose places come first where all are searched: of what is found by titles, and of what is
  ///     found by texts.
  ///   - kind: For which kind of place; `nil` for all.
  ///   - limit: How many hits at most, from 0.
  ///   - snippets: How many of the first hits have their text along, from 0; it takes a while to read all of them. The
  ///     others' are empty, and to be had with ``snippet(of:for:length:)``.
  ///   - length: How many words of its text each has, from 1.
  ///   - duration: For how long texts are brought into the index first that it does not have yet, from 0: an import
  ///     that was interrupted, or an older program, may have left some. ``SearchResult/isWhole`` says whether it has all.
  ///   - interruption: Who may stop the search.
  /// - Throws: ``CourseLibraryError`` if there is no such course or the query is too long;
  ///   ``CourseLibraryError/searchInterrupted`` if the search was stopped.
  public func search(
    _ text: String, in course: PlacePath? = nil, preferring preferred: PlacePath? = nil, kind: ContentKind? = nil,
    limit: Int = 20, snippets: Int = .max, length: Int = 16, indexingFor duration: Duration = .milliseconds(200),
    until interruption: SearchInterruption = SearchInterruption()
  ) throws(CourseLibraryError) -> SearchResult {
    guard text.count <= Self.longestQuery else { throw .queryTooLong(characters: text.count) }
    // Where nothing is left this asks one question; where another process writes, the search has what there is.
    if duration > .zero { _ = try? store.indexSearch(for: Int(duration.milliseconds), until: interruption.reading) }
    return try Self.typed(in: store) {
      try store.read(until: interruption.reading) { snapshot in
        let course = try course.map { try snapshot.livingCourse(at: $0).id }
        let preferred = try preferred.map { try snapshot.livingCourse(at: $0).id }
        let findings = try snapshot.search(text, course: course, preferring: preferred, kind: kind, limit: limit)
        let titles = try snapshot.marked(findings.hits.map(\.node.title), for: findings.searchedFor)
        let read = try snapshot.snippets(
          of: findings.hits.prefix(max(0, snippets)).map(\.node.id), for: findings.searchedFor, length: length)
        let hits = try findings.hits.enumerated().map { index, hit in
          let above = try snapshot.ancestors(of: hit.node.id)
          return SearchHit(
            place: .node(hit.node.id), path: PlacePath(slugs: above.map(\.slug) + [hit.node.slug]),
            kind: PlaceKind(hit.node.kind), title: hit.node.title,
            markedTitle: titles[index], score: hit.score,
            snippet: index < read.count ? read[index] : Snippet(parts: []), breadcrumb: above.map(\.title))
        }
        return SearchResult(
          hits: hits, didYouMean: findings.didYouMean, searchedFor: findings.searchedFor,
          isWhole: try snapshot.isIndexWhole())
      }
    }
  }

  /// Whether a search finds everything that is there: an import that was interrupted, or an older program, may have left
  /// texts that the index does not have yet.
  public func isIndexWhole() throws(CourseLibraryError) -> Bool { try read { try $0.isIndexWhole() } }

  /// Brings texts into the index that it does not have yet, in pieces of some ten milliseconds between which all
  /// others write. Stopping it does no harm: the next call continues from there.
  ///
  /// - Parameters:
  ///   - duration: For how long, from zero.
  ///   - interruption: Who may stop it sooner; it stops at the end of a piece.
  /// - Returns: Whether nothing is left to do.
  public func index(for duration: Duration, until interruption: SearchInterruption) throws(CourseLibraryError) -> Bool {
    try Self.typed(in: store) { try store.indexSearch(for: Int(duration.milliseconds), until: interruption.reading) }
  }

  /// Has the system take from the disk what a search looks into, so that the first letters need not wait for it.
  ///
  /// - Parameter interruption: Who may stop it.
  /// - Throws: ``CourseLibraryError/searchInterrupted`` if it was stopped.
  package func readSearchAhead(until interruption: SearchInterruption) throws(CourseLibraryError) {
    try Self.typed(in: store) { try store.readSearchAhead(until: interruption.reading) }
  }

  /// Returns the text of a place around what it was found for.
  ///
  /// - Parameters:
  ///   - place: Which place.
  ///   - query: What it was found for: ``SearchResult/searchedFor``.
  ///   - length: How many words it has at most, from 1.
  public func snippet(of place: Place, for query: String, length: Int = 16) throws(CourseLibraryError) -> Snippet {
    guard let node = place.node else { return Snippet(parts: []) }
    return try read { try $0.snippets(of: [node], for: query, length: length).first ?? Snippet(parts: []) }
  }

  /// Returns where in a text something stands that its place was found for.
  ///
  /// - Parameters:
  ///   - query: What it was found for: ``SearchResult/searchedFor``.
  ///   - text: The text as somebody sees it, in lines or in one.
  public func matches(of query: String, in text: String) throws(CourseLibraryError) -> TextMatches {
    try read { try $0.matches(of: query, in: text) }
  }
}
