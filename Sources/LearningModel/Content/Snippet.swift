/// An excerpt of a text around the words of a query.
public struct Snippet: Hashable, Sendable {
  /// A part of an excerpt that either matches the query or does not.
  public struct Run: Hashable, Sendable {
    /// The text of the part.
    public let text: String
    /// Whether the part matches the query.
    public let isMatch: Bool

    package init(text: String, isMatch: Bool) {
      self.text = text
      self.isMatch = isMatch
    }
  }

  /// The parts in order. Together they form one line.
  public let runs: [Run]
  /// Whether the excerpt omits text before the first part.
  public let isTruncatedAtStart: Bool
  /// Whether the excerpt omits text after the last part.
  public let isTruncatedAtEnd: Bool

  package init(runs: [Run], isTruncatedAtStart: Bool = false, isTruncatedAtEnd: Bool = false) {
    self.runs = runs
    self.isTruncatedAtStart = isTruncatedAtStart
    self.isTruncatedAtEnd = isTruncatedAtEnd
  }

  /// The excerpt without markup, with `…` where text is omitted.
  public var text: String { text(ellipsis: "…") }

  /// Returns the excerpt without markup.
  ///
  /// - Parameter ellipsis: The text to insert where text is omitted.
  public func text(ellipsis: String) -> String {
    (isTruncatedAtStart ? ellipsis : "") + runs.map(\.text).joined() + (isTruncatedAtEnd ? ellipsis : "")
  }
}

/// The matches of a query in a text.
public struct TextMatches: Hashable, Sendable {
  /// The matches as ranges of UTF-8 bytes, in ascending order and without overlaps.
  public let places: [Range<Int>]
  /// The index of the first match in the group of nearby matches that covers most of the query. 0 if ``places`` is
  /// empty.
  public let best: Int

  package init(places: [Range<Int>] = [], best: Int = 0) {
    self.places = places
    self.best = best
  }
}
