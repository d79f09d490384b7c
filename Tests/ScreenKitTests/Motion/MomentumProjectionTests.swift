import ScreenKit
import Testing

struct MomentumProjectionTests {
  @Test func `velocities are projected as in the reference`() {
    expect(
      MomentumReference.velocity.map { MomentumProjection.normal.distance(velocity: $0) },
      near: MomentumReference.projected, within: computed)
  }

  @Test func `something that glides starts where it was let go and comes to rest where it was projected`() {
    let momentum = MomentumProjection.normal

    #expect(momentum.position(from: 10, velocity: 500, at: -1) == 10)
    #expect(momentum.position(from: 10, velocity: 500, at: 0) == 10)
    expect(momentum.position(from: 10, velocity: 500, at: 20), near: 259.5, within: computed)
    expect(momentum.position(from: 10, velocity: -500, at: 20), near: -239.5, within: computed)
    let half = momentum.position(from: 0, velocity: 500, at: 0.34623)
    expect(half, near: 249.5 / 2, within: 1e-2)
  }

  @Test func `gliding is the sum of the velocities of its milliseconds`() {
    var position = 0.0
    var velocity = 800.0
    for millisecond in 1...2000 {
      velocity *= 0.99
      position += velocity / 1000

      let glided = MomentumProjection.fast.position(from: 0, velocity: 800, at: Double(millisecond) / 1000)
      expect(glided, near: position, within: computed)
    }
  }

  @Test func `a flick decides by where it leads`() {
    let momentum = MomentumProjection.normal

    #expect(momentum.target(from: 0.2, velocity: 0, among: [0, 1]) == 0)
    #expect(momentum.target(from: 0.2, velocity: 1, among: [0, 1]) == 1)
    #expect(momentum.target(from: 0.8, velocity: -1, among: [0, 1]) == 0)
    #expect(momentum.target(from: 0.5, velocity: 0, among: [0, 1]) == 0)
    #expect(momentum.target(from: 0.5, velocity: 0, among: []) == nil)
  }

  @Test func `a rate that never ends is brought to one that does`() {
    #expect(MomentumProjection(decelerationRate: 1).distance(velocity: 1000).isFinite)
    #expect(MomentumProjection(decelerationRate: -1).distance(velocity: 1000) == 0)
    #expect(MomentumProjection(decelerationRate: 0).position(from: 3, velocity: 1000, at: 1) == 3)
  }
}
