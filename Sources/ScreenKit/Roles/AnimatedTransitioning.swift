/// An animation controller: shows how one screen becomes another. Step five of the seven.
///
/// It owns the pixels and nothing else: it adds the new screen's layer, animates from the context's initial frames to
/// its final ones, and calls `completeTransition(!context.transitionWasCancelled)`, once. Callbacks and structure are
/// the container's. What it animates with ``animate(duration:delay:curve:_:completion:)`` and its like can be scrubbed,
/// reversed, cancelled and interrupted without its help.
///
/// ```swift
/// final class Fade: AnimatedTransitioning {
///   func transitionDuration(using context: (any TransitionContext)?) -> Double { 0.2 }
///   func animateTransition(using context: any TransitionContext) {
///     context.addToLayer()
///     context.to.layer.opacity = 0
///     animate(duration: transitionDuration(using: context)) {
///       context.to.layer.opacity = 1
///     } completion: { _ in
///       context.completeTransition(!context.transitionWasCancelled)
///     }
///   }
/// }
/// ```
@MainActor public protocol AnimatedTransitioning: AnyObject {
  /// Seconds it will take; containers ask, to keep other things in time with it.
  func transitionDuration(using context: (any TransitionContext)?) -> Double

  /// Animates.
  func animateTransition(using context: any TransitionContext)

  /// Called by the container when the transition is over.
  ///
  /// - Parameter completed: Whether the new screen is there; false after a cancel.
  func animationEnded(_ completed: Bool)

  /// Called where something else begins while it runs: all is still where it is seen, and is brought to its end
  /// right after. What the next animator may take over is to be kept now; that one finds this one in
  /// ``TransitionContext/interrupted``.
  ///
  /// - Parameter goingBack: Whether it is brought to its beginning instead.
  func willBeInterrupted(goingBack: Bool)

  /// Called when the container was resized in mid-flight. The layers in the container were stretched along, both ends
  /// and what is between; an animator that took its places from somewhere else puts them right here, with
  /// ``Layer/redirectFrame(from:to:)``.
  func containerDidResize(using context: any TransitionContext)

  /// Whether anything moves, so that it is replaced by a cross-fade for those who asked for less motion. True unless an
  /// animator says otherwise.
  var hasMotion: Bool { get }
}

extension AnimatedTransitioning {
  /// Does nothing.
  public func animationEnded(_ completed: Bool) {}

  /// Does nothing.
  public func willBeInterrupted(goingBack: Bool) {}

  /// Does nothing.
  public func containerDidResize(using context: any TransitionContext) {}

  /// True.
  public var hasMotion: Bool { true }
}

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

/// Vends the controllers of transitions, for a container or for a presented screen; the operation tells which of them
/// is asked for. All of it is optional.
///
/// It is held weakly: its owner has to keep it.
@MainActor public protocol TransitionProvider: AnyObject {
  /// The animation controller; nil leaves it to the container.
  ///
  /// Asked once for each animated transition. For ``TransitionOperation/present``, `from` is the screen that asked to
  /// present; for ``TransitionOperation/dismiss`` it is the presented one.
  func animationController(
    for operation: TransitionOperation, from: Screen, to: Screen
  ) -> (any AnimatedTransitioning)?

  /// The interaction controller; nil makes the transition run by itself. Asked only where an animation controller was
  /// vended.
  ///
  /// One whose ``InteractiveTransitioning/wantsInteractiveStart`` is true holds the transition at its beginning until its
  /// hand drives it: vend it for what a hand began, and not for a key.
  func interactionController(for animator: any AnimatedTransitioning) -> (any InteractiveTransitioning)?

  /// A container is about to show a screen.
  func willShow(_ screen: Screen, in container: Screen, animated: Bool)

  /// A container shows a screen.
  func didShow(_ screen: Screen, in container: Screen, animated: Bool)
}

extension TransitionProvider {
  /// Nil.
  public func animationController(
    for operation: TransitionOperation, from: Screen, to: Screen
  ) -> (any AnimatedTransitioning)? { nil }

  /// Nil.
  public func interactionController(
    for animator: any AnimatedTransitioning
  ) -> (any InteractiveTransitioning)? { nil }

  /// Does nothing.
  public func willShow(_ screen: Screen, in container: Screen, animated: Bool) {}

  /// Does nothing.
  public func didShow(_ screen: Screen, in container: Screen, animated: Bool) {}
}
