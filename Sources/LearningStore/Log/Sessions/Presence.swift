public import LearningModel

/// How long a learner has been present in a visit: the time between inputs, of which a long silence counts only a part.
public struct Presence: Hashable, Sendable {
  /// The most that a gap without input counts, in milliseconds: five minutes.
  public static let longestGap: Int64 = 5 * 60 * 1000

  /// The time that counts so far, in milliseconds, up to ``lastInputAt``.
  public private(set) var activeMilliseconds: Int64
  /// When the learner last did something.
  public private(set) var lastInputAt: Timestamp

  /// Takes up a presence as it was left.
  public init(activeMilliseconds: Int64 = 0, lastInputAt: Timestamp) {
    self.activeMilliseconds = activeMilliseconds
    self.lastInputAt = lastInputAt
  }

  /// Counts the time up to an input. A clock that went back counts as none passed.
  public mutating func note(inputAt moment: Timestamp) {
    let gap = moment.milliseconds - lastInputAt.milliseconds
    guard gap > 0 else { return }
    activeMilliseconds += min(gap, Self.longestGap)
    lastInputAt = moment
  }

  /// Returns how long the learner was present in a visit that ends now, in milliseconds: never longer than the visit.
  func active(in visit: Timestamp, leftAt: Timestamp) -> Int64 {
    var presence = self
    presence.note(inputAt: leftAt)
    return max(0, min(presence.activeMilliseconds, leftAt.milliseconds - visit.milliseconds))
  }
}
