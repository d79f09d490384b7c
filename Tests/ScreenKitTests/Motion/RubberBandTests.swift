import ScreenKit
import Testing

struct RubberBandTests {
  private let band = RubberBand(dimension: 80)

  @Test func `a pull gives way as in the reference, either way`() {
    expect(RubberBandReference.pull.map { band.offset(for: $0) }, near: RubberBandReference.offset, within: computed)
    expect(
      RubberBandReference.pull.map { band.offset(for: -$0) }, near: RubberBandReference.offset.map { -$0 },
      within: computed)
  }

  @Test func `the pull for an offset undoes the offset for a pull`() {
    for pull in stride(from: -500.0, through: 500, by: 7) {
      expect(band.pull(for: band.offset(for: pull)), near: pull, within: 1e-9)
    }
    #expect([80, -80, 100].map { band.pull(for: $0) } == [.infinity, -.infinity, .infinity])
  }

  @Test func `it gives less and less, as its derivative says, and never its whole length`() {
    for pull in stride(from: 0.0, through: 10_000, by: 50) {
      let difference = (band.offset(for: pull + 1e-4) - band.offset(for: pull)) / 1e-4

      expect(band.give(at: pull), near: difference, within: 1e-4)
      #expect(band.give(at: -pull) == band.give(at: pull))
      #expect(band.give(at: pull + 50) < band.give(at: pull))
      #expect(band.offset(for: pull) < 80)
    }
    #expect(band.give(at: 0) == 0.55)
  }

  @Test func `within the bounds the view is where the hand is`() {
    let positions = [-10, 0, 25, 50, 60].map { band.position(for: $0, within: 0...50) }

    expect(
      positions, near: [-RubberBandReference.offset[1], 0, 25, 50, 50 + RubberBandReference.offset[1]],
      within: computed)
  }

  @Test func `a view of no length does not move`() {
    let flat = RubberBand(dimension: 0)

    #expect([flat.offset(for: 10), flat.pull(for: 10), flat.give(at: 10)] == [0, 0, 0])
    #expect(flat.position(for: 60, within: 0...50) == 50)
  }
}
