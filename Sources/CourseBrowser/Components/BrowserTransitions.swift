import CoursePages
import LearningModel
import ScreenKit

/// Provides the animators for the transitions between pages. The navigation step determines the kind of transition;
/// this type determines the animator that draws it.
///
/// To change how a transition is drawn, change its case in `animator(for:from:to:)`.
@MainActor final class BrowserTransitions: TransitionProvider {
  /// The transition of the current step, or `nil` if a page appears without one.
  var choice: TransitionChoice?
  /// Replaces the animators in tests. If it returns `nil`, the default animator is used.
  var override: ((_ choice: TransitionChoice, _ from: Screen, _ to: Screen) -> (any AnimatedTransitioning)?)?
  /// Whether the next step to a neighbour slides over the full width, because a gesture drives it or because pages or
  /// cards are moving.
  var slidesFullWidth = false
  /// The interactive transition that controls the next animator, or `nil` if the animator runs by itself.
  var interactiveTransition: PercentDrivenInteractiveTransition?

  func animationController(
    for operation: TransitionOperation, from: Screen, to: Screen
  ) -> (any AnimatedTransitioning)? {
    guard let choice else { return nil }
    return override?(choice, from, to) ?? animator(for: choice, from: from, to: to) ?? CrossFadeTransition()
  }

  /// Returns the animator for a transition, or `nil` if the screens do not have the layers that the animator needs.
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
      if slidesFullWidth {
        PageSlideTransition(towardsRight: direction == .right)
      } else {
        NeighbourTransition(towardsRight: direction == .right)
      }
    default:
      nil
    }
  }

  func interactionController(for animator: any AnimatedTransitioning) -> (any InteractiveTransitioning)? {
    interactiveTransition
  }
}

/// Provides the animators for changes between tabs: a motion of the body, or the opening of the selected entry as a
/// card.
@MainActor final class TabTransitions: TransitionProvider {
  /// Whether the running change of tabs opens a card.
  var isOpening = false
  /// The place that the change of tabs opens, or `nil` if only the tab changes.
  var opening: NodeID?

  func animationController(
    for operation: TransitionOperation, from: Screen, to: Screen
  ) -> (any AnimatedTransitioning)? {
    if let opening { return OpenCardTransition(.down, of: opening, from: from, to: to) ?? CrossFadeTransition() }
    guard case .select(let old, let new) = operation else { return nil }
    return NeighbourTransition(towardsRight: new > old)
  }
}
