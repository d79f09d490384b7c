import Testing
import TextCanvas

@testable import ScreenKit

/// A screen that handles keys and the mouse and records them.
@MainActor final class KeyScreen: Screen {
  let trace: Trace
  var answers = true

  init(_ title: String, _ trace: Trace) {
    self.trace = trace
    super.init(title: title)
  }

  override func handle(_ event: InputEvent) -> Bool {
    switch event {
    case .key(let key): trace.note("\(title) \(key.key)")
    case .mouse(let mouse): trace.note("\(title) mouse \(mouse.position.column)")
    default: return false
    }
    return answers
  }
}

@MainActor @Suite struct StageTests {
  private let enter = InputEvent.key(KeyEvent(.enter))

  @Test func `an idle stage needs no frame and a change needs one`() {
    let stage = makeStage(TracingScreen("A"))

    let first = stage.nextFrameTime
    _ = stage.tick(at: 0)
    let idle = stage.nextFrameTime
    stage.rootScreen?.layer.offset.x = 1
    let changed = stage.nextFrameTime
    _ = stage.tick(at: 4)

    #expect((first, idle, changed, stage.nextFrameTime) == (0, nil, 0, nil))
  }

  @Test func `frames depend only on inputs and times, not on earlier frames`() throws {
    func frames(_ times: [Double]) throws -> [[String]] {
      let it = try TracedStack("A", also: "B")
      it.stage.perform(at: 1) { _ = try? it.stack.push(it["B"], animated: true) }
      var pictures: [[String]] = []
      for time in times {
        let picture = it.stage.picture(at: time)
        if [1.25, 1.5, 2].contains(time) { pictures.append(picture) }
      }
      return pictures
    }

    #expect(try frames([1.25, 1.5, 2]) == frames([1.01, 1.1, 1.25, 1.26, 1.49, 1.5, 1.9, 2]))
  }

  @Test func `an animation started by an event begins at the event's time`() throws {
    let it = try TracedStack("A", also: "B")

    it.stage.perform(at: 10) { _ = try? it.stack.push(it["B"], animated: true) }

    #expect(it.stage.picture(at: 10.5) == ["AAAAABBBBB", "AAAAABBBBB"])
  }

  @Test func `events between two frames get their time from the clock`() throws {
    let stage = makeStage(KeyScreen("A", Trace()))
    stage.clock = { 42 }

    stage.handle(enter)

    #expect(stage.now == 42)
  }

  @Test func `keys go to the new screen from the start of a transition`() throws {
    let trace = Trace()
    let screens = "AB".map { KeyScreen("\($0)", trace) }
    let stack = StackScreen(root: screens[0])
    let stage = makeStage(stack)

    stage.handle(enter, at: 0)
    try stack.push(screens[1], animated: true)
    stage.handle(enter, at: 0.01)
    stack.pop(animated: true)
    stage.handle(enter, at: 0.02)

    #expect(trace.take() == ["A Enter", "B Enter", "A Enter"])
  }

  @Test func `keys go to the old screen during an interactive transition`() throws {
    let trace = Trace()
    let screens = "AB".map { KeyScreen("\($0)", trace) }
    let stack = StackScreen(root: screens[0])
    let provider = TracingProvider()
    let interaction = PercentDrivenInteractiveTransition()
    provider.animator = { _ in TracingAnimator() }
    provider.interaction = interaction
    stack.transitions = provider
    let stage = makeStage(stack)

    try stack.push(screens[1], animated: true)
    interaction.update(0.9)
    stage.handle(enter, at: 1)
    interaction.finish()
    stage.handle(enter, at: 3)

    #expect(trace.take() == ["A Enter", "B Enter"])
  }

  @Test func `an event that a screen does not handle goes to its ancestors`() {
    let trace = Trace()
    let outer = KeyScreen("outer", trace)
    let inner = KeyScreen("inner", trace)
    inner.answers = false
    outer.answers = false
    let box = ContentScreen(inner)
    outer.addChild(box)
    let stage = makeStage(box)

    let handled = stage.handle(enter, at: 0)

    #expect(!handled)
    #expect(trace.take() == ["inner Enter", "outer Enter"])
  }

  @Test func `the mouse hits the presented layers, also during a transition`() throws {
    let trace = Trace()
    let screens = "AB".map { KeyScreen("\($0)", trace) }
    let stack = StackScreen(root: screens[0])
    let provider = TracingProvider()
    provider.animator = { _ in TracingAnimator() }
    stack.transitions = provider
    let stage = makeStage(stack)
    try stack.push(screens[1], animated: true)
    stage.advance(to: 0.5)

    for column in [4, 5] {
      stage.handle(.mouse(MouseEvent(.press(.left), at: CellPoint(column: column, row: 0))))
    }

    #expect(trace.take() == ["A mouse 4", "B mouse 5"])
  }

  @Test func `a resize during a transition keeps its fraction and fits both screens`() throws {
    let it = try TracedStack("A", also: "B")
    try it.stack.push(it["B"], animated: true)
    it.stage.advance(to: 0.5)

    it.stage.handle(.resize(CellSize(columns: 20, rows: 1)))

    #expect(it.stage.picture(at: 0.5) == ["AAAAAAAAAABBBBBBBBBB"])
    #expect(it.stage.picture(at: 1) == ["BBBBBBBBBBBBBBBBBBBB"])
    #expect(it.issues.all == [])
  }

  @Test(.checklist("X.7")) func `reduced motion turns a slide into a cross-fade with the same callbacks`() throws {
    func calls(_ motion: MotionPreference) throws -> [String] {
      let it = try TracedStack("A", also: "B")
      it.stage.motion = motion
      try it.stack.push(it["B"], animated: true)
      it.stage.advance(to: 0.09)
      if motion == .reduced {
        #expect(it["B"].layer.presentation.transform == .identity)
        #expect(it["A"].layer.dissolve?.rowShare == 1)
        #expect(abs(it["A"].layer.presentation.dissolved - 0.75) < 1e-9)
      }
      it.stage.advance(to: 2)
      #expect(it.layerTitles == "B")
      return it.trace.take().filter { !$0.hasPrefix("animator.") }
    }

    #expect(try calls(.reduced) == calls(.full))
  }

  @Test(.checklist("X.7")) func `without motion the new screen is shown immediately`() throws {
    let it = try TracedStack("A", also: "B")
    it.stage.motion = .none

    let push = try it.stack.push(it["B"], animated: true)

    #expect(push.outcome == .skipped(.reducedMotion))
    #expect(it.layerTitles == "B")
  }

  @Test func `removing the root screen releases everything, also during a transition`() throws {
    weak var stack: StackScreen?
    weak var modal: Screen?
    weak var context: (any TransitionContext)?
    let stage = Stage(size: CellSize(columns: 4, rows: 2))
    do {
      let root = StackScreen(root: TracingScreen("A"))
      let over = TracingScreen("M")
      stage.rootScreen = root
      try root.push(TracingScreen("B"), animated: true)
      try root.present(over, animated: true).pause()
      context = root.transitionCoordinator?.context
      (stack, modal) = (root, over)
      stage.advance(to: 0.1)
    }

    stage.rootScreen = nil

    #expect(stage.layer.sublayers.isEmpty)
    #expect((stack == nil, modal == nil, context == nil) == (true, true, true))
    _ = stage.tick(at: 0.2)
    #expect(stage.nextFrameTime == nil)
  }

  @Test(arguments: ["running", "held", "provided interaction", "cancelled", "interrupted", "skipped"])
  func `releasing a stage releases everything in every phase of a transition`(phase: String) throws {
    weak var stage: Stage?
    var references: [Weak] = []
    var outcome: TransitionOutcome?
    let bars = [Layer(), Layer()]
    var ends: [Bool] = []
    do {
      let it = try TracedStack("A", also: "BC")
      stage = it.stage
      if phase == "provided interaction" { it.provider.interaction = PercentDrivenInteractiveTransition() }
      for bar in bars { it.stage.layer.add(bar) }
      let push = try it.stack.push(it["B"], animated: true)
      push.whenEnded { outcome = $0 }
      it.stack.transitionCoordinator?.animate { _ in bars[0].opacity = 0 }
      // The stage breaks these reference cycles of its owner.
      let (stack, bar) = (it.stack, bars[1])
      animate(duration: 5) {
        bar.offset.x = 9
      } completion: { finished in
        _ = (stack, bar)
        ends.append(finished)
      }
      .pause()
      it.stage.schedule(after: 5) { _ = stack }
      it.stage.advance(to: 0.4)
      switch phase {
      case "held": push.pause()
      case "cancelled": push.cancel()
      case "interrupted": try it.stack.push(it["C"], animated: true)
      case "skipped": push.skip()
      default: break
      }
      references = [it.stack, it["A"], it["B"], it["C"]].map { Weak($0) }
      if let context = it.stack.transitionCoordinator?.context { references.append(Weak(context)) }
    }

    #expect(stage == nil)
    #expect(references.allSatisfy { $0.object == nil })
    let expected: [String: TransitionOutcome] = [
      "interrupted": .completed, "skipped": .completed, "cancelled": .cancelled, "provided interaction": .cancelled,
    ]
    #expect(outcome == expected[phase] ?? .skipped(.notOnScreen))
    #expect(ends == [])
    #expect(bars.allSatisfy { !$0.isAnimating })
  }

  private struct Weak {
    weak var object: AnyObject?
    init(_ object: AnyObject) { self.object = object }
  }

  @Test(arguments: ["running", "held", "modal"])
  func `screens of a released stage receive no callbacks and stay usable`(phase: String) throws {
    let trace = Trace()
    let stack = StackScreen(root: TracingScreen("A", trace), title: "nav")
    do {
      let stage = makeStage(stack)
      let push = try stack.push(TracingScreen("B", trace), animated: true)
      stage.advance(to: 0.1)
      if phase == "held" { push.pause() }
      if phase == "modal" { try stack.present(TracingScreen("M", trace), animated: true) }
      _ = trace.take()
    }

    let calls = trace.take()
    let issues = IssueLog()
    let next = makeStage(stack, issues: issues)
    let top = phase == "modal" ? "M" : "B"

    #expect(calls == [])
    #expect(trace.take() == ["\(top).willAppear(false)", "\(top).didAppear"])
    #expect(next.picture(at: 0) == [String](repeating: String(repeating: top, count: 10), count: 2))
    #expect(stack.transitionCoordinator == nil)
    #expect(issues.all == [])
  }

  @Test func `setting another root screen replaces the first`() {
    let trace = Trace()
    let stage = makeStage(TracingScreen("A", trace))
    _ = trace.take()

    stage.rootScreen = TracingScreen("B", trace)

    #expect(
      trace.take() == ["A.willDisappear(false)", "A.didDisappear", "B.didLoad", "B.willAppear(false)", "B.didAppear"])
    #expect(stage.layer.sublayers.map(\.name) == ["B"])
  }
}
