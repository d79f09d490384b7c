import Testing

@testable import waymark_server

struct AllowanceTests {
  @Test func `so many at once, and then as many as time gives back`() {
    let allowance = Allowance<String>(atOnce: 2, perSecond: 0.5)
    let start = ContinuousClock.now

    #expect(allowance.take("a", at: start) == nil)
    #expect(allowance.take("a", at: start) == nil)
    #expect(allowance.take("a", at: start) == 2)
    #expect(allowance.take("b", at: start) == nil)
    #expect(allowance.take("a", at: start + .seconds(1)) == 1)
    #expect(allowance.take("a", at: start + .seconds(2)) == nil)
    #expect(allowance.take("a", at: start + .seconds(2)) == 2)
  }

  @Test func `it never gives more at once, however long nobody asks`() {
    let allowance = Allowance<Int>(atOnce: 3, perSecond: 10)
    let start = ContinuousClock.now

    _ = allowance.take(1, at: start)

    let taken = (0..<5).map { _ in allowance.take(1, at: start + .seconds(3_600)) == nil }
    #expect(taken == [true, true, true, false, false])
  }

  @Test func `its memory has an end`() {
    let allowance = Allowance<Int>(atOnce: 1, perSecond: 1, remembering: 10)
    let start = ContinuousClock.now

    for key in 0..<1_000 { #expect(allowance.take(key, at: start) == nil) }

    #expect(allowance.take(999, at: start) == 1)
  }
}
