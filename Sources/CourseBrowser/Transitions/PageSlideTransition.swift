internal import Motion
internal import ScreenKit
internal import TextCanvas

/// A page gives way to the one beside it, in reading order; the trail stays where it is.
@MainActor final class PageSlideTransition: AnimatedTransitioning {
  /// Seconds.
  static let duration = 0.26
  static let dampingRatio = 0.85

  private let towardsRight: Bool
  private let trace: Layer?

  /// - Parameters:
  ///   - towardsRight: Whether the new page comes from the right: it follows in reading order.
  ///   - trace: What was still leaving when this began, beside the old page; it goes along with that.
  init(towardsRight: Bool, trace: Layer? = nil) {
    self.towardsRight = towardsRight
    self.trace = trace
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
      if let trace { oldSheet.add(trace) }
      newSheet.transform.translation.x = travel
      new?.trailLayer.opacity = old == nil ? 1 : 0
    }
    let duration = transitionDuration(using: context)
    // What is said of the place changes in one step, half way.
    let step = Keyframe(start: 0.499, duration: 0.001) {
      old?.trailLayer.opacity = 0
      new?.trailLayer.opacity = 1
    }
    let curve = TimingCurve.spring(duration: duration, dampingRatio: Self.dampingRatio)
    animateKeyframes(duration: duration, curve: curve, [step])
    animate(duration: duration, curve: curve) {
      newSheet.transform.translation.x = 0
      oldSheet.transform.translation.x = -travel
    } completion: { [trace] _ in
      trace?.removeFromSuperlayer()
      withoutAnimation {
        for sheet in [oldSheet, newSheet] { sheet.transform = .identity }
        for page in [old, new] { page?.trailLayer.opacity = 1 }
      }
      context.completeTransition(!context.transitionWasCancelled)
    }
  }
}
