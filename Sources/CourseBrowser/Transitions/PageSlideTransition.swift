internal import Motion
internal import ScreenKit
internal import TextCanvas

/// A page gives way to the one beside it, in reading order; the trail stays where it is.
@MainActor final class PageSlideTransition: AnimatedTransitioning {
  /// Seconds.
  static let duration = 0.26
  static let dampingRatio = 0.85

  private let towardsRight: Bool

  /// - Parameter towardsRight: Whether the new page comes from the right: it follows in reading order.
  init(towardsRight: Bool) {
    self.towardsRight = towardsRight
  }

  func transitionDuration(using context: (any TransitionContext)?) -> Double { Self.duration }

  func animateTransition(using context: any TransitionContext) {
    context.addToLayer()
    let old = context.from as? PageScreen
    let new = context.to as? PageScreen
    let oldSheet = old?.sheet ?? context.from.layer
    let newSheet = new?.sheet ?? context.to.layer
    let travel = context.container.bounds.width * (towardsRight ? 1 : -1)
    withoutAnimation {
      newSheet.transform.translation.x = travel
      old?.trailLayer.isHidden = new != nil
    }
    animate(
      duration: transitionDuration(using: context), dampingRatio: Self.dampingRatio
    ) {
      newSheet.transform.translation.x = 0
      oldSheet.transform.translation.x = -travel
    } completion: { _ in
      withoutAnimation {
        for sheet in [oldSheet, newSheet] { sheet.transform = .identity }
        old?.trailLayer.isHidden = false
      }
      context.completeTransition(!context.transitionWasCancelled)
    }
  }
}
