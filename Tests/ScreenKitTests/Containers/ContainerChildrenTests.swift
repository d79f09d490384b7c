import Testing
import TextCanvas

@testable import ScreenKit

/// Tests that a container always has a child, from the time it is created.
@MainActor @Suite struct ContainerChildrenTests {
  @Test(.checklist("S3.12", "S0.27"), arguments: ["stack", "tabs", "content", "simple", "pile"])
  func `a container has its child before any layer is loaded`(kind: String) {
    let trace = Trace()
    let child = TracingScreen("A", trace)
    let container: Screen =
      switch kind {
      case "stack": StackScreen(root: child, title: "box")
      case "tabs": TabScreen([child], title: "box")
      case "content": ContentScreen(child, title: "box")
      case "simple": SimpleContainer(child)
      default: Pile(child)
      }

    #expect(container.children.map(\.title) == ["A"])
    #expect(child.parent === container)
    let name = container.title.isEmpty ? "" : "box"
    #expect(trace.take() == ["A.willMove(\(name))", "A.didMove(\(name))"])
    #expect((container.isLayerLoaded, child.isLayerLoaded) == (false, false))
    let stage = makeStage(container)
    #expect(stage.picture(at: 0) == ["AAAAAAAAAA", "AAAAAAAAAA"])
    #expect(stage.focusedScreen === (kind == "simple" ? container : child))
  }

  @Test(.checklist("S3.12"), arguments: [true, false])
  func `a container always has a child, also during a transition`(animated: Bool) throws {
    let screens = "ABC".map { TracingScreen("\($0)") }
    let content = ContentScreen(screens[0])
    let stage = makeStage(content)
    var counts: [Int] = []
    for screen in screens { screen.onWillAppear = { _ in counts.append(content.children.count) } }

    for step in 1...6 {
      content.set(screens[step % 3], animated: animated)
      if step % 2 == 0 { stage.advance(to: stage.now + 3) }
      counts.append(content.children.count)
    }
    stage.advance(to: 20)

    #expect(!counts.contains(0))
    #expect(content.children.map(\.title) == ["A"])
  }

  @Test(.checklist("S2.17", "S2.36", "S2.38"), arguments: ["index", "screen", "call"], [true, false])
  func `all ways to select a tab run the provider's or the default animator`(
    way: String, vends: Bool
  ) throws {
    let screens = "AB".map { TracingScreen("\($0)") }
    let tabs = TabScreen(screens, title: "tabs")
    let provider = TracingProvider()
    let provided = TracingAnimator(duration: 2)
    provider.animator = { _ in vends ? provided : nil }
    tabs.transitions = provider
    let stage = makeStage(tabs)

    switch way {
    case "index": tabs.selectedIndex = 1
    case "screen": tabs.selectedScreen = screens[1]
    default: try tabs.select(1, animated: true)
    }
    let coordinator = try #require(tabs.transitionCoordinator)
    let reported = (coordinator.context.operation, coordinator.context.isAnimated, coordinator.transitionDuration)
    let runsOwn = coordinator.context.animationController === provided
    stage.advance(to: 1)
    let middle = stage.picture(at: 1)[0]
    stage.advance(to: 2)

    #expect(provider.trace.take().first == "provider.animator(select(from: 0, to: 1), A, B)")
    #expect(runsOwn == vends)
    #expect(reported == (.select(from: 0, to: 1), true, vends ? 2 : 0.35))
    #expect(middle == (vends ? "AAAAABBBBB" : "BBBBBBBBBB"))
    #expect(tabs.selectedScreen === screens[1])
    #expect(tabs.selectedIndex == 1)
  }

  @Test func `selecting a screen that is not a tab is reported and ignored`() {
    let tabs = TabScreen([Screen(title: "A"), Screen(title: "B")], title: "tabs")
    let issues = IssueLog()
    let stage = makeStage(tabs, issues: issues)

    tabs.selectedScreen = Screen(title: "X")
    tabs.selectedScreen = tabs.screens[0]

    #expect(issues.all == [.refused(.noSuchTab(screen: "X", container: "tabs"))])
    #expect(tabs.selectedIndex == 0)
    #expect(stage.layers(in: tabs) == "A")
  }
}
