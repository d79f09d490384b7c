/// Drives any animator by percent: a hand says how far it is, and whether it ends forward or back.
///
/// It works with every animator that animates through ``animate(duration:delay:curve:_:completion:)`` and its like: the
/// system holds, scrubs, reverses and ends what that began. While the hand drives, time is linear.
///
/// ```swift
/// let hand = PercentDrivenInteractiveTransition()      // vended by the provider, while the hand pulls
/// stack.pop(animated: true)
/// hand.update(0.4)
/// hand.finish(velocity: 2)                              // or cancel()
/// ```
@MainActor open class PercentDrivenInteractiveTransition: InteractiveTransitioning {
  /// Where it stands between two transitions.
  public enum State: Hashable, Sendable {
    /// No transition.
    case inactive
    /// A hand drives, or may take hold.
    case interactive
    /// Let go, on to the end.
    case finishing
    /// Let go, back to the beginning.
    case cancelling
    /// Over.
    case completed
  }

  /// Seconds the animator takes, as it said at the start.
  public private(set) var duration = 0.0
  /// The fraction last told with ``update(_:)``.
  public private(set) var percentComplete = 0.0
  /// Where it stands.
  public private(set) var state = State.inactive

  /// How fast the rest goes; above 0, 1 is the animator's own speed. Anything else is reported and ignored.
  open var completionSpeed: Double = 1 {
    didSet {
      guard !(completionSpeed > 0) else { return }
      ScreenIssue.badCompletionSpeed(completionSpeed).report(on: context?.container.stage)
      completionSpeed = oldValue
    }
  }

  /// How the rest goes.
  open var completionCurve = TimingCurve.easeInOut
  /// Whether a hand drives from the first moment; otherwise take hold with ``pause()``.
  open var wantsInteractiveStart = true

  private weak var context: (any TransitionContext)?
  /// The animations, where the context is of a container outside this library.
  private var group: AnimationGroup?
  private var early: Early?

  /// How it was let go before there was a transition.
  private struct Early {
    let finishes: Bool
    let velocity: Double
    /// The stage's time then; nil where no stage was at work.
    let time: Double?
  }

  /// Makes one; it can drive one transition after another.
  public init() {}

  /// Begins, with the animator held at its beginning.
  open func startInteractiveTransition(_ context: any TransitionContext) {
    if !(context is TransitionRun) {
      ContextDuties(context: context).checkStart()
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

  /// Shows a fraction, 0…1.
  open func update(_ fraction: Double) {
    guard isDriving("update") else { return }
    percentComplete = max(0, min(1, fraction))
    group?.scrub(to: percentComplete)
    context?.updateInteractiveTransition(percentComplete)
  }

  /// Takes hold of the transition while it runs by itself.
  open func pause() {
    guard let context, state != .completed, state != .inactive else { return reportIdle("pause") }
    group?.hold()
    context.pauseInteractiveTransition()
    percentComplete = (context as? TransitionRun)?.percentComplete ?? group?.fraction ?? percentComplete
    state = .interactive
  }

  /// Lets go: on to the end.
  ///
  /// Takes (1 − ``percentComplete``) · ``duration`` / ``completionSpeed`` along ``completionCurve``; with a velocity, a
  /// spring that takes the velocity over.
  ///
  /// - Parameter velocity: Of the hand, in fractions a second.
  open func finish(velocity: Double = 0) {
    end(finishes: true, velocity: velocity)
  }

  /// Lets go: back to the beginning, in ``percentComplete`` · ``duration`` / ``completionSpeed``.
  ///
  /// - Parameter velocity: Of the hand, in fractions a second; negative on the way back.
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

  /// Called by the library's containers before they start it, also where it may only take hold later.
  func willStart(_ run: TransitionRun) {
    context = run
    duration = run.duration
    percentComplete = 0
    state = .interactive
  }

  /// Called when the animator has begun: what the hand did too early is done now.
  func didStart() {
    guard let early else { return }
    self.early = nil
    // A hand that let go of nothing, such as one that pulls at the root, has nothing to do with what begins later.
    if let time = early.time, let now = context?.container.stage?.now, now > time { return }
    end(finishes: early.finishes, velocity: early.velocity)
  }

  /// Whether it drives a transition, or may take hold of one.
  var isInUse: Bool { context != nil && state != .completed }

  func didEnd() {
    state = .completed
    context = nil
    group = nil
    early = nil
  }

  private func end(finishes: Bool, velocity: Double) {
    if context == nil, state == .inactive || state == .completed {
      // The hand was quicker than the start.
      early = Early(finishes: finishes, velocity: velocity, time: StageClock.current?.now)
      return
    }
    guard isDriving(finishes ? "finish" : "cancel") else { return }
    state = finishes ? .finishing : .cancelling
    if let run = context as? TransitionRun {
      run.letGo(cancelled: !finishes, velocity: velocity)
      return
    }
    let context = context
    if finishes { context?.finishInteractiveTransition() } else { context?.cancelInteractiveTransition() }
    if let context { ContextDuties(context: context).checkLetGo(finishes: finishes) }
    runGroup(to: finishes ? .finish : .cancel, velocity: velocity)
  }

  private func runGroup(to ending: PercentDrivenCompletion.Ending, velocity: Double) {
    guard let group, let timeline = context?.container.stage?.timeline else { return }
    let motion = FractionMotion.released(
      ending, from: group.fraction, velocity: velocity, duration: duration, speed: completionSpeed,
      curve: completionCurve, at: timeline.now, reportingTo: context?.container.stage)
    let duties = context.map { ContextDuties(context: $0) }
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

/// What can be seen from outside of whether a container's own context does what ``TransitionContext`` asks of it.
@MainActor struct ContextDuties {
  let context: any TransitionContext

  /// When its hand starts it.
  func checkStart() {
    if context.from.loadedLayer?.superlayer !== context.container {
      report("the layer of '\(context.from.label)' is not in its container")
    }
    if context.container.stage == nil { report("its container is on no stage") }
    if !context.isInteractive { report("it is not interactive, and a hand is started") }
    if context.animationController == nil { report("it gives its hand no animation controller") }
  }

  /// When its hand has let go.
  func checkLetGo(finishes: Bool) {
    if context.transitionWasCancelled == finishes {
      report("transitionWasCancelled is \(finishes) after a \(finishes ? "finish" : "cancel")")
    }
  }

  /// When the animations under its hand have arrived.
  func checkEnd(finishes: Bool) {
    let (staying, leaving) = finishes ? (context.to, context.from) : (context.from, context.to)
    let container = context.container
    if staying.loadedLayer?.superlayer !== container { report("the layer of '\(staying.label)' is gone at the end") }
    if leaving.loadedLayer?.superlayer === container, context.presentationStyle == .custom, !context.operation.presents
    {
      report("the layer of '\(leaving.label)' is still there at the end")
    }
  }

  private func report(_ found: String) {
    let name = Transition(context.operation, from: context.from, to: context.to).label
    ScreenIssue.badContext(transition: name, found: found).report(on: context.container.stage)
  }
}

extension TransitionOperation {
  /// Whether the screen below may stay.
  fileprivate var presents: Bool { self == .present || self == .dismiss }
}
