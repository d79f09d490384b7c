import Testing
import TextCanvas

@testable import ScreenKit

@MainActor @Suite struct MatchedTransitionTests {
  @Test(.checklist("S1.1", "S1.2", "S1.3", "S1.10", "S1.11", "S1.13", "S1.18", "S1.20"))
  func
    `a matched push queries source and target in order`() throws
  {
    let it = MatchedStack()

    try it.stack.push(it.page, animated: true)
    let began = it.trace.take()
    let during = it.stage.layers(in: it.stack)
    _ = it.stage.tick(at: 1)

    #expect(
      began == [
        "l.willDisappear(true)", "l.sourceLayer", "l.sourceFrame", "l.willStartSource", "l.prepare(z)", "l.finalize(z)",
      ])
    #expect(during == "lzcard")
    #expect(it.trace.take() == ["l.didEndSource", "l.didDisappear"])
    #expect(it.stage.layers(in: it.stack) == "z")
    #expect(it.issues.all == [])
  }

  @Test(.checklist("S1.10", "S1.11", "S1.13")) func `the source is queried and notified before the target`() throws {
    let trace = Trace()
    let list = ListScreen("l", cards: ["z"], trace)
    list.chosen = "z"
    let page = PageScreen("z", trace)
    let provider = TracingProvider()
    provider.animator = { _ in MatchedTransition(from: list, to: page, duration: 1) }
    let stack = StackScreen(root: list)
    stack.transitions = provider
    let stage = makeStage(stack, rows: 3)
    _ = trace.take()

    try stack.push(page, animated: true)
    stage.advance(to: 2)

    let ours = ["sourceLayer", "sourceFrame", "targetFrame", "Source", "Target"]
    #expect(
      trace.take().filter { call in ours.contains { call.hasSuffix($0) } } == [
        "l.sourceLayer", "l.sourceFrame", "z.targetFrame", "l.willStartSource", "z.willStartTarget", "l.didEndSource",
        "z.didEndTarget",
      ])
  }

  @Test(.checklist("S1.13", "S1.24", "S1.28")) func `a matched pop uses the current frame of the card`() throws {
    let it = MatchedStack()
    try it.stack.push(it.page, animated: false)
    it.list.scrolled = 1
    _ = it.trace.take()

    it.stack.pop(animated: true)
    let began = it.trace.take()
    let middle = it.stage.picture(at: 0.5)[1]
    _ = it.stage.tick(at: 0.999)
    let moving = it.stack.layer.sublayers.last?.presentation.frame.cells
    _ = it.stage.tick(at: 1)

    #expect(began == ["l.willAppear(true)", "l.targetFrame", "l.willStartTarget"])
    #expect(middle.dropFirst().hasPrefix("[zzzzz]"))
    #expect(moving == CellRect(column: 2, row: 1, columns: 4, rows: 1))
    #expect(it.trace.take() == ["l.didEndTarget", "l.didAppear"])
    #expect(it.stage.layers(in: it.stack) == "l")
  }

  @Test(.checklist("S1.4", "S1.5", "S1.6", "S1.7")) func `a matched animator needs a matching source and target`() {
    let list = ListScreen("l", cards: ["x"])
    list.chosen = "x"

    #expect(MatchedTransition(from: list, to: PageScreen("x"))?.id == TransitionID("x"))
    #expect(MatchedTransition(from: Screen(), to: PageScreen("x")) == nil)
    #expect(MatchedTransition(from: list, to: Screen()) == nil)
    #expect(MatchedTransition(from: list, to: PageScreen("y")) == nil)
    list.chosen = nil
    #expect(MatchedTransition(from: list, to: PageScreen("x")) == nil)
  }

  @Test(.checklist("S1.8", "S1.22", "S2.38")) func `a push without a match uses the stack's own transition`()
    throws
  {
    let it = MatchedStack()

    try it.stack.push(PageScreen("other"), animated: true)
    let during = it.stage.layers(in: it.stack)
    it.stage.advance(to: 1)

    #expect(during == "lother")
    #expect(it.stack.top.title == "other")
  }

  @Test(.checklist("S1.9")) func `a matched animator does not retain its screens`() {
    weak var list: ListScreen?
    weak var page: PageScreen?
    var animator: MatchedTransition?

    do {
      let screens = (ListScreen("l", cards: ["x"]), PageScreen("x"))
      screens.0.chosen = "x"
      (list, page) = screens
      animator = MatchedTransition(from: screens.0, to: screens.1)
    }

    #expect(animator != nil)
    #expect(list == nil)
    #expect(page == nil)
  }

  @Test(.checklist("S1.14", "S1.15", "S1.25", "S4.14"))
  func `conforming to both protocols is sufficient for a matched transition`() throws {
    final class Small: Screen, TransitionSource, TransitionTarget {
      var sourceID: TransitionID? { TransitionID("s") }
      var targetIDs: [TransitionID] { [TransitionID("s")] }
      func sourceLayer(for id: TransitionID) -> Layer? { Layer() }
      func sourceFrame(for id: TransitionID) -> Rect? { .zero }
      func targetFrame(for id: TransitionID) -> Rect? { .zero }
    }
    let it = MatchedStack()
    try it.stack.setScreens([Small(title: "a")], animated: false)

    let push = try it.stack.push(Small(title: "b"), animated: true)
    it.stage.advance(to: 1)
    it.list.duration = 3

    #expect(push.outcome == .completed)
    #expect(MatchedTransition(from: Small(), to: Small())?.transitionDuration(using: nil) == 0.35)
    #expect(MatchedTransition(from: it.list, to: it.page)?.transitionDuration(using: nil) == 3)
  }

  @Test(.checklist("S1.16", "S1.17"))
  func `a source layer in use is reported and the default transition runs`() throws {
    final class Greedy: Screen, TransitionSource {
      let usedLayer = Layer()
      var sourceID: TransitionID? { TransitionID("z") }
      override func didLoad() { layer.add(usedLayer) }
      func sourceLayer(for id: TransitionID) -> Layer? { usedLayer }
      func sourceFrame(for id: TransitionID) -> Rect? { .zero }
    }
    let it = MatchedStack()
    try it.stack.setScreens([Greedy(title: "g")], animated: false)

    let push = try it.stack.push(it.page, animated: true)
    it.stage.advance(to: 1)

    #expect(push.outcome == .completed)
    #expect(it.issues.all == [.sourceLayerInUse(screen: "g")])
  }

  @Test(.checklist("S1.19")) func `the source hides the original during a transition until its end`() throws {
    let it = MatchedStack()

    let push = try it.stack.push(it.page, animated: true)
    let during = it.list.hidden
    it.stage.advance(to: 0.5)
    push.cancel()
    it.stage.advance(to: 2)

    #expect(during == "z")
    #expect(it.list.hidden == nil)
    #expect(push.outcome == .cancelled)
    #expect(it.stage.layers(in: it.stack) == "l")
  }

  @Test(.checklist("S1.21")) func `a cancelled matched transition is reported as cancelled`() throws {
    let it = MatchedStack()
    let push = try it.stack.push(it.page, animated: true)
    push.fractionComplete = 0.5

    push.cancel()
    it.stage.advance(to: 2)

    #expect(push.outcome == .cancelled)
    #expect(it.stack.screens.count == 1)
    #expect(it.issues.all == [])
  }

  @Test(.checklist("S1.23", "S2.16")) func `a modal is matched with the screen that presents it`() throws {
    let it = MatchedStack()
    it.page.transitions = MatchedStack.Matching.shared

    try it.list.present(it.page, animated: true)

    #expect(it.stage.layer.sublayers.map(\.name) == ["nav", "z", "card"])
    it.stage.advance(to: 1)
    #expect(it.stage.layer.sublayers.map(\.name) == ["z"])
    #expect(it.issues.all == [])
  }

  @Test(.checklist("S1.27", "S1.29"))
  func `an element scrolled out of view falls back to the default transition`() throws {
    let it = MatchedStack()
    it.list.scrolled = 3

    let push = try it.stack.push(it.page, animated: true)
    let during = it.stage.layers(in: it.stack)
    it.stage.advance(to: 1)

    #expect(during == "lz")
    #expect(it.list.hidden == nil)
    #expect(push.outcome == .completed)
    #expect(it.issues.all == [])
  }

  @Test(.checklist("S1.30")) func `two elements with one identity are reported and the push completes`() throws {
    let it = MatchedStack(cards: ["z", "z"])

    let push = try it.stack.push(it.page, animated: true)
    it.stage.advance(to: 1)

    #expect(it.issues.all == [.ambiguousMatch(id: "z")])
    #expect(push.outcome == .completed)
  }

  @Test func `a pop during a matched push continues from the card's presented frame`() throws {
    let it = MatchedStack()
    try it.stack.push(it.page, animated: true)
    it.stage.advance(to: 0.4)
    let before = it.stack.layer.sublayers.last?.presentation.frame

    it.stack.pop(animated: true)
    let after = it.stack.layer.sublayers.last?.presentation.frame

    let (old, new) = (try #require(before), try #require(after))
    #expect(abs(old.x - new.x) + abs(old.y - new.y) + abs(old.width - new.width) < 1e-9)
  }

  @Test func `a resize queries both frames again and keeps the fraction`() throws {
    let it = MatchedStack()
    let push = try it.stack.push(it.page, animated: true)
    push.fractionComplete = 0.5
    it.list.scrolled = 1

    it.stage.resize(to: CellSize(columns: 20, rows: 4))

    #expect(it.stack.layer.sublayers.last?.presentation.frame == Rect(x: 1, y: 0.5, width: 7, height: 1))
    #expect(push.fractionComplete == 0.5)
  }
}
