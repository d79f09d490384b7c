import Testing

@testable import waymark_server

struct AllowanceTests {
  @Test func `a bucket allows its burst, then refills at its rate`() {
    let allowance = RateLimiter<String>(atOnce: 2, perSecond: 0.5)
    let start = ContinuousClock.now

    #expect(allowance.acquire("a", at: start) == nil)
    #expect(allowance.acquire("a", at: start) == nil)
    #expect(allowance.acquire("a", at: start) == 2)
    #expect(allowance.acquire("b", at: start) == nil)
    #expect(allowance.acquire("a", at: start + .seconds(1)) == 1)
    #expect(allowance.acquire("a", at: start + .seconds(2)) == nil)
    #expect(allowance.acquire("a", at: start + .seconds(2)) == 2)
  }

  @Test func `a bucket never exceeds its burst, however long it is idle`() {
    let allowance = RateLimiter<Int>(atOnce: 3, perSecond: 10)
    let start = ContinuousClock.now

    _ = allowance.acquire(1, at: start)

    let acquired = (0..<5).map { _ in allowance.acquire(1, at: start + .seconds(3_600)) == nil }
    #expect(acquired == [true, true, true, false, false])
  }

  @Test func `full buckets are removed when the list is too long`() {
    let allowance = RateLimiter<Int>(atOnce: 1, perSecond: 1, remembering: 10)
    let start = ContinuousClock.now

    for key in 0..<1_000 { #expect(allowance.acquire(key, at: start) == nil) }

    #expect(allowance.acquire(999, at: start) == 1)
  }
}
