/// Drives the animation of any animator from a gesture, which sets the progress and decides whether the transition
/// completes.
///
/// It works with every animator that animates with ``animate(duration:delay:curve:_:completion:)`` or a similar
/// function: the library pauses, scrubs, reverses and ends these animations. While the gesture drives the transition,
/// progress is linear.
///
/// ```swift
/// let interaction = PercentDrivenInteractiveTransition()  // returned by the provider during the gesture
/// stack.pop(animated: true)
/// interaction.update(0.4)
/// interaction.finish(velocity: 2)  // or cancel()
/// ```
@MainActor open class PercentDrivenInteractiveTransition: InteractiveTransitioning {
  /// The state of the interaction.
  public enum State: Hashable, Sendable {
    /// There is no transition.
    case inactive
    /// A gesture drives the transition, or can pause it.
    case interactive
    /// The gesture has ended, and the transition continues to its end.
    case finishing
    /// The gesture has ended, and the transition returns to its start.
    case cancelling
    /// The transition has ended.
    case completed
  }

  /// The duration in seconds that the animator returned at the start.
  public private(set) var duration = 0.0
  /// The fraction that was last passed to ``update(_:)``.
  public private(set) var percentComplete = 0.0
  /// The current state.
  public private(set) var state = State.inactive

  /// The speed of the rest after the gesture, relative to the animator's own speed. A value that is not greater than 0
  /// is reported and ignored.
  open var completionSpeed: Double = 1 {
    didSet {
      guard !(completionSpeed > 0) else { return }
      ScreenIssue.badCompletionSpeed(completionSpeed).report(on: context?.container.stage)
      completionSpeed = oldValue
    }
  }

  /// The timing curve of the rest after the gesture.
  open var completionCurve = TimingCurve.easeInOut
  /// Whether the gesture drives the transition from its start. Otherwise, the transition runs by itself until
  /// ``pause()`` is called.
  open var wantsInteractiveStart = true

  private weak var context: (any TransitionContext)?
  /// The animations, if a container outside this library created the context.
  private var group: AnimationGroup?
  private var deferredEnd: DeferredEnd?

  /// The end of a gesture whose transition has not started yet.
  private struct DeferredEnd {
    let finishes: Bool
    let velocity: Double
    /// The stage's time at the end of the gesture, or `nil` if no stage was current.
    let time: Double?
  }

  /// Creates an interaction controller. It can drive several transitions one after another.
  public init() {}

  /// Starts the transition, paused at its start.
  ///
  /// - Parameter context: The transition.
  open func startInteractiveTransition(_ context: any TransitionContext) {
    if !(context is TransitionRun) {
      ContextChecker(context: context).checkStart()
      adopt(context)
    }
    let animator = context.animationController
    if let timeline = context.container.stage?.timeline, !(context is TransitionRun) {
      let group = AnimationGroup(on: timeline)
      self.group = group
      group.hold()
      group.record { animator?.animateTransition(using: context) }
    } else {
      animator?.animateTransition(using: context)
    }
    if !(context is TransitionRun) { didStart() }
  }

  /// Sets the progress of the transition.
  ///
  /// - Parameter fraction: Limited to 0…1.
  open func update(_ fraction: Double) {
    guard isDriving("update") else { return }
    percentComplete = max(0, min(1, fraction))
    group?.scrub(to: percentComplete)
    context?.updateInteractiveTransition(percentComplete)
  }

  /// Pauses a transition that runs by itself, so that the gesture drives it.
  open func pause() {
    guard let context, state != .completed, state != .inactive else { return reportIdle("pause") }
    group?.hold()
    context.pauseInteractiveTransition()
    percentComplete = (context as? TransitionRun)?.percentComplete ?? group?.fraction ?? percentComplete
    state = .interactive
  }

  /// Ends the gesture and continues the transition to its end.
  ///
  /// Without a velocity, the rest takes (1 − ``percentComplete``) · ``duration`` / ``completionSpeed`` along
  /// ``completionCurve``. With a velocity, it is a spring that starts with that velocity.
  ///
  /// - Parameter velocity: The velocity of the gesture, in fractions per second.
  open func finish(velocity: Double = 0) {
    end(finishes: true, velocity: velocity)
  }

  /// Ends the gesture and returns the transition to its start. Without a velocity, this takes ``percentComplete`` ·
  /// ``duration`` / ``completionSpeed``.
  ///
  /// - Parameter velocity: The velocity of the gesture, in fractions per second. Negative towards the start.
  open func cancel(velocity: Double = 0) {
    end(finishes: false, velocity: velocity)
  }
}

extension PercentDrivenInteractiveTransition {
  private func adopt(_ context: any TransitionContext) {
    self.context = context
    duration = context.animationController?.transitionDuration(using: context) ?? 0
    percentComplete = 0
    state = .interactive
  }

  /// Called by the library's containers before the transition starts, even if the gesture does not drive it from the
  /// start.
  func willStart(_ run: TransitionRun) {
    context = run
    duration = run.duration
    percentComplete = 0
    state = .interactive
  }

  /// Called when the animator has started. If the gesture ended before that, applies its end now.
  func didStart() {
    guard let deferredEnd else { return }
    self.deferredEnd = nil
    // A gesture that did not start a transition, such as a swipe back at the root, must not affect a later transition.
    if let time = deferredEnd.time, let now = context?.container.stage?.now, now > time { return }
    end(finishes: deferredEnd.finishes, velocity: deferredEnd.velocity)
  }

  /// Whether the controller drives a transition or can pause one.
  var isInUse: Bool { context != nil && state != .completed }

  func didEnd() {
    state = .completed
    context = nil
    group = nil
    deferredEnd = nil
  }

  private func end(finishes: Bool, velocity: Double) {
    if context == nil, state == .inactive || state == .completed {
      // The gesture ended before the transition started.
      deferredEnd = DeferredEnd(finishes: finishes, velocity: velocity, time: StageClock.current?.now)
      return
    }
    guard isDriving(finishes ? "finish" : "cancel") else { return }
    state = finishes ? .finishing : .cancelling
    if let run = context as? TransitionRun {
      run.endInteraction(cancelled: !finishes, velocity: velocity)
      return
    }
    let context = context
    if finishes { context?.finishInteractiveTransition() } else { context?.cancelInteractiveTransition() }
    if let context { ContextChecker(context: context).checkGestureEnd(finishes: finishes) }
    runGroup(to: finishes ? .finish : .cancel, velocity: velocity)
  }

  private func runGroup(to ending: PercentDrivenCompletion.Ending, velocity: Double) {
    guard let group, let timeline = context?.container.stage?.timeline else { return }
    let motion = FractionMotion.released(
      ending, from: group.fraction, velocity: velocity, duration: duration, speed: completionSpeed,
      curve: completionCurve, at: timeline.now, reportingTo: context?.container.stage)
    let duties = context.map { ContextChecker(context: $0) }
    group.run(motion) { [weak self] in
      duties?.checkEnd(finishes: ending == .finish)
      group.dissolve()
      self?.didEnd()
    }
  }

  private func isDriving(_ call: String) -> Bool {
    if state == .interactive, let context, context.isInteractive || !(context is TransitionRun) { return true }
    reportIdle(call)
    return false
  }

  private func reportIdle(_ call: String) {
    ScreenIssue.notInteractive(call: call).report(on: context?.container.stage)
  }
}

/// Checks, as far as possible from outside, whether the context of another container fulfils the requirements of
/// ``TransitionContext``.
@MainActor private struct ContextChecker {
  let context: any TransitionContext

  /// Called when the interaction controller starts the transition.
  func checkStart() {
    if context.from.loadedLayer?.superlayer !== context.container {
      report("the layer of '\(context.from.label)' is not in its container")
    }
    if context.container.stage == nil { report("its container is on no stage") }
    if !context.isInteractive { report("it is not interactive, and a hand is started") }
    if context.animationController == nil { report("it gives its hand no animation controller") }
  }

  /// Called when the gesture has ended.
  func checkGestureEnd(finishes: Bool) {
    if context.transitionWasCancelled == finishes {
      report("transitionWasCancelled is \(finishes) after a \(finishes ? "finish" : "cancel")")
    }
  }

  /// Called when the animations have ended.
  func checkEnd(finishes: Bool) {
    let (staying, leaving) = finishes ? (context.to, context.from) : (context.from, context.to)
    let container = context.container
    if staying.loadedLayer?.superlayer !== container { report("the layer of '\(staying.label)' is gone at the end") }
    if leaving.loadedLayer?.superlayer === container, context.presentationStyle == .custom, !context.operation.presents
    {
      report("the layer of '\(leaving.label)' is still there at the end")
    }
  }

  private func report(_ problem: String) {
    let name = Transition(context.operation, from: context.from, to: context.to).label
    ScreenIssue.badContext(transition: name, found: problem).report(on: context.container.stage)
  }
}

extension TransitionOperation {
  /// Whether the layer of the screen below may stay in the container.
  fileprivate var presents: Bool { self == .present || self == .dismiss }
}
