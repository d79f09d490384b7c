import Testing
import TextCanvas

@testable import ScreenKit

/// One level of a course: a header, which matches the card it was opened from, and cards for the level below.
@MainActor final class LevelScreen: TracingScreen, TransitionSource, TransitionTarget {
  let key: String
  let cards: [String]
  /// The element that the next transition moves: a card when going down, the header when going up.
  var leaves: String?
  /// The moving layer's frame and its siblings when it was prepared.
  var prepared: (frame: Rect, place: [String])?

  init(_ key: String, cards: [String] = []) {
    self.key = key
    self.cards = cards
    super.init(key)
  }

  var sourceID: TransitionID? { leaves.map { TransitionID($0) } }
  var targetIDs: [TransitionID] { ([key] + cards).map { TransitionID($0) } }

  private func place(of id: TransitionID) -> Rect? {
    if id == TransitionID(key) { return Rect(x: 0, y: 0, width: 12, height: 1) }
    return cards.firstIndex { TransitionID($0) == id }.map { Rect(x: 2, y: Double($0) + 2, width: 8, height: 1) }
  }

  func sourceFrame(for id: TransitionID) -> Rect? { place(of: id) }
  func targetFrame(for id: TransitionID) -> Rect? { place(of: id) }

  func sourceLayer(for id: TransitionID) -> Layer? {
    let (layer, inner) = (drawnLayer("="), drawnLayer("-"))
    layer.name = "moving"
    layer.add(inner)
    layer.layout = { inner.frame = Rect(x: 0, y: 0, width: $0.bounds.width / 2, height: 1) }
    return layer
  }

  func prepareAnimation(of moving: Layer, for id: TransitionID, from source: Screen, to target: Screen) {
    prepared = (moving.frame, moving.superlayer?.sublayers.map(\.name) ?? [])
  }

  func finalizeAnimation(of moving: Layer, for id: TransitionID, from source: Screen, to target: Screen) {
    moving.opacity = 0.5
  }
}

@MainActor @Suite struct MatchedGeometryTests {
  private let stack: StackScreen
  private let stage: Stage
  private let issues = IssueLog()
  private let goals = LevelScreen("goals", cards: ["travel", "work"])

  init() {
    stack = StackScreen(root: goals)
    stack.transitions = MatchedStack.Matching.shared
    stage = makeStage(stack, columns: 12, rows: 6, issues: issues)
    _ = stage.tick(at: 0)
  }

  private var moving: Layer? { stack.layer.sublayers.first { $0.name == "moving" } }

  @Test(.checklist("S1.10", "S1.12"))
  func
    `the moving element is above both screens and animates with its sublayers`()
    throws
  {
    goals.leaves = "work"

    try stack.push(LevelScreen("work"), animated: true)
    let prepared = try #require(goals.prepared)
    stage.advance(to: 0.5)
    let element = try #require(moving)
    let inner = try #require(element.sublayers.first)

    #expect(prepared.frame == Rect(x: 2, y: 3, width: 8, height: 1))
    #expect(prepared.place == ["goals", "work", "moving"])
    #expect(element.frame == Rect(x: 0, y: 0, width: 12, height: 1))
    #expect(element.presentation.frame == Rect(x: 1, y: 1.5, width: 10, height: 1))
    #expect(element.presentation.opacity == 0.75)
    #expect(inner.presentation.frame.width == 5)
    #expect(inner.frame.width == 6)
  }

  @Test(.checklist("S1.26", "S1.24", "S1.28"))
  func `matched elements move at each step from goals to activities and back`()
    throws
  {
    let lessons = LevelScreen("work", cards: ["meetings", "letters"])
    let activity = LevelScreen("letters")
    var moves: [String] = []
    func go(_ step: () throws -> Void) throws {
      let start = stage.now
      try step()
      let first = try #require(moving?.presentation.frame.cells.origin)
      stage.advance(to: start + 0.999)
      let last = try #require(moving?.presentation.frame.cells.origin)
      stage.advance(to: start + 1)
      moves.append("\(first.column),\(first.row) → \(last.column),\(last.row) \(stack.top.title)")
    }

    goals.leaves = "work"
    try go { try stack.push(lessons, animated: true) }
    lessons.leaves = "letters"
    try go { try stack.push(activity, animated: true) }
    activity.leaves = "letters"
    try go { stack.pop(animated: true) }
    lessons.leaves = "work"
    try go { stack.pop(animated: true) }

    #expect(moves == ["2,3 → 0,0 work", "2,3 → 0,0 letters", "0,0 → 2,3 work", "0,0 → 2,3 goals"])
    #expect(stack.layer.sublayers.map(\.name) == ["goals"])
    #expect(issues.all == [])
  }
}
