public import TextCanvas

/// Dissolves the old screen into the new one in place, row by row in reading order. Two overlapping texts would not be
/// readable.
@MainActor public final class CrossFadeTransition: AnimatedTransitioning {
  /// Seconds of the cross-fade that replaces other animations if reduced motion is preferred.
  public static let reducedMotionDuration = 0.12

  private let duration: Double
  private let curve: TimingCurve
  private let dissolve: Dissolve

  /// Creates an animator.
  ///
  /// - Parameters:
  ///   - duration: Seconds.
  ///   - curve: The timing curve.
  ///   - dissolve: The order in which the rows dissolve.
  public init(duration: Double = 0.12, curve: TimingCurve = .linear, dissolve: Dissolve = Dissolve()) {
    self.duration = duration
    self.curve = curve
    self.dissolve = dissolve
  }

  /// `false`: a cross-fade moves nothing.
  public var hasMotion: Bool { false }

  /// The duration with which the animator was created.
  public func transitionDuration(using context: (any TransitionContext)?) -> Double { duration }

  /// Dissolves the old screen. If one of the screens stays, as in the custom presentation style, fades the other one in
  /// or out.
  public func animateTransition(using context: any TransitionContext) {
    context.addToLayer()
    let from = context.from.layer
    let to = context.to.layer
    let takesTurns = context.movesFromLayer && context.movesToLayer
    if takesTurns {
      context.container.add(from, above: to)
      from.dissolve = dissolve
      withoutAnimation { from.dissolved = 0 }
    } else if context.movesToLayer {
      to.opacity = 0
    }
    animate(duration: duration, curve: curve) {
      if takesTurns {
        from.dissolved = 1
      } else if context.movesToLayer {
        to.opacity = 1
      } else {
        from.opacity = 0
      }
    } completion: { _ in
      from.dissolve = nil
      from.dissolved = 0
      context.completeTransition(!context.transitionWasCancelled)
    }
  }
}
