import TextCanvas

/// Turns the old screen away like a card until it is seen from its edge, then the new one in from there.
///
/// Source: the 3-D example of "Simple UIViewController Transitions": the old one from 0° to 90°, the new one from −90°
/// to 0°. Here one after the other, since two pages of text drawn over each other cannot be read, and about the vertical
/// axis, which keeps rows whole.
@MainActor public final class FlipTransition: AnimatedTransitioning {
  private let duration: Double
  private let curve: TimingCurve

  /// Makes one.
  ///
  /// - Parameters:
  ///   - duration: Seconds.
  ///   - curve: How it goes.
  public init(duration: Double = 0.32, curve: TimingCurve = .easeInOut) {
    self.duration = duration
    self.curve = curve
  }

  /// The duration it was made with.
  public func transitionDuration(using context: (any TransitionContext)?) -> Double {
    curve.duration(requested: duration)
  }

  /// Turns; the other way round when going back.
  public func animateTransition(using context: any TransitionContext) {
    context.addToLayer()
    let from = context.from.layer
    let to = context.to.layer
    let edge = context.operation.isForward ? Double.pi / 2 : -.pi / 2
    if context.movesToLayer { to.transform.flip = -edge }
    animateKeyframes(
      duration: duration, curve: curve,
      context.halves {
        from.transform.flip = edge
      } coming: {
        to.transform.flip = 0
      }
    ) { _ in
      from.transform = .identity
      to.transform = .identity
      context.completeTransition(!context.transitionWasCancelled)
    }
  }
}
