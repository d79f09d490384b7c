import CoursePages
import LearningModel
import Motion
import NavigationService
import ScreenKit
import TextCanvas

extension StepPresenter {
  /// Shows another tab.
  func selectTab(_ index: Int) {
    interruptHand()
    trying {
      guard let transition = try tabs.select(index, animated: true), transition.isRunning else { return }
      tabTransitions.isOpening = tabTransitions.opening != nil
      tabFlight = transition
      transition.whenEnded { [weak self, weak transition] _ in
        guard let self, tabFlight === transition else { return }
        (tabFlight, tabTransitions.isOpening) = (nil, false)
      }
    }
    footer.show(alongside: tabs.transitionCoordinator)
  }
}
