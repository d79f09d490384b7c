import Testing
import TextCanvas

@testable import ScreenKit

/// An animation group drives several animations of one transition as one.
@MainActor @Suite struct AnimationGroupTests {
  /// Moves one bar by 10 in 0.4 s after a delay of 0.1 s, and another by 10 in 1 s. The longer animation completes the
  /// transition.
  private final class Choreography: AnimatedTransitioning {
    let bars: [Layer]
    let first: TimingCurve
    init(_ bars: [Layer], first: TimingCurve = .linear) { (self.bars, self.first) = (bars, first) }
    func transitionDuration(using context: (any TransitionContext)?) -> Double { 1 }
    func animateTransition(using context: any TransitionContext) {
      context.addToLayer()
      animate(duration: 0.4, delay: 0.1, curve: first) { [bars] in bars[0].offset.x = 10 }
      animate(duration: 1, curve: .linear) { [bars] in
        bars[1].offset.x = 10
      } completion: { _ in
        context.completeTransition(!context.transitionWasCancelled)
      }
    }
  }

  private func make(
    first: TimingCurve = .linear
  ) throws -> (it: TracedStack, push: Transition, places: () -> [Double]) {
    let it = try TracedStack("A", also: "B")
    let bars = [Layer(), Layer()]
    for bar in bars { it.stage.layer.add(bar) }
    it.provider.animator = { _ in Choreography(bars, first: first) }
    let push = try it.stack.push(it["B"], animated: true)
    return (it, push, { withExtendedLifetime(it.stage) { bars.map { $0.presentation.transform.translation.x } } })
  }

  private func near(_ a: [Double], _ b: [Double]) -> Bool { zip(a, b).allSatisfy { abs($0 - $1) < 1e-9 } }

  @Test func `each animation keeps its time range while the transition is scrubbed`() throws {
    let (_, push, places) = try make()

    let values = [0, 0.1, 0.3, 0.5, 0.9, 0.2].map { fraction in
      push.fractionComplete = fraction
      return places()
    }

    let expected: [[Double]] = [[0, 0], [0, 1], [5, 3], [10, 5], [10, 9], [2.5, 2]]
    #expect(zip(values, expected).allSatisfy { near($0, $1) })
  }

  @Test func `an animation added late keeps its time range in the group`() throws {
    let (it, push, places) = try make()
    let late = Layer()
    it.stage.layer.add(late)
    it.stage.advance(to: 0.5)
    let group = try #require(push.run?.group)
    _ = group.record { animate(duration: 0.5, curve: .linear) { late.offset.x = 10 } }

    push.fractionComplete = 0.75

    #expect(near(places() + [late.presentation.transform.translation.x], [10, 7.5, 5]))
  }

  @Test func `pausing keeps all values, and scrubbing then moves eased values linearly`() throws {
    let (it, push, places) = try make(first: .easeIn)
    it.stage.advance(to: 0.3)
    let running = places()

    push.pause()
    let paused = places()
    push.fractionComplete = 0.5
    let end = places()
    push.fractionComplete = 0.1

    #expect(near(running, paused))
    #expect(abs(running[0] - 10 * TimingCurve.easeIn.progress(at: 0.5)) < 1e-9)
    #expect(abs(end[0] - (10 + (running[0] - 5) * 5 / 7)) < 1e-9)
    #expect(places()[0] < 0.1)
  }

  @Test func `cancelling a transition restores every changed value`() throws {
    let (it, push, places) = try make()
    it.stage.advance(to: 0.7)

    push.cancel()
    it.stage.advance(to: 3)

    #expect(push.outcome == .cancelled)
    #expect(places() == [0, 0])
  }

  @Test func `the fraction of the group is that of its longest animation`() throws {
    let (it, push, _) = try make()

    it.stage.advance(to: 0.05)

    #expect(abs(push.fractionComplete - 0.05) < 1e-9)
  }

  @Test(arguments: [0.5, 1, 2]) func `completionSpeed also applies when finishing with a velocity`(speed: Double) throws
  {
    let it = try TracedStack("AB")
    let interaction = PercentDrivenInteractiveTransition()
    interaction.completionSpeed = speed
    it.provider.interaction = interaction
    let pop = try #require(it.stack.pop(animated: true))
    interaction.update(0.5)

    interaction.finish(velocity: 0.001)
    let end = try #require(pop.run?.group?.eventTime)

    // Near its target, a spring is within a thousandth of the distance shortly before its settling time.
    #expect(end < 1 / speed && end > 0.8 / speed)
  }

  @Test func `a transition ends only after the residual motion of an interruption has stopped`() throws {
    let it = try TracedStack("A", also: "B")
    try it.stack.push(it["B"], animated: true)
    it.stage.advance(to: 0.5)
    let pop = try #require(it.stack.pop(animated: true))
    it.stage.advance(to: 0.52)

    pop.fractionComplete = 0.9
    let before = it["B"].layer.presentation.transform.translation.x
    pop.finish()
    let after = it["B"].layer.presentation.transform.translation.x
    // 0.1 s of the pop's 1 s remains. The residual motion of the push decays within 1 s, starting at 0.5 s.
    it.stage.advance(to: 0.63)
    let early = (pop.fractionComplete, pop.outcome, abs(it["A"].layer.presentation.transform.translation.x) > 1)
    it.stage.advance(to: 1.49)
    let last = it["A"].layer.presentation.transform.translation.x
    it.stage.advance(to: 1.6)

    #expect(abs(before - after) < 1e-9)
    #expect(early == (1, nil, true))
    // The residual motion decays linearly with the pop's progress: a hundredth of five columns remains.
    #expect(abs(last) < 0.051)
    #expect(pop.outcome == .completed)
    #expect(pop.fractionComplete == 1)
    #expect(!it["A"].layer.isAnimating)
  }

  @Test func `skipping a transition after an interruption stops all motion`() throws {
    let it = try TracedStack("A", also: "B")
    try it.stack.push(it["B"], animated: true)
    it.stage.advance(to: 0.5)
    let pop = try #require(it.stack.pop(animated: true))

    pop.skip()

    #expect(!it["A"].layer.isAnimating)
    _ = it.stage.tick(at: 0.5)
    #expect(it.stage.nextFrameTime == nil)
  }

  @Test func `whenEnded runs its closure immediately if the transition has already ended`() throws {
    let it = try TracedStack("A", also: "B")
    let push = try it.stack.push(it["B"], animated: false)
    var outcomes: [TransitionOutcome] = []

    push.whenEnded { outcomes.append($0) }

    #expect(outcomes == [.skipped(.notAnimated)])
  }

  @Test func `a task waits for the end of a transition`() async throws {
    let it = try TracedStack("A", also: "B")
    let push = try it.stack.push(it["B"], animated: true)
    let waiting = Task { try await push.ended() }
    await Task.yield()

    it.stage.advance(to: 2)

    #expect(try await waiting.value == .completed)
    #expect(try await push.ended() == .completed)
  }

  @Test func `cancelling a task ends only its wait, not the transition or other waits`() async throws {
    let it = try TracedStack("A", also: "B")
    let push = try it.stack.push(it["B"], animated: true)
    let cancelled = Task { try await push.ended() }
    let waiting = Task { try await push.ended() }
    await Task.yield()

    cancelled.cancel()
    let result = await cancelled.result
    let isRunning = push.isRunning
    it.stage.advance(to: 2)

    #expect(throws: CancellationError.self) { try result.get() }
    #expect(isRunning)
    #expect(try await waiting.value == .completed)
  }

  @Test func `a task that is already cancelled does not wait for a transition`() async throws {
    let it = try TracedStack("A", also: "B")
    let push = try it.stack.push(it["B"], animated: true)
    let waiting = Task {
      // Ends when the task is cancelled.
      try? await Task.sleep(for: .seconds(3600))
      return try await push.ended()
    }

    waiting.cancel()

    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(push.isRunning)
  }

  @Test func `pausing a running transition sets the progress of the interactive transition`() throws {
    let it = try TracedStack("AB")
    let interaction = PercentDrivenInteractiveTransition()
    interaction.wantsInteractiveStart = false
    it.provider.interaction = interaction
    it.stack.pop(animated: true)
    it.stage.advance(to: 0.3)

    interaction.pause()

    #expect(abs(interaction.percentComplete - 0.3) < 1e-9)
  }
}
