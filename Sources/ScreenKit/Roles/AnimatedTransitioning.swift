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
