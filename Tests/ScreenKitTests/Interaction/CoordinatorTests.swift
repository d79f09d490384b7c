import Testing
import TextCanvas

@testable import ScreenKit

@MainActor @Suite struct CoordinatorTests {
  @Test(.checklist("S2.53", "S2.59", "S2.61", "S4.17"))
  func `alongside animations are scrubbed, cancelled and completed in order`() throws {
    let it = try TracedStack("AB")
    let interaction = PercentDrivenInteractiveTransition()
    it.provider.interaction = interaction
    let bar = Layer()
    it.stage.layer.add(bar)
    var ends: [String] = []
    it.stack.pop(animated: true)
    let coordinator = try #require(it["A"].transitionCoordinator)
    for name in ["one", "two"] {
      coordinator.animate { _ in
        bar.offset.x += 10
      } completion: { context in
        ends.append("\(name) \(context.transitionWasCancelled)")
      }
    }

    interaction.update(0.5)
    let half = bar.presentation.transform.translation.x
    interaction.cancel()
    let isCancelled = coordinator.isCancelled
    it.stage.advance(to: 2)
    let late = coordinator.animate { _ in
      ends.append("late")
    } completion: { _ in
      ends.append("late")
    }

    #expect(half == 10)
    #expect(isCancelled)
    #expect(bar.presentation.transform.translation.x == 0)
    #expect(bar.offset.x == 0)
    #expect(ends == ["one true", "two true"])
    #expect(!late)
    #expect(coordinator.context.container === it.stack.layer)
    #expect(coordinator.transitionDuration == 1)
  }

  @Test(.checklist("S2.59", "S2.60")) func `alongside animations use the transition's duration and curve in any layer`()
    throws
  {
    let it = try TracedStack("A", also: "B")
    it.provider.animator = { _ in TracingAnimator(duration: 0.5, curve: .easeIn) }
    let outside = Layer()
    it.stage.layer.add(outside)
    it["B"].onWillAppear = { screen in
      screen.transitionCoordinator?.animate { _ in outside.opacity = 0 }
    }

    try it.stack.push(it["B"], animated: true)
    it.stage.advance(to: 0.25)

    #expect(abs(outside.presentation.opacity - (1 - TimingCurve.easeIn.progress(at: 0.5))) < 1e-9)
    it.stage.advance(to: 0.5)
    #expect(outside.presentation.opacity == 0)
    #expect(it.stage.nextFrameTime == it.stage.now)
    _ = it.stage.tick(at: 0.5)
    #expect(it.stage.nextFrameTime == nil)
  }

  @Test func `an alongside animation added during the transition ends with it`() throws {
    let it = try TracedStack("A", also: "B")
    let bar = Layer()
    it.stage.layer.add(bar)
    try it.stack.push(it["B"], animated: true)
    it.stage.advance(to: 0.5)

    it.stack.transitionCoordinator?.animate { _ in bar.offset.x = 10 }

    let columns = [0.5, 0.75, 1].map { time in
      it.stage.advance(to: time)
      return bar.presentation.transform.translation.x
    }
    #expect(zip(columns, [0, 5, 10]).allSatisfy { abs($0 - $1) < 1e-9 })
  }

  @Test func `an alongside animation added after all others takes the transition's duration`() throws {
    let it = try TracedStack("A", also: "B")
    let pausing = PausingAnimator()
    it.provider.animator = { _ in pausing }
    let bar = Layer()
    it.stage.layer.add(bar)
    try it.stack.push(it["B"], animated: true)
    it.stage.advance(to: 0.75)

    it.stack.transitionCoordinator?.animate { _ in bar.offset.x = 10 }

    let columns = [0.75, 1.25, 1.75].map { time in
      it.stage.advance(to: time)
      return bar.presentation.transform.translation.x
    }
    #expect(zip(columns, [0, 5, 10]).allSatisfy { abs($0 - $1) < 1e-9 })
    pausing.context?.completeTransition(true)
    #expect(it.stack.transitionCoordinator == nil)
  }

  @Test(.checklist("S2.58")) func `changes on appearance can be undone when a pop is cancelled`() throws {
    let it = try TracedStack("AB")
    let interaction = PercentDrivenInteractiveTransition()
    it.provider.interaction = interaction
    var highlights = 1
    it["A"].onWillAppear = { screen in
      highlights -= 1
      guard let coordinator = screen.transitionCoordinator, coordinator.initiallyInteractive else { return }
      coordinator.notifyWhenInteractionEnds { context in
        if context.transitionWasCancelled { highlights += 1 }
      }
    }

    it.stack.pop(animated: true)
    let during = highlights
    interaction.update(0.5)
    interaction.cancel()
    it.stage.advance(to: 2)

    #expect(during == 0)
    #expect(highlights == 1)
  }

  @Test(.checklist("S2.52")) func `participants and their ancestors have a coordinator until the transition ends`()
    throws
  {
    let it = try TracedStack("XAB")
    let inner = TracingScreen("i")
    it["A"].addChild(inner)
    let outer = ContentScreen(it.stack, title: "outer")
    let stage = makeStage(outer, issues: it.issues)
    let participants = ["outer": outer, "nav": it.stack, "X": it["X"], "A": it["A"], "B": it["B"], "i": inner]
    func withOne() -> [String] { participants.filter { $0.value.transitionCoordinator != nil }.map(\.key).sorted() }

    let before = withOne()
    it.stack.pop(animated: true)
    let during = withOne()
    stage.advance(to: 2)

    #expect(before == [])
    #expect(during == ["A", "B", "i", "nav", "outer"])
    #expect(withOne() == [])
  }

  @Test(.checklist("S2.53", "S2.54")) func `the coordinator reports the state of the transition`() throws {
    let it = try TracedStack("AB")
    let interaction = PercentDrivenInteractiveTransition()
    interaction.completionCurve = .easeIn
    it.provider.interaction = interaction
    it.stack.pop(animated: true)
    let coordinator = try #require(it["A"].transitionCoordinator)
    let context = coordinator.context
    func look() -> String {
      let flags = [
        coordinator.initiallyInteractive, coordinator.isInteractive, coordinator.isCancelled,
        coordinator.isInterruptible, context.isAnimated,
      ]
      let percent = (coordinator.percentComplete * 100).rounded() / 100
      return flags.map { $0 ? "1" : "0" }.joined() + " \(percent) \(coordinator.completionVelocity)"
    }

    interaction.update(0.4)
    let duringGesture = look()
    interaction.cancel(velocity: -2)
    let released = look()

    #expect(duringGesture == "11011 0.4 0.0")
    #expect(released == "10111 0.4 -2.0")
    #expect(coordinator.transitionDuration == 1)
    #expect(coordinator.completionCurve == .easeIn)
    #expect(
      (context.from === it["B"], context.to === it["A"], context.container === it.stack.layer) == (true, true, true))
    #expect(context.initialFrame(for: it["A"]) == Rect(x: -10, y: 0, width: 10, height: 2))
    #expect(context.finalFrame(for: it["B"]) == Rect(x: 10, y: 0, width: 10, height: 2))
  }

  @Test(.checklist("S2.56"), arguments: [true, false])
  func `observers are notified of an interaction's first end only, and of every change`(finishes: Bool) throws {
    let it = try TracedStack("AB")
    let interaction = PercentDrivenInteractiveTransition()
    it.provider.interaction = interaction
    let pop = it.stack.pop(animated: true)
    let coordinator = try #require(it.stack.transitionCoordinator)
    var ends: [Bool] = []
    var changes: [Bool] = []
    coordinator.notifyWhenInteractionEnds { ends.append($0.transitionWasCancelled) }
    coordinator.notifyWhenInteractionChanges { changes.append($0.isInteractive) }

    interaction.update(0.5)
    if finishes { interaction.finish() } else { interaction.cancel() }
    it.stage.advance(to: 0.1)
    pop?.pause()
    if finishes { pop?.finish() } else { pop?.cancel() }
    it.stage.advance(to: 3)

    #expect(ends == [!finishes])
    #expect(changes == [false, true, false])
    #expect(pop?.outcome == (finishes ? .completed : .cancelled))
  }
}

/// Animates in the first half of its 1 s. The test completes the transition.
@MainActor private final class PausingAnimator: AnimatedTransitioning {
  private(set) var context: (any TransitionContext)?

  func transitionDuration(using context: (any TransitionContext)?) -> Double { 1 }

  func animateTransition(using context: any TransitionContext) {
    self.context = context
    context.addToLayer()
    animate(duration: 0.5, curve: .linear) { context.to.layer.offset = .zero }
  }
}
