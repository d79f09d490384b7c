internal import Motion
internal import ScreenKit

/// One page fades out, then the other fades in: two texts are never seen on top of each other.
@MainActor final class FadeThroughTransition: AnimatedTransitioning {
  /// Seconds.
  static let duration = 0.12

  let hasMotion = false

  func transitionDuration(using context: (any TransitionContext)?) -> Double { Self.duration }

  func animateTransition(using context: any TransitionContext) {
    let (old, new) = (context.from.layer, context.to.layer)
    context.addToLayer()
    withoutAnimation { new.opacity = 0 }
    animateKeyframes(
      duration: Self.duration,
      [
        Keyframe(start: 0, duration: 0.5) { old.opacity = 0 },
        Keyframe(start: 0.5, duration: 0.5) { new.opacity = 1 },
      ]
    ) { _ in
      withoutAnimation {
        old.opacity = 1
        new.opacity = 1
      }
      context.completeTransition(!context.transitionWasCancelled)
    }
  }
}
