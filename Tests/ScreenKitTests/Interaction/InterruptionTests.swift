import Testing
import TextCanvas

@testable import ScreenKit

/// Tests that an interruption loses nothing visible and ends nothing too early.
@MainActor @Suite struct InterruptionTests {
  /// Makes three screens with the same items; the second and third have the same layout.
  private func makeCollections() -> (stack: StackScreen, screens: [CollectionScreen]) {
    let items = CollectionItems(["a", "b", "c", "d"].map { TransitionID($0) }) { drawnLayer($0.description) }
    let layouts: [any CollectionLayout] = [ListLayout(), GridLayout(across: 2), GridLayout(across: 2)]
    let screens = layouts.enumerated().map { CollectionScreen(items, layout: $1, title: "\($0)") }
    for screen in screens { screen.usesLayoutToLayoutTransitions = true }
    return (StackScreen(root: screens[0]), screens)
  }

  private func places(of screen: CollectionScreen) -> [Rect] {
    screen.items.ids.compactMap { screen.itemLayer(for: $0)?.presentation.frame }
  }

  @Test(.checklist("S2.19", "X.2")) func `items between two equal layouts continue their motion`() throws {
    let (stack, screens) = makeCollections()
    let stage = makeStage(stack, columns: 40, rows: 12)
    try stack.push(screens[1], animated: true)
    stage.advance(to: 0.1)
    let before = (places(of: screens[1]), stage.picture(at: 0.1))

    let second = try stack.push(screens[2], animated: true)
    let after = (places(of: screens[2]), stage.picture(at: 0.1))
    stage.advance(to: 0.3)
    let middle = (second.outcome, places(of: screens[2]))
    stage.advance(to: 2)

    #expect(zip(before.0, after.0).allSatisfy { abs($0.x - $1.x) < 1e-9 && abs($0.y - $1.y) < 1e-9 })
    #expect(before.1 == after.1)
    #expect(middle.0 == nil)
    #expect(middle.1 != places(of: screens[2]))
    #expect(second.outcome == .completed)
    #expect(stack.layer.sublayers.map(\.name) == ["2"])
    #expect(!screens.contains { screen in screen.layer.sublayers.contains { $0.isHidden || $0.isAnimating } })
  }

  @Test(.checklist("X.2")) func `a popped screen can be pushed again before the pop has ended`() throws {
    let (first, second) = (Screen(title: "a"), Screen(title: "b"))
    let stack = StackScreen(root: first)
    let provider = TracingProvider()
    let stage = makeStage(stack, columns: 40, rows: 12)
    try stack.push(second, animated: false)
    let interaction = PercentDrivenInteractiveTransition()
    provider.animator = { _ in SlideTransition() }
    provider.interaction = interaction
    stack.transitions = provider
    let pop = stack.pop(animated: true)
    interaction.update(0.5)
    interaction.finish()
    stage.advance(to: 0.05)
    provider.interaction = nil

    let push = try stack.setScreens([first, second], animated: true)
    let isRunning = push?.isRunning
    stage.advance(to: 2)

    #expect(pop?.outcome == .completed)
    #expect(isRunning == true)
    #expect(push?.outcome == .completed)
    #expect(stack.screens.map(\.title) == ["a", "b"])
  }

  @Test func `an interactive pop between two equal layouts ends only after its gesture`() throws {
    let (stack, screens) = makeCollections()
    let provider = TracingProvider()
    let interaction = PercentDrivenInteractiveTransition()
    provider.animator = { _ in LayoutTransition() }
    stack.transitions = provider
    let stage = makeStage(stack, columns: 40, rows: 12)
    for screen in screens.dropFirst() { try stack.push(screen, animated: false) }
    provider.interaction = interaction

    let pop = try #require(stack.pop(animated: true))
    interaction.update(0.7)
    stage.advance(to: 5)
    let duringGesture = (pop.outcome, pop.fractionComplete, stack.screens.count)
    interaction.cancel()
    stage.advance(to: 9)

    #expect(duringGesture == (nil, 0.7, 3))
    #expect(pop.outcome == .cancelled)
    #expect(stack.screens.count == 3)
    _ = stage.tick(at: 9)
    #expect(stage.nextFrameTime == nil)
  }

  @Test(arguments: TransitionCatalog.allCases, ContainerScene.Kind.allCases)
  func `the frame at the moment of an interruption is unchanged`(
    kind: TransitionCatalog, place: ContainerScene.Kind
  ) throws {
    for moment in [0.06, 0.15, 0.24] {
      for direction in ["forward", "back"] {
        let it = ContainerScene(place, columns: 12, rows: 3)
        it.provider.kind = kind
        if direction == "back" { _ = try it.forward(false) }
        _ = try direction == "forward" ? it.forward(true) : it.back(true)
        let before = it.stage.picture(at: moment)

        try it.other()

        let after = it.stage.picture(at: moment)
        if after != before {
          Issue.record(
            "\(direction) at \(moment): \(before.joined(separator: "|")) then \(after.joined(separator: "|"))")
        }
        it.stage.advance(to: 5)
        it.expectQuiet("\(direction) at \(moment)")
      }
    }
  }

  @Test(arguments: ["push", "root", "set"])
  func `a screen removed by an interruption continues its motion while leaving`(operation: String) throws {
    let it = try TracedStack("AB", also: "CD")
    it.provider.animator = { _ in TracingAnimator(curve: .easeInOut) }
    try it.stack.push(it["C"], animated: true)
    let before = it.stage.picture(at: 0.5)

    switch operation {
    case "push": try it.stack.push(it["D"], animated: true)
    case "root": it.stack.popToRoot(animated: true)
    default: try it.stack.setScreens([it["D"]], animated: true)
    }
    let appearance = it["B"].appearance
    let at = it.stage.picture(at: 0.5)
    let later = it.stage.picture(at: 0.55)
    it.stage.advance(to: 1.45)
    // The snapshots are nearly transparent when they are removed.
    let last = it.stack.layer.sublayers.filter { $0.snapshotTree != nil }.map(\.presentation.opacity)
    it.stage.advance(to: 2)

    #expect(before == ["BBBBBCCCCC", "BBBBBCCCCC"])
    #expect(at == before)
    #expect(later[0].contains("B"))
    #expect(appearance == .disappeared)
    #expect(last.count == 1 && last.allSatisfy { $0 < 0.01 })
    #expect(it.layerTitles == (operation == "root" ? "A" : "D"))
    #expect(it.issues.all == [])
    _ = it.stage.tick(at: 2)
    #expect(it.stage.nextFrameTime == nil)
  }

  @Test func `screens removed by consecutive interruptions continue their motion`() throws {
    let it = try TracedStack("A", also: "BCD")
    it.provider.animator = { _ in TracingAnimator(curve: .easeInOut) }

    for (step, title) in ["B", "C", "D"].enumerated() {
      let time = 0.15 * Double(step)
      let before = it.stage.picture(at: time)
      try it.stack.push(it[title], animated: true)
      #expect(it.stage.picture(at: time) == before)
    }
    let four = it.stack.layer.sublayers.count
    it.stage.advance(to: 3)

    #expect(four == 4)
    #expect(it.layerTitles == "D")
    #expect(it.issues.all == [])
  }

  @Test func `a screen of an interrupted interactive pop returns to its start`() throws {
    let it = try TracedStack("AB", also: "C")
    it.provider.interaction = PercentDrivenInteractiveTransition()
    let pop = try #require(it.stack.pop(animated: true))
    pop.fractionComplete = 0.5
    it.provider.interaction = nil

    try it.stack.push(it["C"], animated: true)
    let snapshot = try #require(it.stack.layer.sublayers.first { $0.snapshotTree != nil })
    let columns = [0, 0.2, 0.5].map { time in
      it.stage.advance(to: time)
      return snapshot.presentation.transform.translation.x
    }

    #expect(snapshot.name == "A")
    #expect(columns[0] == -5)
    #expect(columns[1] < columns[0] && columns[2] < columns[1] && columns[2] >= -10)
  }

  @Test func `a moving layer keeps its motion if a layer of the same identity appears`() throws {
    let it = try TracedStack("A", also: "BC")
    let rows = ["B", "C"].map { title in
      let row = Layer(frame: Rect(x: title == "B" ? 0 : 6, y: 0, width: 2, height: 1))
      row.identity = TransitionID("row")
      it[title].layer.add(row)
      return row
    }
    try it.stack.push(it["B"], animated: true)
    animate(duration: 2, curve: .linear) { rows[0].frame.x = 8 }
    it.stage.advance(to: 0.5)

    try it.stack.push(it["C"], animated: true)

    #expect(rows.map(\.presentation.frame.x) == [2, 6])
    #expect(!rows[1].isAnimating)
  }

  @Test func `a layer moved by its screen during a transition does not animate`() throws {
    let it = try TracedStack("A", also: "B")
    let row = Layer(frame: Rect(x: 0, y: 0, width: 4, height: 1))
    it["A"].layer.add(row)
    try it.stack.push(it["B"], animated: true)
    it.stage.advance(to: 0.5)
    it["A"].onWillAppear = { _ in row.frame.y = 1 }

    it.stack.pop(animated: true)

    #expect(row.presentation.frame.y == 1)
    #expect(!row.isAnimating)
  }

  @Test(arguments: ["replaced", "covered"])
  func `screens in a container continue to move when the container is replaced or covered`(how: String) throws {
    let it = try TracedStack("A", also: "BC")
    it.provider.animator = { _ in TracingAnimator(curve: .easeInOut) }
    let outer = ContentScreen(it.stack, title: "outer")
    let stage = makeStage(outer, issues: it.issues)
    let push = try it.stack.push(it["B"], animated: true)
    let before = stage.picture(at: 0.5)

    if how == "replaced" {
      outer.transitions = it.provider
      outer.set(it["C"], animated: true)
    } else {
      try outer.present(it["C"], animated: true)
    }
    let (at, outcome) = (stage.picture(at: 0.5), push.outcome)
    stage.advance(to: 0.55)
    let later = it["B"].layer.presentation.transform.translation.x
    stage.advance(to: 3)

    #expect(before == ["AAAAABBBBB", "AAAAABBBBB"])
    #expect(at == before)
    #expect(outcome == .completed)
    #expect(later > 0 && later < 5)
    #expect(it.layerTitles == "B")
    #expect(it["B"].layer.model == LayerState(frame: it.stack.layer.bounds))
    #expect(!it["B"].layer.isAnimating)
    #expect(it.issues.all == [])
    _ = stage.tick(at: 3)
    #expect(stage.nextFrameTime == nil)
  }

  @Test func `a change without animation leaves nothing of the interrupted transition`() throws {
    let it = try TracedStack("A", also: "BC")
    try it.stack.push(it["B"], animated: true)
    it.stage.advance(to: 0.5)

    try it.stack.push(it["C"], animated: false)

    #expect(it.layerTitles == "C")
    #expect(it.stage.picture(at: 0.5) == ["CCCCCCCCCC", "CCCCCCCCCC"])
    #expect(it.stage.nextFrameTime == nil)
  }

  @Test(arguments: [true, false])
  func `in a container that leaves, a screen continues to move although its transition has ended`(isPush: Bool)
    throws
  {
    let (a, b, c) = (AnyScreen("A"), AnyScreen("B"), AnyScreen("C"))
    let stack = StackScreen(root: a)
    let tabs = TabScreen([stack, c])
    let issues = IssueLog()
    let stage = makeStage(tabs, columns: 80, rows: 24, issues: issues)
    try stack.push(b, animated: isPush)
    let transition = isPush ? nil : stack.pop(animated: true)
    let top = isPush ? b : a
    stage.advance(to: 0.1)
    let before = (top.layer.presentation, top.layer.velocity(of: .x))

    try tabs.select(1, animated: true)

    #expect(transition?.isRunning != true && stack.top === top && stack.hasDetachedAnimations)
    #expect(top.layer.presentation == before.0 && abs(top.layer.velocity(of: .x) - before.1) < 1e-9)
    stage.advance(to: 3)
    #expect(
      !stack.hasDetachedAnimations && stack.layer.sublayers.count == 1 && top.layer.presentation == top.layer.model)
    #expect(issues.all == [])
  }

  @Test func `a container forwards the transition source and target of its visible screen`() throws {
    let (list, page) = (ListScreen("list", cards: ["x"]), Screen(title: "page"))
    let stack = StackScreen(root: list)
    let tabs = TabScreen([stack])

    #expect(transitionSource(in: tabs) === list && transitionTarget(in: tabs) === list)
    try stack.push(page, animated: false)
    #expect(transitionSource(in: tabs) == nil && transitionTarget(in: tabs) == nil)
  }
}
