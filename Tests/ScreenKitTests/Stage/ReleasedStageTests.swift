import Testing
import TextCanvas

@testable import ScreenKit

/// Tests that releasing a stage ends its transitions. The screens can then be shown on another stage, as if each
/// transition had ended at that time.
@MainActor @Suite struct ReleasedStageTests {
  enum Phase: CaseIterable { case running, grabbed, thrownBack, hand, interrupted }

  /// Screens whose stage was released during a transition.
  @MainActor private struct ReleasedStageScreens {
    let root: Screen
    let screens: [AnyScreen]
    let transition: Transition
    let provider: ContainerScene.Provider
  }

  private func drop(
    _ kind: TransitionCatalog, in place: ContainerScene.Kind, goingBack: Bool, at moment: Phase
  ) throws -> ReleasedStageScreens {
    let it = ContainerScene(place, columns: 20, rows: 4)
    it.provider.kind = kind
    it.provider.hand = moment == .hand ? PercentDrivenInteractiveTransition() : nil
    if goingBack { _ = try it.forward(false) }
    let transition = try #require(goingBack ? try it.back(true) : try it.forward(true))
    _ = it.stage.tick(at: 0.08)
    switch moment {
    case .running: break
    case .grabbed: transition.pause()
    case .thrownBack: transition.cancel()
    case .hand: it.provider.hand?.update(0.4)
    case .interrupted: try it.other()
    }
    it.stage.advance(to: 0.1)
    let root = try #require(it.stage.rootScreen)
    return ReleasedStageScreens(root: root, screens: [it.a, it.b, it.c], transition: transition, provider: it.provider)
  }

  @Test(arguments: TransitionCatalog.allCases, ContainerScene.Kind.allCases)
  func `screens of a released stage are clean and stay usable`(kind: TransitionCatalog, place: ContainerScene.Kind)
    throws
  {
    for moment in Phase.allCases {
      for goingBack in [false, true] {
        let description: Comment = "\(moment), \(goingBack ? "back" : "forward")"
        let released = try drop(kind, in: place, goingBack: goingBack, at: moment)
        let issues = IssueLog()
        let stage = makeStage(released.root, columns: 20, rows: 4, issues: issues)
        _ = stage.tick(at: 0)

        for screen in released.screens {
          let layer = screen.layer
          #expect(layer.model == LayerState(frame: layer.frame), description)
          let changed = layer.sublayers.filter { $0.isHidden || $0.opacity != 1 || $0.isAnimating }
          #expect(changed.isEmpty || screen.stage == nil, description)
          #expect(screen.appearance == (screen.stage == nil ? .disappeared : .appeared), description)
          #expect((screen.isBeingPresented, screen.isBeingDismissed) == (false, false), description)
        }
        expectAgreement(released.root, description)
        if let top = stage.focusedScreen as? AnyScreen {
          let letters = Set(stage.picture(at: 0).joined())
          #expect(letters == Set(top.title + "12"), description)
        }
        try goOn(released.root)
        stage.advance(to: 9)
        _ = stage.tick(at: 9)
        #expect(stage.nextFrameTime == nil, description)
        #expect(issues.all == [], description)
      }
    }
  }

  /// Expects that a container's children are the screens it lists, and that its layer contains only the visible one.
  private func expectAgreement(_ root: Screen, _ description: Comment) {
    func ids(_ screens: [Screen]) -> [ObjectIdentifier] { screens.map(ObjectIdentifier.init) }
    func layers(_ screens: [Screen]) -> [ObjectIdentifier] { screens.map { ObjectIdentifier($0.layer) } }
    if let stack = root as? StackScreen {
      #expect(ids(stack.children) == ids(stack.screens), description)
      #expect(stack.children.allSatisfy { $0.parent === stack }, description)
      #expect(root.layer.sublayers.map(ObjectIdentifier.init) == layers([stack.top]), description)
    } else if let tabs = root as? TabScreen {
      #expect(root.layer.sublayers.map(ObjectIdentifier.init) == layers([tabs.selectedScreen]), description)
    } else if let content = root as? ContentScreen {
      #expect(ids(content.children) == ids([content.content]), description)
      #expect(root.layer.sublayers.map(ObjectIdentifier.init) == layers([content.content]), description)
    } else if let pile = root as? Pile {
      #expect(ids(pile.children) == ids([pile.page]), description)
      #expect(root.layer.sublayers.map(ObjectIdentifier.init) == layers([pile.page]), description)
    }
  }

  /// Starts transitions in the container, to test that it still works.
  private func goOn(_ root: Screen) throws {
    let next = Screen(title: "N")
    if let stack = root as? StackScreen {
      try stack.push(next, animated: true)
      stack.pop(animated: true)
    } else if let tabs = root as? TabScreen {
      try tabs.select((tabs.selectedIndex + 1) % 3, animated: true)
    } else if let content = root as? ContentScreen {
      content.set(next, animated: true)
    }
    root.dismiss(animated: true)
    try root.present(Screen(title: "M"), animated: true)
  }

  @Test func `releasing the stage cancels interactive and cancelling transitions, and completes others`() throws {
    for (moment, outcome) in [
      (Phase.hand, TransitionOutcome.cancelled), (.thrownBack, .cancelled), (.running, .skipped(.notOnScreen)),
    ] {
      for place in [ContainerScene.Kind.stack, .tabs, .content, .modal] {
        for goingBack in [false, true] {
          let released = try drop(.slide, in: place, goingBack: goingBack, at: moment)
          let stage = makeStage(released.root)
          let focused = stage.focusedScreen

          #expect(released.transition.outcome == outcome)
          #expect(focused === released.screens[goingBack == (outcome == .cancelled) ? 1 : 0], "\(moment) \(place)")
        }
      }
    }
  }

  @Test func `a matched source element is visible again on the next stage`() throws {
    let it: (list: ListScreen, stack: StackScreen, trace: Trace)
    do {
      let match = MatchedStack()
      try match.stack.push(match.page, animated: true)
      match.stage.advance(to: 0.1)
      it = (match.list, match.stack, match.trace)
      _ = it.trace.take()
    }
    let dropped = (it.trace.take(), it.list.hidden, it.stack.layer.sublayers.map(\.name))

    let stage = makeStage(it.stack, columns: 10, rows: 4)
    _ = stage.tick(at: 0)

    #expect(dropped.0 == [])
    #expect(dropped.1 == "z")
    #expect(dropped.2 == ["z"])
    #expect(it.trace.take() == ["l.didEndSource"])
    #expect(it.list.hidden == nil)
  }
}
