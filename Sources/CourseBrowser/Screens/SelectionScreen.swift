import CoursePages
import TextCanvas

/// A screen with a list of which an entry is selected by keys and by the mouse.
@MainActor protocol SelectionScreen: AnyObject {
  var list: SelectionList { get }
  /// Selects an entry. An index beyond the ends of the list selects the first or the last one.
  func choose(_ index: Int)
  /// Opens the selected entry, which was clicked.
  func openChosen()
  /// Moves the list by a number of rows of the mouse wheel.
  func scroll(by rows: Int)
}

extension SelectionScreen {
  var chosen: Int { list.chosen }

  /// Returns the offer of a command that selects another entry, or `nil` for other commands.
  ///
  /// - Parameters:
  ///   - label: The label of the commands for the next and the previous entry. `nil` if nothing can be selected.
  ///   - ends: The label of the commands for the first and the last entry.
  func offerToChoose(_ command: Command, _ label: String?, ends: String = "", rank: Int = 0) -> Offer? {
    guard let index = list.target(of: command) else { return nil }
    let isEnd = command == .chooseFirst || command == .chooseLast
    let shownLabel = label.map { command.isSingleStep ? $0 : isEnd ? ends : "" }
    return Offer(shownLabel, rank: isEnd ? Offer.helpRank : rank) { [self] in choose(index) }
  }

  /// Handles the mouse: the wheel moves the list, a click selects an entry, and a click on the selected entry opens it.
  ///
  /// - Parameter top: The row of the terminal in which the list begins.
  func handle(_ mouse: MouseEvent, below top: Int) -> Bool {
    switch mouse.action {
    case .scroll(columns: 0, let rows): scroll(by: rows)
    case .press(.left):
      guard let index = list.index(atRow: mouse.position.row - top) else { return false }
      if index == chosen { openChosen() } else { choose(index) }
    default: return false
    }
    return true
  }
}
