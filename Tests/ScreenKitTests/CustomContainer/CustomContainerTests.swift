import Testing
import TextCanvas

@testable import ScreenKit

/// A custom container has the same features as the containers of the library.
@MainActor @Suite struct CustomContainerTests {
  private let trace = Trace()
  private let pages: [TracingScreen]
  private let pile: Pile
  private let provider: TracingProvider
  private let stage: Stage
  private let issues = IssueLog()

  init() {
    let trace = trace
    pages = "ABC".map { TracingScreen("\($0)", trace) }
    pile = Pile(pages[0])
    pile.title = "pile"
    provider = TracingProvider(trace)
    provider.animator = { _ in TracingAnimator(trace) }
    pile.transitions = provider
    stage = makeStage(pile, issues: issues)
    _ = stage.tick(at: 0)
    _ = trace.take()
  }

  private func expectShown(_ page: Screen, from location: SourceLocation = #_sourceLocation) {
    #expect(pile.page === page, sourceLocation: location)
    #expect(pile.children.map(\.title) == [page.title], sourceLocation: location)
    #expect(stage.layers(in: pile) == page.title, sourceLocation: location)
    #expect(page.layer.model == LayerState(frame: pile.layer.bounds), sourceLocation: location)
    for other in pages {
      #expect(other.appearance == (other === page ? .appeared : .disappeared), sourceLocation: location)
      #expect(other.transitionCoordinator == nil, sourceLocation: location)
    }
    _ = stage.tick(at: stage.now)
    #expect(stage.nextFrameTime == nil, sourceLocation: location)
  }

  @Test(.checklist("S0.2", "S0.22", "S0.24", "S0.36")) func `a switch calls all callbacks in order`() throws {
    let transition = try pile.show(pages[1])
    let began = trace.take()
    let focus = stage.focusedScreen?.title
    let half = stage.picture(at: 0.5)
    _ = stage.tick(at: 1)

    #expect(
      began == [
        "A.willMove(nil)", "B.willMove(pile)", "provider.animator(replace, A, B)", "provider.interaction", "B.didLoad",
        "A.willDisappear(true)", "B.willAppear(true)", "provider.willShow(B, true)", "animator.duration",
        "animator.animate(AB)",
      ])
    #expect(focus == "B")
    #expect(half == ["AAAAABBBBB", "AAAAABBBBB"])
    #expect(
      trace.take() == [
        "animator.completion(true)", "A.didDisappear", "B.didAppear", "A.didMove(nil)", "B.didMove(pile)",
        "animator.ended(true)", "provider.didShow(B, true)",
      ])
    #expect(transition.outcome == .completed)
    expectShown(pages[1])
    #expect(issues.all == [])
  }

  @Test(.checklist("S2.52", "S2.55", "S2.59")) func `children have a coordinator and receive isAppearing`()
    throws
  {
    final class Noting: TracingScreen {
      override func isAppearing(animated: Bool) { trace.note("\(title).isAppearing \(layer.frame.width)") }
    }
    let page = Noting("N", trace)
    var notifications: [Bool] = []
    page.onWillAppear = { screen in
      screen.transitionCoordinator?.animate(alongside: { _ in screen.layer.values["along"] = 1 }) { context in
        notifications.append(context.transitionWasCancelled)
      }
    }

    let transition = try pile.show(page)
    let coordinators = [pile, pages[0], page].map { $0.transitionCoordinator === transition.run }
    stage.advance(to: 0.5)
    let along = page.layer.presentation.values["along"]
    stage.advance(to: 2)

    #expect(trace.take().contains("N.isAppearing 10.0"))
    #expect(coordinators == [true, true, true])
    #expect(along == 0.5)
    #expect(notifications == [false])
  }

  @Test(.checklist("S0.45", "S0.52", "S0.53"), arguments: [true, false])
  func `an interactive transition can finish or cancel`(finishes: Bool) throws {
    let interaction = PercentDrivenInteractiveTransition()
    provider.interaction = interaction
    let transition = try pile.show(pages[1])
    interaction.update(0.4)
    let duringGesture = (pile.page.title, stage.focusedScreen?.title, stage.picture(at: 5)[0])
    _ = trace.take()

    if finishes { interaction.finish() } else { interaction.cancel() }
    stage.advance(to: 9)

    #expect(duringGesture == ("A", "A", "AAAAAABBBB"))
    #expect(transition.outcome == (finishes ? .completed : .cancelled))
    if !finishes {
      #expect(trace.take().filter { $0.contains("Move") } == ["B.willMove(nil)", "B.didMove(nil)", "A.didMove(pile)"])
    }
    expectShown(pages[finishes ? 1 : 0])
    #expect(issues.all == [])
  }

  @Test(.checklist("X.2", "X.3", "T8"), arguments: [false, true])
  func `a second switch continues from the presented frame, departing layers included`(isInteractive: Bool) throws {
    let interaction = PercentDrivenInteractiveTransition()
    if isInteractive { provider.interaction = interaction }
    let first = try pile.show(pages[1])
    if isInteractive { interaction.update(0.5) }
    provider.interaction = nil
    let before = stage.picture(at: 0.5)

    let second = try pile.show(pages[2])
    let after = stage.picture(at: 0.5)
    let layers = pile.layer.sublayers.count
    let children = pile.children.map(\.title)
    stage.advance(to: 3)

    #expect(before == ["AAAAABBBBB", "AAAAABBBBB"])
    #expect(after == before)
    #expect(layers == 3)
    #expect(children == [isInteractive ? "A" : "B", "C"])
    #expect((first.outcome, second.outcome) == (isInteractive ? .cancelled : .completed, .completed))
    expectShown(pages[2])
    #expect(issues.all == [])
  }

  @Test func `switching back to the old screen only cancels the interactive transition`() throws {
    let interaction = PercentDrivenInteractiveTransition()
    provider.interaction = interaction
    _ = try pile.show(pages[1])
    interaction.update(0.5)

    let back = try pile.transition(from: pages[1], to: pages[0], operation: .pop) { _ in }

    #expect(back.outcome == .skipped(.superseded))
    stage.advance(to: 3)
    expectShown(pages[0])
  }

  @Test(.checklist("X.7")) func `reduced motion cross-fades, and no motion switches immediately`() throws {
    stage.motion = .reduced
    _ = try pile.show(pages[1])
    stage.advance(to: 0.05)
    let moved = [pages[0], pages[1]].map { $0.layer.presentation.transform == .identity }
    stage.advance(to: 2)
    stage.motion = .none
    let last = try pile.show(pages[2])

    #expect(moved == [true, true])
    #expect(last.outcome == .skipped(.reducedMotion))
    expectShown(pages[2])
  }

  @Test func `a resize during a transition lays out both screens again`() throws {
    let box = Pile(pages[0])
    box.transitions = provider
    provider.animator = { _ in SlideTransition(duration: 1, curve: .linear) }
    let inset: @MainActor () -> Rect = {
      Rect(x: 1, y: 0, width: box.layer.bounds.width - 2, height: box.layer.bounds.height)
    }
    let stage = makeStage(box, columns: 12, issues: issues)
    let transition = try box.transition(from: pages[0], to: pages[1], operation: .push, frame: inset) { _ in }
    stage.advance(to: 0.5)

    stage.resize(to: CellSize(columns: 22, rows: 2))
    let frames = [pages[0], pages[1]].map(\.layer.frame)
    let position = pages[1].layer.presentation.transform.translation.x
    stage.advance(to: 2)

    #expect(frames == [Rect(x: 1, y: 0, width: 20, height: 2), Rect(x: 1, y: 0, width: 20, height: 2)])
    #expect(position == 10)
    #expect(transition.outcome == .completed)
    #expect(pages[1].layer.frame == Rect(x: 1, y: 0, width: 20, height: 2))
  }

  @Test func `a transition between two permanent children does not change their parent`() throws {
    pile.addChild(pages[1])
    pages[1].didMove(to: pile)
    _ = trace.take()
    var ends: [Bool] = []

    try pile.transition(
      from: pages[0], to: pages[1], operation: .select(from: 0, to: 1), completion: { ends.append($0) }
    ) { trace.note("shows \($0.title)") }
    stage.advance(to: 2)

    #expect(ends == [true])
    #expect(trace.take().filter { $0.contains("Move") || $0.contains("shows") } == ["shows B", "shows B"])
    #expect(pile.children.map(\.title) == ["A", "B"])
    #expect(stage.layers(in: pile) == "B")
  }

  @Test func `a transition that is not possible is refused and changes nothing`() throws {
    let stack = StackScreen(root: Screen(title: "X"), title: "nav")

    #expect(throws: ContainmentError.noCommonParent(from: "B", to: "A", container: "pile")) {
      try pile.transition(from: pages[1], to: pages[0], operation: .replace) { _ in }
    }
    #expect(throws: ContainmentError.sameScreen(screen: "A", container: "pile")) { _ = try pile.show(pages[0]) }
    #expect(throws: ContainmentError.containsItself(screen: "pile", container: "pile")) { _ = try pile.show(pile) }
    #expect(throws: ContainmentError.ownedByContainer(screen: "X", container: "nav")) { _ = try pile.show(stack.top) }
    #expect(trace.take() == [])
    expectShown(pages[0])
  }
}

/// `PercentDrivenInteractiveTransition` checks the requirements of a custom transition context.
@MainActor @Suite struct CustomContextTests {
  /// A context that leaves out one requirement.
  private final class IncompleteContext: TransitionContext {
    let container: Layer
    let (from, to) = (Screen(title: "A"), Screen(title: "B"))
    let operation = TransitionOperation.select(from: 0, to: 1)
    let forgets: String
    let isAnimated = true
    var isInteractive: Bool { forgets != "interactive" }
    private(set) var transitionWasCancelled = false
    var animationController: (any AnimatedTransitioning)? { forgets == "animator" ? nil : animator }
    private let animator = SlideTransition(duration: 1)

    init(_ container: Layer, forgets: String) {
      self.container = container
      self.forgets = forgets
      from.layer.frame = container.bounds
      if forgets != "old layer" { container.add(from.layer) }
    }

    func initialFrame(for screen: Screen) -> Rect { container.bounds }
    func finalFrame(for screen: Screen) -> Rect { container.bounds }
    func updateInteractiveTransition(_ fraction: Double) {}
    func pauseInteractiveTransition() {}
    func finishInteractiveTransition() {}
    func cancelInteractiveTransition() { transitionWasCancelled = forgets != "cancel" }
    func completeTransition(_ didComplete: Bool) {
      guard forgets != "layers" else { return }
      (didComplete ? from : to).layer.removeFromSuperlayer()
      if forgets == "new layer" { to.layer.removeFromSuperlayer() }
    }
  }

  @Test(
    .checklist("S0.6", "S0.8", "S2.26"),
    arguments: [
      ("nothing", false, []), ("nothing", true, []),
      ("old layer", true, ["the layer of 'A' is not in its container"]),
      ("stage", true, ["its container is on no stage"]),
      ("interactive", true, ["it is not interactive, and a hand is started"]),
      (
        "animator", true,
        [
          "it gives its hand no animation controller", "the layer of 'B' is gone at the end",
          "the layer of 'A' is still there at the end",
        ]
      ),
      (
        "cancel", false,
        [
          "transitionWasCancelled is false after a cancel", "the layer of 'A' is gone at the end",
          "the layer of 'B' is still there at the end",
        ]
      ),
      ("layers", true, ["the layer of 'A' is still there at the end"]),
      ("new layer", true, ["the layer of 'B' is gone at the end"]),
    ] as [(String, Bool, [String])])
  func `each missing requirement of a context is reported`(forgets: String, finishes: Bool, problems: [String]) {
    let stage = makeStage(Screen())
    var issues: [ScreenIssue] = []
    stage.onIssue = { issues.append($0) }
    let container = Layer(frame: stage.layer.bounds)
    if forgets != "stage" { stage.layer.add(container) }
    let context = IncompleteContext(container, forgets: forgets)
    let interaction = PercentDrivenInteractiveTransition()

    stage.perform(at: 0) {
      interaction.startInteractiveTransition(context)
      interaction.update(0.5)
      if finishes { interaction.finish() } else { interaction.cancel() }
    }
    stage.advance(to: 3)

    #expect(issues == problems.map { .badContext(transition: "select A → B", found: $0) })
  }
}
