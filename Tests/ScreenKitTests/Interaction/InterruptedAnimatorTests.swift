import Testing
import TextCanvas

@testable import ScreenKit

/// Tests the notification of an interrupted animator, and the visible result if the next animator does not continue it.
@MainActor @Suite struct InterruptedAnimatorTests {
  /// Shows a layer instead of both screens, like a card that becomes a page.
  private final class Substitute: AnimatedTransitioning {
    let shown = drawnLayer("card")
    /// The arguments of `willBeInterrupted` and the presented column of the layer at that time.
    var told: (goingBack: Bool, column: Double)?
    var found: (any AnimatedTransitioning)?
    /// Whether the layer has an identity, so that another substitute layer continues its motion.
    let goesOn: Bool

    init(goesOn: Bool) {
      self.goesOn = goesOn
      shown.frame = Rect(x: 0, y: 0, width: 4, height: 1)
    }

    func transitionDuration(using context: (any TransitionContext)?) -> Double { 0.4 }

    func animateTransition(using context: any TransitionContext) {
      found = context.interrupted
      context.addToLayer()
      let screens = [context.from.layer, context.to.layer]
      for screen in screens { screen.isHidden = true }
      if goesOn { shown.identity = TransitionID("card") }
      context.container.add(shown)
      animate(duration: 0.4, curve: .linear) {
        shown.frame.x = 8
      } completion: { _ in
        self.shown.removeFromSuperlayer()
        for screen in screens { screen.isHidden = false }
        context.completeTransition(!context.transitionWasCancelled)
      }
    }

    func willBeInterrupted(goingBack: Bool) { told = (goingBack, shown.presentation.frame.x) }
  }

  private let first = DrawnScreen(["aaaaaaaaaaaa"])
  private let second = DrawnScreen(["bbbbbbbbbbbb"])
  private let third = DrawnScreen(["cccccccccccc"])
  private let provider = TracingProvider()

  private func makeStack() -> (StackScreen, Stage) {
    let stack = StackScreen(root: first)
    stack.transitions = provider
    return (stack, makeStage(stack, columns: 12, rows: 1))
  }

  @Test func `an animator is notified before it is interrupted, and passed to the next animator`() throws {
    let (stack, stage) = makeStack()
    let (one, other) = (Substitute(goesOn: true), Substitute(goesOn: true))
    provider.animator = { _ in one }
    try stack.push(second, animated: true)
    stage.advance(to: 0.2)

    provider.animator = { _ in other }
    try stack.push(third, animated: true)
    let picture = stage.picture(at: 0.2)
    stage.advance(to: 2)

    #expect(one.found == nil && other.found === one)
    #expect(one.told?.goingBack == false && one.told?.column == 4)
    #expect(picture == ["    card    "])
    #expect(stage.picture(at: 2) == ["cccccccccccc"])
    #expect(stack.layer.sublayers.count == 1)
  }

  @Test func `interrupting an interactive pop cancels it and notifies its animator`() throws {
    let (stack, stage) = makeStack()
    try stack.push(second, animated: false)
    let (one, interaction) = (Substitute(goesOn: true), PercentDrivenInteractiveTransition())
    (provider.animator, provider.interaction) = ({ _ in one }, interaction)
    stack.pop(animated: true)
    interaction.update(0.5)

    (provider.animator, provider.interaction) = ({ _ in nil }, nil)
    try stack.push(third, animated: true)

    #expect(one.told?.goingBack == true)
    stage.advance(to: 2)
    #expect(stack.screens.count == 3)
  }

  @Test func `a substitute layer that the next animator does not continue fades out as a snapshot`() throws {
    let (stack, stage) = makeStack()
    provider.animator = { _ in Substitute(goesOn: false) }
    try stack.push(second, animated: true)
    stage.advance(to: 0.2)
    let before = stage.picture(at: 0.2)

    provider.animator = { _ in Substitute(goesOn: false) }
    try stack.push(third, animated: true)
    let after = stage.picture(at: 0.2)
    let snapshotCount = stack.layer.sublayers.count
    stage.advance(to: 0.2 + 1.1 * Layer.dissolveDuration)

    #expect(before == ["    card    "])
    #expect(after == before)
    #expect(snapshotCount == stack.layer.sublayers.count + 1)
    #expect(stage.picture(at: 0.34) == ["   card     "])
    stage.advance(to: 2)
    #expect(stage.picture(at: 2) == ["cccccccccccc"])
    #expect(stack.layer.sublayers.count == 1)
  }

  @Test func `screens pushed during a slide stay adjacent`() throws {
    let (stack, stage) = makeStack()
    provider.animator = { _ in SlideTransition(duration: 0.4, curve: .linear) }
    try stack.push(second, animated: true)
    stage.advance(to: 0.1)
    try stack.push(third, animated: true)
    let pictures = [0.1, 0.15, 0.2, 0.3, 0.45].map { stage.picture(at: $0)[0] }

    #expect(pictures == ["aaaaaaaaabbb", "aaaaaaabbbbb", "aaaabbbbbbbb", "bbbbbbbbbbbc", "bbbccccccccc"])
    #expect(stage.picture(at: 2) == ["cccccccccccc"])
    #expect(stack.layer.sublayers.count == 1)
  }

  @Test func `sliding screens fade out if a substitute replaces them`() throws {
    let (stack, stage) = makeStack()
    provider.animator = { _ in SlideTransition(duration: 0.4, curve: .linear) }
    try stack.push(second, animated: true)
    stage.advance(to: 0.2)
    let before = stage.picture(at: 0.2)

    provider.animator = { _ in Substitute(goesOn: false) }
    try stack.push(third, animated: true)
    let after = stage.picture(at: 0.2)
    stage.advance(to: 2)

    #expect(before == ["aaaaaabbbbbb"])
    #expect(after == before)
    #expect(stack.layer.sublayers.count == 1)
  }

  @Test func `a cross-fade covers the interrupted slide`() throws {
    let (stack, stage) = makeStack()
    provider.animator = { _ in SlideTransition(duration: 0.4, curve: .linear) }
    try stack.push(second, animated: true)
    stage.advance(to: 0.2)

    provider.animator = { _ in CrossFadeTransition() }
    stack.pop(animated: true)
    let after = stage.picture(at: 0.2)
    stage.advance(to: 2)

    #expect(after == ["aaaaaabbbbbb"])
    #expect(stage.picture(at: 2) == ["aaaaaaaaaaaa"])
    #expect(stack.layer.sublayers.count == 1)
  }
}
