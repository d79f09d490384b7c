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

  @Test func `what an ancestor presents is what a screen presents`() throws {
    let it = try TracedStack("A", also: "BM")
    try it.stack.push(it["B"], animated: false)

    try it["B"].present(it["M"], animated: false)
    let during = [it["B"], it["A"], it.stack, it["M"]].map { $0.presented?.title }
    it["B"].dismiss(animated: false)

    #expect(during == ["M", "M", "M", nil])
    #expect(it["B"].presented == nil)
  }

  /// A sheet over the lower half.
  private final class Sheet: TracingScreen {
    override func presentationFrame(in bounds: Rect) -> Rect {
      Rect(x: 0, y: (bounds.height / 2).rounded(.down), width: bounds.width, height: (bounds.height / 2).rounded(.up))
    }
  }

  @Test(.checklist("S2.13", "S2.15", "S2.24"), arguments: [true, false])
  func `a custom presentation lies where it says, on the way, in another size and back`(animated: Bool) throws {
    let (root, sheet, upper) = (TracingScreen("A"), Sheet("S"), Sheet("U"))
    for screen in [sheet, upper] { screen.presentationStyle = .custom }
    let issues = IssueLog()
    let stage = makeStage(root, columns: 3, rows: 4, issues: issues)
    func picture(after seconds: Double) -> String { stage.picture(at: stage.now + seconds).joined(separator: "|") }

    let present = try root.present(sheet, animated: animated)
    if animated { present.fractionComplete = 0.5 }
    let half = picture(after: 0)
    present.finish()
    let there = picture(after: 2)
    stage.resize(to: CellSize(columns: 2, rows: 6))
    let resized = picture(after: 0)
    try sheet.present(upper, animated: animated)
    stage.advance(to: stage.now + 2)
    let two = [root, sheet, upper].map(\.layer.frame)
    sheet.dismiss(animated: animated)
    let below = picture(after: 2)
    root.dismiss(animated: animated)

    #expect(half == (animated ? "AAA|AAA|AAA|SSS" : "AAA|AAA|SSS|SSS"))
    #expect(there == "AAA|AAA|SSS|SSS")
    #expect(resized == "AA|AA|AA|SS|SS|SS")
    #expect(two.map(\.y) == [0, 3, 3])
    #expect(below == resized)
    #expect(picture(after: 2) == "AA|AA|AA|AA|AA|AA")
    #expect(issues.all == [])
  }

  @Test func `in the full screen style it takes the whole place`() throws {
    let root = TracingScreen("A")
    let stage = makeStage(root, columns: 2, rows: 2)

    try root.present(Sheet("S"), animated: false)

    #expect(stage.picture(at: 0) == ["SS", "SS"])
  }

  @Test func `a sheet that is on its way is laid out again with the stage`() throws {
    let (root, sheet) = (TracingScreen("A"), Sheet("S"))
    sheet.presentationStyle = .custom
    let stage = makeStage(root, columns: 2, rows: 4)
    let present = try root.present(sheet, animated: true)
    present.fractionComplete = 0.5

    stage.resize(to: CellSize(columns: 2, rows: 8))
    let half = stage.picture(at: 0).joined(separator: "|")
    present.finish()
    stage.advance(to: 3)

    #expect(half == "AA|AA|AA|AA|AA|AA|SS|SS")
    #expect(sheet.layer.frame == Rect(x: 0, y: 4, width: 2, height: 4))
  }
}
