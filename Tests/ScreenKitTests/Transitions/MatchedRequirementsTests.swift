import Testing
import TextCanvas

@testable import ScreenKit

/// Tests the optional methods of a source, and that a matched transition always ends.
@MainActor @Suite struct MatchedRequirementsTests {
  @Test(.checklist("S1.2", "S1.15", "S4.10")) func `a source's duration replaces the default one`() throws {
    let it = MatchedStack()
    it.list.duration = 2

    let push = try it.stack.push(it.page, animated: true)
    let reported = it.stack.transitionCoordinator?.transitionDuration
    it.stage.advance(to: 1.99)
    let before = push.outcome
    it.stage.advance(to: 2)

    #expect((reported, before, push.outcome) == (2, nil, .completed))
    #expect(it.issues.all == [])
  }

  @Test(.checklist("S1.2", "S1.3", "S1.13"), arguments: ["finished", "cancelled", "interrupted", "dropped"])
  func `a source is notified once of the start and of the end`(how: String) throws {
    let it = MatchedStack()
    var screens = ["z": it.page]
    screens["w"] = PageScreen("w")

    let push = try it.stack.push(it.page, animated: true)
    it.stage.advance(to: 0.3)
    switch how {
    case "cancelled":
      push.pause()
      push.cancel()
    case "interrupted": try it.stack.push(PageScreen("w"), animated: false)
    case "dropped": it.stage.rootScreen = nil
    default: break
    }
    it.stage.advance(to: 3)

    let calls = it.trace.take().filter { $0.hasSuffix("Source") }
    #expect(calls == ["l.willStartSource", "l.didEndSource"])
    #expect(push.outcome == (how == "cancelled" ? .cancelled : .completed))
    #expect(it.list.hidden == nil)
  }

  @Test(
    .checklist("S1.20", "S1.29", "S2.26"),
    arguments: ["matched", "scrolled away", "no layer", "ambiguous", "layer in use", "target gone", "no time"],
    ["push", "cancel", "gesture"])
  func `a matched transition completes in time even if elements are missing`(problem: String, ending: String) throws {
    final class Ends: Screen, TransitionSource, TransitionTarget {
      var problem = ""
      let usedLayer = Layer()
      var sourceID: TransitionID? { TransitionID("z") }
      var sourceIDs: [TransitionID] { Array(repeating: TransitionID("z"), count: problem == "ambiguous" ? 2 : 1) }
      var targetIDs: [TransitionID] { [TransitionID("z")] }
      var transitionDuration: Double? { problem == "no time" ? 0 : nil }
      override func didLoad() { layer.add(usedLayer) }
      func sourceLayer(for id: TransitionID) -> Layer? {
        problem == "no layer" ? nil : problem == "layer in use" ? usedLayer : Layer()
      }
      func sourceFrame(for id: TransitionID) -> Rect? { problem == "scrolled away" ? nil : .zero }
      func targetFrame(for id: TransitionID) -> Rect? { problem == "target gone" ? nil : .zero }
    }
    let (from, to) = (Ends(title: "A"), Ends(title: "B"))
    for screen in [from, to] { screen.problem = problem }
    let provider = TracingProvider()
    provider.animator = { _ in MatchedTransition(from: from, to: to, duration: 0.5) }
    let interaction = PercentDrivenInteractiveTransition()
    if ending == "gesture" { provider.interaction = interaction }
    let stack = StackScreen(root: from)
    stack.transitions = provider
    let issues = IssueLog()
    let stage = makeStage(stack, issues: issues)

    let push = try stack.push(to, animated: true)
    if ending == "cancel" {
      push.pause()
      push.cancel()
    }
    if ending == "gesture" {
      interaction.update(0.5)
      interaction.finish()
    }
    // This is before any watchdog would report the transition.
    stage.advance(to: 0.9)

    // A transition without a duration completes before it can be cancelled.
    let isCancelled = ending == "cancel" && problem != "no time"
    #expect(push.outcome == (isCancelled ? .cancelled : .completed))
    #expect(stack.layer.sublayers.map(\.name) == [isCancelled ? "A" : "B"])
    let late = issues.all.filter { issue in
      switch issue {
      case .ambiguousMatch, .sourceLayerInUse, .notInteractive: false
      default: true
      }
    }
    #expect(late == [])
  }
}
