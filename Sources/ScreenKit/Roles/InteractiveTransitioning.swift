public import Motion

/// An interaction controller: lets a hand drive a transition.
///
/// The container calls ``startInteractiveTransition(_:)`` in place of `animateTransition`; to call that is up to the
/// controller. ``PercentDrivenInteractiveTransition`` is the one that works with every animator.
@MainActor public protocol InteractiveTransitioning: AnyObject {
  /// Begins; called by the container, never by the code that watches the hand.
  func startInteractiveTransition(_ context: any TransitionContext)
  /// How fast the rest goes when the hand lets go; above 0, 1 is the animator's own speed.
  var completionSpeed: Double { get }
  /// How the rest goes when the hand lets go.
  var completionCurve: TimingCurve { get }
  /// Whether a hand drives from the first moment; otherwise the transition runs, and may be grabbed.
  var wantsInteractiveStart: Bool { get }
}

extension InteractiveTransitioning {
  /// 1.
  public var completionSpeed: Double { 1 }
  /// Ease in and out.
  public var completionCurve: TimingCurve { .easeInOut }
  /// True.
  public var wantsInteractiveStart: Bool { true }
}
