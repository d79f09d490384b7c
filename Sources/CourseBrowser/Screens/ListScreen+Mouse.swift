import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// What the mouse does on a list: a click chooses a card, and one on the chosen card opens it.
extension ListScreen {
  func answer(_ mouse: MouseEvent) -> Bool {
    switch mouse.action {
    case .press(.left):
      guard let index = index(at: mouse.position) else { return false }
      click(index)
      return true
    case .scroll(columns: 0, let rows):
      choose(chosen + rows, animated: false)
      return true
    default: return false
    }
  }

  private func click(_ index: Int) {
    let again = index == chosen
    choose(index, animated: true)
    if again { openChosen(cause: .mouse) }
  }

  /// Answers a click on a card that is seen elsewhere than at its place.
  ///
  /// - Returns: Whether it is a card of this page.
  func click(_ node: NodeID) -> Bool {
    guard let index = cards.knownIndex(where: { $0.node == node }) else { return false }
    click(index)
    return true
  }

  /// The card that is seen at a cell, also while it moves from layout to layout.
  private func index(at point: CellPoint) -> Int? {
    let moving = cardLayers.first { $0.value.isAnimating && $0.value.presentedFrame().cells.contains(point) }
    return moving?.key ?? geometry.index(atRow: point.row - bodyRows.lowerBound)
  }
}
