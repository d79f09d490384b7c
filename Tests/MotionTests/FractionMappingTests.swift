import Motion
import TestSupport
import Testing

struct FractionMappingTests {
  @Test func `a slide over 80 columns stands at the columns of the reference`() {
    let incoming = FractionMapping(from: 80, to: 0)
    let outgoing = FractionMapping(from: 0, to: -80 * 0.3)
    let progress = SlideReference.fraction.map { TimingCurve.easeInOut.progress(at: $0) }

    #expect(progress.map { Int(incoming.value(at: $0).rounded()) } == SlideReference.incoming)
    #expect(progress.map { Int(outgoing.value(at: $0).rounded()) } == SlideReference.outgoing)
  }

  @Test func `the fraction at a value undoes the value at a fraction`() {
    var random = SplitMix64(seed: 71)
    for _ in 0..<1000 {
      let mapping = FractionMapping(
        from: .random(in: -100...100, using: &random), to: .random(in: -100...100, using: &random))
      let fraction = Double.random(in: 0...1, using: &random)

      expect(mapping.fractionComplete(at: mapping.value(at: fraction)), near: fraction, within: 1e-9)
      #expect(mapping.value(at: 0) == mapping.start)
      #expect(mapping.value(at: 1) == mapping.end)
    }
  }

  @Test func `beyond the ends the fraction stays at them, and the value goes on`() {
    let mapping = FractionMapping(from: 80, to: 0)

    #expect([100, 80, 20, 0, -20].map { mapping.fractionComplete(at: $0) } == [0, 0, 0.75, 1, 1])
    #expect(mapping.value(at: 1.5) == -40)
  }

  @Test func `a hand's velocity becomes the fraction's, with its direction`() {
    #expect(FractionMapping(from: 80, to: 0).fractionVelocity(of: -160) == 2)
    #expect(FractionMapping(from: 0, to: 80).fractionVelocity(of: -160) == -2)
  }

  @Test func `over no distance nothing is complete`() {
    let mapping = FractionMapping(from: 5, to: 5)

    #expect([mapping.fractionComplete(at: 5), mapping.fractionVelocity(of: 10), mapping.value(at: 0.5)] == [0, 0, 5])
  }
}
