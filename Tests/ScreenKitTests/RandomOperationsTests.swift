import TestSupport
import Testing
import TextCanvas

@testable import ScreenKit

/// Weak references to all counted objects.
@MainActor final class Census {
  private struct Entry { weak var object: AnyObject? }
  private var entries: [Entry] = []

  func count(_ object: AnyObject) { entries.append(Entry(object: object)) }

  var alive: [AnyObject] { entries.compactMap(\.object) }
}

/// Returns a random animator, sometimes with an interactive transition, and counts each of them and each context.
@MainActor final class RandomProvider: TransitionProvider {
  var random: SplitMix64
  let census: Census
  private(set) weak var hand: PercentDrivenInteractiveTransition?

  init(_ random: SplitMix64, _ census: Census) {
    self.random = random
    self.census = census
  }

  func animationController(
    for operation: TransitionOperation, from: Screen, to: Screen
  ) -> (any AnimatedTransitioning)? {
    let animator = TransitionCatalog.allCases.randomElement(using: &random)?.makeAnimator(from: from, to: to)
    if let animator { census.count(animator) }
    return animator
  }

  func interactionController(for animator: any AnimatedTransitioning) -> (any InteractiveTransitioning)? {
    guard Int.random(in: 0..<3, using: &random) == 0 else { return nil }
    let interaction = PercentDrivenInteractiveTransition()
    interaction.wantsInteractiveStart = Bool.random(using: &random)
    census.count(interaction)
    self.hand = interaction
    return interaction
  }

  func willShow(_ screen: Screen, in container: Screen, animated: Bool) {
    if let context = screen.transitionCoordinator?.context { census.count(context) }
  }
}

@MainActor @Suite struct RandomOperationsTests {
  /// Two seeds in normal runs, a hundred in the long tier.
  nonisolated private static var seeds: ClosedRange<UInt64> {
    1...UInt64(Tier.count(2, long: 100))
  }

  @Test(.checklist("X.1", "X.3", "X.6"), arguments: seeds)
  func `ten thousand random operations leave no imbalance and no leaked object`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let census = Census()
    let provider = RandomProvider(SplitMix64(seed: seed &+ 1000), census)
    let issues = IssueLog()
    func makeScreen() -> AnyScreen {
      let screen = AnyScreen("S")
      screen.transitions = provider
      screen.presentationStyle = Bool.random(using: &random) ? .fullScreen : .custom
      census.count(screen)
      return screen
    }
    let stack = StackScreen(root: makeScreen(), title: "stack")
    let tabs = TabScreen([stack, ContentScreen(makeScreen(), title: "content"), makeScreen()], title: "tabs")
    let content = try #require(tabs.screens[1] as? ContentScreen)
    for container in [stack, tabs, content] { container.transitions = provider }
    let stage = makeStage(tabs, columns: 12, rows: 4, issues: issues)
    var time = 0.0
    var last: Transition?

    for _ in 0..<10_000 {
      // After a third of the operations, the next one follows without a pause.
      if Int.random(in: 0..<3, using: &random) > 0 { time += Double.random(in: 0...0.4, using: &random) }
      stage.advance(to: time)
      let animated = Int.random(in: 0..<5, using: &random) > 0
      switch Int.random(in: 0..<17, using: &random) {
      case 0, 1: last = try stack.push(makeScreen(), animated: animated)
      case 2, 3: last = stack.pop(animated: animated)
      case 4: last = stack.popToRoot(animated: animated)
      case 5: last = try tabs.select(Int.random(in: 0..<3, using: &random), animated: animated)
      case 6: last = content.set(makeScreen(), animated: animated)
      case 7:
        let top = stage.fullSizeScreens.last ?? tabs
        if !top.isBeingDismissed, top.presented == nil, stage.fullSizeScreens.count < 4 {
          last = try top.present(makeScreen(), animated: animated)
        }
      case 8: last = tabs.dismiss(animated: animated)
      case 9:
        last?.fractionComplete = Double.random(in: 0...1, using: &random)
        provider.hand?.update(Double.random(in: 0...1, using: &random))
      case 13:
        let screens = (stack.screens.shuffled(using: &random).prefix(2) + [makeScreen()]).shuffled(using: &random)
        last = try stack.setScreens(Array(screens), animated: animated) ?? last
      case 14:
        last = try stack.pop(to: #require(stack.screens.randomElement(using: &random)), animated: animated) ?? last
      case 15: last?.skip()
      case 16:
        // Two transitions at once: the pop starts at the first moment of the push.
        last = try stack.push(makeScreen(), animated: animated)
        last = stack.pop(animated: true)
      case 10: last?.cancel(velocity: Bool.random(using: &random) ? -3 : 0)
      case 11: last?.finish(velocity: Bool.random(using: &random) ? 3 : 0)
      default:
        let size = CellSize(
          columns: Int.random(in: 4...20, using: &random), rows: Int.random(in: 1...6, using: &random))
        stage.resize(to: size, at: time)
      }
      if Int.random(in: 0..<4, using: &random) == 0 { _ = stage.tick(at: time) }
    }
    for _ in 0..<4 {
      last?.finish()
      for screen in [stack, tabs, content] + stage.fullSizeScreens {
        for run in screen.runs { run.completeNow() }
      }
      time += 10
      stage.advance(to: time)
    }
    last = nil
    _ = stage.tick(at: time)

    let unexpected = issues.all.filter { issue in
      switch issue {
      // The interaction controllers are driven too late or not at all.
      case .notInteractive, .neverDriven: false
      default: true
      }
    }
    #expect(unexpected == [])
    #expect(stage.nextFrameTime == nil)
    var visible: [Screen] = []
    for screen in stage.fullSizeScreens { visible += everything(in: screen) }
    let leaked = census.alive.filter { object in
      guard let screen = object as? Screen else { return true }
      return !visible.contains { $0 === screen }
    }
    #expect(leaked.count == 0, "\(leaked)")
    for screen in visible { expectAgreement(screen, on: stage) }
    expectAgreement(of: stage)
  }

  private func everything(in screen: Screen) -> [Screen] {
    [screen] + screen.children.flatMap { everything(in: $0) }
  }

  /// Expects that the visible screen of a container has its layer on the stage, and no other screen has.
  private func expectAgreement(_ screen: Screen, on stage: Stage) {
    #expect(screen.appearance == (screen.stage === stage ? .appeared : .disappeared), "\(screen.label)")
    #expect(screen.layer.transform == .identity && screen.layer.opacity == 1 && !screen.layer.isAnimating)
    #expect(!everything(in: screen.layer).contains { $0.isHidden || $0.isAnimating || $0.snapshotTree != nil })
    if let stack = screen as? StackScreen {
      #expect(stack.children.map(ObjectIdentifier.init) == stack.screens.map(ObjectIdentifier.init))
      #expect(stack.children.allSatisfy { $0.parent === stack })
      #expect(stack.layer.sublayers.map(ObjectIdentifier.init) == [ObjectIdentifier(stack.top.layer)])
    }
    if let tabs = screen as? TabScreen {
      #expect(tabs.layer.sublayers.map(ObjectIdentifier.init) == [ObjectIdentifier(tabs.selectedScreen.layer)])
    }
    if let content = screen as? ContentScreen {
      #expect(content.children.map(ObjectIdentifier.init) == [ObjectIdentifier(content.content)])
      #expect(content.layer.sublayers.map(ObjectIdentifier.init) == [ObjectIdentifier(content.content.layer)])
    }
  }

  /// Expects that the sublayers of the stage are those of the visible full-size screens, from back to front.
  private func expectAgreement(of stage: Stage) {
    let screens = stage.fullSizeScreens
    let visible = screens.enumerated().filter { index, _ in
      index == screens.count - 1 || screens[index + 1].presentationStyle == .custom
    }
    #expect(stage.layer.sublayers.map(ObjectIdentifier.init) == visible.map { ObjectIdentifier($0.element.layer) })
  }

  private func everything(in layer: Layer) -> [Layer] {
    [layer] + layer.sublayers.flatMap { everything(in: $0) }
  }
}
