/// Limits the lookups for a text that is being typed to one per frame, however many keys arrive for it.
struct LookupThrottle {
  /// Seconds of the shortest frame.
  private static let interval = 1.0 / 120

  private var lastTime = -Double.infinity
  /// Whether keys were typed that nothing has been looked up for yet; the next layout does it.
  private(set) var isBehind = false

  /// Returns whether to look up now. If `false`, the caller looks up at the next layout, and before it uses the results.
  mutating func shouldLookUp(at time: Double) -> Bool {
    isBehind = time - lastTime < Self.interval
    if !isBehind { lastTime = time }
    return !isBehind
  }

  /// Notes that everything typed so far has been looked up.
  mutating func caughtUp() { isBehind = false }
}
