public import TextCanvas

/// What an animation or interaction controller knows about a transition, and how it reports back.
///
/// A protocol, so that a container can hand a context of its own to any animator. The containers of this library make
/// theirs themselves, and so does ``Screen/transition(from:to:operation:animated:in:frame:by:completion:shows:)`` for a
/// container of your own: it has the coordinator, the watchdog, the interruption and the rest of the seven steps in it.
///
/// A context of your own has all of that to do itself. It is made when the old screen's layer is in ``container``, on a
/// stage. Its container calls `beginAppearance` and `endAppearance`, starts the animator, or its hand where ``isInteractive``
/// says so, and gives that hand its ``animationController``. ``cancelInteractiveTransition()`` makes
/// ``transitionWasCancelled`` true, ``finishInteractiveTransition()`` false. ``completeTransition(_:)`` takes away the layer of
/// the screen that is not there, puts both layers' looks right, and calls `animationEnded`. What of this can be seen from
/// outside is checked by the hand that drives it, and reported as ``ScreenIssue/badContext(transition:found:)``.
@MainActor public protocol TransitionContext: AnyObject {
  /// Where the transition takes place: both screens' layers are in it while it runs.
  var container: Layer { get }
  /// The screen that was there.
  var from: Screen { get }
  /// The screen that will be there.
  var to: Screen { get }
  /// What it is for.
  var operation: TransitionOperation { get }
  /// How a presented screen relates to its presenter; custom in containers.
  var presentationStyle: PresentationStyle { get }
  /// Whether it is animated.
  var isAnimated: Bool { get }
  /// Whether a hand drives it now.
  var isInteractive: Bool { get }
  /// Whether it goes back to where it began.
  var transitionWasCancelled: Bool { get }
  /// The animator that ran in the container until this transition cut it short; nil where all stood still.
  ///
  /// Layers start from where they are seen by themselves, also where the new animator has one of that identity. Only
  /// an animator that takes over more than that, such as what the other one still had to do, looks at it here.
  var interrupted: (any AnimatedTransitioning)? { get }
  /// The animation controller, so that an interaction controller can start it.
  var animationController: (any AnimatedTransitioning)? { get }

  /// Where a screen's layer is at the beginning, in the container.
  func initialFrame(for screen: Screen) -> Rect
  /// Where a screen's layer must be at the end, in the container.
  func finalFrame(for screen: Screen) -> Rect

  /// Tells how far the hand is, 0…1.
  func updateInteractiveTransition(_ fraction: Double)
  /// Takes hold of a transition that runs by itself.
  func pauseInteractiveTransition()
  /// The hand let go, and the new screen will be there.
  func finishInteractiveTransition()
  /// The hand let go, and the old screen will be there again.
  func cancelInteractiveTransition()

  /// Tells that the animator moves layers as one piece, such as pages side by side.
  ///
  /// Where this transition has cut another one short, what is left of the motion of a layer that was seen moves all of
  /// them. Where this one is cut short, what leaves of the piece goes along with what stays, as a picture beside it, if
  /// the next animator moves that as a piece, too.
  ///
  /// - Parameter layers: Those that move; the pictures of what has left move as the first.
  func moveTogether(_ layers: [Layer])

  /// Tells that the animation is over; exactly once.
  ///
  /// - Parameter didComplete: Whether the new screen is there: `!transitionWasCancelled`.
  func completeTransition(_ didComplete: Bool)
}

extension TransitionContext {
  /// None; contexts that can be driven by percent give theirs.
  public var animationController: (any AnimatedTransitioning)? { nil }

  /// None.
  public var interrupted: (any AnimatedTransitioning)? { nil }

  /// Does nothing.
  public func moveTogether(_ layers: [Layer]) {}

  /// Custom, as in every container.
  public var presentationStyle: PresentationStyle { .custom }

  /// Adds the new screen's layer at its final frame where it belongs: on top going forward, below the old one when
  /// going back.
  public func addToLayer() {
    to.layer.frame = finalFrame(for: to)
    if !operation.isForward, from.layer.superlayer === container {
      container.add(to.layer, below: from.layer)
    } else {
      container.add(to.layer)
    }
    to.layer.layOutIfNeeded()
  }

  /// Whether the old screen's layer is the animator's to move. Not so where it stays under what it presents: a presenter
  /// in the custom style is seen all the time, and stands where it stood.
  public var movesFromLayer: Bool { !(presentationStyle == .custom && operation == .present) }

  /// Whether the new screen's layer is the animator's to move. Not so where it stayed under what it had presented.
  public var movesToLayer: Bool { !(presentationStyle == .custom && operation == .dismiss) }

  /// First the old screen leaves, then the new one comes, each in half of the time; one that moves alone has all of it.
  func halves(
    leaving: @escaping @MainActor () -> Void, coming: @escaping @MainActor () -> Void
  ) -> [Keyframe] {
    if !movesFromLayer { return [Keyframe(start: 0, duration: 1, changes: coming)] }
    if !movesToLayer { return [Keyframe(start: 0, duration: 1, changes: leaving)] }
    return [
      Keyframe(start: 0, duration: 0.5, changes: leaving), Keyframe(start: 0.5, duration: 0.5, changes: coming),
    ]
  }
}

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
