/// A piece of a text around the words that were searched for.
public struct Snippet: Hashable, Sendable {
  /// A run of the text.
  public struct Part: Hashable, Sendable {
    /// What it says.
    public let text: String
    /// Whether it is a word that was searched for.
    public let isMatch: Bool

    /// Makes a part.
    package init(text: String, isMatch: Bool) {
      self.text = text
      self.isMatch = isMatch
    }
  }

  /// The runs, one after another. They are one line.
  public let parts: [Part]
  /// Whether the text begins before the first run.
  public let isCutBefore: Bool
  /// Whether the text continues behind the last run.
  public let isCutAfter: Bool

  /// Makes a snippet of those runs.
  package init(parts: [Part], isCutBefore: Bool = false, isCutAfter: Bool = false) {
    self.parts = parts
    self.isCutBefore = isCutBefore
    self.isCutAfter = isCutAfter
  }

  /// All of it, without any marks; with `…` where the text continues.
  public var text: String { text(ellipsis: "…") }

  /// The same with another sign where the text continues.
  public func text(ellipsis: String) -> String {
    (isCutBefore ? ellipsis : "") + parts.map(\.text).joined() + (isCutAfter ? ellipsis : "")
  }
}

/// Where in a text something stands that was searched for.
public struct TextMatches: Hashable, Sendable {
  /// The places, in bytes of UTF-8, from the first to the last; none lies in another.
  public let places: [Range<Int>]
  /// The number of the first of those that show most of what was searched for, near to each other; 0 where there is none.
  public let best: Int

  /// Makes the places of one text.
  package init(places: [Range<Int>] = [], best: Int = 0) {
    self.places = places
    self.best = best
  }
}
