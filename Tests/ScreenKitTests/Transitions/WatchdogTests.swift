import Testing
import TextCanvas

@testable import ScreenKit

/// Tests that a transition is ended if it exceeds its duration, so that no operation waits for it.
@MainActor @Suite struct WatchdogTests {
  private final class Slow: AnimatedTransitioning {
    let said: Double
    let runs: Double
    var again: (() -> Void)?

    init(said: Double, runs: Double) { (self.said, self.runs) = (said, runs) }

    func transitionDuration(using context: (any TransitionContext)?) -> Double { said }

    func animateTransition(using context: any TransitionContext) {
      context.to.layer.offset.x = 8
      animate(duration: runs, curve: .linear) {
        context.to.layer.offset.x = 0
      } completion: { _ in
        context.completeTransition(!context.transitionWasCancelled)
      }
    }
  }

  @Test(.checklist("S2.28", "S4.10", "S4.11"), arguments: [60, 1e9, .infinity] as [Double])
  func `animations that exceed their duration are reported and ended`(runs: Double) throws {
    let it = try TracedStack("A", also: "B")
    it.provider.animator = { _ in Slow(said: 0.1, runs: runs) }

    let push = try it.stack.push(it["B"], animated: true)
    it.stage.advance(to: 1.05)
    let early = push.outcome
    it.stage.advance(to: 1.1)
    _ = it.stage.tick(at: 1.1)

    #expect(early == nil)
    #expect(push.outcome == .completed)
    #expect(it.issues.all == [.ranTooLong(transition: "push A → B", expected: 0.1, after: 1.1)])
    #expect(it.layerTitles == "B")
    #expect(it["B"].layer.presentation == LayerState(frame: it.stack.layer.bounds))
    #expect(it.stage.nextFrameTime == nil)
  }

  @Test func `cancelling takes the time that completionSpeed determines`() throws {
    let it = try TracedStack("AB")
    let interaction = PercentDrivenInteractiveTransition()
    interaction.completionSpeed = 0.1
    it.provider.interaction = interaction
    let pop = it.stack.pop(animated: true)
    interaction.update(0.9)

    interaction.cancel()
    it.stage.advance(to: 8.9)
    let early = pop?.outcome
    it.stage.advance(to: 9)

    #expect((early, pop?.outcome) == (nil, .cancelled))
    #expect(it.issues.all == [])
  }

  @Test(.checklist("S2.40", "S4.11")) func `an interactive transition without any update is reported and finished`()
    throws
  {
    let it = try TracedStack("A", also: "B")
    let interaction = PercentDrivenInteractiveTransition()
    it.provider.interaction = interaction

    let push = try it.stack.push(it["B"], animated: true)
    it.stage.advance(to: 9.9)
    let beforeTimeout = (push.outcome, push.isInteractive, it.stackTitles)
    it.stage.advance(to: 10)
    let afterTimeout = (push.isInteractive, it.issues.all)
    interaction.update(0.5)
    it.stage.advance(to: 11)

    #expect(beforeTimeout == (nil, true, "A"))
    #expect(afterTimeout == (false, [.neverDriven(transition: "push A → B", after: 10)]))
    #expect((push.outcome, it.stackTitles, it.layerTitles) == (.completed, "AB", "B"))
    #expect(it.issues.all.dropFirst() == [.notInteractive(call: "update")])
    #expect(interaction.state == .completed)
  }

  @Test func `an interactive transition may pause without limit after an update`() throws {
    let it = try TracedStack("A", also: "B")
    let interaction = PercentDrivenInteractiveTransition()
    it.provider.interaction = interaction
    let push = try it.stack.push(it["B"], animated: true)

    interaction.update(0.01)
    it.stage.advance(to: 100)
    let rests = push.isInteractive
    interaction.cancel()
    it.stage.advance(to: 102)

    #expect((rests, push.outcome) == (true, .cancelled))
    #expect(it.issues.all == [])
  }
}
