import TextCanvas

/// Moves a presented screen up from below so that it covers its presenter, and down again when it is dismissed. The
/// default for presentations.
@MainActor public final class CoverTransition: AnimatedTransitioning {
  private let duration: Double
  private let curve: TimingCurve

  /// Creates an animator.
  ///
  /// - Parameters:
  ///   - duration: Seconds. Springs determine their own duration.
  ///   - curve: The timing curve.
  public init(duration: Double = 0.3, curve: TimingCurve = .easeOut) {
    self.duration = duration
    self.curve = curve
  }

  /// The duration with which the animator was created, or the duration of its spring.
  public func transitionDuration(using context: (any TransitionContext)?) -> Double {
    curve.duration(requested: duration)
  }

  /// Moves the presented screen up, or down if it is dismissed.
  public func animateTransition(using context: any TransitionContext) {
    context.addToLayer()
    let from = context.from.layer
    let to = context.to.layer
    let covers = context.operation.isForward
    // The distance from the screen's row, which may be below the first row of the container, to the row after the last
    // one.
    let rows = context.container.bounds.height - (covers ? to : from).frame.y
    if covers { to.offset.y = rows }
    animate(duration: duration, curve: curve) {
      if covers { to.offset.y = 0 } else { from.offset.y = rows }
    } completion: { _ in
      context.completeTransition(!context.transitionWasCancelled)
    }
  }
}
