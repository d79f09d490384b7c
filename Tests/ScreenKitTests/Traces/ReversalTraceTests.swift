import Testing
import TextCanvas

@testable import ScreenKit

/// Tests that a running transition that is paused and cancelled with a velocity ends as cancelled and restores the
/// previous state.
@MainActor @Suite struct ReversalTraceTests {
  /// Reverses the transition, and returns the stack and the focus in each phase, the calls since the transition was
  /// paused, and the outcome.
  private func reverse(_ it: TracedStack, _ transition: Transition?) throws -> (
    heading: [String], calls: [String], outcome: TransitionOutcome?
  ) {
    let transition = try #require(transition)
    it.stage.advance(to: 0.6)
    var heading: [String] = []
    func look() { heading.append("\(it.stackTitles) \(it.stage.focusedScreen?.title ?? "-")") }
    it.stack.transitionCoordinator?.notifyWhenInteractionChanges { context in
      it.trace.note("changed(\(context.isInteractive), cancelled: \(context.transitionWasCancelled))")
    }
    _ = it.trace.take()
    look()
    transition.pause()
    look()
    transition.cancel(velocity: -2)
    look()
    it.stage.advance(to: 3)
    look()
    return (heading, it.trace.take(), transition.outcome)
  }

  @Test(.checklist("T5", "X.2", "S2.51", "S2.56", "S2.57")) func `a running pop that is cancelled is undone`() throws {
    let it = try TracedStack("AB")

    let (heading, calls, outcome) = try reverse(it, it.stack.pop(animated: true))

    #expect(heading == ["A A", "A A", "AB B", "AB B"])
    #expect(
      calls == [
        "changed(true, cancelled: false)", "changed(false, cancelled: true)", "animator.completion(true)",
        "A.willDisappear(true)", "A.didDisappear", "B.willAppear(true)", "B.didAppear", "B.didMove(nav)",
        "animator.ended(false)", "provider.didShow(B, true)",
      ])
    #expect(outcome == .cancelled)
    #expect(it.layerTitles == "B")
    #expect(it.stack.children.map(\.title) == ["A", "B"])
    #expect(it.issues.all == [])
  }

  @Test(.checklist("T5", "X.2")) func `a running push that is cancelled is undone`() throws {
    let it = try TracedStack("A", also: "B")

    let (heading, calls, outcome) = try reverse(it, it.stack.push(it["B"], animated: true))

    #expect(heading == ["AB B", "AB B", "A A", "A A"])
    #expect(
      calls == [
        "changed(true, cancelled: false)", "changed(false, cancelled: true)", "animator.completion(true)",
        "B.willDisappear(true)", "B.didDisappear", "A.willAppear(true)", "A.didAppear", "B.willMove(nil)",
        "B.didMove(nil)", "animator.ended(false)", "provider.didShow(A, true)",
      ])
    #expect(outcome == .cancelled)
    #expect(it.layerTitles == "A")
    #expect(it["B"].parent == nil)
    #expect(it.issues.all == [])
  }

  @Test(.checklist("T9")) func `a running pop to the root that is cancelled is undone`() throws {
    let it = try TracedStack("ABCD")

    let (heading, calls, outcome) = try reverse(it, it.stack.popToRoot(animated: true))

    #expect(heading == ["A A", "A A", "ABCD D", "ABCD D"])
    #expect(
      calls == [
        "changed(true, cancelled: false)", "changed(false, cancelled: true)", "animator.completion(true)",
        "A.willDisappear(true)", "A.didDisappear", "D.willAppear(true)", "D.didAppear", "B.willMove(nav)",
        "C.willMove(nav)", "B.didMove(nav)", "C.didMove(nav)", "D.didMove(nav)", "animator.ended(false)",
        "provider.didShow(D, true)",
      ])
    #expect(outcome == .cancelled)
    #expect(it.stack.children.map(\.title) == ["A", "B", "C", "D"])
    #expect(it.issues.all == [])
  }

  @Test(.checklist("T10")) func `a running setScreens that is cancelled is undone`() throws {
    let it = try TracedStack("ABC", also: "D")

    let (heading, calls, outcome) = try reverse(it, it.stack.setScreens([it["D"], it["A"]], animated: true))

    #expect(heading == ["DA A", "DA A", "ABC C", "ABC C"])
    #expect(
      calls.filter { $0.contains("Move") }.suffix(4) == [
        "D.didMove(nil)", "B.willMove(nav)", "B.didMove(nav)", "C.didMove(nav)",
      ])
    #expect(outcome == .cancelled)
    #expect(it.stack.children.map(\.title) == ["A", "B", "C"])
    #expect(it.issues.all == [])
  }

  @Test func `a cancelled pop that is grabbed again can still finish`() throws {
    let it = try TracedStack("AB")
    let pop = try #require(it.stack.pop(animated: true))
    it.stage.advance(to: 0.5)
    _ = it.trace.take()

    pop.cancel()
    it.stage.advance(to: 0.6)
    let back = (it.stackTitles, pop.isCancelled)
    pop.pause()
    pop.finish()
    let on = (it.stackTitles, pop.isCancelled)
    it.stage.advance(to: 3)

    #expect(back == ("AB", true))
    #expect(on == ("A", false))
    #expect(pop.outcome == .completed)
    #expect(it.trace.take().filter { $0.contains("ppear") } == ["B.didDisappear", "A.didAppear"])
  }

  @Test func `a push during a cancelled pop starts from the restored stack`() throws {
    let it = try TracedStack("AB", also: "C")
    let pop = try #require(it.stack.pop(animated: true))
    it.stage.advance(to: 0.5)
    pop.cancel()
    it.stage.advance(to: 0.6)
    let before = it.stage.picture(at: 0.6)

    let push = try it.stack.push(it["C"], animated: true)
    let after = it.stage.picture(at: 0.6)
    it.stage.advance(to: 3)

    #expect(push.from === it["B"])
    #expect(after == before)
    #expect((pop.outcome, push.outcome) == (.cancelled, .completed))
    #expect(it.stackTitles == "ABC")
    #expect(it.issues.all == [])
  }

  @Test(arguments: TransitionCatalog.allCases, ContainerScene.Kind.allCases)
  func `every cancelled transition restores frame and focus`(kind: TransitionCatalog, place: ContainerScene.Kind) throws
  {
    for goingBack in [false, true] {
      let it = ContainerScene(place, columns: 20, rows: 4)
      it.provider.kind = kind
      if goingBack { _ = try it.forward(false) }
      let (picture, focus) = (it.stage.picture(at: 0), it.stage.focusedScreen)
      let transition = try #require(goingBack ? try it.back(true) : try it.forward(true))
      it.stage.advance(to: 0.1)
      let other = it.stage.focusedScreen

      transition.pause()
      transition.cancel(velocity: -3)
      let heading = it.stage.focusedScreen
      it.stage.advance(to: 4)

      #expect(other !== focus)
      #expect(heading === focus)
      #expect(it.stage.focusedScreen === focus)
      #expect(transition.outcome == .cancelled)
      #expect(it.stage.picture(at: 4) == picture)
      it.expectQuiet("\(goingBack ? "back" : "forward")")
    }
  }

  @Test(arguments: [PresentationStyle.fullScreen, .custom])
  func `a running dismissal that is cancelled is undone`(style: PresentationStyle) throws {
    let it = TracedModal(style: style)
    try it.root.present(it.modal, animated: false)
    let dismissal = try #require(it.modal.dismiss(animated: true))
    it.stage.advance(to: 0.5)
    _ = it.trace.take()

    dismissal.cancel()
    let heading = it.stage.focusedScreen
    it.stage.advance(to: 3)

    let presenter = style == .custom ? [] : ["A.willDisappear(true)", "A.didDisappear"]
    #expect(heading === it.modal)
    #expect(
      it.trace.take() == ["animator.completion(true)"] + presenter + [
        "M.willAppear(true)", "M.didAppear", "animator.ended(false)", "provider.didShow(M, true)",
      ])
    #expect(it.layers == (style == .custom ? "AM" : "M"))
    #expect((it.root.presented === it.modal, it.modal.isBeingDismissed) == (true, false))
    #expect(it.issues.all == [])
  }

  @Test(arguments: [PresentationStyle.fullScreen, .custom])
  func `a running presentation that is cancelled is undone`(style: PresentationStyle) throws {
    let it = TracedModal(style: style)
    let presentation = try it.root.present(it.modal, animated: true)
    it.stage.advance(to: 0.5)
    _ = it.trace.take()

    presentation.cancel()
    let heading = it.stage.focusedScreen
    it.stage.advance(to: 3)

    let presenter = style == .custom ? [] : ["A.willAppear(true)", "A.didAppear"]
    #expect(heading === it.root)
    #expect(
      it.trace.take() == ["animator.completion(true)", "M.willDisappear(true)", "M.didDisappear"] + presenter + [
        "animator.ended(false)"
      ])
    #expect(it.layers == "A")
    #expect((it.root.presented == nil, it.modal.presenting == nil) == (true, true))
    #expect(it.issues.all == [])
  }
}
