import Testing
import TextCanvas

@testable import ScreenKit

/// Tests that misuse of the API is reported or refused, and that the stage still handles input.
@MainActor @Suite struct MisuseTests {
  private let enter = InputEvent.key(KeyEvent(.enter))

  @Test func `a screen cannot be added to its own descendant`() throws {
    let it = try TracedStack("A")
    let outer = ContentScreen(it.stack, title: "outer")
    let inner = ContentScreen(Screen(), title: "inner")
    try it.stack.push(inner, animated: false)
    let error = ContainmentError.containsItself(screen: "outer", container: "nav")

    #expect(throws: error) { try it.stack.push(outer, animated: true) }
    #expect(throws: error) { try it.stack.setScreens([it["A"], outer], animated: true) }
    #expect(throws: ContainmentError.containsItself(screen: "nav", container: "nav")) {
      try it.stack.push(it.stack, animated: true)
    }
    inner.content = outer
    it["A"].addChild(it.stack)
    inner.addChild(inner)

    #expect(
      it.issues.all == [
        .refused(.containsItself(screen: "outer", container: "inner")),
        .refused(.containsItself(screen: "inner", container: "inner")),
      ])
    #expect(outer.children.map(\.title) == ["nav"])
    #expect(it["A"].children.isEmpty)
  }

  @Test func `a screen of a container cannot be moved to another container or removed directly`() throws {
    let it = try TracedStack("AB", also: "C")
    let tabs = TabScreen([TracingScreen("T")], title: "tabs")
    let box = ContentScreen(TracingScreen("X"), title: "box")
    let error = ContainmentError.ownedByContainer(screen: "B", container: "nav")
    _ = it.trace.take()

    #expect(throws: ContainmentError.ownedByContainer(screen: "T", container: "tabs")) {
      try it.stack.push(tabs.screens[0], animated: true)
    }
    #expect(throws: ContainmentError.ownedByContainer(screen: "X", container: "box")) {
      try it.stack.setScreens([it["A"], box.content], animated: true)
    }
    box.content = it["B"]
    tabs.addChild(it["B"])
    it["B"].removeFromParent()

    #expect(it.issues.all == [.refused(error)])
    #expect(it.stackTitles == "AB")
    #expect(it.stack.children.map(\.title) == ["A", "B"])
    #expect(it.trace.take() == [])
    #expect((box.content.title, tabs.children.map(\.title)) == ("X", ["T"]))
  }

  @Test func `a presented screen cannot become a child`() throws {
    let it = try TracedStack("A", also: "M")
    try it.stack.present(it["M"], animated: true)

    #expect(throws: ContainmentError.presented(screen: "M", container: "nav")) {
      try it.stack.push(it["M"], animated: true)
    }
    it.stage.advance(to: 3)

    #expect(it["M"].parent == nil)
    #expect(it["M"].presenting === it.stack)
  }

  @Test func `a transition from a screen to itself is refused`() throws {
    let it = try TracedStack("A")

    #expect(throws: ContainmentError.sameScreen(screen: "A", container: "nav")) {
      try it.stack.transition(from: it["A"], to: it["A"], duration: 1)
    }
    #expect(it.layerTitles == "A")
  }

  @Test func `an invalid tab selection is reported and changes nothing`() throws {
    var reported: [ScreenIssue] = []
    ScreenIssue.handler = { reported.append($0) }
    defer { ScreenIssue.handler = nil }
    let tabs = TabScreen([], title: "tabs")
    let issues = IssueLog()
    let stage = makeStage(tabs, issues: issues)

    tabs.selectedIndex = 4

    #expect(reported == [.refused(.emptyTabs(container: "tabs"))])
    #expect(issues.all == [.refused(.noSuchChild(index: 4, container: "tabs", count: 1))])
    #expect(tabs.selectedIndex == 0)
    #expect(tabs.selectedScreen.stage === stage)
  }

  @Test func `a route whose screen cannot be pushed is reported`() throws {
    let it = try TracedStack("AB")

    let push = it.stack.push(route: "a", animated: true) { it["A"] }

    #expect(push == nil)
    #expect(it.issues.all == [.refused(.alreadyInStack(screen: "A", container: "nav"))])
  }

  @Test(.checklist("S4.12", "S4.13")) func `a released provider is reported once and defaults are used`()
    throws
  {
    let it = try TracedStack("A", also: "BC")
    it.stack.transitions = TracingProvider()

    try it.stack.push(it["B"], animated: true)
    it.stage.advance(to: 3)
    try it.stack.push(it["C"], animated: true)
    it.stage.advance(to: 6)

    #expect(it.issues.all == [.providerReleased(screen: "nav")])
    #expect(it.stackTitles == "ABC")
  }

  @Test func `removing a provider is not reported`() throws {
    let it = try TracedStack("A", also: "B")
    it.stack.transitions = nil

    try it.stack.push(it["B"], animated: true)

    #expect(it.issues.all == [])
  }

  @Test func `an interaction controller in use is not used by another container`() throws {
    let it = try TracedStack("AB")
    let other = StackScreen(root: TracingScreen("X"), title: "other")
    let bottom = TracingScreen("B")
    let interaction = PercentDrivenInteractiveTransition()
    it.provider.interaction = interaction
    it.stack.pop(animated: true)
    interaction.update(0.5)
    it["A"].layer.add(other.layer)
    it["A"].addChild(other)
    other.beginAppearance(true, animated: false)
    other.endAppearance()
    other.transitions = it.provider

    let push = try other.push(bottom, animated: true)
    it.stage.advance(to: 1)

    #expect(it.issues.all == [.interactionControllerInUse(transition: "push X → B")])
    #expect(push.outcome == .completed)
    #expect(interaction.state == .interactive)
    interaction.cancel()
    it.stage.advance(to: 3)
    #expect(it.stackTitles == "AB")
  }

  @Test(arguments: [-1, .nan, .infinity] as [Double])
  func `an invalid duration is reported and the transition ends`(seconds: Double) throws {
    final class Odd: AnimatedTransitioning {
      let seconds: Double
      init(_ seconds: Double) { self.seconds = seconds }
      func transitionDuration(using context: (any TransitionContext)?) -> Double { seconds }
      func animateTransition(using context: any TransitionContext) { context.addToLayer() }
    }
    let it = try TracedStack("A", also: "B")
    it.provider.animator = { _ in Odd(seconds) }

    let push = try it.stack.push(it["B"], animated: true)
    it.stage.advance(to: 1)

    #expect(push.outcome == .completed)
    #expect(
      it.issues.all.map(\.description) == [
        ScreenIssue.badDuration(seconds, transition: "push A → B").description,
        ScreenIssue.neverCompleted(transition: "push A → B", after: 1).description,
      ])
  }

  @Test func `a custom controller's speed of 0 is reported and counts as 1`() throws {
    final class Slow: InteractiveTransitioning {
      var completionSpeed: Double { 0 }
      func startInteractiveTransition(_ context: any TransitionContext) {
        context.animationController?.animateTransition(using: context)
      }
    }
    let it = try TracedStack("A", also: "B")
    it.provider.interaction = Slow()

    let push = try it.stack.push(it["B"], animated: true)
    push.fractionComplete = 0.5
    push.finish()
    it.stage.advance(to: 0.5)

    #expect(it.issues.all == [.badCompletionSpeed(0)])
    #expect(push.outcome == .completed)
  }

  @Test func `a layer cannot be added to its own descendant`() {
    let stage = makeStage(TracingScreen("A"))
    let issues = IssueLog()
    stage.onIssue = { issues.all.append($0) }
    let (outer, inner) = (Layer(), Layer())
    outer.name = "outer"
    stage.layer.add(outer)
    outer.add(inner)

    inner.add(outer)

    #expect(issues.all == [.layerInItself(layer: "outer")])
    #expect(outer.superlayer === stage.layer)
  }

  @Test(.checklist("S4.11", "S2.26"), arguments: ["never", "twice", "late"])
  func `keys work even if an animator completes late, twice or never`(when: String) throws {
    final class IncompleteContext: AnimatedTransitioning {
      let when: String
      var context: (any TransitionContext)?
      init(_ when: String) { self.when = when }
      func transitionDuration(using context: (any TransitionContext)?) -> Double { 0.2 }
      func animateTransition(using context: any TransitionContext) {
        context.addToLayer()
        self.context = context
        if when != "twice" { return }
        context.completeTransition(true)
        context.completeTransition(true)
      }
    }
    let trace = Trace()
    let screens = "AB".map { KeyScreen("\($0)", trace) }
    let stack = StackScreen(root: screens[0])
    let provider = TracingProvider()
    let animator = IncompleteContext(when)
    provider.animator = { _ in animator }
    stack.transitions = provider
    let issues = IssueLog()
    let stage = makeStage(stack, issues: issues)

    let push = try stack.push(screens[1], animated: true)
    stage.handle(enter, at: 0.1)
    stage.advance(to: 5)
    if when == "late" { animator.context?.completeTransition(true) }
    stage.handle(enter, at: 6)
    let pop = stack.pop(animated: true)
    stage.handle(enter, at: 7)
    stage.advance(to: 20)

    #expect(trace.take() == ["B Enter", "B Enter", "A Enter"])
    #expect((push.outcome, pop?.outcome) == (.completed, .completed))
    let never = ["push A → B", "pop B → A"].map { name in
      ScreenIssue.neverCompleted(transition: name, after: 1.2)
    }
    #expect(
      issues.all
        == (when == "twice"
          ? [.completedTwice(transition: "push A → B"), .completedTwice(transition: "pop B → A")] : never))
  }
}
