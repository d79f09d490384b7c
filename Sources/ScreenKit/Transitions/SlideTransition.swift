import TextCanvas

/// Moves both screens side by side, from the context's initial frames to its final ones.
@MainActor public final class SlideTransition: AnimatedTransitioning {
  private let duration: Double
  private let curve: TimingCurve

  /// Makes one.
  ///
  /// - Parameters:
  ///   - duration: Seconds; springs keep their own time.
  ///   - curve: How it goes.
  public init(duration: Double = 0.35, curve: TimingCurve = .easeOut) {
    self.duration = duration
    self.curve = curve
  }

  /// The duration it was made with.
  public func transitionDuration(using context: (any TransitionContext)?) -> Double {
    curve.duration(requested: duration)
  }

  /// Slides.
  public func animateTransition(using context: any TransitionContext) {
    context.addToLayer()
    let from = context.from.layer
    let to = context.to.layer
    to.offset = context.initialFrame(for: context.to).distance(from: context.finalFrame(for: context.to))
    let leaving = context.finalFrame(for: context.from).distance(from: context.initialFrame(for: context.from))
    // Where one of them stays, as below something that is presented, they are no piece.
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
  /// How far its corner is from another's.
  func distance(from other: Rect) -> Point {
    Point(x: x - other.x, y: y - other.y)
  }
}
