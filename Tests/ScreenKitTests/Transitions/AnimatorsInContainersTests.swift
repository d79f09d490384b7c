import Testing
import TextCanvas

@testable import ScreenKit

/// Makes a layer filled with one letter.
@MainActor func drawnLayer(_ letter: String) -> Layer {
  let layer = Layer()
  layer.drawing = { letters(letter, in: $0) }
  return layer
}

private func letters(_ letter: String, in state: LayerState) -> Surface {
  var surface = Surface(state.cells.size)
  for row in 0..<surface.rows {
    surface.draw(String(repeating: letter, count: surface.columns), at: CellPoint(column: 0, row: row))
  }
  return surface
}

/// A screen that supports every kind of transition in both directions.
@MainActor final class AnyScreen: CollectionScreenDouble, TransitionSource, TransitionTarget {
  var sourceID: TransitionID? { TransitionID("any") }
  var targetIDs: [TransitionID] { [TransitionID("any")] }
  func sourceLayer(for id: TransitionID) -> Layer? { drawnLayer("=") }
  func sourceFrame(for id: TransitionID) -> Rect? { Rect(x: 1, y: 0, width: 3, height: 1) }
  func targetFrame(for id: TransitionID) -> Rect? { Rect(x: 4, y: 1, width: 5, height: 1) }
  func targetLayer(for id: TransitionID) -> Layer? { drawnLayer("=") }
  func originalLayer(for id: TransitionID) -> Layer? { itemLayer(for: TransitionID("1")) }
}

/// A collection screen with two items that all instances share.
@MainActor class CollectionScreenDouble: CollectionScreen {
  static let shared = CollectionItems([TransitionID("1"), TransitionID("2")]) { drawnLayer($0.description) }

  private static let layouts: [String: any CollectionLayout] = ["A": ListLayout(), "C": ListLayout(gap: 1)]

  init(_ title: String) {
    super.init(Self.shared, layout: Self.layouts[title] ?? GridLayout(across: 2), title: title)
  }

  private let background = Layer()

  override func didLoad() {
    background.drawing = { [title] in letters(title, in: $0) }
    layer.add(background)
    super.didLoad()
  }

  override func layOut(in size: Size) {
    super.layOut(in: size)
    background.frame = Rect(origin: .zero, size: size)
  }
}

/// A container of one kind on a stage, with an operation forward and one back.
@MainActor struct ContainerScene {
  enum Kind: CaseIterable {
    case stack, tabs, content, modal, customModal
    /// The custom container of the front page.
    case pile
  }

  let stage: Stage
  let a = AnyScreen("A")
  let b = AnyScreen("B")
  let c = AnyScreen("C")
  let forward: (Bool) throws -> Transition?
  let back: (Bool) throws -> Transition?
  /// Starts another transition, which interrupts a running one.
  let other: () throws -> Void
  /// Returns the layers that the container must have in its current state.
  let layers: () -> [Layer]
  let container: () -> Layer
  let provider = Provider()
  let issues = IssueLog()

  @MainActor final class Provider: TransitionProvider {
    var kind = TransitionCatalog.crossFade
    weak var last: (any AnimatedTransitioning)?
    var hand: PercentDrivenInteractiveTransition?
    /// Replaces the animator of the catalog.
    var other: (any AnimatedTransitioning)?
    func animationController(
      for operation: TransitionOperation, from: Screen, to: Screen
    ) -> (any AnimatedTransitioning)? {
      let animator = other ?? kind.makeAnimator(from: from, to: to)
      last = animator
      return animator
    }
    func interactionController(for animator: any AnimatedTransitioning) -> (any InteractiveTransitioning)? { hand }
  }

  init(_ kind: Kind, columns: Int = 10, rows: Int = 2) {
    let (a, b, c, provider) = (a, b, c, provider)
    switch kind {
    case .stack:
      let stack = StackScreen(root: a)
      stack.transitions = provider
      stage = makeStage(stack, columns: columns, rows: rows, issues: issues)
      forward = { try stack.push(b, animated: $0) }
      back = { stack.pop(animated: $0) }
      other = { try stack.push(c, animated: true) }
      layers = { [stack.top.layer] }
      container = { stack.layer }
    case .tabs:
      let tabs = TabScreen([a, b, c])
      tabs.transitions = provider
      stage = makeStage(tabs, columns: columns, rows: rows, issues: issues)
      forward = { try tabs.select(1, animated: $0) }
      back = { try tabs.select(0, animated: $0) }
      other = { _ = try tabs.select(2, animated: true) }
      layers = { [tabs.selectedScreen.layer] }
      container = { tabs.layer }
    case .content:
      let content = ContentScreen(a)
      content.transitions = provider
      stage = makeStage(content, columns: columns, rows: rows, issues: issues)
      forward = { content.set(b, animated: $0) }
      back = { content.set(a, animated: $0) }
      other = { content.set(c, animated: true) }
      layers = { [content.content.layer] }
      container = { content.layer }
    case .pile:
      let pile = Pile(a)
      pile.transitions = provider
      stage = makeStage(pile, columns: columns, rows: rows, issues: issues)
      let show: (Screen, TransitionOperation, Bool) throws -> Transition? = { next, operation, animated in
        guard pile.page !== next else { return nil }
        let transition = try pile.show(next, operation: operation)
        if !animated { transition.skip() }
        return transition
      }
      forward = { try show(b, .push, $0) }
      back = { try show(a, .pop, $0) }
      other = { _ = try show(c, .replace, true) }
      layers = { [pile.page.layer] }
      container = { pile.layer }
    case .modal, .customModal:
      let stage = makeStage(a, columns: columns, rows: rows, issues: issues)
      self.stage = stage
      for screen in [b, c] {
        screen.transitions = provider
        screen.presentationStyle = kind == .modal ? .fullScreen : .custom
      }
      forward = { try a.present(b, animated: $0) }
      back = { a.dismiss(animated: $0) }
      other = {
        if let presented = a.presented, !presented.isBeingDismissed {
          try presented.present(c, animated: true)
        } else {
          try a.present(c, animated: true)
        }
      }
      layers = {
        let screens = stage.fullSizeScreens
        return screens.enumerated().filter { index, _ in
          index == screens.count - 1 || screens[index + 1].presentationStyle == .custom
        }.map(\.element.layer)
      }
      container = { stage.layer }
    }
    _ = stage.tick(at: 0)
  }

  /// Expects that nothing of a transition remains after its end.
  func expectQuiet(_ description: String, from location: SourceLocation = #_sourceLocation) {
    let expected = layers()
    let sublayers = container().sublayers
    #expect(sublayers.map(\.name) == expected.map(\.name), "\(description)", sourceLocation: location)
    for screen in [a, b, c] {
      let layer = screen.layer
      #expect(layer.transform == .identity && layer.opacity == 1, "\(description)", sourceLocation: location)
      #expect(!layer.isAnimating, "\(description)", sourceLocation: location)
      #expect(screen.transitionCoordinator == nil, "\(description)", sourceLocation: location)
      #expect(
        screen.appearance == (expected.contains { $0 === layer } ? .appeared : .disappeared), "\(description)",
        sourceLocation: location)
    }
    #expect(provider.last == nil, "\(description)", sourceLocation: location)
    #expect(issues.all == [], "\(description)", sourceLocation: location)
    _ = stage.tick(at: stage.now)
    #expect(stage.nextFrameTime == nil, "\(description)", sourceLocation: location)
  }
}

@MainActor @Suite struct AnimatorsInContainersTests {
  @Test(
    .checklist("X.6", "S0.2", "S0.6", "S0.40", "S2.22", "S2.33", "S2.25"), arguments: TransitionCatalog.allCases,
    ContainerScene.Kind.allCases)
  func `any animator runs in any container without leftover layers`(kind: TransitionCatalog, place: ContainerScene.Kind)
    throws
  {
    let it = ContainerScene(place)
    it.provider.kind = kind

    for (name, navigate) in [("forward", it.forward), ("back", it.back)] {
      for outcome in ["cancelled", "finished"] {
        let transition = try #require(try navigate(true))
        it.stage.advance(to: it.stage.now + 0.05)
        if outcome == "cancelled" {
          transition.fractionComplete = 0.3
          transition.cancel()
        }
        it.stage.advance(to: it.stage.now + 3)
        #expect(transition.outcome == (outcome == "cancelled" ? .cancelled : .completed))
        it.expectQuiet("\(name) \(outcome)")
      }
    }
  }

  @Test(.checklist("X.6", "X.3", "T8"), arguments: TransitionCatalog.allCases, ContainerScene.Kind.allCases)
  func `any animator can be interrupted in any container`(kind: TransitionCatalog, place: ContainerScene.Kind) throws {
    for (direction, interruption) in ["forward", "back"].flatMap({ direction in
      ["turn", "other", "skip"].map { (direction, $0) }
    }) {
      let it = ContainerScene(place)
      it.provider.kind = kind
      let (first, turn) = direction == "forward" ? (it.forward, it.back) : (it.back, it.forward)
      if direction == "back" { _ = try it.forward(false) }
      let transition = try #require(try first(true))
      it.stage.advance(to: 0.05)

      switch interruption {
      case "turn": _ = try turn(true)
      case "other": try it.other()
      default: transition.skip()
      }
      it.stage.advance(to: 0.07)
      let started = it.stage.now
      it.stage.advance(to: started + 3)

      #expect(transition.outcome == .completed)
      it.expectQuiet("\(direction) \(interruption)")
    }
  }

  @Test(.checklist("X.7"), arguments: TransitionCatalog.allCases, ContainerScene.Kind.allCases)
  func `reduced motion moves no layer in any container`(kind: TransitionCatalog, place: ContainerScene.Kind) throws {
    for direction in ["forward", "back"] {
      let it = ContainerScene(place)
      it.stage.motion = .reduced
      it.provider.kind = kind
      if direction == "back" { _ = try it.forward(false) }

      _ = try direction == "forward" ? it.forward(true) : it.back(true)
      for step in 0...10 {
        it.stage.advance(to: Double(step) * 0.01)
        for screen in [it.a, it.b] { #expect(screen.layer.presentation.transform == .identity) }
      }
      it.stage.advance(to: 3)

      it.expectQuiet("reduced \(direction)")
    }
  }

  /// A container outside the library that ignores input during a transition instead of interrupting it.
  @Test(.checklist("S0.2", "S0.6", "S0.7", "S0.32", "X.6"), arguments: TransitionCatalog.allCases)
  func `any animator can run or be cancelled in a third-party container`(kind: TransitionCatalog) throws {
    let screens = ["A", "B", "C"].map { AnyScreen($0) }
    let container = try ArticleContainer(screens)
    let delegate = ArticleDelegate()
    container.delegate = delegate
    let issues = IssueLog()
    let stage = makeStage(container, columns: 20, rows: 4, issues: issues)
    weak var animator: (any AnimatedTransitioning)?

    for (from, to) in [(0, 1), (1, 0)] {
      for byHand in [true, false] {
        let interaction = byHand ? PercentDrivenInteractiveTransition() : nil
        delegate.animator = kind.makeAnimator(from: screens[from], to: screens[to])
        delegate.interaction = interaction
        animator = delegate.animator
        container.press(to)
        stage.advance(to: stage.now + 0.05)
        container.press(2)
        interaction?.update(0.3)
        interaction?.cancel()
        stage.advance(to: stage.now + 3)
        delegate.animator = nil
        delegate.interaction = nil

        let visible = screens[byHand ? from : to]
        #expect(container.selected === visible)
        #expect(container.containerLayer.sublayers.map(ObjectIdentifier.init) == [ObjectIdentifier(visible.layer)])
        for screen in screens {
          #expect(screen.layer.model == LayerState(frame: screen.layer.frame))
          #expect(!screen.layer.isAnimating)
          #expect(screen.appearance == (screen === visible ? .appeared : .disappeared))
          #expect(screen.children.isEmpty)
        }
      }
    }
    container.releaseLast()
    #expect(animator == nil)
    #expect(issues.all == [])
    _ = stage.tick(at: stage.now)
    #expect(stage.nextFrameTime == nil)
  }
}
