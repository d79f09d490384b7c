import TextCanvas

/// Fades the new screen in while the old one shrinks to a tenth: the first animator of issue 5 of objc.io, which issue
/// 12 reuses unchanged in its container.
@MainActor public final class ZoomTransition: AnimatedTransitioning {
  private let duration: Double
  private let scale: Double
  private let curve: TimingCurve

  /// Creates an animator.
  ///
  /// - Parameters:
  ///   - duration: Seconds.
  ///   - scale: The final scale of the old screen, 0…1.
  ///   - curve: The timing curve.
  ///
  /// Source: objc.io issue 5, "View Controller Transitions": 1 s, 0.1.
  public init(duration: Double = 1, scale: Double = 0.1, curve: TimingCurve = .easeInOut) {
    self.duration = duration
    self.scale = scale
    self.curve = curve
  }

  /// The duration with which the animator was created, or the duration of its spring.
  public func transitionDuration(using context: (any TransitionContext)?) -> Double {
    curve.duration(requested: duration)
  }

  /// Shrinks the old screen and fades the new one in.
  public func animateTransition(using context: any TransitionContext) {
    context.addToLayer()
    let from = context.from.layer
    let to = context.to.layer
    if context.movesToLayer { to.opacity = 0 }
    animate(duration: duration, curve: curve) { [scale] in
      if context.movesFromLayer { from.transform = Transform(scaleX: scale, scaleY: scale) }
      to.opacity = 1
    } completion: { _ in
      from.transform = .identity
      context.completeTransition(!context.transitionWasCancelled)
    }
  }
}
