import TextCanvas

/// The new screen fades in while the old one shrinks away to a tenth: the first animator of objc.io's issue 5, which
/// issue 12 reuses unchanged in its container.
@MainActor public final class ZoomTransition: AnimatedTransitioning {
  private let duration: Double
  private let scale: Double
  private let curve: TimingCurve

  /// Makes one.
  ///
  /// - Parameters:
  ///   - duration: Seconds.
  ///   - scale: What the old screen shrinks to, 0…1.
  ///   - curve: How it goes.
  ///
  /// Source: objc.io issue 5, "View Controller Transitions": 1 s, 0.1.
  public init(duration: Double = 1, scale: Double = 0.1, curve: TimingCurve = .easeInOut) {
    self.duration = duration
    self.scale = scale
    self.curve = curve
  }

  /// The duration it was made with.
  public func transitionDuration(using context: (any TransitionContext)?) -> Double {
    curve.duration(requested: duration)
  }

  /// Shrinks and fades.
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
