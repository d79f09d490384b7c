import Testing
import TextCanvas

@testable import ScreenKit

/// A container as in "Simple UIViewController Transitions": it has one child and replaces it with
/// `transition(from:to:…)`.
@MainActor final class SimpleContainer: Screen {
  private(set) var content: Screen
  var insets = CellSize.zero
  var before: (Layer, Layer) -> Void = { from, to in
    from.opacity = 1
    to.opacity = 0
  }
  var during: (Layer, Layer) -> Void = { from, to in
    from.opacity = 0
    to.opacity = 1
  }

  init(_ content: Screen) {
    self.content = content
    super.init(title: "box")
    addChild(content)
    content.didMove(to: self)
  }

  override func didLoad() { layer.add(content.layer) }

  override func layOut(in size: Size) { content.layer.frame = contentFrame }

  var contentFrame: Rect {
    Rect(
      x: Double(insets.columns), y: Double(insets.rows), width: layer.bounds.width - 2 * Double(insets.columns),
      height: layer.bounds.height - 2 * Double(insets.rows))
  }

  func set(_ to: Screen, animationDuration duration: Double?) throws {
    let from = content
    guard let duration else {
      from.willMove(to: nil)
      from.layer.removeFromSuperlayer()
      from.removeFromParent()
      addChild(to)
      to.layer.frame = contentFrame
      layer.add(to.layer)
      to.didMove(to: self)
      content = to
      return
    }
    addChild(to)
    to.layer.frame = contentFrame
    from.willMove(to: nil)
    before(from.layer, to.layer)
    content = to
    try transition(from: from, to: to, duration: duration, curve: .easeOut) { [during] in
      during(from.layer, to.layer)
    } completion: { [unowned self] _ in
      to.didMove(to: self)
      from.removeFromParent()
      from.layer.opacity = 1
      from.layer.transform = .identity
    }
  }
}

@MainActor struct TracedSimpleContainer {
  let trace = Trace()
  let screens: [TracingScreen]
  let box: SimpleContainer
  let stage: Stage
  let issues = IssueLog()

  init() {
    let trace = trace
    screens = "ABCDE".map { TracingScreen("\($0)", trace) }
    box = SimpleContainer(screens[0])
    stage = makeStage(box, issues: issues)
    _ = stage.tick(at: 0)
    _ = trace.take()
  }
}

@MainActor @Suite struct SimpleContainerTests {
  @Test(.checklist("T6b", "S3.1", "S3.3", "S3.5", "S3.6", "S3.7", "S3.8", "S3.21", "S3.17"))
  func
    `a switch with an animation block calls all callbacks in order`() throws
  {
    let it = TracedSimpleContainer()

    try it.box.set(it.screens[1], animationDuration: 1)
    let began = it.trace.take()
    _ = it.stage.tick(at: 0.5)
    let middle = it.screens.prefix(2).map { $0.layer.presentation.opacity }
    _ = it.stage.tick(at: 1)

    let half = TimingCurve.easeOut.progress(at: 0.5)
    #expect(
      began == ["B.willMove(box)", "B.didLoad", "A.willMove(nil)", "A.willDisappear(true)", "B.willAppear(true)"])
    #expect(middle == [1 - half, half])
    #expect(it.trace.take() == ["A.didDisappear", "B.didAppear", "B.didMove(box)", "A.didMove(nil)"])
    #expect(it.stage.layers(in: it.box) == "B")
    #expect(it.box.children.map(\.title) == ["B"])
    #expect(it.issues.all == [])
  }

  @Test(.checklist("S3.2")) func `a transition between screens without a common parent is refused`() {
    let it = TracedSimpleContainer()
    let unrelated = Screen(title: "X")

    #expect(throws: ContainmentError.noCommonParent(from: "A", to: "X", container: "box")) {
      try it.box.transition(from: it.screens[0], to: unrelated, duration: 1)
    }
    #expect(it.trace.take() == [])
    #expect(it.stage.layers(in: it.box) == "A")
  }

  @Test(.checklist("S3.4", "T6b", "X.1")) func `an issue is reported if the new layer is added before the transition`()
    throws
  {
    let it = TracedSimpleContainer()
    let (from, to) = (it.screens[0], it.screens[1])
    it.box.addChild(to)
    from.willMove(to: nil)
    _ = it.trace.take()

    it.box.layer.add(to.layer)
    try it.box.transition(from: from, to: to, duration: 1)
    _ = it.stage.tick(at: 1)

    #expect(
      it.trace.take() == [
        "B.didLoad", "B.willAppear(false)", "B.didAppear", "A.willDisappear(true)", "A.didDisappear",
      ])
    #expect(
      it.issues.all == [
        .unbalancedAppearance(screen: "B", state: .appeared, call: .beginAppearing),
        .unbalancedAppearance(screen: "B", state: .appeared, call: .end),
      ])
  }

  @Test(.checklist("S3.6")) func `adding a child of another parent removes it from that parent first`() {
    let trace = Trace()
    let (one, two) = (Screen(title: "one"), Screen(title: "two"))
    let child = TracingScreen("A", trace)
    one.addChild(child)

    two.addChild(child)

    #expect(trace.take() == ["A.willMove(one)", "A.didMove(nil)", "A.willMove(two)"])
    #expect(one.children.isEmpty)
    #expect(child.parent === two)
  }

  @Test(.checklist("S3.9"))
  func `an issue is reported if didMove is called before the transition, which still completes`()
    throws
  {
    let it = TracedSimpleContainer()
    let early = Screen(title: "B")
    it.box.addChild(early)
    early.didMove(to: it.box)

    try it.box.transition(from: it.screens[0], to: early, duration: 1)
    it.stage.advance(to: 1)

    #expect(it.issues.all == [.movedTooEarly(screen: "B")])
    #expect(it.stage.layers(in: it.box) == "B")
    #expect(early.appearance == .appeared)
  }

  @Test(.checklist("S3.10", "S3.11", "S3.12")) func `without a duration the child is replaced immediately`() throws {
    let it = TracedSimpleContainer()

    try it.box.set(it.screens[1], animationDuration: nil)

    #expect(
      it.trace.take() == [
        "A.willMove(nil)", "A.willDisappear(false)", "A.didDisappear", "A.didMove(nil)", "B.willMove(box)",
        "B.didLoad", "B.willAppear(false)", "B.didAppear", "B.didMove(box)",
      ])
    #expect(it.box.children.map(\.title) == ["B"])
  }

  @Test(.checklist("S3.13", "S3.14"))
  func `a duration of 0 switches immediately with the same callbacks`() throws {
    let it = TracedSimpleContainer()
    it.box.addChild(it.screens[1])
    it.screens[1].layer.frame = it.box.contentFrame
    _ = it.trace.take()

    let transition = try it.box.transition(from: it.screens[0], to: it.screens[1], duration: 0)

    #expect(it.trace.take() == ["A.willDisappear(false)", "B.willAppear(false)", "A.didDisappear", "B.didAppear"])
    #expect(transition.outcome == .skipped(.notAnimated))
    #expect(it.stage.picture(at: 0) == ["BBBBBBBBBB", "BBBBBBBBBB"])
  }

  @Test(.checklist("S3.15", "S3.16"))
  func `the new layer keeps its frame or animates to another frame`() throws {
    let it = TracedSimpleContainer()
    it.box.insets = CellSize(columns: 2, rows: 0)
    it.box.during = { _, to in to.frame.width = 4 }
    it.box.before = { _, _ in }

    try it.box.set(it.screens[1], animationDuration: 1)
    let atStart = it.screens[1].layer.presentation.frame
    _ = it.stage.tick(at: 1)

    #expect(atStart == Rect(x: 2, y: 0, width: 6, height: 2))
    #expect(it.screens[1].layer.frame == Rect(x: 2, y: 0, width: 4, height: 2))
  }

  @Test(.checklist("S3.18", "S3.19", "S3.20"))
  func `an animation block can slide or flip, and the screens stay reusable`() throws {
    let it = TracedSimpleContainer()
    it.box.before = { _, to in
      to.offset.x = 500
      to.transform.flip = -.pi / 2
    }
    it.box.during = { from, to in
      from.offset.x = -500
      from.transform.flip = .pi / 2
      to.transform = .identity
    }

    try it.box.set(it.screens[1], animationDuration: 1)
    _ = it.stage.tick(at: 0.5)
    let middle = it.screens.prefix(2).map { $0.layer.presentation.transform }
    _ = it.stage.tick(at: 1)
    try it.box.set(it.screens[0], animationDuration: nil)

    let half = TimingCurve.easeOut.progress(at: 0.5)
    #expect(abs(middle[0].translation.x + 500 * half) < 1e-9)
    #expect(abs(middle[0].flip - .pi / 2 * half) < 1e-9)
    #expect(abs(middle[1].translation.x - 500 * (1 - half)) < 1e-9)
    #expect(abs(middle[1].flip + .pi / 2 * (1 - half)) < 1e-9)
    #expect(it.stage.picture(at: 1) == ["AAAAAAAAAA", "AAAAAAAAAA"])
  }

  @Test(.checklist("S3.22")) func `each of ten switches leaves one child and one layer`() throws {
    let it = TracedSimpleContainer()
    var titles: [[String]] = []

    for step in 1...10 {
      try it.box.set(it.screens[step % 5], animationDuration: 1)
      it.stage.advance(to: Double(step) * 3)
      titles.append([it.stage.layers(in: it.box), it.box.children.map(\.title).joined()])
    }

    #expect(titles == (1...10).map { [it.screens[$0 % 5].title, it.screens[$0 % 5].title] })
    #expect(it.issues.all == [])
  }

  @Test(.checklist("S3.23", "T8")) func `a second switch during the first completes the first`() throws {
    let it = TracedSimpleContainer()
    try it.box.set(it.screens[1], animationDuration: 1)
    _ = it.stage.tick(at: 0.5)
    _ = it.trace.take()

    it.box.addChild(it.screens[2])
    try it.box.set(it.screens[2], animationDuration: 1)
    it.stage.advance(to: 3)

    #expect(
      it.trace.calls.filter { !$0.contains("Move") && !$0.contains("Load") } == [
        "A.didDisappear", "B.didAppear", "B.willDisappear(true)", "C.willAppear(true)", "B.didDisappear", "C.didAppear",
      ])
    #expect(it.stage.layers(in: it.box) == "C")
    #expect(it.box.children.map(\.title) == ["C"])
    #expect(it.issues.all == [])
  }

  @Test(.checklist("S3.24")) func `removing a screen without a parent does nothing`() {
    let trace = Trace()

    TracingScreen("A", trace).removeFromParent()

    #expect(trace.take() == [])
  }
}
