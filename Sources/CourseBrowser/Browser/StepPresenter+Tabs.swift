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
    footer.show(alongside: tabs.transitionCoordinator)
  }
}
