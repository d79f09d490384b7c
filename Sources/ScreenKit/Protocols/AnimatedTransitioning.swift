/// An animation controller, which animates the change from one screen to another: step five of the seven steps of a
/// transition.
///
/// An animator adds the layer of the new screen, animates from the context's initial frames to its final frames, and
/// calls `completeTransition(!context.transitionWasCancelled)` once. The container is responsible for the structure and
/// all callbacks. Animations that are started with ``animate(duration:delay:curve:_:completion:)`` or a similar
/// function can be scrubbed, reversed, cancelled and interrupted without further code.
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
  /// Returns the duration in seconds. Containers use it to synchronise other animations.
  ///
  /// - Parameter context: The transition, or `nil` if it is not known yet.
  func transitionDuration(using context: (any TransitionContext)?) -> Double

  /// Starts the animation.
  ///
  /// - Parameter context: The transition.
  func animateTransition(using context: any TransitionContext)

  /// Called by the container when the transition has ended.
  ///
  /// - Parameter completed: Whether the new screen is visible. `false` if the transition was cancelled.
  func animationEnded(_ completed: Bool)

  /// Called before another transition interrupts this one. The layers are still at their presented positions, and jump
  /// to their end after this call. An animator that passes state to the next animator saves it here; the next animator
  /// gets this one as ``TransitionContext/interrupted``.
  ///
  /// - Parameter goingBack: Whether the transition will be cancelled instead of completed.
  func willBeInterrupted(goingBack: Bool)

  /// Called when the container was resized during the transition. The layers of the container were already scaled in
  /// proportion. An animator whose frames depend on anything else corrects them here with
  /// ``Layer/redirectFrame(from:to:)``.
  ///
  /// - Parameter context: The transition, with its new frames.
  func containerDidResize(using context: any TransitionContext)

  /// Whether the animation contains motion, so that a cross-fade replaces it if reduced motion is preferred. `true` by
  /// default.
  var hasMotion: Bool { get }
}

extension AnimatedTransitioning {
  /// Does nothing.
  public func animationEnded(_ completed: Bool) {}

  /// Does nothing.
  public func willBeInterrupted(goingBack: Bool) {}

  /// Does nothing.
  public func containerDidResize(using context: any TransitionContext) {}

  /// `true`.
  public var hasMotion: Bool { true }
}

/// An interaction controller, which lets a gesture drive a transition.
///
/// The container calls ``startInteractiveTransition(_:)`` instead of `animateTransition`; the controller calls that
/// itself. ``PercentDrivenInteractiveTransition`` works with every animator.
@MainActor public protocol InteractiveTransitioning: AnyObject {
  /// Starts the transition. Called by the container, never by the code that handles the gesture.
  ///
  /// - Parameter context: The transition.
  func startInteractiveTransition(_ context: any TransitionContext)
  /// The speed of the rest after the gesture, relative to the animator's own speed. Must be greater than 0.
  var completionSpeed: Double { get }
  /// The timing curve of the rest after the gesture.
  var completionCurve: TimingCurve { get }
  /// Whether the gesture drives the transition from its start. Otherwise the transition runs by itself until it is
  /// paused.
  var wantsInteractiveStart: Bool { get }
}

extension InteractiveTransitioning {
  /// 1.
  public var completionSpeed: Double { 1 }
  /// ``TimingCurve/easeInOut``.
  public var completionCurve: TimingCurve { .easeInOut }
  /// `true`.
  public var wantsInteractiveStart: Bool { true }
}

/// Provides the controllers of the transitions of a container or of a presented screen. All requirements have defaults.
///
/// Providers are held weakly, so their owner must keep a strong reference.
@MainActor public protocol TransitionProvider: AnyObject {
  /// Returns the animation controller, or `nil` to use the container's default.
  ///
  /// Called once for each animated transition.
  ///
  /// - Parameters:
  ///   - operation: The operation of the container.
  ///   - from: The visible screen. For ``TransitionOperation/present`` the screen that called `present`, for
  ///     ``TransitionOperation/dismiss`` the presented screen.
  ///   - to: The screen to show.
  func animationController(
    for operation: TransitionOperation, from: Screen, to: Screen
  ) -> (any AnimatedTransitioning)?

  /// Returns the interaction controller, or `nil` if the transition runs by itself. Called only if the provider
  /// returned an animation controller.
  ///
  /// If ``InteractiveTransitioning/wantsInteractiveStart`` of the controller is `true`, the transition waits at its
  /// start until the controller drives it. Return such a controller only for a transition that a gesture has started,
  /// not for one that a key has started.
  ///
  /// - Parameter animator: The animation controller of the transition.
  func interactionController(for animator: any AnimatedTransitioning) -> (any InteractiveTransitioning)?

  /// Called before a container shows a screen.
  func willShow(_ screen: Screen, in container: Screen, animated: Bool)

  /// Called when a container shows a screen.
  func didShow(_ screen: Screen, in container: Screen, animated: Bool)
}

extension TransitionProvider {
  /// `nil`.
  public func animationController(
    for operation: TransitionOperation, from: Screen, to: Screen
  ) -> (any AnimatedTransitioning)? { nil }

  /// `nil`.
  public func interactionController(
    for animator: any AnimatedTransitioning
  ) -> (any InteractiveTransitioning)? { nil }

  /// Does nothing.
  public func willShow(_ screen: Screen, in container: Screen, animated: Bool) {}

  /// Does nothing.
  public func didShow(_ screen: Screen, in container: Screen, animated: Bool) {}
}
