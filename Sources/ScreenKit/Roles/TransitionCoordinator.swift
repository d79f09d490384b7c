public import Motion

/// The way into a running transition for everyone who takes part: to animate with it, and to hear how it ends.
@MainActor public protocol TransitionCoordinator: AnyObject {
  /// What the animator knows.
  var context: any TransitionContext { get }
  /// Whether a hand drove it from the first moment; never changes.
  var initiallyInteractive: Bool { get }
  /// Whether a hand drives it now.
  var isInteractive: Bool { get }
  /// Whether it can be grabbed.
  var isInterruptible: Bool { get }
  /// Whether it goes back to where it began.
  var isCancelled: Bool { get }
  /// How far it has come, 0…1.
  var percentComplete: Double { get }
  /// Fractions a second that it had when the hand let go.
  var completionVelocity: Double { get }
  /// How it continues when the hand lets go.
  var completionCurve: TimingCurve { get }
  /// Seconds the animator said it takes.
  var transitionDuration: Double { get }

  /// Animates along: with the same duration and curve, scrubbed, reversed and cancelled with it.
  ///
  /// - Parameters:
  ///   - animation: Changes to any layers, also outside the container.
  ///   - completion: Called when the transition is over.
  /// - Returns: Whether the transition still runs; otherwise nothing is called, ever.
  @discardableResult
  func animate(
    alongside animation: (@MainActor (any TransitionContext) -> Void)?,
    completion: (@MainActor (any TransitionContext) -> Void)?
  ) -> Bool

  /// Calls whenever the transition stops or begins to be driven by a hand.
  func notifyWhenInteractionChanges(_ body: @escaping @MainActor (any TransitionContext) -> Void)

  /// Calls once, when the hand lets go.
  func notifyWhenInteractionEnds(_ body: @escaping @MainActor (any TransitionContext) -> Void)
}

extension TransitionCoordinator {
  /// Animates along, without hearing of the end.
  @discardableResult
  public func animate(alongside animation: @escaping @MainActor (any TransitionContext) -> Void) -> Bool {
    animate(alongside: animation, completion: nil)
  }
}
