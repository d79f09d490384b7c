import TextCanvas

/// One transition with its seven steps, which `ScreenKit.md` lists. It is the context and the coordinator for the
/// containers of this library.
@MainActor final class TransitionRun {
  enum Phase { case ready, starting, running, ended }

  let plan: TransitionPlan
  let handle: Transition
  var frames: TransitionFrames
  var phase = Phase.ready
  var animator: (any AnimatedTransitioning)?
  var interaction: (any InteractiveTransitioning)?
  var group: AnimationGroup?
  var duration = 0.0
  var isInteractive = false
  var initiallyInteractive = false
  var transitionWasCancelled = false
  private var reportedFraction = 0.0
  var completionVelocity = 0.0
  /// Whether the transition was ended without its animator, whose own call of `completeTransition` is then ignored.
  var wasEndedExternally = false
  var skipReason: SkipReason?
  var pendingCompletion: Bool?
  var alongside: [@MainActor (any TransitionContext) -> Void] = []
  var completions: [@MainActor (any TransitionContext) -> Void] = []
  var interactionChanges: [@MainActor (any TransitionContext) -> Void] = []
  var interactionEnds: [@MainActor (any TransitionContext) -> Void] = []
  var watchdog: TimelineTimer?
  /// Whether the interaction controller has updated or ended the transition.
  private var wasDriven = false
  var existingLayers: [Layer] = []
  /// Whether the animations continue visibly after the end of the transition.
  var outlivesCompletion = false
  /// The residual springs of the transition that this one interrupted.
  var residualAnimations: [ResidualAnimation] = []
  /// The snapshots of layers that left because of the interruption, or with the old screen.
  var departingSnapshots: [Layer] = []
  /// The animator of the transition that this one interrupted.
  var interrupted: (any AnimatedTransitioning)?
  /// The layers that the animator moves as a group.
  var layerGroup: LayerGroup?
  /// Whether the new screen's layer was in the container before the transition.
  var toLayerWasAttached = false

  init(_ plan: TransitionPlan, handle: Transition) {
    self.plan = plan
    self.handle = handle
    frames = plan.arrange()
    handle.run = self
  }

  var stage: StageClock? { plan.container.stage }

  func involves(_ screen: Screen) -> Bool { screen === plan.from || screen === plan.to }

  /// Performs steps two to five. The containers change their structure (the rest of step three) before this call.
  func start() {
    guard let stage, isVisible else {
      startOffscreen()
      return
    }
    phase = .starting
    stage.working { startVisible(on: stage) }
    if let pending = pendingCompletion, phase != .ended {
      pendingCompletion = nil
      completeTransition(pending)
    }
  }

  /// Whether the transition is visible: whether the container has appeared or, for a presentation, the presenter.
  private var isVisible: Bool {
    (plan.isPresentation ? plan.from : plan.host).appearance == .appeared
  }

  private func startVisible(on stage: StageClock) {
    choose(on: stage)
    plan.decided(isInteractive)
    _ = plan.to.layer
    plan.host.setRun(self, isPresentation: plan.isPresentation)

    let animated = animator != nil
    if plan.fromDisappears { plan.from.beginAppearance(false, animated: animated) }
    if plan.toAppears { plan.to.beginAppearance(true, animated: animated) }
    plan.willShow()

    existingLayers = plan.container.sublayers.filter { $0 !== plan.from.layer && $0 !== plan.to.layer }
    addToLayer()
    if plan.toAppears { plan.to.announceAppearing() }

    guard let animator else {
      phase = .running
      complete(true)
      return
    }
    animate(with: animator, on: stage)
  }

  /// Chooses the controllers. This precedes all `willAppear` calls, so that the coordinator has the right values for
  /// them.
  private func choose(on stage: StageClock) {
    guard plan.isAnimated else {
      skipReason = .notAnimated
      return
    }
    let provided = plan.vend()
    switch stage.motion {
    case .none:
      skipReason = .reducedMotion
      return
    case .reduced where (provided?.animator ?? plan.defaultAnimator()).hasMotion:
      animator = CrossFadeTransition(
        duration: CrossFadeTransition.reducedMotionDuration, dissolve: Dissolve(rowShare: 1))
    case .reduced, .full:
      animator = provided?.animator ?? plan.defaultAnimator()
    }
    interaction = availableController(provided?.interaction)
    isInteractive = interaction?.wantsInteractiveStart ?? false
    initiallyInteractive = isInteractive
  }

  /// Returns the interaction controller, or `nil` if it is driving another transition.
  private func availableController(_ provided: (any InteractiveTransitioning)?) -> (any InteractiveTransitioning)? {
    guard let controller = provided as? PercentDrivenInteractiveTransition, controller.isInUse else { return provided }
    ScreenIssue.interactionControllerInUse(transition: handle.label).report(on: stage)
    return nil
  }

  /// Returns the duration of the animator, or 0 if that is not a valid number of seconds.
  private func seconds(of animator: any AnimatedTransitioning) -> Double {
    let seconds = animator.transitionDuration(using: self)
    if seconds >= 0, seconds.isFinite { return seconds }
    ScreenIssue.badDuration(seconds, transition: handle.label).report(on: stage)
    return 0
  }

  private func addToLayer() {
    withoutAnimation {
      let layer = plan.to.layer
      toLayerWasAttached = layer.superlayer === plan.container
      layer.frame = frames.toFinal
      insert(plan.to, besides: plan.from)
      layer.layOutIfNeeded()
    }
  }

  /// Inserts a screen's layer into the container, above or below the other screen's layer as planned.
  func insert(_ screen: Screen, besides other: Screen) {
    let layer = screen.layer
    guard layer.superlayer !== plan.container else { return }
    guard let neighbour = other.loadedLayer, neighbour.superlayer === plan.container else {
      return plan.container.add(layer)
    }
    if plan.insertsBelow == (screen === plan.to) {
      plan.container.add(layer, below: neighbour)
    } else {
      plan.container.add(layer, above: neighbour)
    }
  }

  private func animate(with animator: any AnimatedTransitioning, on stage: StageClock) {
    let group = AnimationGroup(on: stage.timeline)
    self.group = group
    duration = seconds(of: animator)
    withoutEnclosingAnimation {
      group.record {
        if let interaction {
          if isInteractive { group.hold() }
          (interaction as? PercentDrivenInteractiveTransition)?.willStart(self)
          if isInteractive {
            interaction.startInteractiveTransition(self)
          } else {
            animator.animateTransition(using: self)
          }
        } else {
          animator.animateTransition(using: self)
        }
        let waiting = alongside
        alongside = []
        for block in waiting { animateAlong(block) }
      }
    }
    phase = .running
    interrupted = nil
    (interaction as? PercentDrivenInteractiveTransition)?.didStart()
    startWatchdog()
  }

  /// Performs all steps except the animation and the appearance calls, because the container is not visible.
  private func startOffscreen() {
    skipReason = .notOnScreen
    plan.decided(false)
    phase = .running
    addToLayer()
    if !plan.keepsFromLayer { plan.from.loadedLayer?.removeFromSuperlayer() }
    if plan.fromDisappears, plan.from.appearance == .appearing { plan.from.beginAppearance(false, animated: false) }
    if plan.fromDisappears, plan.from.appearance == .disappearing { plan.from.endAppearance() }
    if plan.toAppears, plan.host.appearance == .appearing, plan.to.appearance == .disappeared {
      plan.to.beginAppearance(true, animated: false)
    }
    phase = .ended
    removeResidualAnimations()
    plan.complete(true)
    handle.end(.skipped(.notOnScreen))
  }
}

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

  func moveTogether(_ layers: [Layer]) { layerGroup = LayerGroup(layers: layers) }

  func updateInteractiveTransition(_ fraction: Double) {
    guard isInteractive, phase != .ended else { return }
    interactionDidUpdate()
    reportedFraction = max(0, min(1, fraction))
    group?.scrub(to: reportedFraction)
  }

  /// Moves to a fraction within a duration.
  func glide(to fraction: Double, within seconds: Double) {
    guard isInteractive, phase != .ended else { return }
    interactionDidUpdate()
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
    endInteraction(cancelled: false, velocity: 0)
  }

  func cancelInteractiveTransition() {
    endInteraction(cancelled: true, velocity: 0)
  }

  /// Ends the gesture.
  ///
  /// - Parameters:
  ///   - cancelled: Whether the transition returns to its start.
  ///   - velocity: In fractions per second, positive towards the end. If 0, the curve and speed of the interaction
  ///     controller are used.
  func endInteraction(cancelled: Bool, velocity: Double) {
    guard isInteractive, phase != .ended, let group, let stage else { return }
    // A movement to a fraction keeps its velocity, unless that points away from the new target.
    let groupVelocity = cancelled ? min(0, group.velocity) : max(0, group.velocity)
    let velocity = velocity == 0 ? groupVelocity : velocity
    transitionWasCancelled = cancelled
    completionVelocity = velocity
    // The state of a transition that a gesture started changes only at its end. Any other transition changed the state
    // at its start, so a reversal must change it now.
    if !initiallyInteractive { plan.directionDidChange(!cancelled) }
    changeInteraction(to: false)
    guard phase != .ended else { return }
    if !group.animators.isEmpty {
      // The residual springs of an interrupted transition have their own duration.
      group.run(
        remainingMotion(of: group, cancelled: cancelled, velocity: velocity, at: stage.timeline.now),
        notBefore: residualAnimations.compactMap(\.eventTime).max() ?? 0)
    }
    startWatchdog()
  }

  private func remainingMotion(of group: AnimationGroup, cancelled: Bool, velocity: Double, at time: Double)
    -> FractionMotion
  {
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

  /// Lets changes follow the animation that ends last. If the animator has none, animates them for its duration.
  func animateAlong(_ block: @escaping @MainActor (any TransitionContext) -> Void) {
    guard let group else { return }
    if let lead = group.lead, !lead.hasCompleted {
      // Changes that join at the start follow the animation from its start, including the head start.
      let start = group.isBeginning ? 0 : max(0, min(0.999, lead.fraction))
      AnimationRecording(lead, start: start, length: 1 - start).record { block(self) }
      return
    }
    let animator = Animator(duration: duration, curve: .easeInOut) { block(self) }
    stage?.working { group.record { animator.start() } }
  }
}

extension TransitionRun {
  /// Whether the transition is cancelled if another operation starts. True for a pop that a gesture drives, but not for
  /// a push. If the gesture has ended, true if it cancelled the transition.
  var cancelsWhenInterrupted: Bool {
    isInteractive ? !plan.operation.isCompletedWhenInterrupted : transitionWasCancelled
  }

  /// The layers of the container that leave if another operation starts.
  var layersLeaving: [Layer] {
    let staying = cancelsWhenInterrupted ? plan.from.loadedLayer : plan.to.loadedLayer
    return plan.container.sublayers.filter { layer in layer !== staying && !existingLayers.contains { $0 === layer } }
  }

  /// Ends the transition with all its calls because its container leaves. The visible layers continue to their ends
  /// with their current velocity.
  ///
  /// - Returns: The animation that continues, or `nil` if nothing moves.
  func finishOffscreen() -> DetachedAnimation? {
    guard phase == .running, let stage, let group, plan.restoresLayers, !group.animators.isEmpty else {
      completeNow()
      return nil
    }
    let goesBack = cancelsWhenInterrupted
    if isInteractive { endInteraction(cancelled: goesBack, velocity: 0) }
    let springsEnd = residualAnimations.compactMap(\.eventTime).max() ?? stage.now
    guard phase == .running, let end = group.end(at: stage.now).map({ max($0, springsEnd) }) else {
      completeNow()
      return nil
    }
    let leaving =
      (goesBack ? !toLayerWasAttached : !plan.keepsFromLayer) ? [goesBack ? plan.to.layer : plan.from.layer] : []
    let leftovers = leftoverLayers
    let springs = residualAnimations
    outlivesCompletion = true
    wasEndedExternally = true
    plan.queue.performDirectly { complete(!goesBack) }
    return DetachedAnimation(
      until: end, in: plan.container, on: stage.timeline, snapshots: leftovers + departingSnapshots + leaving,
      reversedGroup: goesBack ? group : nil, layerGroup: layerGroup
    ) { [self] in
      group.finish(atStart: goesBack)
      group.dissolve()
      for spring in springs { spring.stop() }
      for snapshot in leftovers + departingSnapshots { snapshot.removeFromSuperlayer() }
      restoreLayers(completed: !goesBack)
    }
  }

  /// Seconds by which the completion may be late before the transition is ended.
  static let completionTimeout = 1.0
  /// Seconds for which an interaction controller may hold a transition at its start without updating it.
  static let gestureTimeout = 10.0

  /// Starts a timer that ends the transition if its animator or interaction controller does not, because otherwise
  /// input would be lost.
  ///
  /// The time limit is the longest of these, plus ``completionTimeout``: the duration that the animator returned, the
  /// remaining time after a gesture, the remaining time of the residual springs. Up to the first update by an
  /// interaction controller, the limit is ``gestureTimeout``.
  func startWatchdog() {
    watchdog?.cancel()
    watchdog = nil
    guard phase == .running, let stage else { return }
    let now = stage.timeline.now
    if isInteractive {
      guard !wasDriven else { return }
      let seconds = TransitionRun.gestureTimeout
      watchdog = TimelineTimer(at: now + seconds, on: stage.timeline) { [weak self] in
        self?.gestureTimedOut(after: seconds)
      }
      return
    }
    let ends = residualAnimations.compactMap(\.eventTime) + [group?.endsItself].compactMap { $0 }
    let seconds = max(duration, (ends.max() ?? now) - now) + TransitionRun.completionTimeout
    watchdog = TimelineTimer(at: now + seconds, on: stage.timeline) { [weak self] in
      self?.completionTimedOut(after: seconds)
    }
  }

  /// Records that the interaction controller has made a call. There is no time limit after that.
  func interactionDidUpdate() {
    guard !wasDriven else { return }
    wasDriven = true
    startWatchdog()
  }

  private func completionTimedOut(after seconds: Double) {
    guard phase == .running else { return }
    let issue: ScreenIssue =
      group?.isWaiting == true
      ? .ranTooLong(transition: handle.label, expected: duration, after: seconds)
      : .neverCompleted(transition: handle.label, after: seconds)
    issue.report(on: stage)
    finishNow(cancelled: transitionWasCancelled)
  }

  private func gestureTimedOut(after seconds: Double) {
    guard phase == .running, isInteractive else { return }
    ScreenIssue.neverDriven(transition: handle.label, after: seconds).report(on: stage)
    if let controller = interaction as? PercentDrivenInteractiveTransition {
      controller.finish()
    } else {
      endInteraction(cancelled: false, velocity: 0)
    }
  }
}
