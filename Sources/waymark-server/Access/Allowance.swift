import Synchronization

/// A rate limiter with one token bucket for each key.
///
/// A key may take `most` tokens at once. Each bucket is refilled by `perSecond` tokens a second, up to `most`.
///
/// Source: RFC 2697, the token bucket.
final class Allowance<Key: Hashable & Sendable>: Sendable {
  private struct Bucket {
    var left: Double
    var at: ContinuousClock.Instant
  }

  private let most: Double
  private let perSecond: Double
  /// The maximum number of buckets. If there are more, the full buckets are removed, since a full bucket equals a
  /// missing one.
  private let longestList: Int
  private let buckets = Mutex<[Key: Bucket]>([:])

  init(atOnce most: Double, perSecond: Double, remembering longestList: Int = 50_000) {
    self.most = most
    self.perSecond = perSecond
    self.longestList = longestList
  }

  /// Takes one token from the bucket of a key.
  ///
  /// - Returns: `nil` if the bucket had a token, otherwise the number of seconds until it has one, at least 1.
  func take(_ key: Key, at now: ContinuousClock.Instant = .now) -> Int? {
    buckets.withLock { buckets in
      var bucket = buckets[key] ?? Bucket(left: most, at: now)
      bucket.left = left(in: bucket, at: now)
      bucket.at = now
      let isAllowed = bucket.left >= 1
      if isAllowed { bucket.left -= 1 }
      if buckets[key] == nil, buckets.count >= longestList {
        buckets = buckets.filter { left(in: $0.value, at: now) < most }
        // A client with that many addresses cannot be limited by its address, so all buckets are dropped.
        if buckets.count >= longestList { buckets.removeAll() }
      }
      buckets[key] = bucket
      return isAllowed ? nil : max(1, Int(((1 - bucket.left) / perSecond).rounded(.up)))
    }
  }

  private func left(in bucket: Bucket, at now: ContinuousClock.Instant) -> Double {
    min(most, bucket.left + max(0, bucket.at.duration(to: now) / .seconds(1)) * perSecond)
  }
}
