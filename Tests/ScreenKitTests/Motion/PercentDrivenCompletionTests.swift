import ScreenKit
import TestSupport
import Testing

struct PercentDrivenCompletionTests {
  // Checklist: S2.45, S2.46.
  @Test func `finish and cancel take the remaining time at the given speed`() throws {
    for row in MotionReference.percentDriven.times {
      let finish = try PercentDrivenCompletion(
        .finish, from: row.percent, duration: row.duration, speed: row.completionSpeed)
      let cancel = try PercentDrivenCompletion(
        .cancel, from: row.percent, duration: row.duration, speed: row.completionSpeed)

      expect([finish.duration, cancel.duration], near: [row.finish, row.cancel], within: computed)
    }
  }

  // Checklist: S2.47.
  @Test func `finish and cancel follow the completion curve, by default ease in out`() throws {
    let finish = try PercentDrivenCompletion(.finish, from: 0.4, duration: 1)
    let cancel = try PercentDrivenCompletion(.cancel, from: 0.4, duration: 1)
    let fractions = MotionReference.percentDriven.fractionOfRemainingTime

    expect(
      fractions.map { finish.fractionComplete(at: $0 * finish.duration) }, near: MotionReference.percentDriven.finish,
      within: computed)
    expect(
      fractions.map { cancel.fractionComplete(at: $0 * cancel.duration) }, near: MotionReference.percentDriven.cancel,
      within: computed)
  }

  @Test func `the completion starts at the released fraction and ends at its target`() throws {
    var random = SplitMix64(seed: 61)
    for _ in 0..<200 {
      let percent = Double.random(in: 0...1, using: &random)
      let curve: TimingCurve = Bool.random(using: &random) ? .easeOut : .spring(duration: 0.5, bounce: 0.3)
      for ending in [PercentDrivenCompletion.Ending.finish, .cancel] {
        let completion = try PercentDrivenCompletion(
          ending, from: percent, duration: 0.35, speed: .random(in: 0.1...4, using: &random), curve: curve)

        #expect(completion.fractionComplete(at: -1) == percent)
        #expect(completion.fractionComplete(at: 0) == percent)
        #expect(completion.fractionComplete(at: completion.duration) == completion.target)
        #expect(completion.velocity(at: completion.duration) == 0)
        let time = completion.duration * 0.3
        let step = completion.duration * 1e-6
        let difference =
          (completion.fractionComplete(at: time + step) - completion.fractionComplete(at: time - step)) / (2 * step)
        expect(completion.velocity(at: time), near: difference, within: 1e-3)
      }
    }
  }

  @Test func `a completion from outside 0…1 starts at the nearest end`() throws {
    #expect(try PercentDrivenCompletion(.finish, from: 1.3, duration: 1).duration == 0)
    #expect(try PercentDrivenCompletion(.finish, from: 1.3, duration: 1).fractionComplete(at: 0) == 1)
    #expect(try PercentDrivenCompletion(.cancel, from: -0.3, duration: 1).fractionComplete(at: 0) == 0)
    #expect(try PercentDrivenCompletion(.cancel, from: 0.5, duration: -1).fractionComplete(at: 0) == 0)
  }

  // Checklist: S2.48.
  @Test(arguments: [0, -1, .nan, .infinity])
  func `a speed that is not a positive number is refused`(speed: Double) {
    let refusal = #expect(throws: MotionError.self) {
      try PercentDrivenCompletion(.finish, from: 0.5, duration: 1, speed: speed)
    }
    #expect(refusal?.description.contains("at speed '\(speed)'") == true)
  }
}
