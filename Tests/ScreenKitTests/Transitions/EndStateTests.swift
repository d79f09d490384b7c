import Testing
import TextCanvas

@testable import ScreenKit

/// Tests that containment and layers agree at the end, whatever an animator does with its layers and its completion.
@MainActor @Suite struct EndStateTests {
  /// Moves like a slide, then runs a closure and completes with a fixed result.
  private final class FixedResultAnimator: AnimatedTransitioning {
    let says: Bool
    let last: (any TransitionContext) -> Void

    init(says: Bool, last: @escaping (any TransitionContext) -> Void = { _ in }) {
      self.says = says
      self.last = last
    }

    func transitionDuration(using context: (any TransitionContext)?) -> Double { 1 }

    func animateTransition(using context: any TransitionContext) {
      context.to.layer.offset.x = 4
      animate(duration: 1, curve: .linear) {
        context.to.layer.offset.x = 0
      } completion: { [says, last] _ in
        last(context)
        context.completeTransition(says)
      }
    }
  }

  @Test(.checklist("S1.21", "S2.26"), arguments: ["by hand", "interrupted"])
  func `completing successfully after a cancel is overruled and reported`(how: String) throws {
    let it = try TracedStack("AB")
    it.provider.animator = { _ in FixedResultAnimator(says: true) }
    if how == "interrupted" { it.provider.interaction = PercentDrivenInteractiveTransition() }
    let pop = try #require(it.stack.pop(animated: true))
    pop.fractionComplete = 0.5
    it.provider.interaction = nil

    if how == "by hand" { pop.cancel() } else { try it.stack.push(TracingScreen("C"), animated: false) }
    it.stage.advance(to: 3)

    let top = how == "by hand" ? "B" : "C"
    #expect(pop.outcome == .cancelled)
    #expect(it.stack.screens.map(\.title) == (how == "by hand" ? ["A", "B"] : ["A", "B", "C"]))
    #expect(it.stack.children.map(\.title) == it.stack.screens.map(\.title))
    #expect(it.layerTitles == top)
    #expect(it.stage.picture(at: 3) == Array(repeating: String(repeating: top, count: 10), count: 2))
    #expect((it["A"].appearance, it["A"].transitionCoordinator == nil) == (.disappeared, true))
    #expect(it.issues.all == [.completedAgainstCancel(transition: "pop B → A")])
  }

  @Test func `completing with false counts as cancelled for all participants`() throws {
    let it = try TracedStack("A", also: "B")
    it.provider.animator = { _ in FixedResultAnimator(says: false) }
    let push = try it.stack.push(it["B"], animated: true)
    var results: [Bool] = []
    it.stack.transitionCoordinator?.animate(alongside: nil) { results.append($0.transitionWasCancelled) }

    it.stage.advance(to: 2)

    #expect((push.outcome, results, it.stackTitles, it.layerTitles) == (.cancelled, [true], "A", "A"))
    #expect(it.issues.all == [])
  }

  @Test(.checklist("S2.25", "S2.33"), arguments: ["push", "pop", "cancelled", "never added"])
  func `a screen's layer that the animator removed is added again and reported`(how: String) throws {
    let it = try TracedStack(how == "pop" ? "BA" : "A", also: how == "pop" ? "" : "B")
    it.provider.animator = { _ in
      FixedResultAnimator(says: how != "cancelled") { context in
        switch how {
        case "never added": break
        case "cancelled": context.from.layer.removeFromSuperlayer()
        default: context.to.layer.removeFromSuperlayer()
        }
      }
    }

    let transition = try #require(
      how == "pop" ? it.stack.pop(animated: true) : try it.stack.push(it["B"], animated: true))
    it.stage.advance(to: 2)

    let visible = how == "cancelled" ? "A" : "B"
    let name = how == "pop" ? "pop A → B" : "push A → B"
    #expect(transition.outcome == (how == "cancelled" ? .cancelled : .completed))
    #expect(it.stage.picture(at: 2) == Array(repeating: String(repeating: visible, count: 10), count: 2))
    #expect(it.layerTitles == visible)
    #expect(it[visible].appearance == .appeared)
    #expect(
      it.issues.all
        == (how == "never added"
          ? [] : [.wrongEndState(transition: name, found: "'\(visible)' taken out of the container")]))
  }

  @Test func `a presenter's layer that the animator removed is added below the modal`() throws {
    let it = TracedModal()
    it.modal.presentationStyle = .custom
    it.provider.animator = { _ in
      FixedResultAnimator(says: true) { context in
        context.from.layer.removeFromSuperlayer()
        context.to.layer.removeFromSuperlayer()
      }
    }

    try it.root.present(it.modal, animated: true)
    it.stage.advance(to: 2)

    #expect(it.layers == "AM")
    #expect(it.issues.all.count == 2)
  }
}
