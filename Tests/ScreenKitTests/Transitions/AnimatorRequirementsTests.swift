import Testing
import TextCanvas

@testable import ScreenKit

/// The fade of "iOS 7 Day-by-Day, day 10", as in the article: two methods, and no clean-up afterwards.
@MainActor final class ArticleFade: AnimatedTransitioning {
  private(set) var durations = 0
  private(set) var ended: [Bool] = []
  var removesFrom = true

  func transitionDuration(using context: (any TransitionContext)?) -> Double {
    durations += 1
    return 2
  }

  func animateTransition(using context: any TransitionContext) {
    context.container.add(context.from.layer)
    context.container.add(context.to.layer)
    context.to.layer.opacity = 0
    animate(duration: transitionDuration(using: context), curve: .linear) {
      context.to.layer.opacity = 1
    } completion: { [removesFrom] _ in
      if removesFrom { context.from.layer.removeFromSuperlayer() }
      context.completeTransition(true)
    }
  }

  func animationEnded(_ completed: Bool) { ended.append(completed) }
}

/// An animator that runs a closure.
@MainActor final class Scripted: AnimatedTransitioning {
  let script: (any TransitionContext) -> Void
  private(set) var ended: [Bool] = []

  init(_ script: @escaping (any TransitionContext) -> Void) { self.script = script }

  func transitionDuration(using context: (any TransitionContext)?) -> Double { 1 }
  func animateTransition(using context: any TransitionContext) { script(context) }
  func animationEnded(_ completed: Bool) { ended.append(completed) }
}

@MainActor @Suite struct AnimatorRequirementsTests {
  @Test(
    .checklist("S4.3", "S4.5", "S4.6", "S4.8", "S4.9", "S4.10", "S4.16"), arguments: [true, false])
  func `the article's fade runs with and without removing the old layer`(removes: Bool) throws {
    let it = try TracedStack("A", also: "B")
    let fade = ArticleFade()
    fade.removesFrom = removes
    it.provider.animator = { _ in fade }

    try it.stack.push(it["B"], animated: true)
    let first = it["B"].layer.presentation.opacity
    it.stage.advance(to: 0.5)
    let quarter = it["B"].layer.presentation
    it.stage.advance(to: 1.99)
    let before = it.layerTitles
    it.stage.advance(to: 2)
    let after = it.layerTitles
    it.stack.pop(animated: true)
    it.stage.advance(to: 5)

    #expect(first == 0)
    #expect(quarter == LayerState(frame: Rect(x: 0, y: 0, width: 10, height: 2), opacity: 0.25))
    #expect((before, after, it.layerTitles) == ("AB", "B", "A"))
    #expect(fade.ended == [true, true])
    #expect(it.issues.all == [])
  }

  @Test(.checklist("S2.26", "S4.11")) func `a missing completion is reported, and the transition completes`() throws {
    let it = try TracedStack("A", also: "BC")
    let forgetful = Scripted { _ in }
    it.provider.animator = { _ in forgetful }

    let push = try it.stack.push(it["B"], animated: true)
    it.stage.advance(to: 1.9)
    let early = push.outcome
    it.stage.advance(to: 2)

    #expect(early == nil)
    #expect(push.outcome == .completed)
    #expect(forgetful.ended == [true])
    #expect(it.issues.all == [.neverCompleted(transition: "push A → B", after: 2)])
    #expect(it.layerTitles == "B")
  }

  @Test(.checklist("S0.20", "S2.31")) func `a second completion is reported and changes nothing`() throws {
    let it = try TracedStack("A", also: "B")
    let eager = Scripted { context in
      context.completeTransition(true)
      context.completeTransition(false)
    }
    it.provider.animator = { _ in eager }

    try it.stack.push(it["B"], animated: true)

    #expect(eager.ended == [true])
    #expect(it.issues.all == [.completedTwice(transition: "push A → B")])
    #expect(it.stackTitles == "AB")
  }

  @Test(.checklist("S0.20")) func `a second completion after the end is reported too`() throws {
    let it = try TracedStack("A", also: "B")
    var context: (any TransitionContext)?
    it.provider.animator = { _ in Scripted { context = $0 } }
    try it.stack.push(it["B"], animated: true)
    context?.completeTransition(true)

    context?.completeTransition(true)

    #expect(it.issues.all == [.completedTwice(transition: "push A → B")])
    #expect(it.layerTitles == "B")
  }

  @Test(.checklist("S2.25", "S2.33")) func `a wrong final frame and a leftover layer are reported and corrected`()
    throws
  {
    let it = try TracedStack("A", also: "B")
    let leftover = Layer()
    leftover.name = "stray"
    it.provider.animator = { _ in
      Scripted { context in
        context.container.add(leftover)
        context.to.layer.frame.x = 3
        context.completeTransition(true)
      }
    }

    try it.stack.push(it["B"], animated: true)

    #expect(
      it.issues.all == [
        .wrongEndState(transition: "push A → B", found: "'B' at 3.0, 0.0, 10.0 × 2.0"),
        .wrongEndState(transition: "push A → B", found: "1 layers of the animator"),
      ])
    #expect(it.layerTitles == "B")
    #expect(it["B"].layer.frame == it.stack.layer.bounds)
  }

  @Test(.checklist("S2.24", "S2.29", "S2.32", "S0.11", "S0.17"))
  func `the context returns the initial and final frames of both screens`() throws {
    let it = try TracedStack("A", also: "B")
    var values: [String] = []
    it.provider.animator = { _ in
      Scripted { context in
        for screen in [context.from, context.to] {
          let (start, end) = (context.initialFrame(for: screen).x, context.finalFrame(for: screen).x)
          values.append("\(screen.title) \(start) \(end)")
        }
        values.append("\(context.operation) \(context.isAnimated) \(context.isInteractive)")
        values.append(context.container.sublayers.map(\.name).joined())
        context.completeTransition(true)
      }
    }

    try it.stack.push(it["B"], animated: true)
    it.stack.pop(animated: true)

    #expect(
      values == [
        "A 0.0 -10.0", "B 10.0 0.0", "push true false", "AB", "B 0.0 10.0", "A -10.0 0.0", "pop true false", "AB",
      ])
  }

  @Test(.checklist("S2.27", "S0.5")) func `the container makes one context for animator and coordinator`()
    throws
  {
    let it = try TracedStack("A", also: "B")
    weak var given: (any TransitionContext)?
    it.provider.animator = { _ in
      Scripted { context in
        given = context
        animate(duration: 1) {
          context.to.layer.opacity = 0.5
        } completion: { _ in
          context.completeTransition(true)
        }
      }
    }

    try it.stack.push(it["B"], animated: true)

    #expect(given != nil)
    #expect(it["B"].transitionCoordinator?.context === given)
    it.stage.advance(to: 1)
    #expect(given == nil)
  }

  @Test(.checklist("S0.41"), arguments: TransitionCatalog.allCases)
  func `every animator reports a cancelled transition as cancelled`(kind: TransitionCatalog) throws {
    let it = ContainerScene(.stack)
    it.provider.kind = kind
    let push = try #require(try it.forward(true))

    push.fractionComplete = 0.9
    push.cancel()
    it.stage.advance(to: 3)

    #expect(push.outcome == .cancelled)
    #expect(it.issues.all == [])
  }

  @Test(.checklist("S4.1", "S4.4", "S2.28", "S2.35", "S0.36"))
  func `the provider is asked once, with operation and screens`() throws {
    let it = try TracedStack("A", also: "B")

    try it.stack.push(it["B"], animated: true)
    let calls = it.trace.take()

    #expect(calls.filter { $0.hasPrefix("provider.animator") } == ["provider.animator(push, A, B)"])
    #expect(it.stack.transitionCoordinator?.transitionDuration == 1)
  }

  @Test(.checklist("S4.12", "S4.13", "S0.34")) func `a provider that was released is treated as missing`() throws {
    let stack = StackScreen(root: TracingScreen("A"))
    let stage = makeStage(stack)
    do {
      let provider = TracingProvider()
      stack.transitions = provider
    }

    try stack.push(TracingScreen("B"), animated: true)

    #expect(stack.transitions == nil)
    #expect(stage.picture(at: 0.35) == ["BBBBBBBBBB", "BBBBBBBBBB"])
  }

  @Test(.checklist("S2.21", "S2.22", "S2.23")) func `a push makes the same calls with and without animation`() throws {
    func steps(animated: Bool) throws -> [String] {
      let it = try TracedStack("A", also: "B")
      var steps = ["\(it.stackTitles) \(it.layerTitles)"]
      try it.stack.push(it["B"], animated: animated)
      if animated { steps.append("\(it.stackTitles) \(it.layerTitles)") }
      it.stage.advance(to: 1)
      steps.append("\(it.stackTitles) \(it.layerTitles)")
      let calls = it.trace.take().filter { !$0.hasPrefix("animator") && !$0.hasPrefix("provider") }
      return steps + calls.map { $0.replacing("(\(animated))", with: "") }
    }

    let animated = try steps(animated: true)
    let plain = try steps(animated: false)

    #expect(animated.prefix(3) == ["A A", "AB AB", "AB B"])
    #expect(plain.prefix(2) == ["A A", "AB B"])
    #expect(Array(animated.dropFirst(3)) == Array(plain.dropFirst(2)))
  }

  @Test func `an animator may complete before its duration`() throws {
    let it = try TracedStack("A", also: "B")
    var context: (any TransitionContext)?
    it.provider.animator = { _ in Scripted { context = $0 } }
    let push = try it.stack.push(it["B"], animated: true)
    it.stage.advance(to: 0.7)

    context?.completeTransition(true)

    #expect(push.outcome == .completed)
    #expect(it.layerTitles == "B")
    #expect(it.issues.all == [])
  }

  @Test func `completing after an interruption is not reported as a second completion`() throws {
    let it = try TracedStack("A", also: "B")
    var context: (any TransitionContext)?
    it.provider.animator = { operation in operation == .push ? Scripted { context = $0 } : nil }
    try it.stack.push(it["B"], animated: true)

    it.stack.pop(animated: true)
    context?.completeTransition(true)
    it.stage.advance(to: 2)

    #expect(it.stackTitles == "A")
    #expect(it.issues.all == [])
  }

  @Test(.checklist("S3.19"), arguments: [false, true]) func `a flip turns the other way when going back`(
    back: Bool
  ) throws {
    let it = try TracedStack(back ? "AB" : "A", also: back ? "" : "B")
    it.provider.animator = { _ in FlipTransition() }
    let transition = try #require(back ? it.stack.pop(animated: true) : try it.stack.push(it["B"], animated: true))
    let (from, to) = back ? (it["B"], it["A"]) : (it["A"], it["B"])
    let sign = back ? -1.0 : 1.0

    let flips = [0.25, 0.75].map { fraction in
      transition.fractionComplete = fraction
      return [from, to].map { $0.layer.presentation.transform.flip * sign }
    }

    let expected: [[Double]] = [[.pi / 4, -.pi / 2], [.pi / 2, -.pi / 4]]
    #expect(zip(flips, expected).allSatisfy { zip($0, $1).allSatisfy { abs($0 - $1) < 1e-9 } })
  }
}
