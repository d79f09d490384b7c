import LearningModel

/// A time by which changes are put in order that were made in several databases, whose clocks differ.
///
/// It is the time of the clock, but always later than every change that was known: 48 bits of milliseconds since 1970 and,
/// below them, 16 bits that count within a millisecond.
///
/// Source: Kulkarni, Demirbas, Madappa, Avva and Leone, "Logical Physical Clocks" (2014).
package enum HybridTime {
  /// How far ahead of the clock here a change may say that it was made, in milliseconds: five minutes. What says more is
  /// taken for as much.
  static let tolerance: Int64 = 300_000
  private static let counts: Int64 = 65_536
  private static let latest: Int64 = 1 << 46

  /// The time of a change that is made now, after every one that is known.
  static func next(after last: Int64?, at moment: Timestamp) -> Int64 {
    max(stamp(of: moment), (last ?? 0) + 1)
  }

  /// A moment of the clock.
  static func stamp(of moment: Timestamp) -> Int64 { min(max(0, moment.milliseconds), latest) * counts }

  /// As what a change of another database is taken.
  static func limited(_ stamp: Int64, at moment: Timestamp) -> Int64 {
    min(max(0, stamp), self.stamp(of: moment.limited(at: moment).advanced(byMilliseconds: tolerance)))
  }
}

extension Timestamp {
  /// As what a time that another machine has told is taken for comparing it: not more than five minutes ahead.
  func limited(at now: Timestamp) -> Timestamp {
    min(self, now.advanced(byMilliseconds: HybridTime.tolerance))
  }
}
