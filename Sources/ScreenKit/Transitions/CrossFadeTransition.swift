public import Motion

/// Fades the old screen out, then the new one in, both in their places: one after the other, since two texts in one
/// place cannot be read.
@MainActor public final class CrossFadeTransition: AnimatedTransitioning {
  /// Seconds of the cross-fade that stands for motion where less of it was asked for.
  public static let reducedMotionDuration = 0.12

  private let duration: Double
  private let curve: TimingCurve

  /// Makes one.
  ///
  /// - Parameters:
  ///   - duration: Seconds.
  ///   - curve: How it goes.
  public init(duration: Double = 0.12, curve: TimingCurve = .linear) {
    self.duration = duration
    self.curve = curve
  }

  /// Nothing moves.
  public var hasMotion: Bool { false }

  /// The duration it was made with.
  public func transitionDuration(using context: (any TransitionContext)?) -> Double { duration }

  /// Fades.
  public func animateTransition(using context: any TransitionContext) {
    context.addToLayer()
    let from = context.from.layer
    let to = context.to.layer
    if context.movesToLayer { to.opacity = 0 }
    animateKeyframes(
      duration: duration, curve: curve,
      context.halves {
        from.opacity = 0
      } coming: {
        to.opacity = 1
      }
    ) { _ in
      context.completeTransition(!context.transitionWasCancelled)
    }
  }
}
