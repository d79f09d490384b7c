import Testing
import TextCanvas

@testable import ScreenKit

/// A list of cards. Each can be the source or the target of a matched transition.
@MainActor final class ListScreen: TracingScreen, TransitionSource, TransitionTarget {
  var cards: [String]
  var chosen: String?
  var scrolled = 0.0
  var hidden: String?
  var duration: Double?

  init(_ title: String, cards: [String], _ trace: Trace = Trace()) {
    self.cards = cards
    super.init(title, trace)
  }

  var sourceID: TransitionID? { chosen.map { TransitionID($0) } }
  var sourceIDs: [TransitionID] { cards.map { TransitionID($0) } }
  var targetIDs: [TransitionID] { cards.map { TransitionID($0) } }
  var transitionDuration: Double? { duration }

  private func frame(of id: TransitionID) -> Rect? {
    guard let index = targetIDs.firstIndex(of: id) else { return nil }
    let row = Double(index) - scrolled
    guard row >= 0, row < layer.bounds.height else { return nil }
    return Rect(x: 2, y: row, width: 4, height: 1)
  }

  func sourceLayer(for id: TransitionID) -> Layer? {
    trace.note("\(title).sourceLayer")
    guard frame(of: id) != nil else { return nil }
    return makeCard(id.description, visible: hidden == nil)
  }

  func sourceFrame(for id: TransitionID) -> Rect? {
    trace.note("\(title).sourceFrame")
    return frame(of: id)
  }

  func prepareAnimation(of moving: Layer, for id: TransitionID, from source: Screen, to target: Screen) {
    trace.note("\(title).prepare(\(target.title))")
    hidden = chosen
  }

  func finalizeAnimation(of moving: Layer, for id: TransitionID, from source: Screen, to target: Screen) {
    trace.note("\(title).finalize(\(target.title))")
  }

  func willStartSourceAnimation(for id: TransitionID) { trace.note("\(title).willStartSource") }
  func didEndSourceAnimation(for id: TransitionID) {
    trace.note("\(title).didEndSource")
    hidden = nil
  }

  func targetFrame(for id: TransitionID) -> Rect? {
    trace.note("\(title).targetFrame")
    return frame(of: id)
  }

  func willStartTargetAnimation(for id: TransitionID) { trace.note("\(title).willStartTarget") }
  func didEndTargetAnimation(for id: TransitionID) { trace.note("\(title).didEndTarget") }
}

/// The page that a card opens; its header matches the card.
@MainActor final class PageScreen: TracingScreen, TransitionSource, TransitionTarget {
  var sourceID: TransitionID? { TransitionID(title) }
  var targetIDs: [TransitionID] { [TransitionID(title)] }
  func sourceLayer(for id: TransitionID) -> Layer? { makeCard(title, visible: true) }
  func sourceFrame(for id: TransitionID) -> Rect? { Rect(x: 0, y: 0, width: 10, height: 1) }
  func targetFrame(for id: TransitionID) -> Rect? {
    trace.note("\(title).targetFrame")
    return Rect(x: 0, y: 0, width: 10, height: 1)
  }
  func willStartTargetAnimation(for id: TransitionID) { trace.note("\(title).willStartTarget") }
  func didEndTargetAnimation(for id: TransitionID) { trace.note("\(title).didEndTarget") }
}

@MainActor private func makeCard(_ title: String, visible: Bool) -> Layer {
  let layer = Layer()
  layer.name = "card"
  layer.drawing = { state in
    var surface = Surface(state.cells.size)
    surface.draw("[" + String(repeating: title, count: max(0, surface.columns - 2)) + "]", at: .zero)
    return surface
  }
  return layer
}

@MainActor struct MatchedStack {
  let trace = Trace()
  let list: ListScreen
  let page: PageScreen
  let stack: StackScreen
  let stage: Stage
  let issues = IssueLog()

  init(cards: [String] = ["x", "y", "z"]) {
    list = ListScreen("l", cards: cards, trace)
    list.chosen = "z"
    page = PageScreen("z")
    stack = StackScreen(root: list, title: "nav")
    stage = makeStage(stack, columns: 10, rows: 4, issues: issues)
    stack.transitions = Matching.shared
    _ = stage.tick(at: 0)
    _ = trace.take()
  }

  /// Returns a matched animator for every operation if source and target match.
  @MainActor final class Matching: TransitionProvider {
    static let shared = Matching()
    func animationController(
      for operation: TransitionOperation, from: Screen, to: Screen
    ) -> (any AnimatedTransitioning)? {
      MatchedTransition(from: from, to: to, duration: 1, curve: .linear)
    }
  }
}
