import Testing
import TextCanvas

@testable import ScreenKit

@MainActor @Suite struct PercentDrivenTests {
  /// Makes an interactive pop from B to A.
  private func makePop(
    curve: TimingCurve = .easeInOut, duration: Double = 1
  ) throws -> (it: TracedStack, hand: PercentDrivenInteractiveTransition, pop: Transition) {
    let it = try TracedStack("AB")
    let interaction = PercentDrivenInteractiveTransition()
    it.provider.animator = { _ in TracingAnimator(duration: duration, curve: curve) }
    it.provider.interaction = interaction
    return (it, interaction, try #require(it.stack.pop(animated: true)))
  }

  private func fraction(_ it: TracedStack) -> Double {
    it["B"].layer.presentation.transform.translation.x / 10
  }

  @Test func `a controller that finished without a transition can drive a later one`() throws {
    let it = try TracedStack("A")
    it.provider.interaction = letHandsPop(it.stack, from: it.stack.layer)
    func drag(to end: Int, at time: Double) {
      func mouse(_ action: MouseEvent.Action, _ column: Int, _ delay: Double) {
        it.stage.handle(.mouse(MouseEvent(action, at: CellPoint(column: column, row: 0))), at: time + delay)
      }
      mouse(.press(.left), 0, 0)
      for column in 1...end { mouse(.drag(.left), column, Double(column) / 10) }
      mouse(.release(.left), end, 2)
    }

    drag(to: 7, at: 0)
    try it.stack.push(TracingScreen("B"), animated: false)
    drag(to: 7, at: 10)
    it.stage.advance(to: 15)

    #expect(it.stackTitles == "A")
  }

  @Test(.checklist("S2.39", "S2.43", "S2.44", "S0.48"))
  func `progress is linear during a gesture and clamped to 0…1`() throws {
    let (it, interaction, _) = try makePop(duration: 0.7)

    let fractions = [0, 0.25, 0.5, 2, -1, 0.1].map { value in
      interaction.update(value)
      return fraction(it)
    }

    #expect(zip(fractions, [0, 0.25, 0.5, 1, 0, 0.1]).allSatisfy { abs($0 - $1) < 1e-12 })
    #expect(interaction.percentComplete == 0.1)
    #expect(interaction.duration == 0.7)
    #expect(interaction.state == .interactive)
  }

  @Test(
    .checklist("S2.45", "S2.46", "S0.49", "S0.50"),
    arguments: [0, 0.2, 0.5, 0.8, 1], [0.5, 1, 2])
  func `finishing takes the remaining part of the duration`(percent: Double, speed: Double) throws {
    for finishes in [true, false] {
      let (it, interaction, pop) = try makePop(duration: 0.35)
      interaction.completionSpeed = speed
      interaction.update(percent)
      let expected = (finishes ? 1 - percent : percent) * 0.35 / speed

      if finishes { interaction.finish() } else { interaction.cancel() }
      it.stage.advance(to: expected - 1e-6)
      let early = pop.outcome
      it.stage.advance(to: expected + 1e-9)

      #expect(expected < 1e-5 || early == nil)
      #expect(pop.outcome == (finishes ? .completed : .cancelled))
    }
  }

  @Test(.checklist("S2.47")) func `the remaining progress follows the completion curve`() throws {
    let finishing = [
      0.4, 0.4118334721, 0.4489959138, 0.512437544, 0.5991303221, 0.7, 0.8008696779, 0.887562456, 0.9510040862,
      0.9881665279,
    ]
    let cancelling = [
      0.4, 0.3921110186, 0.3673360575, 0.3250416373, 0.267246452, 0.2, 0.132753548, 0.0749583627, 0.0326639425,
      0.0078889814,
    ]
    for (finishes, expected) in [(true, finishing), (false, cancelling)] {
      let (it, interaction, _) = try makePop()
      interaction.update(0.4)
      if finishes { interaction.finish() } else { interaction.cancel() }
      let length = finishes ? 0.6 : 0.4
      for (step, value) in expected.enumerated() {
        it.stage.advance(to: length * Double(step) / 10)
        #expect(abs(fraction(it) - value) < 1e-6)
      }
    }
  }

  @Test(.checklist("S2.48", "S0.51")) func `a completion speed of 0 or less is reported and ignored`() throws {
    let (it, interaction, _) = try makePop()

    interaction.completionSpeed = 0
    interaction.completionSpeed = -1

    #expect(interaction.completionSpeed == 1)
    #expect(it.issues.all == [.badCompletionSpeed(0), .badCompletionSpeed(-1)])
  }

  @Test(.checklist("S2.49")) func `calls in the wrong state are reported and ignored`() throws {
    let (it, interaction, pop) = try makePop()
    interaction.update(0.5)
    interaction.finish()
    let finishing = interaction.state

    interaction.update(0.1)
    interaction.cancel()
    it.stage.advance(to: 1)

    #expect(finishing == .finishing)
    #expect(it.issues.all == [.notInteractive(call: "update"), .notInteractive(call: "cancel")])
    #expect(pop.outcome == .completed)
    #expect(interaction.state == .completed)
  }

  @Test(.checklist("S2.43", "S2.49", "S2.50"), arguments: [true, false])
  func `an interactive transition accepts updates only while interactive`(finishes: Bool) throws {
    let it = try TracedStack("AB")
    let interaction = PercentDrivenInteractiveTransition()
    let fresh = (interaction.wantsInteractiveStart, interaction.completionSpeed, interaction.completionCurve)
    it.provider.interaction = interaction
    var states = [interaction.state]
    ScreenIssue.handler = { it.issues.all.append($0) }
    defer { ScreenIssue.handler = nil }
    interaction.update(0.7)

    it.stack.pop(animated: true)
    states.append(interaction.state)
    interaction.update(0.2)
    if finishes { interaction.finish() } else { interaction.cancel() }
    states.append(interaction.state)
    interaction.update(0.9)
    it.stage.advance(to: 3)
    states.append(interaction.state)
    interaction.update(0.9)

    #expect(fresh == (true, 1, .easeInOut))
    #expect(states == [.inactive, .interactive, finishes ? .finishing : .cancelling, .completed])
    #expect(interaction.percentComplete == 0.2)
    #expect(it.issues.all == [ScreenIssue](repeating: .notInteractive(call: "update"), count: 3))
    #expect(it.stackTitles == (finishes ? "A" : "AB"))
  }

  @Test(.checklist("S0.55", "S2.49")) func `finishing before the start completes the transition when it starts`() throws
  {
    let it = try TracedStack("AB")
    let interaction = PercentDrivenInteractiveTransition()
    it.provider.interaction = interaction

    interaction.finish()
    let pop = it.stack.pop(animated: true)
    it.stage.advance(to: 1)

    #expect(pop?.outcome == .completed)
    #expect(it.stackTitles == "A")
  }

  @Test(.checklist("S2.50", "S2.54", "S2.56"))
  func `a noninteractive transition can be grabbed, cancelled and grabbed again`() throws {
    let it = try TracedStack("AB")
    let interaction = PercentDrivenInteractiveTransition()
    interaction.wantsInteractiveStart = false
    it.provider.animator = { _ in TracingAnimator(curve: .easeInOut) }
    it.provider.interaction = interaction
    let pop = try #require(it.stack.pop(animated: true))
    let coordinator = try #require(it.stack.transitionCoordinator)
    var changes: [String] = []
    coordinator.notifyWhenInteractionChanges { changes.append("\($0.isInteractive) \($0.transitionWasCancelled)") }
    let initially = (coordinator.initiallyInteractive, coordinator.isInteractive)
    it.stage.advance(to: 0.3)
    let running = fraction(it)

    interaction.pause()
    let paused = (fraction(it), it.stage.nextFrameTime)
    it.stage.advance(to: 7)
    interaction.update(0.6)
    interaction.cancel()
    it.stage.advance(to: 7.3)
    interaction.pause()
    let regrabbed = fraction(it)
    interaction.finish()
    it.stage.advance(to: 9)

    #expect(initially == (false, false))
    #expect(abs(paused.0 - running) < 1e-12)
    #expect(regrabbed > 0 && regrabbed < 0.6)
    #expect(changes == ["true false", "false true", "true false", "false false"])
    #expect(!coordinator.initiallyInteractive)
    #expect(pop.outcome == .completed)
    #expect(it.issues.all == [])
  }

  @Test func `the fraction of a running push can be set and is clamped`() throws {
    let it = try TracedStack("A", also: "B")
    let push = try it.stack.push(it["B"], animated: true)

    let columns = [-1, 0.25, 7].map { value in
      push.fractionComplete = value
      return it["B"].layer.presentation.transform.translation.x
    }

    #expect(columns == [10, 7.5, 0])
    #expect(push.isInteractive)
    #expect(push.outcome == nil)
  }

  @Test func `finishing with a velocity starts at that velocity`() throws {
    let (it, interaction, pop) = try makePop(curve: .linear)
    interaction.update(0.3)

    interaction.finish(velocity: 40)
    let velocity = it["B"].layer.velocity(of: .translationX) / 10
    let path = (0...100).map { step in
      it.stage.advance(to: Double(step) / 100)
      return fraction(it)
    }

    #expect(abs(velocity - 40) < 1e-9)
    #expect(path.allSatisfy { $0 <= 1 })
    #expect(pop.outcome == .completed)
  }

  @Test(.checklist("S2.37")) func `the provider is asked for a controller only if it returned an animator`() throws {
    let it = try TracedStack("A", also: "B", vends: false)
    it.provider.interaction = PercentDrivenInteractiveTransition()

    try it.stack.push(it["B"], animated: true)

    #expect(!it.trace.take().contains("provider.interaction"))
    #expect(it.stack.transitionCoordinator?.isInteractive == false)
  }

  @Test(.checklist("S2.30")) func `a custom interaction controller can work without the animator`() throws {
    final class Nothing: AnimatedTransitioning {
      func transitionDuration(using context: (any TransitionContext)?) -> Double { 1 }
      func animateTransition(using context: any TransitionContext) {}
    }
    final class Wipe: InteractiveTransitioning {
      var context: (any TransitionContext)?
      func startInteractiveTransition(_ context: any TransitionContext) {
        context.addToLayer()
        self.context = context
      }
      func end() {
        context?.finishInteractiveTransition()
        context?.completeTransition(true)
        context = nil
      }
    }
    let it = try TracedStack("A", also: "B")
    let wipe = Wipe()
    it.provider.animator = { _ in Nothing() }
    it.provider.interaction = wipe

    let push = try it.stack.push(it["B"], animated: true)
    wipe.context?.updateInteractiveTransition(0.4)
    let percent = it.stack.transitionCoordinator?.percentComplete
    it.stage.advance(to: 60)
    let waiting = push.outcome
    wipe.end()

    #expect(percent == 0.4)
    #expect(waiting == nil)
    #expect(push.outcome == .completed)
    #expect(it.issues.all == [])
  }

  @Test(.checklist("X.2", "T8"), arguments: ["set", "push"])
  func `an interrupted interactive push is completed`(by operation: String) throws {
    let it = try TracedStack("A", also: "BC")
    it.provider.interaction = PercentDrivenInteractiveTransition()
    let push = try it.stack.push(it["B"], animated: true)
    push.fractionComplete = 0.3
    it.provider.interaction = nil

    if operation == "set" { try it.stack.setScreens([it["C"]], animated: true) }
    if operation == "push" { try it.stack.push(it["C"], animated: true) }
    it.stage.advance(to: 3)

    #expect(push.outcome == .completed)
    #expect(it.stackTitles == (operation == "set" ? "C" : "ABC"))
    #expect(it.issues.all == [])
  }
}
