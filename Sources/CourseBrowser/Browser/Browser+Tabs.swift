internal import LearningModel
internal import NavigationService
internal import ScreenKit

extension Browser {
  /// Shows another tab.
  func selectTab(_ index: Int) {
    trying { try tabs.select(index, animated: true) }
    showFooter(alongside: tabs.transitionCoordinator)
  }

  /// Opens a place that was found: the page is there when the tab is.
  func openFound(_ place: Place, cause: NavigationCause = .search) {
    keepPosition()
    trying {
      let step = try navigation.perform(.open(.place(place)), cause: cause, animated: motion != .none)
      if step.isPerformed { try show(step, animated: false) }
    }
    selectTab(0)
  }
}

/// One tab fades out before the next fades in.
@MainActor final class TabTransitions: TransitionProvider {
  func animationController(
    for operation: TransitionOperation, from: Screen, to: Screen
  ) -> (any AnimatedTransitioning)? { CrossFadeTransition() }
}
