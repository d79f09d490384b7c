import Testing
import TextCanvas

@testable import ScreenKit

/// A stack on a stage, with all its calls recorded.
@MainActor struct TracedStack {
  let trace = Trace()
  let provider: TracingProvider
  let stack: StackScreen
  let stage: Stage
  let screens: [String: TracingScreen]
  let issues = IssueLog()

  /// - Parameters:
  ///   - titles: The screens in the stack at the start, one letter each.
  ///   - others: Screens for later operations, one letter each.
  ///   - vends: Whether the provider returns a `TracingAnimator`.
  init(_ titles: String, also others: String = "", vends: Bool = true) throws {
    let trace = trace
    var screens: [String: TracingScreen] = [:]
    for letter in titles + others { screens["\(letter)"] = TracingScreen("\(letter)", trace) }
    self.screens = screens
    let first = try #require(titles.first.flatMap { screens["\($0)"] })
    stack = StackScreen(root: first, title: "nav")
    for letter in titles.dropFirst() {
      try stack.push(#require(screens["\(letter)"]), animated: false)
    }
    provider = TracingProvider(trace)
    provider.stack = stack
    if vends { provider.animator = { _ in TracingAnimator(trace) } }
    stack.transitions = provider
    stage = makeStage(stack, issues: issues)
    _ = stage.tick(at: 0)
    _ = trace.take()
  }

  subscript(title: String) -> TracingScreen {
    guard let screen = screens[title] else { return TracingScreen(title) }
    return screen
  }

  var stackTitles: String { stack.screens.map(\.title).joined() }
  var layerTitles: String { stage.layers(in: stack) }
}

@MainActor @Suite struct StackTraceTests {
  @Test(.checklist("T1", "S2.32")) func `a push calls all callbacks in order`() throws {
    let it = try TracedStack("A", also: "B")

    try it.stack.push(it["B"], animated: true)
    let coordinator = try #require(it.stack.transitionCoordinator)
    coordinator.animate(alongside: nil) { _ in it.trace.note("coordinator.completion") }
    let began = it.trace.take()
    _ = it.stage.tick(at: 0.5)
    let middle = (it.trace.take(), it.layerTitles)
    _ = it.stage.tick(at: 1)

    #expect(
      began == [
        "B.willMove(nav)", "provider.animator(push, A, B)", "provider.interaction", "B.didLoad",
        "A.willDisappear(true)", "B.willAppear(true)", "provider.willShow(B, true)", "animator.duration",
        "animator.animate(AB)",
      ])
    #expect(it.provider.stackSeen == ["A", "B"])
    #expect(middle == ([], "AB"))
    #expect(
      it.trace.take() == [
        "animator.completion(true)", "A.didDisappear", "B.didAppear", "B.didMove(nav)", "animator.ended(true)",
        "coordinator.completion", "provider.didShow(B, true)",
      ])
    #expect(it.layerTitles == "B")
    #expect(it.stage.nextFrameTime == nil)
    #expect(it.issues.all == [])
  }

  @Test(.checklist("T2", "S2.32")) func `a pop calls all callbacks in order`() throws {
    let it = try TracedStack("AB")

    let transition = try #require(it.stack.pop(animated: true))
    try #require(it.stack.transitionCoordinator).animate(alongside: nil) { _ in it.trace.note("coordinator.completion")
    }
    let began = it.trace.take()
    _ = it.stage.tick(at: 1)

    #expect(
      began == [
        "B.willMove(nil)", "provider.animator(pop, B, A)", "provider.interaction", "A.didLoad",
        "B.willDisappear(true)", "A.willAppear(true)", "provider.willShow(A, true)", "animator.duration",
        "animator.animate(AB)",
      ])
    #expect(it.provider.stackSeen == ["A"])
    #expect(
      it.trace.take() == [
        "animator.completion(true)", "B.didDisappear", "A.didAppear", "B.didMove(nil)", "animator.ended(true)",
        "coordinator.completion", "provider.didShow(A, true)",
      ])
    #expect(transition.from === it["B"])
    #expect(transition.outcome == .completed)
    #expect(it.layerTitles == "A")
  }

  @Test(.checklist("T3", "S2.23", "S4.2")) func `a push without animation does not ask for an animator`() throws {
    let it = try TracedStack("A", also: "B")

    let transition = try it.stack.push(it["B"], animated: false)

    #expect(
      it.trace.take() == [
        "B.willMove(nav)", "B.didLoad", "A.willDisappear(false)", "B.willAppear(false)", "provider.willShow(B, false)",
        "A.didDisappear", "B.didAppear", "B.didMove(nav)", "provider.didShow(B, false)",
      ])
    #expect(transition.outcome == .skipped(.notAnimated))
    #expect(it.layerTitles == "B")
  }

  @Test(.checklist("T4", "S0.1", "S2.40", "S2.41", "S2.55", "S0.47")) func `an interactive pop can finish`() throws {
    let it = try TracedStack("AB")
    let interaction = PercentDrivenInteractiveTransition()
    it.provider.interaction = interaction
    it["A"].onWillAppear = { screen in
      let coordinator = screen.transitionCoordinator
      it.trace.note(
        "coordinator(\(coordinator?.initiallyInteractive ?? false), \(coordinator?.isInteractive ?? false))")
      coordinator?.notifyWhenInteractionChanges { context in
        it.trace.note("changed(interactive: \(context.isInteractive), cancelled: \(context.transitionWasCancelled))")
      }
    }

    it.stack.pop(animated: true)
    let began = it.trace.take()
    _ = it.stage.tick(at: 5)
    interaction.update(0.4)
    let duringGesture = (it.stackTitles, it["B"].layer.presentation.transform.translation.x)
    interaction.finish()
    let finishing = it.trace.take()
    _ = it.stage.tick(at: 5.59)
    let almost = it.trace.take()
    let stackOnTheWay = it.stackTitles
    _ = it.stage.tick(at: 5.6)

    #expect(
      began == [
        "B.willMove(nil)", "provider.animator(pop, B, A)", "provider.interaction", "A.didLoad",
        "B.willDisappear(true)", "A.willAppear(true)", "coordinator(true, true)", "provider.willShow(A, true)",
        "animator.duration", "animator.animate(AB)",
      ])
    #expect(duringGesture == ("AB", 4))
    #expect(finishing == ["changed(interactive: false, cancelled: false)"])
    #expect(almost == [])
    #expect(stackOnTheWay == "AB")
    #expect(
      it.trace.take() == [
        "animator.completion(true)", "B.didDisappear", "A.didAppear", "B.didMove(nil)", "animator.ended(true)",
        "provider.didShow(A, true)",
      ])
    #expect(it.stackTitles == "A")
    #expect(it.layerTitles == "A")
  }

  @Test(.checklist("T5", "S2.51", "S2.57", "S0.50", "X.2")) func `an interactive pop can be cancelled`() throws {
    let it = try TracedStack("AB")
    let interaction = PercentDrivenInteractiveTransition()
    it.provider.interaction = interaction

    let transition = it.stack.pop(animated: true)
    it.stack.transitionCoordinator?.notifyWhenInteractionEnds { context in
      it.trace.note("ended(cancelled: \(context.transitionWasCancelled))")
    }
    interaction.update(0.4)
    _ = it.trace.take()
    interaction.cancel()
    let cancelling = it.trace.take()
    _ = it.stage.tick(at: 0.4)

    #expect(cancelling == ["ended(cancelled: true)"])
    #expect(
      it.trace.take() == [
        "animator.completion(true)", "A.willDisappear(true)", "A.didDisappear", "B.willAppear(true)", "B.didAppear",
        "B.didMove(nav)", "animator.ended(false)", "provider.didShow(B, true)",
      ])
    #expect(it.stackTitles == "AB")
    #expect(it.layerTitles == "B")
    #expect(it["B"].layer.model == LayerState(frame: Rect(x: 0, y: 0, width: 10, height: 2)))
    #expect(transition?.outcome == .cancelled)
    #expect(it.issues.all == [])
  }

  @Test(.checklist("T8", "X.2", "X.3")) func `a pop during a push completes it and starts from the presented frame`()
    throws
  {
    let it = try TracedStack("A", also: "B")
    try it.stack.push(it["B"], animated: true)
    _ = it.stage.tick(at: 0.5)
    _ = it.trace.take()

    it.stack.pop(animated: true)

    #expect(
      it.trace.take() == [
        "animator.completion(true)", "A.didDisappear", "B.didAppear", "B.didMove(nav)", "animator.ended(true)",
        "provider.didShow(B, true)",
        "B.willMove(nil)", "provider.animator(pop, B, A)", "provider.interaction", "B.willDisappear(true)",
        "A.willAppear(true)", "provider.willShow(A, true)", "animator.duration", "animator.animate(AB)",
      ])
    #expect(it.stage.picture(at: 0.5) == ["AAAAABBBBB", "AAAAABBBBB"])
    _ = it.stage.tick(at: 1.5)
    #expect(it.stage.picture(at: 1.5) == ["AAAAAAAAAA", "AAAAAAAAAA"])
    #expect(it.stackTitles == "A")
    #expect(it.stage.nextFrameTime == nil)
    #expect(it.issues.all == [])
  }

  @Test(.checklist("T8")) func `a push during a push completes the first`() throws {
    let it = try TracedStack("A", also: "BC")
    try it.stack.push(it["B"], animated: true)
    _ = it.stage.tick(at: 0.5)
    _ = it.trace.take()

    try it.stack.push(it["C"], animated: true)

    #expect(
      it.trace.take() == [
        "animator.completion(true)", "A.didDisappear", "B.didAppear", "B.didMove(nav)", "animator.ended(true)",
        "provider.didShow(B, true)",
        "C.willMove(nav)", "provider.animator(push, B, C)", "provider.interaction", "C.didLoad",
        "B.willDisappear(true)",
        "C.willAppear(true)", "provider.willShow(C, true)", "animator.duration", "animator.animate(BC)",
      ])
    _ = it.stage.tick(at: 2)
    #expect(it.layerTitles == "C")
    #expect(it.stackTitles == "ABC")
  }

  @Test(.checklist("T8")) func `a push during an interactive pop cancels it first`() throws {
    let it = try TracedStack("AB", also: "C")
    let interaction = PercentDrivenInteractiveTransition()
    it.provider.interaction = interaction
    let pop = it.stack.pop(animated: true)
    interaction.update(0.5)
    _ = it.trace.take()
    it.provider.interaction = nil

    try it.stack.push(it["C"], animated: true)
    _ = it.stage.tick(at: 2)

    #expect(pop?.outcome == .cancelled)
    #expect(it.stackTitles == "ABC")
    #expect(
      it.trace.take() == [
        "animator.completion(true)", "A.willDisappear(true)", "A.didDisappear", "B.willAppear(true)", "B.didAppear",
        "B.didMove(nav)", "animator.ended(false)", "provider.didShow(B, true)",
        "C.willMove(nav)", "provider.animator(push, B, C)", "provider.interaction", "C.didLoad",
        "B.willDisappear(true)",
        "C.willAppear(true)", "provider.willShow(C, true)", "animator.duration", "animator.animate(BC)",
        "animator.completion(true)", "B.didDisappear", "C.didAppear", "C.didMove(nav)", "animator.ended(true)",
        "provider.didShow(C, true)",
      ])
  }

  @Test(.checklist("T9")) func `popping to the root is one pop`() throws {
    let it = try TracedStack("ABCD")

    it.stack.popToRoot(animated: true)
    _ = it.stage.tick(at: 1)

    #expect(
      it.trace.take() == [
        "B.willMove(nil)", "C.willMove(nil)", "D.willMove(nil)", "provider.animator(pop, D, A)", "provider.interaction",
        "B.didMove(nil)", "C.didMove(nil)", "A.didLoad", "D.willDisappear(true)", "A.willAppear(true)",
        "provider.willShow(A, true)", "animator.duration",
        "animator.animate(AD)", "animator.completion(true)", "D.didDisappear", "A.didAppear", "D.didMove(nil)",
        "animator.ended(true)", "provider.didShow(A, true)",
      ])
    #expect(it.stack.popToRoot(animated: true) == nil)
    #expect(it.trace.take() == [])
  }

  @Test(.checklist("T10", "X.5")) func `setting the screens is one transition`() throws {
    let it = try TracedStack("ABC", also: "D")

    try it.stack.setScreens([it["D"], it["A"], it["B"]], animated: true)
    _ = it.stage.tick(at: 1)

    #expect(
      it.trace.take() == [
        "C.willMove(nil)", "D.willMove(nav)", "provider.animator(pop, C, B)", "provider.interaction",
        "C.willDisappear(true)", "B.willAppear(true)", "provider.willShow(B, true)", "animator.duration",
        "animator.animate(BC)", "animator.completion(true)", "C.didDisappear", "B.didAppear", "D.didMove(nav)",
        "C.didMove(nil)", "animator.ended(true)", "provider.didShow(B, true)",
      ])
    #expect(it.stackTitles == "DAB")
    #expect(it.stack.children.map(\.title) == ["D", "A", "B"])
    #expect(it.layerTitles == "B")
    #expect(it.issues.all == [])
  }
}

extension Optional where Wrapped == Transition {
  static func == (left: Transition?, right: Transition?) -> Bool { left === right }
}
