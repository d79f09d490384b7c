public import LearningModel
import LearningStore

/// Interrupts a search from any thread, for example because the user has typed another character.
///
/// ```swift
/// let interruption = SearchInterruption()
/// // Elsewhere: interruption.interrupt()
/// let result = try library.search("anchor", until: interruption)
/// ```
public final class SearchInterruption: Sendable {
  let reading = Interruption()

  /// Creates an interruption for a search that has not begun.
  public init() {}

  /// Stops the search within about a millisecond. A search that has not begun will stop immediately.
  public func interrupt() { reading.interrupt() }

  /// Whether `interrupt()` was called.
  public var isInterrupted: Bool { reading.isInterrupted }
}

extension CourseLibrary {
  /// The maximum number of characters of a query.
  public static var maximumQueryLength: Int { SearchFindings.maximumQueryLength }

  /// Searches the titles, summaries and texts of all places.
  ///
  /// - A place matches if it contains all words of the query. The last word may be a prefix, unless a space follows it.
  /// - Text in quotation marks must match exactly. Case and accents are ignored.
  /// - Chinese, Japanese and Korean texts are not divided into words; the query is found at any position.
  /// - Several words may also describe the path to a place by prefixes of titles and by numbers among siblings: `neg op
  ///   2` finds the second place in “Opening offers” in “Negotiating”.
  ///
  /// - Parameters:
  ///   - text: The query, at most ``maximumQueryLength`` characters.
  ///   - course: The course to search in, or `nil` for all.
  ///   - preferred: If all courses are searched, the course whose places come first, both among matches of titles and
  ///     among matches of texts.
  ///   - kind: The kind of places to find, or `nil` for all.
  ///   - limit: The maximum number of hits.
  ///   - snippets: The number of hits, from the first one, for which to read the texts and return snippets. The
  ///     snippets of the others are empty; use ``snippet(of:for:length:)`` to get them.
  ///   - length: The maximum number of words of a snippet, at least 1.
  ///   - duration: How long to first complete the search index if it is incomplete, for example after an interrupted
  ///     import. ``SearchResult/isComplete`` reports whether it was completed.
  ///   - interruption: Stops the search.
  /// - Throws: ``CourseLibraryError`` if there is no such course or the query is too long;
  ///   ``CourseLibraryError/searchInterrupted`` if the search was stopped.
  public func search(
    _ text: String, in course: PlacePath? = nil, preferring preferred: PlacePath? = nil, kind: ContentKind? = nil,
    limit: Int = 20, snippets: Int = .max, length: Int = 16, indexingFor duration: Duration = .milliseconds(200),
    until interruption: SearchInterruption = SearchInterruption()
  ) throws(CourseLibraryError) -> SearchResult {
    guard text.count <= Self.maximumQueryLength else { throw .queryTooLong(characters: text.count) }
    // If the index is complete, this costs one query. If another process is writing, the search uses the incomplete
    // index.
    if duration > .zero { _ = try? store.indexSearch(for: Int(duration.milliseconds), until: interruption.reading) }
    return try Self.typed(in: store) {
      try store.read(until: interruption.reading) { snapshot in
        let course = try course.map { try snapshot.existingCourse(at: $0).id }
        let preferred = try preferred.map { try snapshot.existingCourse(at: $0).id }
        let findings = try snapshot.search(text, course: course, preferring: preferred, kind: kind, limit: limit)
        let titles = try snapshot.highlightedTitle(findings.hits.map(\.node.title), for: findings.searchedFor)
        let read = try snapshot.snippets(
          of: findings.hits.prefix(max(0, snippets)).map(\.node.id), for: findings.searchedFor, length: length)
        let hits = try findings.hits.enumerated().map { index, hit in
          let ancestors = try snapshot.ancestors(of: hit.node.id)
          return SearchHit(
            place: .node(hit.node.id), path: PlacePath(slugs: ancestors.map(\.slug) + [hit.node.slug]),
            kind: PlaceKind(hit.node.kind), title: hit.node.title,
            markedTitle: titles[index], score: hit.score,
            snippet: index < read.count ? read[index] : Snippet(runs: []), breadcrumb: ancestors.map(\.title),
            noun: hit.node.levels.noun(for: PlaceKind(hit.node.kind)))
        }
        return SearchResult(
          hits: hits, didYouMean: findings.didYouMean, searchedFor: findings.searchedFor,
          isComplete: try snapshot.isIndexComplete())
      }
    }
  }

  /// Returns whether the search index is complete. It can be incomplete after an interrupted import, or if an older
  /// version has imported a course.
  ///
  /// - Throws: ``CourseLibraryError/database(_:)``.
  public func isIndexComplete() throws(CourseLibraryError) -> Bool { try read { try $0.isIndexComplete() } }

  /// Completes the search index in transactions of about ten milliseconds, between which other writers can write. If it
  /// is interrupted, the next call continues.
  ///
  /// - Parameters:
  ///   - duration: The maximum duration.
  ///   - interruption: Stops the call at the end of a transaction.
  /// - Returns: Whether the index is complete.
  /// - Throws: ``CourseLibraryError/database(_:)``.
  public func index(for duration: Duration, until interruption: SearchInterruption) throws(CourseLibraryError) -> Bool {
    try Self.typed(in: store) { try store.indexSearch(for: Int(duration.milliseconds), until: interruption.reading) }
  }

  /// Reads the search index, so that it is in the file system's cache and the first search does not wait for the disk.
  ///
  /// - Parameter interruption: Stops the call.
  /// - Throws: ``CourseLibraryError/searchInterrupted`` if it was stopped.
  package func readSearchAhead(until interruption: SearchInterruption) throws(CourseLibraryError) {
    try Self.typed(in: store) { try store.readSearchAhead(until: interruption.reading) }
  }

  /// Returns an excerpt of the text of a place, with the matching words marked.
  ///
  /// - Parameters:
  ///   - place: The place. The snippet of the root is empty.
  ///   - query: The query for which the place was found: ``SearchResult/searchedFor``.
  ///   - length: The maximum number of words, at least 1.
  /// - Throws: ``CourseLibraryError/database(_:)``.
  public func snippet(of place: Place, for query: String, length: Int = 16) throws(CourseLibraryError) -> Snippet {
    guard let node = place.node else { return Snippet(runs: []) }
    return try read { try $0.snippets(of: [node], for: query, length: length).first ?? Snippet(runs: []) }
  }

  /// Returns the matches of a query in a text.
  ///
  /// - Parameters:
  ///   - query: The query for which the place was found: ``SearchResult/searchedFor``.
  ///   - text: The displayed text, which may have several lines.
  /// - Throws: ``CourseLibraryError/database(_:)``.
  public func matches(of query: String, in text: String) throws(CourseLibraryError) -> TextMatches {
    try read { try $0.matches(of: query, in: text) }
  }
}
