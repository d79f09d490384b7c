public import TextCanvas

/// Lets the old screen give way to the new one in its place, row after row in reading order: two texts in one place
/// cannot be read, and a page that is empty in between says nothing.
@MainActor public final class CrossFadeTransition: AnimatedTransitioning {
  /// Seconds of the cross-fade that stands for motion where less of it was asked for.
  public static let reducedMotionDuration = 0.12

  private let duration: Double
  private let curve: TimingCurve
  private let dissolve: Dissolve

  /// Makes one.
  ///
  /// - Parameters:
  ///   - duration: Seconds.
  ///   - curve: How it goes.
  ///   - dissolve: How the rows follow each other.
  public init(duration: Double = 0.12, curve: TimingCurve = .linear, dissolve: Dissolve = Dissolve()) {
    self.duration = duration
    self.curve = curve
    self.dissolve = dissolve
  }

  /// Nothing moves.
  public var hasMotion: Bool { false }

  /// The duration it was made with.
  public func transitionDuration(using context: (any TransitionContext)?) -> Double { duration }

  /// Fades. A screen that comes over one which stays, or leaves it, fades alone.
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
