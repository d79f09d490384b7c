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
  func `presenting full screen calls all callbacks in order`() throws {
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

  @Test(.checklist("T7", "S2.34")) func `dismissing calls all callbacks in order, the presenter first`() throws {
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

  @Test(.checklist("T7", "S2.15"))
  func `the presenter does not receive appearance callbacks during a custom presentation`() throws {
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

  @Test(.checklist("S2.62", "T8")) func `a dismissal during the presentation starts from the presented frame`() throws {
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

  @Test func `a cancelled interactive dismissal keeps the modal`() throws {
    let it = TracedModal()
    let interaction = PercentDrivenInteractiveTransition()
    try it.root.present(it.modal, animated: false)
    it.provider.interaction = interaction
    _ = it.trace.take()

    it.modal.dismiss(animated: true)
    interaction.update(0.5)
    interaction.cancel()
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

  @Test func `the presenter has the focus as soon as a dismissal starts`() throws {
    let it = TracedModal()
    try it.root.present(it.modal, animated: false)
    let before = it.stage.focusedScreen

    it.root.dismiss(animated: true)

    #expect(before === it.modal)
    #expect(it.stage.focusedScreen === it.root)
  }

  @Test func `presenting twice from a screen is refused`() throws {
    let it = TracedModal()
    try it.root.present(it.modal, animated: false)

    #expect(throws: ContainmentError.alreadyPresenting(screen: "A", presented: "M")) {
      try it.root.present(Screen(), animated: true)
    }
    #expect(throws: ContainmentError.alreadyShown(screen: "A")) { try it.modal.present(it.root, animated: true) }
  }

  @Test(arguments: [PresentationStyle.fullScreen, .custom])
  func `a dismissed modal leaves with a snapshot of the screens above it`(style: PresentationStyle) throws {
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

  @Test func `presenting from a modal whose own presentation was cancelled is skipped`() throws {
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

  @Test func `the focus changes only when an interactive presentation or dismissal finishes`()
    throws
  {
    let it = TracedModal()
    let interaction = PercentDrivenInteractiveTransition()
    it.provider.interaction = interaction
    var focus: [String] = []
    func look() { focus.append(it.stage.focusedScreen?.title ?? "-") }

    try it.root.present(it.modal, animated: true)
    interaction.update(0.5)
    look()
    interaction.finish()
    it.stage.advance(to: 3)
    look()
    it.modal.dismiss(animated: true)
    interaction.update(0.5)
    look()
    interaction.finish()
    it.stage.advance(to: 6)
    look()

    #expect(focus == ["A", "M", "M", "A"])
    #expect(it.issues.all == [])
  }

  @Test func `dismissing a modal also dismisses the modal above it`() throws {
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

  @Test func `the presented screen of a child is that of its ancestor`() throws {
    let it = try TracedStack("A", also: "BM")
    try it.stack.push(it["B"], animated: false)

    try it["B"].present(it["M"], animated: false)
    let during = [it["B"], it["A"], it.stack, it["M"]].map { $0.presented?.title }
    it["B"].dismiss(animated: false)

    #expect(during == ["M", "M", "M", nil])
    #expect(it["B"].presented == nil)
  }

  /// A sheet that covers the lower half.
  private final class Sheet: TracingScreen {
    override func presentationFrame(in bounds: Rect) -> Rect {
      Rect(x: 0, y: (bounds.height / 2).rounded(.down), width: bounds.width, height: (bounds.height / 2).rounded(.up))
    }
  }

  @Test(.checklist("S2.13", "S2.15", "S2.24"), arguments: [true, false])
  func `a custom presentation keeps its frame during transitions and after a resize`(animated: Bool) throws {
    let (root, sheet, upper) = (TracingScreen("A"), Sheet("S"), Sheet("U"))
    for screen in [sheet, upper] { screen.presentationStyle = .custom }
    let issues = IssueLog()
    let stage = makeStage(root, columns: 3, rows: 4, issues: issues)
    func picture(after seconds: Double) -> String { stage.picture(at: stage.now + seconds).joined(separator: "|") }

    let present = try root.present(sheet, animated: animated)
    if animated { present.fractionComplete = 0.5 }
    let half = picture(after: 0)
    present.finish()
    let presented = picture(after: 2)
    stage.resize(to: CellSize(columns: 2, rows: 6))
    let resized = picture(after: 0)
    try sheet.present(upper, animated: animated)
    stage.advance(to: stage.now + 2)
    let two = [root, sheet, upper].map(\.layer.frame)
    sheet.dismiss(animated: animated)
    let below = picture(after: 2)
    root.dismiss(animated: animated)

    #expect(half == (animated ? "AAA|AAA|AAA|SSS" : "AAA|AAA|SSS|SSS"))
    #expect(presented == "AAA|AAA|SSS|SSS")
    #expect(resized == "AA|AA|AA|SS|SS|SS")
    #expect(two.map(\.y) == [0, 3, 3])
    #expect(below == resized)
    #expect(picture(after: 2) == "AA|AA|AA|AA|AA|AA")
    #expect(issues.all == [])
  }

  @Test func `a full-screen presentation ignores the presentation frame`() throws {
    let root = TracingScreen("A")
    let stage = makeStage(root, columns: 2, rows: 2)

    try root.present(Sheet("S"), animated: false)

    #expect(stage.picture(at: 0) == ["SS", "SS"])
  }

  @Test func `a resize lays out a sheet again during its transition`() throws {
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
