import TextCanvas

/// Flips the old screen like a card until only its edge is visible, and then flips the new screen in.
///
/// Source: the 3-D example of "Simple UIViewController Transitions": the old one from 0° to 90°, the new one from −90°
/// to 0°. Here one after the other, since two pages of text drawn over each other cannot be read, and about the vertical
/// axis, which keeps rows whole.
@MainActor public final class FlipTransition: AnimatedTransitioning {
  private let duration: Double
  private let curve: TimingCurve

  /// Creates an animator.
  ///
  /// - Parameters:
  ///   - duration: Seconds.
  ///   - curve: The timing curve.
  public init(duration: Double = 0.32, curve: TimingCurve = .easeInOut) {
    self.duration = duration
    self.curve = curve
  }

  /// The duration with which the animator was created, or the duration of its spring.
  public func transitionDuration(using context: (any TransitionContext)?) -> Double {
    curve.duration(requested: duration)
  }

  /// Flips both screens, in the opposite direction if the operation goes back.
  public func animateTransition(using context: any TransitionContext) {
    context.addToLayer()
    let from = context.from.layer
    let to = context.to.layer
    let edge = context.operation.isForward ? Double.pi / 2 : -.pi / 2
    if context.movesToLayer { to.transform.flip = -edge }
    animateKeyframes(
      duration: duration, curve: curve,
      context.halfFrames {
        from.transform.flip = edge
      } arriving: {
        to.transform.flip = 0
      }
    ) { _ in
      from.transform = .identity
      to.transform = .identity
      context.completeTransition(!context.transitionWasCancelled)
    }
  }
}
