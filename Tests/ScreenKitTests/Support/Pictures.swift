import Testing
import TextCanvas

@testable import ScreenKit

/// A screen that draws its rows of text. Wide characters take two columns.
@MainActor final class DrawnScreen: Screen, TransitionSource, TransitionTarget {
  let rows: [String]
  let card: Rect

  init(_ rows: [String], card: Rect = .zero) {
    self.rows = rows
    self.card = card
    super.init()
  }

  override func didLoad() {
    layer.fill = .default
    layer.drawing = { [rows] state in
      var surface = Surface(state.cells.size)
      for (row, text) in rows.enumerated() { surface.draw(text, at: CellPoint(column: 0, row: row)) }
      return surface
    }
  }

  var sourceID: TransitionID? { TransitionID("card") }
  var targetIDs: [TransitionID] { [TransitionID("card")] }
  func sourceFrame(for id: TransitionID) -> Rect? { card }
  func targetFrame(for id: TransitionID) -> Rect? { card }

  func sourceLayer(for id: TransitionID) -> Layer? {
    let layer = Layer()
    layer.drawing = { state in
      var surface = Surface(state.cells.size)
      surface.draw("[" + String(repeating: "=", count: max(0, surface.columns - 2)) + "]", at: .zero)
      return surface
    }
    return layer
  }
}

/// Returns the frames of a transition at the fractions 0, ¼, ½, ¾ and 1.
@MainActor func pictures(
  of animator: any AnimatedTransitioning, from: Screen, to: Screen, going back: Bool = false, columns: Int = 12,
  rows: Int = 3
) throws -> [[String]] {
  @MainActor final class Provider: TransitionProvider {
    let animator: any AnimatedTransitioning
    init(_ animator: any AnimatedTransitioning) { self.animator = animator }
    func animationController(
      for operation: TransitionOperation, from: Screen, to: Screen
    ) -> (any AnimatedTransitioning)? { animator }
  }
  let vendor = Provider(animator)
  let stack = StackScreen(root: back ? to : from)
  if back { try stack.push(from, animated: false) }
  stack.transitions = vendor
  let stage = makeStage(stack, columns: columns, rows: rows)
  let transition = try #require(back ? stack.pop(animated: true) : try stack.push(to, animated: true))
  let frames = [0, 0.25, 0.5, 0.75, 1].map { fraction in
    transition.fractionComplete = fraction
    return stage.picture(at: 0)
  }
  return frames
}

/// Joins the frames row by row, next to each other.
func strips(_ pictures: [[String]]) -> [String] {
  pictures[0].indices.map { row in pictures.map { $0[row] }.joined(separator: "|") }
}
