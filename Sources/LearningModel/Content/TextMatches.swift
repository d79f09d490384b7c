/// Where in a text something stands that was searched for.
public struct TextMatches: Hashable, Sendable {
  /// The places, in bytes of UTF-8, from the first to the last; none lies in another.
  public let places: [Range<Int>]
  /// The number of the first of those that show most of what was searched for, near to each other; 0 where there is none.
  public let best: Int

  /// Makes the places of one text.
  public init(places: [Range<Int>] = [], best: Int = 0) {
    self.places = places
    self.best = best
  }
}
