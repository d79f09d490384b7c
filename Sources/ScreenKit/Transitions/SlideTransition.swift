import TextCanvas

/// Moves both screens side by side, from the context's initial frames to its final ones.
@MainActor public final class SlideTransition: AnimatedTransitioning {
  private let duration: Double
  private let curve: TimingCurve

  /// Creates an animator.
  ///
  /// - Parameters:
  ///   - duration: Seconds. Springs determine their own duration.
  ///   - curve: The timing curve.
  public init(duration: Double = 0.35, curve: TimingCurve = .easeOut) {
    self.duration = duration
    self.curve = curve
  }

  /// The duration with which the animator was created, or the duration of its spring.
  public func transitionDuration(using context: (any TransitionContext)?) -> Double {
    curve.duration(requested: duration)
  }

  /// Slides both screens.
  public func animateTransition(using context: any TransitionContext) {
    context.addToLayer()
    let from = context.from.layer
    let to = context.to.layer
    to.offset = context.initialFrame(for: context.to).distance(from: context.finalFrame(for: context.to))
    let leaving = context.finalFrame(for: context.from).distance(from: context.initialFrame(for: context.from))
    // If one of the screens stays, as the presenter of a custom presentation does, the screens do not form a group.
    if leaving == Point(x: -to.offset.x, y: -to.offset.y) { context.moveTogether([from, to]) }
    animate(duration: duration, curve: curve) {
      from.offset = leaving
      to.offset = .zero
    } completion: { _ in
      context.completeTransition(!context.transitionWasCancelled)
    }
  }
}

extension Rect {
  /// Returns the distance between the origins of both rectangles.
  func distance(from other: Rect) -> Point {
    Point(x: x - other.x, y: y - other.y)
  }
}
