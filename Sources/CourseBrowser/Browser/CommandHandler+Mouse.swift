import CoursePages
import LearningModel
import NavigationService
import ScreenKit
import TextCanvas

extension CommandHandler {
  /// Answers what no page did: the trail, the last two rows, the thumb's buttons, and the wheel sideways.
  func handle(_ mouse: MouseEvent) -> Bool {
    switch mouse.action {
    case .press(.back): navigate(.back, cause: .mouse)
    case .press(.forward): navigate(.forward, cause: .mouse)
    case .press(.left): return click(mouse.position)
    case .scroll(let columns, rows: 0) where columns != 0: steps.gestures.turnWheel(columns)
    // The left edge lies before the page, and takes nothing of it but drags.
    case .scroll where screen.isEdge(mouse.position):
      return ((tabs.selectedIndex == 0 ? page : tabs.selectedScreen) ?? tabs).handle(.mouse(mouse))
    default: return false
    }
    return true
  }

  private func click(_ point: CellPoint) -> Bool {
    if asides.clickBeside(point) { return true }
    if let page, tabs.selectedIndex == 0, let crumb = page.crumb(at: point), stack.screens.indices.contains(crumb),
      let above = stack.screens[crumb] as? PageScreen
    {
      navigate(.popTo(.place(above.place)), cause: .mouse)
      return true
    }
    if tabs.selectedIndex == 0, let list = page as? ListScreen, list.isHowToAdd(point) { return perform(.add) }
    switch screen.target(at: point) {
    case .part(.tab(let index)): steps.selectTab(index)
    case .part(.key(let hint)): return perform(key: hint.key)
    case .hint(let hint): return perform(key: hint.key)
    case nil: return clickInFlight(point)
    }
    return true
  }

  /// While a card opens or closes, what is clicked is what is seen of the page that the learner is on.
  private func clickInFlight(_ point: CellPoint) -> Bool {
    guard tabs.selectedIndex == 0, !screen.isEdge(point), let opening = steps.openings.first,
      let list = page as? ListScreen,
      let node = opening.node(at: point)
    else { return false }
    return list.click(node)
  }

  /// Does what a key does, for a click on where it is shown.
  private func perform(key label: String) -> Bool {
    let arrows = appearance.symbols.arrows
    if let history = tabs.selectedScreen as? HistoryScreen, [arrows[2], arrows[3]].contains(label) {
      history.showWeek(by: label == arrows[2] ? -1 : 1)
      return true
    }
    let row = screen.bindings.rows.first { $0.keys.contains { $0.label(appearance.symbols) == label } }
    guard let row else { return false }
    inputCause = .mouse
    defer { inputCause = .key }
    return perform(row.command)
  }
}

extension PageScreen {
  /// The ancestor whose crumb stands at a cell, counted from the list of courses; `nil` where there is none.
  func crumb(at point: CellPoint) -> Int? {
    guard point.row == metrics.trailRow, place != .root else { return nil }
    return drawing.crumb(at: point.column - metrics.textLeft, of: page.trail)
  }
}
