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
