public import TextCanvas

/// The information that animation and interaction controllers have about a transition, and their means to report back.
///
/// It is a protocol so that containers can pass their own contexts to any animator. The containers of this library
/// create their contexts themselves. For your own container,
/// ``Screen/transition(from:to:operation:animated:in:frame:by:completion:shows:)`` creates one, and also handles
/// coordinators, time limits, interruptions and the other steps of a transition.
///
/// A context of your own must do all of this itself. Create it when the layer of the old screen is in ``container``, on
/// a stage. The container calls `beginAppearance` and `endAppearance` and starts the animator, or the interaction
/// controller if ``isInteractive`` is `true`. ``animationController`` returns the animator to the interaction
/// controller. After ``cancelInteractiveTransition()``, ``transitionWasCancelled`` is `true`; after
/// ``finishInteractiveTransition()``, it is `false`. ``completeTransition(_:)`` removes the layer of the screen that is
/// no longer visible, restores the appearance of both layers, and calls `animationEnded`.
/// ``PercentDrivenInteractiveTransition`` checks some of these requirements, and reports violations as
/// ``ScreenIssue/badContext(transition:found:)``.
@MainActor public protocol TransitionContext: AnyObject {
  /// The layer in which the transition takes place. It contains the layers of both screens during the transition.
  var container: Layer { get }
  /// The screen that is visible before the transition.
  var from: Screen { get }
  /// The screen that is visible after the transition, unless it is cancelled.
  var to: Screen { get }
  /// The operation of the container.
  var operation: TransitionOperation { get }
  /// The presentation style of a presented screen. ``PresentationStyle/custom`` in containers.
  var presentationStyle: PresentationStyle { get }
  /// Whether the transition is animated.
  var isAnimated: Bool { get }
  /// Whether a gesture currently drives the transition.
  var isInteractive: Bool { get }
  /// Whether the transition returns to its start.
  var transitionWasCancelled: Bool { get }
  /// The animator of the transition that this one interrupted, or `nil` if no transition was running in the container.
  ///
  /// Layers continue from their presented positions automatically, also if a layer of the new animator has the same
  /// ``Layer/identity``. Use this property only to take over other state of the interrupted animator.
  var interrupted: (any AnimatedTransitioning)? { get }
  /// The animation controller, which an interaction controller starts.
  var animationController: (any AnimatedTransitioning)? { get }

  /// Returns the frame of a screen's layer at the start, in the container's coordinates.
  func initialFrame(for screen: Screen) -> Rect
  /// Returns the required frame of a screen's layer at the end, in the container's coordinates.
  func finalFrame(for screen: Screen) -> Rect

  /// Reports the progress of the gesture.
  ///
  /// - Parameter fraction: The fraction of the transition, 0…1.
  func updateInteractiveTransition(_ fraction: Double)
  /// Pauses a transition that runs by itself, so that a gesture drives it.
  func pauseInteractiveTransition()
  /// Ends the gesture and continues the transition to its end.
  func finishInteractiveTransition()
  /// Ends the gesture and returns the transition to its start.
  func cancelInteractiveTransition()

  /// Declares that the animator moves several layers as a group, such as two pages side by side.
  ///
  /// If this transition interrupted another one, the remaining motion of a layer of the group that was visible before
  /// is applied to all layers of the group. If this transition is interrupted, snapshots of the layers that leave move
  /// with the remaining layers of the group, provided that the next animator also moves those as a group.
  ///
  /// - Parameter layers: The layers of the group. Snapshots of layers that have left move with the first one.
  func moveTogether(_ layers: [Layer])

  /// Ends the transition. Must be called exactly once.
  ///
  /// - Parameter didComplete: Whether the new screen is visible: `!transitionWasCancelled`.
  func completeTransition(_ didComplete: Bool)
}

extension TransitionContext {
  /// `nil`. A context that can be driven by percentage must return its animator.
  public var animationController: (any AnimatedTransitioning)? { nil }

  /// `nil`.
  public var interrupted: (any AnimatedTransitioning)? { nil }

  /// Does nothing.
  public func moveTogether(_ layers: [Layer]) {}

  /// ``PresentationStyle/custom``, as in all containers.
  public var presentationStyle: PresentationStyle { .custom }

  /// Adds the layer of the new screen with its final frame: in front of the old screen if the operation is forward,
  /// otherwise behind it.
  public func addToLayer() {
    to.layer.frame = finalFrame(for: to)
    if !operation.isForward, from.layer.superlayer === container {
      container.add(to.layer, below: from.layer)
    } else {
      container.add(to.layer)
    }
    to.layer.layOutIfNeeded()
  }

  /// Whether the animator may move the layer of the old screen. `false` for a presenter in the custom style, which
  /// stays in place below the presented screen.
  public var movesFromLayer: Bool { !(presentationStyle == .custom && operation == .present) }

  /// Whether the animator may move the layer of the new screen. `false` for a presenter in the custom style, which
  /// stayed in place below the presented screen.
  public var movesToLayer: Bool { !(presentationStyle == .custom && operation == .dismiss) }

  /// Returns keyframes in which the old screen leaves in the first half and the new one appears in the second half. If
  /// only one of them may move, its keyframe takes the whole duration.
  func halfFrames(
    leaving: @escaping @MainActor () -> Void, arriving: @escaping @MainActor () -> Void
  ) -> [Keyframe] {
    if !movesFromLayer { return [Keyframe(start: 0, duration: 1, changes: arriving)] }
    if !movesToLayer { return [Keyframe(start: 0, duration: 1, changes: leaving)] }
    return [
      Keyframe(start: 0, duration: 0.5, changes: leaving), Keyframe(start: 0.5, duration: 0.5, changes: arriving),
    ]
  }
}

/// Access to a running transition: animations alongside it, and callbacks for its end.
@MainActor public protocol TransitionCoordinator: AnyObject {
  /// The context of the transition.
  var context: any TransitionContext { get }
  /// Whether a gesture drove the transition from its start. Never changes.
  var initiallyInteractive: Bool { get }
  /// Whether a gesture currently drives the transition.
  var isInteractive: Bool { get }
  /// Whether the transition can be paused and driven by a gesture.
  var isInterruptible: Bool { get }
  /// Whether the transition returns to its start.
  var isCancelled: Bool { get }
  /// The presented progress, usually 0…1.
  var percentComplete: Double { get }
  /// The velocity at the end of the gesture, in fractions per second.
  var completionVelocity: Double { get }
  /// The timing curve of the rest after a gesture.
  var completionCurve: TimingCurve { get }
  /// The duration that the animator returned, in seconds.
  var transitionDuration: Double { get }

  /// Animates changes alongside the transition. They have the same duration and curve, and are scrubbed, reversed and
  /// cancelled with it.
  ///
  /// - Parameters:
  ///   - animation: Changes to any layers, which may be outside the container.
  ///   - completion: Called when the transition has ended.
  /// - Returns: Whether the transition is still running. If `false`, neither closure is ever called.
  @discardableResult
  func animate(
    alongside animation: (@MainActor (any TransitionContext) -> Void)?,
    completion: (@MainActor (any TransitionContext) -> Void)?
  ) -> Bool

  /// Adds a closure that is called each time a gesture starts or stops driving the transition.
  func notifyWhenInteractionChanges(_ body: @escaping @MainActor (any TransitionContext) -> Void)

  /// Adds a closure that is called once, at the end of the gesture.
  func notifyWhenInteractionEnds(_ body: @escaping @MainActor (any TransitionContext) -> Void)
}

extension TransitionCoordinator {
  /// Animates changes alongside the transition, without a completion.
  ///
  /// - Parameter animation: Changes to any layers, which may be outside the container.
  /// - Returns: Whether the transition is still running. If `false`, the closure is never called.
  @discardableResult
  public func animate(alongside animation: @escaping @MainActor (any TransitionContext) -> Void) -> Bool {
    animate(alongside: animation, completion: nil)
  }
}
