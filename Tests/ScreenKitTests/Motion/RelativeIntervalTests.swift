import ScreenKit
import Testing

struct RelativeIntervalTests {
  @Test func `a part is 0 before its start, 1 after its end, and even between`() throws {
    let interval = try RelativeInterval(start: 0.25, duration: 0.5)

    #expect([0, 0.25, 0.5, 0.75, 1].map { interval.fraction(of: $0) } == [0, 0, 0.5, 1, 1])
  }

  @Test func `a part that would outlast the whole ends with it`() throws {
    let interval = try RelativeInterval(start: 0.75, duration: 0.5)

    #expect(interval.duration == 0.25)
    #expect(interval.end == 1)
    #expect([0.75, 0.875, 1].map { interval.fraction(of: $0) } == [0, 0.5, 1])
  }

  @Test func `a part of no length is over where it starts`() throws {
    let interval = try RelativeInterval(start: 0.5, duration: 0)

    #expect([(0.5).nextDown, 0.5].map { interval.fraction(of: $0) } == [0, 1])
  }

  // S2.9
  @Test(arguments: [(-0.1, 0.5), (1.1, 0.5), (0.5, -0.1), (0.5, 1.1), (.nan, 0.5), (0.5, .infinity)])
  func `what is not a fraction of the whole is refused`(start: Double, duration: Double) {
    let refusal = #expect(throws: MotionError.self) { try RelativeInterval(start: start, duration: duration) }
    #expect(refusal?.description.contains("'\(start)' with duration '\(duration)'") == true)
  }
}
