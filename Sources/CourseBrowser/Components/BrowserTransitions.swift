import CoursePages
import LearningModel
import ScreenKit

/// Vends the animator of the step that is being shown. The step says which transition applies; this says who draws it.
///
/// To draw one differently, change its row.
@MainActor final class BrowserTransitions: TransitionProvider {
  /// What the service chose for the step that is shown; `nil` where a page appears without one.
  var choice: TransitionChoice?
  /// Asked first, so that other animators can be tried in place of the browser's own.
  var override: ((_ choice: TransitionChoice, _ from: Screen, _ to: Screen) -> (any AnimatedTransitioning)?)?
  /// What drives the next transition by percent; `nil` lets it run by itself.
  var hand: PercentDrivenInteractiveTransition?

  func animationController(
    for operation: TransitionOperation, from: Screen, to: Screen
  ) -> (any AnimatedTransitioning)? {
    guard let choice else { return nil }
    return override?(choice, from, to) ?? animator(for: choice, from: from, to: to) ?? CrossFadeTransition()
  }

  /// The animator of a choice; `nil` where it needs what the screens have not, or nothing that they share moves.
  private func animator(
    for choice: TransitionChoice, from: Screen, to: Screen
  ) -> (any AnimatedTransitioning)? {
    switch (choice.kind, choice.direction, choice.node) {
    case (.courseCard, .up, let node?), (.goalCard, .up, let node?), (.lessonCard, .up, let node?),
      (.activityCard, .up, let node?):
      OpenCardTransition(.up, of: node, from: from, to: to)
    case (.courseCard, _, let node?), (.goalCard, _, let node?), (.lessonCard, _, let node?),
      (.activityCard, _, let node?):
      OpenCardTransition(.down, of: node, from: from, to: to)
    case (.siblingSlide, let direction, _):
      PageSlideTransition(towardsRight: direction == .right)
    default:
      nil
    }
  }

  func interactionController(for animator: any AnimatedTransitioning) -> (any InteractiveTransitioning)? { hand }
}

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
