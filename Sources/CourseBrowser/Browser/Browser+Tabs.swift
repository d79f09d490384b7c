import CoursePages
import LearningModel
import Motion
import NavigationService
import ScreenKit
import TextCanvas

extension Browser {
  /// Shows another tab.
  func selectTab(_ index: Int) {
    interruptHand()
    // A tab that slides goes on from where it is, and so does what moves in one; a card that opens from one tab to the
    // other has nowhere to go on to.
    let isOpening = tabFlight != nil && (tabTransitions.opening != nil || tabTransitions.isOpening)
    let afterimage = isOpening && index != tabs.selectedIndex && motion != .none ? lastPicture() : nil
    trying {
      guard let transition = try tabs.select(index, animated: true), transition.isRunning else { return }
      tabTransitions.isOpening = tabTransitions.opening != nil
      tabFlight = transition
      transition.whenEnded { [weak self, weak transition] _ in
        guard let self, tabFlight === transition else { return }
        (tabFlight, tabTransitions.isOpening) = (nil, false)
      }
      fade(afterimage)
    }
    showFooter(alongside: tabs.transitionCoordinator)
  }

  /// Looks for words in everything.
  func find(_ words: String) {
    selectTab(1)
    // What was looked for before goes.
    _ = tabs.selectedScreen.handle(.key(KeyEvent(.end)))
    _ = tabs.selectedScreen.handle(.key(KeyEvent(.character("u"), modifiers: .control)))
    _ = tabs.selectedScreen.handle(.paste(words))
  }

  /// Looks for words that were looked for in one text in its course, and from there in everything.
  func widenSearch(_ words: String) {
    selectTab(1)
    (tabs.selectedScreen as? FindScreen)?.widen(words)
  }

  /// Opens a place that was found: the page is there when the tab is, and a text shows what it was found for.
  func openFound(_ place: Place, for query: String? = nil, cause: NavigationCause = .search) {
    keepPosition()
    waiting.write { [self] milliseconds in
      let step = try navigation.perform(
        .open(.place(place)), cause: cause, animated: motion != .none, waitingAtMost: milliseconds)
      if step.isPerformed { try show(step, animated: false) }
      if let query, let text = page as? any FoundText, text.place == place { text.show(found: query) }
      tabTransitions.opening = place.node
      defer { tabTransitions.opening = nil }
      selectTab(0)
    }
  }
}

/// The tabs lie side by side. What is opened from the frame of one opens as a card does.
@MainActor final class TabTransitions: TransitionProvider {
  /// Seconds that one takes to give way to another.
  static let duration = 0.2

  /// Whether the change that is on its way opens a card.
  var isOpening = false
  /// The place that is opened by the change; `nil` where somebody only looks elsewhere.
  var opening: NodeID?

  func animationController(
    for operation: TransitionOperation, from: Screen, to: Screen
  ) -> (any AnimatedTransitioning)? {
    if let opening { return OpenCardTransition(.down, of: opening, from: from, to: to) ?? CrossFadeTransition() }
    return SlideTransition(
      duration: Self.duration, curve: .spring(duration: Self.duration, dampingRatio: 1, initialVelocity: 0))
  }
}
