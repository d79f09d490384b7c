import Synchronization

/// How often somebody may do something: so many times at once, and so many times a second from then on.
///
/// Source: the token bucket, as in RFC 2697.
final class Allowance<Key: Hashable & Sendable>: Sendable {
  private struct Bucket {
    var left: Double
    var at: ContinuousClock.Instant
  }

  private let most: Double
  private let perSecond: Double
  /// Keys that are remembered at most. Where there are more, those go that have their whole allowance again.
  private let longestList: Int
  private let buckets = Mutex<[Key: Bucket]>([:])

  init(atOnce most: Double, perSecond: Double, remembering longestList: Int = 50_000) {
    self.most = most
    self.perSecond = perSecond
    self.longestList = longestList
  }

  /// Takes one of what is allowed.
  ///
  /// - Returns: `nil` where that went well, else in how many seconds it will, from 1.
  func take(_ key: Key, at now: ContinuousClock.Instant = .now) -> Int? {
    buckets.withLock { buckets in
      var bucket = buckets[key] ?? Bucket(left: most, at: now)
      bucket.left = left(in: bucket, at: now)
      bucket.at = now
      let isAllowed = bucket.left >= 1
      if isAllowed { bucket.left -= 1 }
      if buckets[key] == nil, buckets.count >= longestList {
        buckets = buckets.filter { left(in: $0.value, at: now) < most }
        // A client with so many addresses is not held off by remembering them.
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
