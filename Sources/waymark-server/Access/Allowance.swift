import Synchronization

/// A rate limiter with one token bucket for each key.
///
/// A bucket contains at most `most` tokens, which can be taken at once. It is refilled by `perSecond` tokens a second.
///
/// Source: RFC 2697, the token bucket.
final class RateLimiter<Key: Hashable & Sendable>: Sendable {
  private struct Bucket {
    var left: Double
    var at: ContinuousClock.Instant
  }

  private let most: Double
  private let perSecond: Double
  /// The maximum number of buckets. If there are more, the full buckets are removed, because a missing bucket is
  /// treated as a full one.
  private let longestList: Int
  private let buckets = Mutex<[Key: Bucket]>([:])

  init(atOnce most: Double, perSecond: Double, remembering longestList: Int = 50_000) {
    self.most = most
    self.perSecond = perSecond
    self.longestList = longestList
  }

  /// Takes one token from the bucket of a key.
  ///
  /// - Returns: `nil` if a token was taken. Otherwise, the number of seconds until the bucket has a token, at least 1.
  func take(_ key: Key, at now: ContinuousClock.Instant = .now) -> Int? {
    buckets.withLock { buckets in
      var bucket = buckets[key] ?? Bucket(left: most, at: now)
      bucket.left = left(in: bucket, at: now)
      bucket.at = now
      let isAllowed = bucket.left >= 1
      if isAllowed { bucket.left -= 1 }
      if buckets[key] == nil, buckets.count >= longestList {
        buckets = buckets.filter { left(in: $0.value, at: now) < most }
        // A client with so many addresses cannot be limited by its address, so all buckets are removed.
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
