import CoursePages
import LearningModel
import NavigationService
import ScreenKit
import TextCanvas

/// Something that the browser does by itself while the learner watches.
///
/// Its steps are computed and shown, and never performed: whoever watches has been nowhere. So nothing of it is in the
/// log, which marks steps by the system too as steps of the learner; and there is nothing to take back.
@MainActor protocol Performance: AnyObject {
  /// What the last two rows say meanwhile.
  var hint: Footer.Hint { get }
  var keys: [KeyHint] { get }
  /// The path taken in it, for the history to show; `nil` for the learner's own.
  var path: [HistoryRow]? { get }

  /// Takes an event.
  ///
  /// - Returns: Whether it was for the performance; what was not has ended it, and is for the page that is seen.
  func handle(_ event: InputEvent) -> Bool

  /// It is over: nothing that it has scheduled may happen any more.
  func stop()
}

extension InputEvent {
  /// Whether somebody did something: a key let go, a focus or another size is nobody's wish.
  var isIntended: Bool {
    switch self {
    case .key(let key): key.phase != .release
    case .mouse(let mouse):
      switch mouse.action {
      case .press, .scroll: true
      default: false
      }
    case .paste: true
    case .focus, .resize: false
    }
  }
}

extension CommandHandler {
  /// Begins something that the learner watches.
  func begin(_ performance: any Performance) {
    recorder.keepPosition()
    browser.performance?.stop()
    browser.performance = performance
    // What it says is said where a notice would be.
    screen.endNotice()
  }

  /// The learner goes on from what is seen: that they are there is a step of their own.
  func takeOver() {
    guard let performance = browser.performance else { return }
    performance.stop()
    browser.performance = nil
    waiting.write { [self] milliseconds in
      guard let page, try navigation.currentPlace().place != page.place else { return }
      // A transition that runs continues; only what the pages say is read again.
      _ = try navigation.perform(.open(.place(page.place)), cause: .key, animated: false, waitingAtMost: milliseconds)
      for case let each as PageScreen in stack.screens { each.show(try steps.model(of: each)) }
    }
    footer.show()
  }

  /// Goes back to where the learner is.
  ///
  /// - Parameter tab: The tab to be seen then.
  func endPerformance(inTab tab: Int = 0) {
    guard let performance = browser.performance else { return }
    performance.stop()
    browser.performance = nil
    // Where the pages are left, they are first left as they are seen, and change while they leave.
    if tabs.selectedIndex == 0, tab != 0 { steps.selectTab(tab) }
    trying {
      let place = try navigation.currentPlace().place
      let step = try navigation.step(from: .place(page?.place ?? .root), to: .place(place))
      try steps.show(step, animated: motion != .none)
    }
    if tabs.selectedIndex != tab { steps.selectTab(tab) } else { footer.show(alongside: stack.transitionCoordinator) }
  }

  /// The steps that the history shows: the learner's, or those of what they watch.
  ///
  /// - Returns: The newest of them, or those after the cursor, and where older ones begin.
  func shownHistory(
    _ filter: HistoryFilter, limit: Int, after cursor: HistoryCursor?
  ) throws -> (rows: [HistoryRow], older: HistoryCursor?) {
    if let path = browser.performance?.path { return (path, nil) }
    let page = try navigation.history(filter, limit: limit, after: cursor)
    return (page.rows, page.next)
  }
}
