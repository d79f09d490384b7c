import Testing
import TextCanvas

@testable import ScreenKit

@MainActor @Suite struct StackScreenTests {
  @Test(.checklist("X.4")) func `popping at the root does nothing`() throws {
    let it = try TracedStack("A")

    #expect(it.stack.pop(animated: true) == nil)
    #expect(it.trace.take() == [])
    #expect(it.stackTitles == "A")
  }

  @Test(.checklist("X.4")) func `pushing a screen twice or popping to an unknown screen is refused`() throws {
    let it = try TracedStack("AB", also: "C")

    #expect(throws: ContainmentError.alreadyInStack(screen: "A", container: "nav")) {
      try it.stack.push(it["A"], animated: true)
    }
    #expect(throws: ContainmentError.notInStack(screen: "C", container: "nav")) {
      try it.stack.pop(to: it["C"], animated: true)
    }
    #expect(throws: ContainmentError.emptyStack(container: "nav")) { try it.stack.setScreens([], animated: true) }
    #expect(throws: ContainmentError.alreadyInStack(screen: "C", container: "nav")) {
      try it.stack.setScreens([it["C"], it["C"]], animated: true)
    }
    #expect(it.stackTitles == "AB")
  }

  @Test(.checklist("X.5", "S2.18")) func `setScreens pushes only if the top screen changes`() throws {
    let it = try TracedStack("AB", also: "CD")

    let none = try it.stack.setScreens([it["C"], it["B"]], animated: true)
    let middle = it.stackTitles
    let push = try it.stack.setScreens([it["C"], it["D"]], animated: true)
    it.stage.advance(to: 2)

    #expect(none == nil)
    #expect(middle == "CB")
    #expect(push?.operation == .push)
    #expect(it.stackTitles == "CD")
    #expect(it.stack.children.map(\.title) == ["C", "D"])
    #expect(it["A"].parent == nil)
  }

  @Test func `popping to a screen removes the screens above it in one transition`() throws {
    let it = try TracedStack("ABCD")

    let transition = try it.stack.pop(to: it["B"], animated: true)
    it.stage.advance(to: 1)

    #expect((transition?.from.title, transition?.to.title) == ("D", "B"))
    #expect(it.stackTitles == "AB")
    #expect(try it.stack.pop(to: it["B"], animated: true) == nil)
  }

  @Test(arguments: [
    (TransitionOperation.select(from: 1, to: 0), ["BBBBBBBBBB", "CCBBBBBBBB", "CCCCCCCCCC"]),
    (.select(from: 1, to: 2), ["BBBBBBBBBB", "BBBBBBBBCC", "CCCCCCCCCC"]),
    (.replace, ["BBBBBBBBBB", "BBBBBBBBCC", "CCCCCCCCCC"]),
  ])
  func `the operation determines the side from which a screen enters`(operation: TransitionOperation, frames: [String])
    throws
  {
    let it = try TracedStack("AB", also: "C", vends: false)

    let replacement = try it.stack.replaceTop(with: it["C"], operation: operation, animated: true)
    let rows = [0, 0.2, 1].map { fraction in
      replacement.fractionComplete = fraction
      return it.stage.picture(at: 0)[0]
    }
    replacement.finish()
    it.stage.advance(to: 3)

    #expect(rows == frames)
    #expect(replacement.operation == operation)
    #expect(it.stackTitles == "AC")
    #expect(it.stack.children.map(\.title) == ["A", "C"])
    #expect(it["B"].parent == nil && it["B"].appearance == .disappeared)
    #expect(it.issues.all == [])
  }

  @Test func `replacing the top calls the screens in order, and can be cancelled`() throws {
    let it = try TracedStack("AB", also: "C")

    let replacement = try it.stack.replaceTop(with: it["C"], animated: true)
    it.stage.advance(to: 0.5)
    let began = it.trace.take()
    replacement.cancel()
    it.stage.advance(to: 3)

    #expect(
      began == [
        "B.willMove(nil)", "C.willMove(nav)", "provider.animator(replace, B, C)", "provider.interaction", "C.didLoad",
        "B.willDisappear(true)", "C.willAppear(true)", "provider.willShow(C, true)", "animator.duration",
        "animator.animate(BC)",
      ])
    #expect(replacement.outcome == .cancelled)
    #expect(it.stackTitles == "AB")
    #expect(it["C"].parent == nil)
    #expect(it.issues.all == [])
  }

  @Test func `the second of two quick replacements stays on top, and the root can be replaced`() throws {
    let it = try TracedStack("A", also: "BC")

    try it.stack.replaceTop(with: it["B"], animated: true)
    it.stage.advance(to: 0.2)
    let last = try it.stack.replaceTop(with: it["C"], animated: true)
    it.stage.advance(to: 3)

    #expect(last.outcome == .completed)
    #expect(it.stackTitles == "C")
    #expect(it.layerTitles == "C")
    #expect(throws: ContainmentError.alreadyInStack(screen: "C", container: "nav")) {
      try it.stack.replaceTop(with: it["C"], animated: true)
    }
    #expect(throws: ContainmentError.containsItself(screen: "nav", container: "nav")) {
      try it.stack.replaceTop(with: it.stack, animated: true)
    }
  }

  @Test(.checklist("X.8")) func `pushing the same route twice pushes one screen`() throws {
    let it = try TracedStack("A")
    let press = { it.stack.push(route: "lesson/2", animated: true) { Screen(title: "L") } }

    let first = press()
    let second = press()

    #expect((first != nil, second == nil) == (true, true))
    #expect(it.stackTitles == "AL")
  }

  @Test(.checklist("S2.52", "S2.62", "S2.63", "S2.64"))
  func `a coordinator exists right after a push, also without an animator`() throws {
    let it = try TracedStack("A", also: "B", vends: false)
    let bar = Layer()
    it.stage.layer.add(bar)
    var ended: [String] = []

    try it.stack.push(it["B"], animated: true)
    let coordinators = [it.stack, it["A"], it["B"]].map { $0.transitionCoordinator != nil }
    it.stack.transitionCoordinator?.animate { _ in
      bar.offset.x = 10
    } completion: { context in
      ended.append("cancelled: \(context.transitionWasCancelled)")
    }
    let start = bar.presentation.transform.translation.x
    _ = it.stage.tick(at: 0.1)
    let moved = bar.presentation.transform.translation.x
    let fraction = 1 - it["B"].layer.presentation.transform.translation.x / 10
    _ = it.stage.tick(at: 0.35)

    #expect(coordinators == [true, true, true])
    #expect(start == 0)
    #expect(abs(moved - 10 * fraction) < 1e-9)
    #expect(ended == ["cancelled: false"])
    #expect([it.stack, it["A"], it["B"]].allSatisfy { $0.transitionCoordinator == nil })
  }

  @Test func `a push from didAppear waits for the end of the current push`() throws {
    let it = try TracedStack("A", also: "BC")
    it["B"].onDidAppear = { _ in _ = try? it.stack.push(it["C"], animated: true) }

    try it.stack.push(it["B"], animated: true)
    it.stage.advance(to: 3)

    let calls = it.trace.take()
    #expect(it.stackTitles == "ABC")
    #expect(
      try #require(calls.firstIndex(of: "provider.didShow(B, true)"))
        < #require(calls.firstIndex(of: "C.willMove(nav)")))
    #expect(it.issues.all == [])
  }

  @Test func `a stack that is not on a stage changes without appearance callbacks`() throws {
    let trace = Trace()
    let screens = "AB".map { TracingScreen("\($0)", trace) }
    let stack = StackScreen(root: screens[0], title: "nav")
    _ = trace.take()

    let transition = try stack.push(screens[1], animated: true)
    let calls = trace.take()
    let stage = makeStage(stack)

    #expect(calls == ["B.willMove(nav)", "B.didLoad", "B.didMove(nav)"])
    #expect(transition.outcome == .skipped(.notOnScreen))
    #expect(stage.picture(at: 0) == ["BBBBBBBBBB", "BBBBBBBBBB"])
  }
}

@MainActor @Suite struct TabScreenTests {
  @Test(.checklist("S2.12", "S2.17", "S2.36")) func `selecting a tab asks the provider and slides towards the tab`()
    throws
  {
    let trace = Trace()
    let screens = "ABC".map { TracingScreen("\($0)", trace) }
    let tabs = TabScreen(screens, selected: 1, title: "tabs")
    let provider = TracingProvider(trace)
    provider.animator = { _ in TracingAnimator(trace) }
    tabs.transitions = provider
    let stage = makeStage(tabs)
    _ = stage.tick(at: 0)
    _ = trace.take()

    tabs.selectedIndex = 0
    let began = trace.take()
    let picture = stage.picture(at: 0.4)
    tabs.selectedIndex = 0
    stage.advance(to: 1)

    #expect(
      began == [
        "provider.animator(select(from: 1, to: 0), B, A)", "provider.interaction", "A.didLoad",
        "B.willDisappear(true)", "A.willAppear(true)", "provider.willShow(A, true)", "animator.duration",
        "animator.animate(BA)",
      ])
    #expect(picture == ["AAAABBBBBB", "AAAABBBBBB"])
    #expect(trace.take().filter { $0.hasPrefix("animator.ended") } == ["animator.ended(true)"])
    #expect(tabs.selectedScreen === screens[0])
    #expect(tabs.children.count == 3)
    #expect(try tabs.select(0, animated: true) == nil)
    #expect(throws: ContainmentError.noSuchChild(index: 3, container: "tabs", count: 3)) {
      try tabs.select(3, animated: true)
    }
  }

  @Test func `selecting another tab during a transition continues from the presented frame`() throws {
    let screens = "ABC".map { TracingScreen("\($0)") }
    let tabs = TabScreen(screens)
    let provider = TracingProvider()
    provider.animator = { _ in TracingAnimator() }
    tabs.transitions = provider
    let stage = makeStage(tabs)
    tabs.selectedIndex = 1
    _ = stage.tick(at: 0.5)

    tabs.selectedIndex = 0

    #expect(stage.picture(at: 0.5) == ["AAAAABBBBB", "AAAAABBBBB"])
    #expect(stage.picture(at: 1.5) == ["AAAAAAAAAA", "AAAAAAAAAA"])
  }
}

@MainActor @Suite struct CollectionScreenTests {
  @Test func `a grid has at least one item in a row`() {
    var grid = GridLayout(across: 2, rows: 3)
    grid.across = 0

    #expect(
      grid.frames(count: 2, in: Size(width: 9, height: 9)) == [
        Rect(x: 0, y: 0, width: 9, height: 3), Rect(x: 0, y: 3, width: 9, height: 3),
      ])
  }

  private func makeItems() -> CollectionItems {
    CollectionItems(["a", "b", "c", "d"].map { TransitionID($0) }) { id in
      let layer = Layer()
      layer.drawing = { state in
        var surface = Surface(state.cells.size)
        surface.draw(String(repeating: id.description, count: surface.columns), at: .zero)
        return surface
      }
      return layer
    }
  }

  @Test(.checklist("S2.12", "S2.19", "S2.20")) func `items move from one layout to the other and back`() throws {
    let items = makeItems()
    let list = CollectionScreen(items, layout: ListLayout(), title: "list")
    let grid = CollectionScreen(items, layout: GridLayout(across: 2), title: "grid")
    grid.usesLayoutToLayoutTransitions = true
    let stack = StackScreen(root: list)
    let stage = makeStage(stack, columns: 8, rows: 4)

    let push = try stack.push(grid, animated: true)
    let start = stage.picture(at: 0)
    push.fractionComplete = 0.5
    let middle = stage.picture(at: 0)
    push.finish()
    let end = stage.picture(at: 1)
    let pop = stack.pop(animated: true)
    pop?.fractionComplete = 0.5
    let back = stage.picture(at: 1)
    pop?.finish()

    #expect(start == ["aaaaaaaa", "bbbbbbbb", "cccccccc", "dddddddd"])
    #expect(middle == ["aaaaaa  ", "  bbbbbb", "ccdddddd", "        "])
    #expect(end == ["aaaabbbb", "ccccdddd", "        ", "        "])
    #expect(back == middle)
    #expect(stage.picture(at: 2) == start)
  }

  @Test(.checklist("S2.19")) func `a push without the layout option or with other items slides`() throws {
    let items = makeItems()
    let list = CollectionScreen(items, layout: ListLayout())
    let grid = CollectionScreen(items, layout: GridLayout(across: 2))
    let others = CollectionScreen(makeItems(), layout: GridLayout(across: 2))
    others.usesLayoutToLayoutTransitions = true

    #expect(!CollectionScreen.usesLayoutTransition(.push, from: list, to: grid))
    #expect(!CollectionScreen.usesLayoutTransition(.push, from: list, to: others))
    grid.usesLayoutToLayoutTransitions = true
    #expect(CollectionScreen.usesLayoutTransition(.push, from: list, to: grid))
    #expect(CollectionScreen.usesLayoutTransition(.pop, from: grid, to: list))
  }
}

@MainActor @Suite struct ContentScreenTests {
  @Test(.checklist("S0.44", "S3.10", "S3.11", "S3.13"), arguments: [nil, 0, 0.5] as [Double?])
  func `content is replaced at once or over the given duration`(duration: Double?) throws {
    let trace = Trace()
    let screens = "ABC".map { TracingScreen("\($0)", trace) }
    let content = ContentScreen(screens[0], title: "box")
    let stage = makeStage(content)
    content.content = screens[1]
    let assigned = stage.layers(in: content)
    _ = trace.take()

    let change = try #require(content.set(screens[2], animationDuration: duration))
    let during = (change.outcome, stage.layers(in: content))
    stage.advance(to: 0.5)

    let isAnimated = duration == 0.5
    #expect(assigned == "B")
    #expect(during.0 == (isAnimated ? nil : .skipped(.notAnimated)))
    // The previous content is above and fades out.
    #expect(during.1 == (isAnimated ? "CB" : "C"))
    #expect(
      trace.take() == [
        "B.willMove(nil)", "C.willMove(box)", "C.didLoad", "B.willDisappear(\(isAnimated))",
        "C.willAppear(\(isAnimated))", "B.didDisappear", "C.didAppear", "B.didMove(nil)", "C.didMove(box)",
      ])
    #expect(stage.layers(in: content) == "C")
    #expect(content.set(screens[2], animated: true) == nil)
  }
}

@MainActor @Suite struct ContentInsetTests {
  @Test func `content with an inset slides by its own width and keeps its inset`() throws {
    let content = ContentScreen(TracingScreen("A"), contentInset: CellSize(columns: 2, rows: 1))
    let provider = TracingProvider()
    provider.animator = { _ in SlideTransition(duration: 1, curve: .linear) }
    content.transitions = provider
    let stage = makeStage(content, columns: 8, rows: 3)
    let before = stage.picture(at: 0)

    let switching = content.set(TracingScreen("B"), animated: true)
    let context = try #require(content.transitionCoordinator?.context)

    #expect(before == ["        ", "  AAAA  ", "        "])
    #expect(context.finalFrame(for: context.to) == Rect(x: 2, y: 1, width: 4, height: 1))
    #expect(context.initialFrame(for: context.to) == Rect(x: 6, y: 1, width: 4, height: 1))
    #expect(stage.picture(at: 0.5) == ["        ", "AAAABBBB", "        "])
    #expect(stage.picture(at: 1) == ["        ", "  BBBB  ", "        "])
    #expect(switching?.outcome == .completed)
  }
}
