import TestSupport
import Testing
import TextCanvas

@testable import ScreenKit

/// Tests a stack in a tab screen that also presents: each can start a transition while the others run.
@MainActor @Suite struct NestedContinuityTests {
  private let a = AnyScreen("A")
  private let b = AnyScreen("B")
  private let c = AnyScreen("C")
  private let modals = [AnyScreen("M"), AnyScreen("N")]
  private let stack: StackScreen
  private let tabs: TabScreen
  private let stage: Stage
  private let provider = ContainerScene.Provider()
  private let issues = IssueLog()

  init() {
    stack = StackScreen(root: a, title: "stack")
    tabs = TabScreen([stack, c], title: "tabs")
    stage = makeStage(tabs, columns: 80, rows: 24, issues: issues)
    for screen in [stack, tabs] + modals { screen.transitions = provider }
    modals[1].presentationStyle = .custom
  }

  private func happen(_ last: inout Transition?, _ random: inout SplitMix64) throws -> Bool {
    provider.kind = try #require(TransitionCatalog.allCases.randomElement(using: &random))
    let velocity = Double.random(in: -6...6, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: last = (try? stack.push(b, animated: true)) ?? last
    case 2, 3: last = stack.pop(animated: true) ?? last
    case 4, 5: last = try tabs.select(1 - tabs.selectedIndex, animated: true) ?? last
    case 6: last = (try? tabs.present(modals[Int.random(in: 0..<2, using: &random)], animated: true)) ?? last
    case 7: last = tabs.dismiss(animated: true) ?? last
    case 8: last?.pause()
    case 9: last?.finish(velocity: velocity)
    case 10: last?.cancel(velocity: velocity)
    default:
      last?.skip()
      return false
    }
    return true
  }

  nonisolated private static var seeds: ClosedRange<UInt64> {
    1...UInt64(Tier.count(3, long: 200))
  }

  @Test(arguments: seeds) func `transitions at random levels of nested containers cause no jump`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var last: Transition?
    var before = PresentedMotion(stage.layer)

    for frame in 0..<1000 {
      let interval = frame % 3 == 0 ? 1.0 / 120 : 1.0 / 480
      _ = stage.tick(at: stage.now + interval)
      var now = PresentedMotion(stage.layer)
      let drift = now.excess(over: before, after: interval)
      if drift > 1 { Issue.record("frame \(frame), seed \(seed): \(drift) cells on the way") }
      before = now

      guard Int.random(in: 0..<12, using: &random) == 0 else { continue }
      let mayNotShow = try happen(&last, &random)
      _ = stage.tick(at: stage.now)
      now = PresentedMotion(stage.layer)
      let jump = now.excess(over: before, after: 0)
      if mayNotShow, jump > 1 { Issue.record("frame \(frame), seed \(seed): a jump of \(jump) cells") }
      before = now
    }
    // Ends transitions that are still paused.
    for _ in 0..<3 {
      for screen in [stack, tabs] + stage.fullSizeScreens {
        for run in screen.runs { run.completeNow() }
      }
      stage.advance(to: stage.now + 9)
    }

    #expect(issues.all == [])
    for screen in [a, b, c] + modals {
      #expect(screen.layer.model == LayerState(frame: screen.layer.frame))
      #expect(screen.appearance == (screen.stage == nil ? .disappeared : .appeared))
    }
  }
}
