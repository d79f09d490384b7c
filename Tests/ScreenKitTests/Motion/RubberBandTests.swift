import ScreenKit
import Testing

struct RubberBandTests {
  private let band = RubberBand(dimension: 80)

  @Test func `offsets in both directions equal the reference values`() {
    expect(
      MotionReference.rubberBand.pull.map { band.offset(for: $0) }, near: MotionReference.rubberBand.offset,
      within: computed)
    expect(
      MotionReference.rubberBand.pull.map { band.offset(for: -$0) },
      near: MotionReference.rubberBand.offset.map { -$0 },
      within: computed)
  }

  @Test func `pull is the inverse of offset`() {
    for pull in stride(from: -500.0, through: 500, by: 7) {
      expect(band.pull(for: band.offset(for: pull)), near: pull, within: 1e-9)
    }
    #expect([80, -80, 100].map { band.pull(for: $0) } == [.infinity, -.infinity, .infinity])
  }

  @Test func `the offset grows ever more slowly and stays below the dimension`() {
    for pull in stride(from: 50.0, through: 10_000, by: 50) {
      #expect(
        band.offset(for: pull + 50) - band.offset(for: pull) < band.offset(for: pull) - band.offset(for: pull - 50))
      #expect(band.offset(for: pull) < 80)
    }
  }

  @Test func `a rubber band with a dimension of 0 does not move`() {
    let flat = RubberBand(dimension: 0)

    #expect([flat.offset(for: 10), flat.pull(for: 10)] == [0, 0])
  }
}
