import Motion
import TextCanvas

extension TransitionRun: TransitionContext {
  var container: Layer { plan.container }
  var from: Screen { plan.from }
  var to: Screen { plan.to }
  var operation: TransitionOperation { plan.operation }
  var presentationStyle: PresentationStyle { plan.style }
  var isAnimated: Bool { animator != nil }
  var animationController: (any AnimatedTransitioning)? { animator }

  func initialFrame(for screen: Screen) -> Rect {
    screen === plan.from ? frames.fromInitial : frames.toInitial
  }

  func finalFrame(for screen: Screen) -> Rect {
    screen === plan.from ? frames.fromFinal : frames.toFinal
  }

  func moveTogether(_ layers: [Layer]) { piece = MovingPiece(layers: layers) }

  func updateInteractiveTransition(_ fraction: Double) {
    guard isInteractive, phase != .ended else { return }
    driven()
    reportedFraction = max(0, min(1, fraction))
    group?.scrub(to: reportedFraction)
  }

  /// Goes to a fraction in a time of its own.
  func glide(to fraction: Double, within seconds: Double) {
    guard isInteractive, phase != .ended else { return }
    driven()
    reportedFraction = max(0, min(1, fraction))
    group?.glide(to: reportedFraction, within: seconds)
  }

  func pauseInteractiveTransition() {
    guard phase == .running, !isInteractive, let group else { return }
    group.hold()
    reportedFraction = group.fraction
    transitionWasCancelled = false
    wasDriven = true
    watchdog?.cancel()
    changeInteraction(to: true)
  }

  func finishInteractiveTransition() {
    letGo(cancelled: false, velocity: 0)
  }

  func cancelInteractiveTransition() {
    letGo(cancelled: true, velocity: 0)
  }

  /// The hand lets go.
  ///
  /// - Parameter velocity: Fractions a second, towards the end where positive; 0 takes the interaction controller's
  ///   curve and speed.
  func letGo(cancelled: Bool, velocity: Double) {
    guard isInteractive, phase != .ended, let group, let stage else { return }
    // What glides after a hand keeps its speed, unless that is away from where it shall go.
    let own = cancelled ? min(0, group.velocity) : max(0, group.velocity)
    let velocity = velocity == 0 ? own : velocity
    transitionWasCancelled = cancelled
    completionVelocity = velocity
    // What a hand has begun is decided when it is over; what was decided before is undone now.
    if !initiallyInteractive { plan.heads(!cancelled) }
    changeInteraction(to: false)
    guard phase != .ended else { return }
    if !group.animators.isEmpty {
      // What was carried over from another motion has its own time to die away.
      group.run(
        rest(of: group, cancelled: cancelled, velocity: velocity, at: stage.timeline.now),
        notBefore: carried.compactMap(\.eventTime).max() ?? 0)
    }
    watch()
  }

  private func rest(of group: AnimationGroup, cancelled: Bool, velocity: Double, at time: Double) -> FractionMotion {
    let length = duration > 0 ? duration : group.duration
    return .released(
      cancelled ? .cancel : .finish, from: group.fraction, velocity: velocity, duration: length,
      speed: interaction?.completionSpeed ?? 1, curve: completionCurve, at: time, reportingTo: stage)
  }

  func changeInteraction(to interactive: Bool) {
    guard isInteractive != interactive else { return }
    isInteractive = interactive
    for call in interactionChanges { call(self) }
    if !interactive {
      let calls = interactionEnds
      interactionEnds = []
      for call in calls { call(self) }
    }
  }
}

extension TransitionRun: TransitionCoordinator {
  var context: any TransitionContext { self }
  var isCancelled: Bool { transitionWasCancelled }
  var isInterruptible: Bool { animator != nil }
  var completionCurve: TimingCurve { interaction?.completionCurve ?? .easeInOut }
  var transitionDuration: Double { duration }

  var percentComplete: Double {
    guard phase != .ended, let group, !group.animators.isEmpty else { return reportedFraction }
    return group.fraction
  }

  func animate(
    alongside animation: (@MainActor (any TransitionContext) -> Void)?,
    completion: (@MainActor (any TransitionContext) -> Void)?
  ) -> Bool {
    guard phase != .ended else { return false }
    if let completion { completions.append(completion) }
    if let animation {
      if phase == .running { animateAlong(animation) } else { alongside.append(animation) }
    }
    return true
  }

  func notifyWhenInteractionChanges(_ body: @escaping @MainActor (any TransitionContext) -> Void) {
    if phase != .ended { interactionChanges.append(body) }
  }

  func notifyWhenInteractionEnds(_ body: @escaping @MainActor (any TransitionContext) -> Void) {
    if phase != .ended { interactionEnds.append(body) }
  }

  /// Lets changes follow the animation that ends last; where the animator has none, one of its duration.
  func animateAlong(_ block: @escaping @MainActor (any TransitionContext) -> Void) {
    guard let group else { return }
    if let lead = group.lead, !lead.hasCompleted {
      // Who joins in the moment of the beginning goes all the way along, a head start too.
      let start = group.isBeginning ? 0 : max(0, min(0.999, lead.fraction))
      AnimationRecording(lead, start: start, length: 1 - start).record { block(self) }
      return
    }
    let animator = Animator(duration: duration, curve: .easeInOut) { block(self) }
    stage?.working { group.record { animator.start() } }
  }
}
