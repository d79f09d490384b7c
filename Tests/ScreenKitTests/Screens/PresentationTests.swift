import Testing
import TextCanvas

@testable import ScreenKit

@MainActor struct TracedModal {
  let trace = Trace()
  let root: TracingScreen
  let modal: TracingScreen
  let provider: TracingProvider
  let stage: Stage
  let issues = IssueLog()

  init(style: PresentationStyle = .fullScreen) {
    root = TracingScreen("A", trace)
    modal = TracingScreen("M", trace)
    modal.presentationStyle = style
    provider = TracingProvider(trace)
    provider.animator = { [trace] _ in TracingAnimator(trace) }
    modal.transitions = provider
    stage = makeStage(root, issues: issues)
    _ = stage.tick(at: 0)
    _ = trace.take()
  }

  var layers: String { stage.layer.sublayers.map(\.name).joined() }
}

@MainActor @Suite struct PresentationTests {
  @Test(.checklist("T7", "S2.13", "S2.14", "S2.16", "S2.34"))
  func `presenting over everything calls everyone in order`() throws {
    let it = TracedModal()
    var flags: [Bool] = []
    it.modal.onDidAppear = { flags.append($0.isBeingPresented) }

    let transition = try it.root.present(it.modal, animated: true)
    let began = it.trace.take()
    let during = it.layers
    it.stage.advance(to: 1)

    #expect(
      began == [
        "provider.animator(present, A, M)", "provider.interaction", "M.didLoad", "A.willDisappear(true)",
        "M.willAppear(true)", "provider.willShow(M, true)", "animator.duration", "animator.animate(AM)",
      ])
    #expect(during == "AM")
    #expect(
      it.trace.take() == [
        "animator.completion(true)", "M.didAppear", "A.didDisappear", "animator.ended(true)",
        "provider.didShow(M, true)",
      ])
    #expect(flags == [true])
    #expect(!it.modal.isBeingPresented)
    #expect(it.layers == "M")
    #expect(it.root.presented === it.modal)
    #expect(transition.outcome == .completed)
    #expect(it.issues.all == [])
  }

  @Test(.checklist("T7", "S2.34")) func `dismissing calls everyone in order, the presenter first`() throws {
    let it = TracedModal()
    try it.root.present(it.modal, animated: false)
    _ = it.trace.take()

    it.modal.dismiss(animated: true)
    let began = it.trace.take()
    let during = it.layers
    it.stage.advance(to: 1)

    #expect(
      began == [
        "provider.animator(dismiss, M, A)", "provider.interaction", "M.willDisappear(true)", "A.willAppear(true)",
        "provider.willShow(A, true)", "animator.duration", "animator.animate(AM)",
      ])
    #expect(during == "AM")
    #expect(
      it.trace.take() == [
        "animator.completion(true)", "A.didAppear", "M.didDisappear", "animator.ended(true)",
        "provider.didShow(A, true)",
      ])
    #expect(it.layers == "A")
    #expect(it.root.presented == nil)
    #expect(it.modal.presenting == nil)
    #expect(it.issues.all == [])
  }

  @Test(.checklist("T7", "S2.15")) func `a custom presentation leaves the presenter as it is`() throws {
    let it = TracedModal(style: .custom)

    try it.root.present(it.modal, animated: true)
    it.stage.advance(to: 1)
    let presented = it.trace.take()
    let layers = it.layers
    it.root.dismiss(animated: true)
    it.stage.advance(to: 2)

    #expect(
      presented == [
        "provider.animator(present, A, M)", "provider.interaction", "M.didLoad", "M.willAppear(true)",
        "provider.willShow(M, true)", "animator.duration", "animator.animate(AM)", "animator.completion(true)",
        "M.didAppear", "animator.ended(true)", "provider.didShow(M, true)",
      ])
    #expect(layers == "AM")
    #expect(
      it.trace.take() == [
        "provider.animator(dismiss, M, A)", "provider.interaction", "M.willDisappear(true)",
        "provider.willShow(A, true)", "animator.duration", "animator.animate(AM)", "animator.completion(true)",
        "M.didDisappear", "animator.ended(true)", "provider.didShow(A, true)",
      ])
    #expect(it.layers == "A")
    #expect(it.issues.all == [])
  }

  @Test(.checklist("S2.62", "T8")) func `dismissing during the presentation goes back from what is seen`() throws {
    let it = TracedModal()
    it.modal.transitions = nil
    let presentation = try it.root.present(it.modal, animated: true)
    it.stage.advance(to: 0.1)
    let before = it.modal.layer.presentation.transform.translation.y
    let coordinator = it.modal.transitionCoordinator

    it.modal.dismiss(animated: true)
    let after = it.modal.layer.presentation.transform.translation.y
    it.stage.advance(to: 2)

    #expect(coordinator != nil)
    #expect(presentation.outcome == .completed)
    #expect(abs(before - after) < 1e-9)
    #expect(before > 0 && before < 2)
    #expect(it.layers == "A")
    #expect(it.issues.all == [])
  }

  @Test func `a dismissal by hand that is cancelled leaves the modal`() throws {
    let it = TracedModal()
    let hand = PercentDrivenInteractiveTransition()
    try it.root.present(it.modal, animated: false)
    it.provider.interaction = hand
    _ = it.trace.take()

    it.modal.dismiss(animated: true)
    hand.update(0.5)
    hand.cancel()
    it.stage.advance(to: 2)

    #expect(it.root.presented === it.modal)
    #expect(it.layers == "M")
    #expect(
      it.trace.take().filter { $0.contains("ppear") } == [
        "M.willDisappear(true)", "A.willAppear(true)", "A.willDisappear(true)", "A.didDisappear", "M.willAppear(true)",
        "M.didAppear",
      ])
    #expect(it.stage.focusedScreen === it.modal)
  }

  @Test func `while a modal leaves the keys are the presenter's already`() throws {
    let it = TracedModal()
    try it.root.present(it.modal, animated: false)
    let before = it.stage.focusedScreen

    it.root.dismiss(animated: true)

    #expect(before === it.modal)
    #expect(it.stage.focusedScreen === it.root)
  }

  @Test func `presenting twice is refused`() throws {
    let it = TracedModal()
    try it.root.present(it.modal, animated: false)

    #expect(throws: ContainmentError.alreadyPresenting(screen: "A", presented: "M")) {
      try it.root.present(Screen(), animated: true)
    }
    #expect(throws: ContainmentError.alreadyShown(screen: "A")) { try it.modal.present(it.root, animated: true) }
  }

  @Test(arguments: [PresentationStyle.fullScreen, .custom])
  func `a modal that leaves with all that is above it takes the picture of that along`(style: PresentationStyle) throws
  {
    let it = TracedModal(style: style)
    let top = TracingScreen("T", it.trace)
    try it.root.present(it.modal, animated: false)
    try it.modal.present(top, animated: false)
    let before = it.stage.picture(at: 0)

    it.root.dismiss(animated: true)
    let (start, half) = (it.stage.picture(at: 0), it.stage.picture(at: 0.5))
    it.stage.advance(to: 1)

    #expect(before == ["TTTTTTTTTT", "TTTTTTTTTT"])
    #expect(start == before)
    #expect(half == ["AAAAAAAAAA", "TTTTTTTTTT"])
    #expect(it.layers == "A")
    #expect(it.modal.layer.sublayers.isEmpty)
    #expect([it.root, it.modal, top].map(\.appearance) == [.appeared, .disappeared, .disappeared])
    #expect(it.issues.all == [])
  }

  @Test func `a modal that is taken back takes nobody on itself`() throws {
    let it = TracedModal()
    let other = TracingScreen("T", it.trace)
    let presentation = try it.root.present(it.modal, animated: true)
    it.stage.advance(to: 0.5)
    presentation.cancel()

    let second = try it.modal.present(other, animated: true)
    it.stage.advance(to: 3)

    #expect((presentation.outcome, second.outcome) == (.cancelled, .skipped(.superseded)))
    #expect((it.modal.presented == nil, other.presenting == nil) == (true, true))
    #expect(it.stage.focusedScreen === it.root)
    #expect(it.issues.all == [])
  }

  @Test func `a screen that presents another one cannot be presented itself`() throws {
    let it = TracedModal()
    let lonely = Screen(title: "L")
    try lonely.present(Screen(title: "U"), animated: false)

    #expect(throws: ContainmentError.alreadyPresenting(screen: "L", presented: "U")) {
      try it.root.present(lonely, animated: true)
    }
    #expect(it.root.presented == nil)
  }

  @Test func `while a hand brings a modal the keys stay with the presenter, and while it takes one away with that`()
    throws
  {
    let it = TracedModal()
    let hand = PercentDrivenInteractiveTransition()
    it.provider.interaction = hand
    var focus: [String] = []
    func look() { focus.append(it.stage.focusedScreen?.title ?? "-") }

    try it.root.present(it.modal, animated: true)
    hand.update(0.5)
    look()
    hand.finish()
    it.stage.advance(to: 3)
    look()
    it.modal.dismiss(animated: true)
    hand.update(0.5)
    look()
    hand.finish()
    it.stage.advance(to: 6)
    look()

    #expect(focus == ["A", "M", "M", "A"])
    #expect(it.issues.all == [])
  }

  @Test func `a modal on a modal goes with it`() throws {
    let it = TracedModal()
    let top = TracingScreen("T", it.trace)
    try it.root.present(it.modal, animated: false)
    try it.modal.present(top, animated: false)
    let layers = it.layers

    it.root.dismiss(animated: false)

    #expect(layers == "T")
    #expect(it.layers == "A")
    #expect([it.root, it.modal, top].map(\.appearance) == [.appeared, .disappeared, .disappeared])
    #expect(it.issues.all == [])
  }
}
