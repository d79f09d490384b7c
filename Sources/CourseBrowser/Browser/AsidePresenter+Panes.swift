import CoursePages
import LearningModel
import ScreenKit

/// What stands beside a page, or below its list, takes the keys, and gives them back.
extension AsidePresenter {
  /// The panes that have something to choose: the one beside the page first.
  private var panes: [any ChoosablePane] {
    let panes: [(any ChoosablePane)?] = [screen.aside, previewingPage?.preview]
    return panes.compactMap { $0 }.filter(\.isChoosable)
  }

  /// The pane that has the keys.
  var focusedPane: (any ChoosablePane)? { panes.first { $0.chosenRow != nil } }

  /// Whether a pane can take the keys.
  var hasPanes: Bool { !panes.isEmpty }

  /// Gives the keys to the next pane, and behind the last one to the page again.
  ///
  /// - Returns: Whether there is any pane.
  func focusNextPane() -> Bool {
    let panes = panes
    guard !panes.isEmpty else { return false }
    let next = panes.firstIndex { $0.chosenRow != nil }.map { $0 + 1 } ?? 0
    leavePanes()
    if panes.indices.contains(next) { panes[next].choose(by: 0) }
    footer.show()
    return true
  }

  private func leavePanes() {
    for pane in panes { pane.chosenRow = nil }
  }

  /// Answers a command for the pane that has the keys; what it does not answer is the page's, which has them then.
  func performOnPane(_ command: Command) -> Bool {
    guard let pane = focusedPane else { return false }
    switch command {
    case .chooseNext: pane.choose(by: 1)
    case .choosePrevious: pane.choose(by: -1)
    case .chooseFirst: pane.choose(by: -.max)
    case .chooseLast: pane.choose(by: .max)
    case .pageDown, .halfPageDown: pane.choose(by: 8)
    case .pageBack, .halfPageUp: pane.choose(by: -8)
    case .otherPane, .nextTab: return focusNextPane()
    case .previousTab, .up: leavePanes()
    case .open, .readOn:
      guard let place = pane.chosenPlace else { return true }
      leavePanes()
      commands.go(to: .node(place))
    default:
      leavePanes()
      footer.show()
      return false
    }
    footer.show()
    return true
  }

  /// What the last two rows say while a pane has the keys.
  var paneFooter: (hint: Footer.Hint, keys: [KeyHint])? {
    guard let pane = focusedPane, let title = pane.chosenTitle else { return nil }
    let symbols = appearance.symbols
    let back = label(of: .otherPane).map { [KeyHint($0, "back to the page")] } ?? []
    return (
      Footer.Hint(key: symbols.enter, text: "Go to " + symbols.quotes.around(title), detail: ""),
      [KeyHint(symbols.enter, "go there"), KeyHint(symbols.upDown, "choose")] + back
    )
  }
}
