import TextCanvas

/// A presented screen comes from below and covers the presenter, and leaves that way: what containers present with.
@MainActor public final class CoverTransition: AnimatedTransitioning {
  private let duration: Double
  private let curve: TimingCurve

  /// Makes one.
  ///
  /// - Parameters:
  ///   - duration: Seconds; springs keep their own time.
  ///   - curve: How it goes.
  public init(duration: Double = 0.3, curve: TimingCurve = .easeOut) {
    self.duration = duration
    self.curve = curve
  }

  /// The duration it was made with.
  public func transitionDuration(using context: (any TransitionContext)?) -> Double {
    curve.duration(requested: duration)
  }

  /// Covers, or uncovers.
  public func animateTransition(using context: any TransitionContext) {
    context.addToLayer()
    let from = context.from.layer
    let to = context.to.layer
    let covers = context.operation.isForward
    // From its place, which may be lower than the container's first row, to below the last one.
    let rows = context.container.bounds.height - (covers ? to : from).frame.y
    if covers { to.offset.y = rows }
    animate(duration: duration, curve: curve) {
      if covers { to.offset.y = 0 } else { from.offset.y = rows }
    } completion: { _ in
      context.completeTransition(!context.transitionWasCancelled)
    }
  }
}
