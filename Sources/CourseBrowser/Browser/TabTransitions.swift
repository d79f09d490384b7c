import LearningModel
import Motion
import ScreenKit

/// The tabs lie side by side. What is opened from the frame of one opens as a card does.
@MainActor final class TabTransitions: TransitionProvider {
  /// Seconds that one takes to give way to another.
  static let duration = 0.2

  /// Whether the change that runs opens a card.
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
