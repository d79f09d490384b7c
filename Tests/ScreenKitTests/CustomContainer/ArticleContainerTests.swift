import Testing
import TextCanvas

@testable import ScreenKit

@MainActor @Suite struct ArticleContainerTests {
  @Test(.checklist("S0.26", "S0.27", "S0.30", "T6")) func `the first screen is shown without an animator`() throws {
    let it = try TracedContainer()

    #expect(
      it.trace.take() == [
        "A.willMove(container)", "A.didLoad", "A.didMove(container)", "A.willAppear(false)", "A.didAppear",
      ])
    try it.container.select(it.screens[0])
    #expect(it.trace.take() == [])
    #expect(it.layers == "A")
  }

  @Test(.checklist("S0.26")) func `selecting before the layer is loaded only stores the selection`() throws {
    let trace = Trace()
    let screens = "AB".map { TracingScreen("\($0)", trace) }
    let container = try ArticleContainer(screens)

    try container.select(screens[1])
    let before = trace.take()
    let stage = makeStage(container)

    #expect(before == [])
    #expect(container.children.map(\.title) == ["B"])
    #expect(stage.picture(at: 0) == ["BBBBBBBBBB", "BBBBBBBBBB"])
  }

  @Test(.checklist("T6", "S0.4", "S0.22", "S0.24", "S0.25", "S0.32", "S0.33", "S0.35", "S0.36"))
  func
    `a switch calls all callbacks in order`() throws
  {
    let it = try TracedContainer()
    it.delegate.animator = TracingAnimator(it.trace)
    _ = it.trace.take()

    it.container.press(1)
    let began = it.trace.take()
    let enabled = it.container.isSwitcherEnabled
    it.container.press(2)
    let ignored = it.trace.take()
    _ = it.stage.tick(at: 1)

    #expect(
      began == [
        "B.didLoad", "A.willMove(nil)", "B.willMove(container)", "delegate.animator(A, B)", "delegate.interaction",
        "A.willDisappear(true)", "B.willAppear(true)", "animator.animate(A)", "delegate.didSelect(B, B)",
      ])
    #expect(!enabled)
    #expect(ignored == [])
    #expect(
      it.trace.take() == [
        "animator.completion(true)", "A.didMove(nil)", "B.didMove(container)", "A.didDisappear", "B.didAppear",
        "animator.ended(true)",
      ])
    #expect(it.container.isSwitcherEnabled)
    #expect(it.container.highlighted == 1)
    #expect(it.layers == "B")
    #expect(it.issues.all == [])
  }

  @Test(.checklist("S0.28", "S0.29", "S0.31")) func `a screen that is not a child cannot be selected`() throws {
    #expect(throws: ArticleError.noScreens) { try ArticleContainer([]) }
    let it = try TracedContainer()

    #expect(throws: ArticleError.notAChild("X")) { try it.container.select(Screen(title: "X")) }
  }

  @Test(.checklist("S0.28")) func `the container copies the list of screens`() throws {
    var screens = "AB".map { Screen(title: "\($0)") }
    let container = try ArticleContainer(screens)

    screens.removeAll()

    #expect(container.screens.map(\.title) == ["A", "B"])
  }

  @Test(.checklist("S0.8")) func `a context requires the old layer to be in the container`() throws {
    let message =
      "The fromViewController view must reside in the container view upon initializing the transition context."

    #expect {
      try ArticleContext(from: Screen(), to: Screen(), indexes: (0, 1))
    } throws: {
      ($0 as? ArticleError)?.description == message
    }
  }

  @Test(
    .checklist("S0.9", "S0.10", "S0.11", "S0.12", "S0.13", "S0.14", "S0.15", "S0.16"),
    arguments: [
      ((0, 1), -10.0), ((1, 0), 10.0),
    ])
  func `a context returns the initial and final frames of both screens`(indexes: (Int, Int), travel: Double) throws {
    let container = Layer(frame: Rect(x: 3, y: 1, width: 10, height: 2))
    let (from, to) = (Screen(title: "A"), Screen(title: "B"))
    container.add(from.layer)

    let context = try ArticleContext(from: from, to: to, indexes: indexes)

    #expect(context.container === container)
    #expect(context.presentationStyle == .custom)
    #expect((context.from === from, context.to === to) == (true, true))
    #expect(context.initialFrame(for: from) == Rect(x: 0, y: 0, width: 10, height: 2))
    #expect(context.finalFrame(for: from) == Rect(x: travel, y: 0, width: 10, height: 2))
    #expect(context.initialFrame(for: to) == Rect(x: -travel, y: 0, width: 10, height: 2))
    #expect(context.finalFrame(for: Screen()) == Rect(x: 0, y: 0, width: 10, height: 2))
  }

  @Test(.checklist("S0.18", "S0.19", "S0.21")) func `a noninteractive context records only its outcome`() throws {
    let container = Layer()
    let from = Screen()
    container.add(from.layer)
    let context = try ArticleContext(from: from, to: Screen(), indexes: (0, 1))
    var ends: [Bool] = []

    context.completeTransition(true)
    context.completion = { ends.append($0) }
    context.updateInteractiveTransition(0.5)
    let cancelled = [
      context.transitionWasCancelled,
      {
        context.cancelInteractiveTransition(); return context.transitionWasCancelled
      }(),
      {
        context.finishInteractiveTransition(); return context.transitionWasCancelled
      }(),
    ]
    context.completeTransition(false)

    #expect(cancelled == [false, true, false])
    #expect(context.updates == [])
    #expect(ends == [false])
  }

  @Test(.checklist("S0.34", "S0.38", "S0.39", "S0.23"))
  func
    `without a delegate the default animator runs with the article's parameters`() throws
  {
    let it = try TracedContainer()
    it.container.delegate = nil

    try it.container.select(it.screens[1])
    let (from, to) = (it.screens[0].layer, it.screens[1].layer)

    #expect(it.container.lastAnimator is SpringSlideTransition)
    #expect(it.container.lastAnimator?.transitionDuration(using: nil) == 1)
    #expect(to.frame == it.container.containerLayer.bounds)
    #expect(to.presentation.transform.translation.x == 26)
    #expect(to.presentation.opacity == 0)
    #expect(from.transform.translation.x == -26)
    _ = it.stage.tick(at: 0.3)
    #expect(abs(to.presentation.transform.translation.x - 26 * (1 - 0.907371863)) < 1e-6)
    #expect(abs(from.presentation.opacity - (1 - 0.907371863)) < 1e-6)
    _ = it.stage.tick(at: 1)
    #expect(from.model == LayerState(frame: it.container.containerLayer.bounds))
    #expect(to.model == LayerState(frame: it.container.containerLayer.bounds))
  }

  @Test(.checklist("S0.35")) func `only a press notifies the delegate of the selection`() throws {
    let it = try TracedContainer()
    _ = it.trace.take()

    try it.container.select(it.screens[1])

    #expect(!it.trace.take().contains { $0.hasPrefix("delegate.didSelect") })
  }

  @Test(.checklist("S0.46", "S0.47", "S0.48", "S0.49", "S0.51", "S2.42"))
  func
    `an interactive transition drives any animator in a third-party container`() throws
  {
    let it = try TracedContainer()
    let interaction = PercentDrivenInteractiveTransition()
    it.delegate.animator = TracingAnimator(it.trace, duration: 2)
    it.delegate.interaction = interaction

    it.container.press(1)
    let context = try #require(it.container.lastContext)
    let isInteractive = context.isInteractive
    interaction.update(1.5)
    interaction.update(0.25)
    let picture = it.stage.picture(at: 3)
    interaction.finish()
    _ = it.stage.tick(at: 4.49)
    let before = it.layers
    _ = it.stage.tick(at: 4.5)

    #expect(isInteractive)
    #expect(context.updates == [1, 0.25])
    #expect(interaction.completionSpeed == 1)
    #expect(picture == ["AAAAAAAABB", "AAAAAAAABB"])
    #expect(before == "AB")
    #expect(it.layers == "B")
    #expect(it.container.selected === it.screens[1])
  }

  @Test(.checklist("S0.32", "S0.33", "S0.50", "S0.52", "S0.53", "T6"))
  func `cancelling an interactive transition restores the previous state`()
    throws
  {
    let it = try TracedContainer()
    let interaction = PercentDrivenInteractiveTransition()
    it.delegate.animator = TracingAnimator(it.trace)
    it.delegate.interaction = interaction
    it.container.press(1)
    interaction.update(0.3)
    let during = it.container.selected?.title
    _ = it.trace.take()

    interaction.cancel()
    _ = it.stage.tick(at: 0.3)

    #expect(during == "A")
    #expect(
      it.trace.take() == [
        "animator.completion(true)", "B.willDisappear(true)", "B.didDisappear", "A.willAppear(true)", "A.didAppear",
        "B.willMove(nil)", "B.didMove(nil)", "A.didMove(container)", "animator.ended(false)",
      ])
    #expect(it.container.children.map(\.title) == ["A"])
    #expect(it.container.selected === it.screens[0])
    #expect(it.container.highlighted == 0)
    #expect(it.layers == "A")
    #expect(it.container.isSwitcherEnabled)
  }

  @Test(.checklist("S0.55")) func `cancelling before the start takes effect at the start`() throws {
    let it = try TracedContainer()
    let interaction = PercentDrivenInteractiveTransition()
    it.delegate.animator = TracingAnimator()
    it.delegate.interaction = interaction

    interaction.cancel()
    it.container.press(1)
    _ = it.stage.tick(at: 0.1)

    #expect(it.container.selected === it.screens[0])
    #expect(it.layers == "A")
    #expect(it.container.isSwitcherEnabled)
  }
}

extension ArticleContainerTests {
  @Test(.checklist("S0.3", "S4.7", "S4.15")) func `an animator needs only two methods`() throws {
    final class Plain: AnimatedTransitioning {
      func transitionDuration(using context: (any TransitionContext)?) -> Double { 0.5 }
      func animateTransition(using context: any TransitionContext) {
        context.addToLayer()
        context.completeTransition(true)
      }
    }
    let it = try TracedContainer()
    it.delegate.animator = Plain()

    it.container.press(1)

    #expect(it.layers == "B")
    #expect(it.container.isSwitcherEnabled)
  }
}
