import CoursePages
import LearningModel
import Motion
import NavigationService
import ScreenKit
import TextCanvas

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
