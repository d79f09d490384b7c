import Testing

@testable import CourseBrowser

struct FramePacingTests {
  private let beat = 1.0 / 60

  @Test func `the first frame is drawn at once`() {
    let pacing = FramePacing(rate: 60)

    #expect(pacing.animationFrameTime(dueAt: 5) == 5)
    #expect(pacing.responseFrameTime(dueAt: 5) == 5)
  }

  @Test func `late frames do not delay later frames`() {
    var pacing = FramePacing(rate: 60)
    pacing.frameWasDrawn(at: 1)
    var planned: [Int] = []
    for late in [0.0002, 0.004, 0.001, 0.009, 0.0] {
      let time = pacing.animationFrameTime(dueAt: 1)
      planned.append(Int(((time - 1) / beat).rounded()))
      #expect(abs((time - 1) / beat - Double(planned.last!)) < 1e-6)
      pacing.frameWasDrawn(at: time + late)
    }

    #expect(planned == [1, 2, 3, 4, 5])
  }

  @Test func `a missed frame is skipped without shifting later frames`() {
    var pacing = FramePacing(rate: 60)
    pacing.frameWasDrawn(at: 1)
    pacing.frameWasDrawn(at: 1 + 2.3 * beat)

    #expect(abs(pacing.animationFrameTime(dueAt: 1) - (1 + 3 * beat)) < 1e-9)
  }

  @Test func `a response is drawn at once and does not shift the next animation frame`() {
    var pacing = FramePacing(rate: 60)
    pacing.frameWasDrawn(at: 1)

    #expect(pacing.responseFrameTime(dueAt: 1.006) == 1.006)
    pacing.frameWasDrawn(at: 1.006)
    #expect(abs(pacing.animationFrameTime(dueAt: 1.006) - (1 + beat)) < 1e-9)
  }

  @Test func `an animation frame that is due right after a response is skipped`() {
    var pacing = FramePacing(rate: 60)
    pacing.frameWasDrawn(at: 1)
    pacing.frameWasDrawn(at: 1.015)

    #expect(abs(pacing.animationFrameTime(dueAt: 1.015) - (1 + 2 * beat)) < 1e-9)
  }

  @Test(arguments: [1, 24, 30, 60, 240])
  func `responses keep a minimum interval, and animations keep their frame rate`(rate: Int) {
    var pacing = FramePacing(rate: rate)
    pacing.frameWasDrawn(at: 1)
    var answers = 0
    var now = 1.0
    while now < 2 {
      now = pacing.responseFrameTime(dueAt: now + 0.0001)
      pacing.frameWasDrawn(at: now)
      answers += 1
    }
    var motion = FramePacing(rate: rate)
    motion.frameWasDrawn(at: 1)
    var frames = 0
    while motion.animationFrameTime(dueAt: 1) < 2 - 1e-9 {
      motion.frameWasDrawn(at: motion.animationFrameTime(dueAt: 1) + 0.0003)
      frames += 1
    }

    #expect(answers <= max(240, 4 * rate) + 1)
    #expect(frames == rate - 1)
  }

  @Test func `after a pause, frame times are counted from the first new frame`() {
    var pacing = FramePacing(rate: 60)
    pacing.frameWasDrawn(at: 1)
    pacing.frameWasDrawn(at: 7.1234)

    #expect(abs(pacing.animationFrameTime(dueAt: 7.1234) - (7.1234 + beat)) < 1e-9)
  }
}
