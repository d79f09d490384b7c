import TextCanvas

/// Slides both screens past each other with a spring while they fade: the default animation of the custom container in
/// issue 12 of objc.io, with the same parameters.
@MainActor public final class SpringSlideTransition: AnimatedTransitioning {
  private let duration: Double
  private let gap: Double
  private let dampingRatio: Double
  private let initialVelocity: Double

  /// Creates an animator.
  ///
  /// - Parameters:
  ///   - duration: Seconds.
  ///   - gap: The number of columns between both screens.
  ///   - dampingRatio: The damping ratio of the spring, 0…1.
  ///   - initialVelocity: The initial velocity of the spring, in total distances per second.
  ///
  /// Source: objc.io issue 12, "Custom Container View Controller Transitions": 1 s, 16, 0.75, 0.5.
  public init(duration: Double = 1, gap: Double = 16, dampingRatio: Double = 0.75, initialVelocity: Double = 0.5) {
    self.duration = duration
    self.gap = gap
    self.dampingRatio = dampingRatio
    self.initialVelocity = initialVelocity
  }

  /// The duration with which the animator was created.
  public func transitionDuration(using context: (any TransitionContext)?) -> Double { duration }

  /// Slides and fades both screens.
  public func animateTransition(using context: any TransitionContext) {
    let from = context.from.layer
    let to = context.to.layer
    let goesRight = context.initialFrame(for: context.to).x < context.finalFrame(for: context.to).x
    let travel = (context.container.bounds.width + gap) * (goesRight ? 1 : -1)
    context.addToLayer()
    if context.movesToLayer {
      to.opacity = 0
      to.transform = Transform(translation: Point(x: -travel, y: 0))
    }
    animate(
      duration: transitionDuration(using: context), dampingRatio: dampingRatio, initialVelocity: initialVelocity
    ) {
      if context.movesFromLayer {
        from.transform = Transform(translation: Point(x: travel, y: 0))
        from.opacity = 0
      }
      to.transform = .identity
      to.opacity = 1
    } completion: { _ in
      from.transform = .identity
      from.opacity = 1
      context.completeTransition(!context.transitionWasCancelled)
    }
  }
}
