import ScreenKit
import Testing

struct TweenTests {
  @Test func `a tween has its start value until it begins and its target value after it ends`() {
    let tween = Tween(from: 10, to: 30, curve: .easeInOut, duration: 2, begin: 100)

    #expect(tween.end == 102)
    #expect([99, 100, 101, 102, 500].map { tween.value(at: $0) } == [10, 10, 20, 30, 30])
    #expect([99, 102].map { tween.velocity(at: $0) } == [0, 0])
  }

  @Test func `velocity is in units of the value per second`() {
    let tween = Tween(from: 0, to: 80, curve: .linear, duration: 0.5, begin: 1)

    #expect(tween.state(at: 1.25) == (40, 160))
  }

  @Test func `a tween without a duration is at its target from its start on`() {
    let tween = Tween(from: 0, to: 1, curve: .easeIn, duration: 0, begin: 5)

    #expect([4.999, 5].map { tween.value(at: $0) } == [0, 1])
  }

  @Test func `a spring tween uses the spring's duration and relative velocity`() {
    let spring = Spring(duration: 0.4, dampingRatio: 0.8, initialVelocity: 1)
    let tween = Tween(from: 150, to: 350, curve: .spring(spring, initialVelocity: 1), duration: 9, begin: 0.25)

    #expect(tween.duration == 0.4)
    #expect(tween.velocity(at: 0.25) == 200)
    #expect(tween.state(at: 0.35) == spring.value(from: 150, to: 350, velocity: 200, at: 0.35 - 0.25))
  }

  @Test func `a spring tween that starts at its target with a velocity returns to its target`() {
    let tween = Tween(from: 5, to: 5, spring: .smooth, velocity: 100)

    let states = [0, 0.1, tween.end].map { tween.state(at: $0) }

    #expect(states[0] == (5, 100))
    #expect(states[1].value > 6)
    #expect(states[2] == (5, 0))
    #expect(abs(tween.value(at: tween.end.nextDown) - 5) <= 100 / Spring.smooth.angularFrequency / 1000)
  }

  @Test func `a tween without distance or velocity has no duration`() {
    let tween = Tween(from: 5, to: 5, spring: .smooth, velocity: 0)

    #expect(tween.duration == 0)
    #expect(tween.state(at: 0) == (5, 0))
  }
}
