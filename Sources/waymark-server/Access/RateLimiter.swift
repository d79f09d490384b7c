import Synchronization
import WholeNumbers

/// A rate limiter with one token bucket for each key.
///
/// A bucket contains at most `burst` tokens, which can be taken at once. It is refilled by `perSecond` tokens a second.
///
/// Source: RFC 2697, the token bucket.
final class RateLimiter<Key: Hashable & Sendable>: Sendable {
  private struct Bucket {
    var remaining: Double
    var updatedAt: ContinuousClock.Instant
  }

  private let burst: Double
  private let perSecond: Double
  /// The maximum number of buckets. If there are more, the full buckets are removed, because a missing bucket is
  /// treated as a full one.
  private let maximumBucketCount: Int
  private let buckets = Mutex<[Key: Bucket]>([:])

  init(atOnce burst: Double, perSecond: Double, remembering longestList: Int = 50_000) {
    self.burst = burst
    self.perSecond = perSecond
    self.maximumBucketCount = longestList
  }

  /// Takes one token from the bucket of a key.
  ///
  /// - Returns: `nil` if a token was taken. Otherwise, the number of seconds until the bucket has a token, at least 1.
  func acquire(_ key: Key, at now: ContinuousClock.Instant = .now) -> Int? {
    buckets.withLock { buckets in
      var bucket = buckets[key] ?? Bucket(remaining: burst, updatedAt: now)
      bucket.remaining = remaining(in: bucket, at: now)
      bucket.updatedAt = now
      let isAllowed = bucket.remaining >= 1
      if isAllowed { bucket.remaining -= 1 }
      if buckets[key] == nil, buckets.count >= maximumBucketCount {
        buckets = buckets.filter { remaining(in: $0.value, at: now) < burst }
        // A client with so many addresses cannot be limited by its address, so all buckets are removed.
        if buckets.count >= maximumBucketCount { buckets.removeAll() }
      }
      buckets[key] = bucket
      return isAllowed ? nil : max(1, Int(clamping: ((1 - bucket.remaining) / perSecond).rounded(.up)))
    }
  }

  private func remaining(in bucket: Bucket, at now: ContinuousClock.Instant) -> Double {
    min(burst, bucket.remaining + max(0, bucket.updatedAt.duration(to: now) / .seconds(1)) * perSecond)
  }
}
