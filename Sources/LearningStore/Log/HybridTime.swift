import LearningModel

/// Timestamps that order changes from several databases whose clocks differ (hybrid logical clock).
///
/// A timestamp is the time of the clock, but always later than every known change. It consists of 48 bits for the
/// milliseconds since 1970 and, below them, 16 random bits. Two copies of a database have the same UUID until they
/// synchronise, so only these bits distinguish changes that both have made in the same millisecond, or after a change
/// that was ahead of their clocks.
///
/// Source: Kulkarni, Demirbas, Madappa, Avva and Leone, "Logical Physical Clocks" (2014).
package enum HybridTime {
  /// The number of milliseconds by which the timestamp of a change from another database may be ahead of the local
  /// clock: five minutes. A later timestamp is reduced to this.
  static let tolerance: Int64 = 300_000
  private static let counts: Int64 = 65_536
  private static let latest: Int64 = 1 << 46

  /// Returns the timestamp of a change that is made now, later than all known timestamps.
  static func next(after last: Int64?, at time: Timestamp) -> Int64 {
    max(stamp(of: time), (last ?? 0) + 1) + Int64.random(in: 0..<counts)
  }

  /// Returns the timestamp for a time of the clock, with random bits of 0.
  static func stamp(of time: Timestamp) -> Int64 { min(max(0, time.milliseconds), latest) * counts }

  /// Returns the timestamp that is stored for a change from another database: at most five minutes ahead of the local
  /// clock, with the same random bits.
  static func limited(_ stamp: Int64, at time: Timestamp) -> Int64 {
    let stamp = max(0, stamp)
    return min(stamp, self.stamp(of: time.advanced(byMilliseconds: tolerance)) + stamp % counts)
  }

  /// Returns whether two timestamps can be those of one change, before and after it was limited.
  static func areOfOneChange(_ stamp: Int64, _ other: Int64) -> Bool { stamp % counts == other % counts }
}

extension Timestamp {
  /// Returns the time for comparisons with local times: a time from another device, but at most five minutes in the
  /// future.
  func limited(at now: Timestamp) -> Timestamp {
    min(self, now.advanced(byMilliseconds: HybridTime.tolerance))
  }
}
