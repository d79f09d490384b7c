import TextCanvas

/// One transition, through its seven steps; it is the context and the coordinator of the library's own
/// containers.
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
  /// Whether the end was decided without the animator, whose own call then says nothing new.
  var wasCutShort = false
  var skipReason: SkipReason?
  var pendingCompletion: Bool?
  var alongside: [@MainActor (any TransitionContext) -> Void] = []
  var completions: [@MainActor (any TransitionContext) -> Void] = []
  var interactionChanges: [@MainActor (any TransitionContext) -> Void] = []
  var interactionEnds: [@MainActor (any TransitionContext) -> Void] = []
  var watchdog: TimelineTimer?
  /// Whether the interaction controller that holds it has called it.
  private var wasDriven = false
  var furniture: [Layer] = []
  /// Whether what is seen of it still moves when it is over.
  var outlives = false
  /// What is left of the motion it interrupted.
  var carried: [Settling] = []
  /// Pictures of what left because of that interruption, or with the old screen.
  var stills: [Layer] = []
  /// The animator that it cut short.
  var interrupted: (any AnimatedTransitioning)?
  /// What its animator moves as one.
  var piece: MovingPiece?
  /// Whether the new screen's layer was in the container before.
  var toWasThere = false

  init(_ plan: TransitionPlan, handle: Transition) {
    self.plan = plan
    self.handle = handle
    frames = plan.arrange()
    handle.run = self
  }

  var stage: StageClock? { plan.container.stage }

  func involves(_ screen: Screen) -> Bool { screen === plan.from || screen === plan.to }

  /// Steps two to five. What stands behind step three in the containers, the structure, was done by them.
  func start() {
    guard let stage, isSeen else {
      startUnseen()
      return
    }
    phase = .starting
    stage.working { startSeen(on: stage) }
    if let pending = pendingCompletion, phase != .ended {
      pendingCompletion = nil
      completeTransition(pending)
    }
  }

  /// Whether it can be seen: the container is there, or the screen that presents or is dismissed.
  private var isSeen: Bool {
    (plan.isPresentation ? plan.from : plan.host).appearance == .appeared
  }

  private func startSeen(on stage: StageClock) {
    choose(on: stage)
    plan.decided(isInteractive)
    _ = plan.to.layer
    plan.host.setRun(self, isPresentation: plan.isPresentation)

    let animated = animator != nil
    if plan.fromDisappears { plan.from.beginAppearance(false, animated: animated) }
    if plan.toAppears { plan.to.beginAppearance(true, animated: animated) }
    plan.willShow()

    furniture = plan.container.sublayers.filter { $0 !== plan.from.layer && $0 !== plan.to.layer }
    addToLayer()
    if plan.toAppears { plan.to.announceAppearing() }

    guard let animator else {
      phase = .running
      complete(true)
      return
    }
    animate(with: animator, on: stage)
  }

  /// The controllers, before any `willAppear`, so that the coordinator knows whether a hand drives.
  private func choose(on stage: StageClock) {
    guard plan.isAnimated else {
      skipReason = .notAnimated
      return
    }
    let vended = plan.vend()
    switch stage.motion {
    case .none:
      skipReason = .reducedMotion
      return
    case .reduced where (vended?.animator ?? plan.defaultAnimator()).hasMotion:
      animator = CrossFadeTransition(
        duration: CrossFadeTransition.reducedMotionDuration, dissolve: Dissolve(share: 1))
    case .reduced, .full:
      animator = vended?.animator ?? plan.defaultAnimator()
    }
    interaction = hand(vended?.interaction)
    isInteractive = interaction?.wantsInteractiveStart ?? false
    initiallyInteractive = isInteractive
  }

  /// The interaction controller, unless it drives another transition.
  private func hand(_ vended: (any InteractiveTransitioning)?) -> (any InteractiveTransitioning)? {
    guard let hand = vended as? PercentDrivenInteractiveTransition, hand.isInUse else { return vended }
    ScreenIssue.handInUse(transition: handle.label).report(on: stage)
    return nil
  }

  /// What the animator says it takes, where that is a time.
  private func seconds(of animator: any AnimatedTransitioning) -> Double {
    let seconds = animator.transitionDuration(using: self)
    if seconds >= 0, seconds.isFinite { return seconds }
    ScreenIssue.badDuration(seconds, transition: handle.label).report(on: stage)
    return 0
  }

  private func addToLayer() {
    withoutAnimation {
      let layer = plan.to.layer
      toWasThere = layer.superlayer === plan.container
      layer.frame = frames.toFinal
      insert(plan.to, besides: plan.from)
      layer.layOutIfNeeded()
    }
  }

  /// Puts a screen's layer into the container, on its side of the other screen's.
  func insert(_ screen: Screen, besides other: Screen) {
    let layer = screen.layer
    guard layer.superlayer !== plan.container else { return }
    guard let neighbour = other.loadedLayer, neighbour.superlayer === plan.container else {
      return plan.container.add(layer)
    }
    if plan.goesBelow == (screen === plan.to) {
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
    watch()
  }

  /// Everything but the animation and the appearance, which a container that is not seen does not have.
  private func startUnseen() {
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
    dropCarriedMotion()
    plan.settle(true)
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

extension TransitionRun {
  /// Whether it goes back when something else begins: a pop that a hand holds does, a push is completed, and what was
  /// let go goes where it was going.
  var goesBackWhenInterrupted: Bool {
    isInteractive ? !plan.operation.isCompletedWhenInterrupted : transitionWasCancelled
  }

  /// What of its container leaves when something else begins.
  var layersLeaving: [Layer] {
    let staying = goesBackWhenInterrupted ? plan.from.loadedLayer : plan.to.loadedLayer
    return plan.container.sublayers.filter { layer in layer !== staying && !furniture.contains { $0 === layer } }
  }

  /// Is over, with all its calls, since its container leaves; what is seen of it moves to its end there, with
  /// the velocity that it has.
  ///
  /// - Returns: What still moves; nil where nothing moves, and it has simply come to its end.
  func finishOutOfSight() -> LooseMotion? {
    guard phase == .running, let stage, let group, plan.restoresLayers, !group.animators.isEmpty else {
      settleNow()
      return nil
    }
    let goesBack = goesBackWhenInterrupted
    if isInteractive { letGo(cancelled: goesBack, velocity: 0) }
    let others = carried.compactMap(\.eventTime).max() ?? stage.now
    guard phase == .running, let end = group.end(at: stage.now).map({ max($0, others) }) else {
      settleNow()
      return nil
    }
    let leaving = (goesBack ? !toWasThere : !plan.keepsFromLayer) ? [goesBack ? plan.to.layer : plan.from.layer] : []
    let strays = strays
    let settlings = carried
    outlives = true
    wasCutShort = true
    plan.queue.directly { complete(!goesBack) }
    return LooseMotion(
      until: end, in: plan.container, on: stage.timeline, pictures: strays + stills + leaving,
      takenBack: goesBack ? group : nil, piece: piece
    ) { [self] in
      group.finish(atStart: goesBack)
      group.dissolve()
      for settling in settlings { settling.stop() }
      for picture in strays + stills { picture.removeFromSuperlayer() }
      putLayersRight(completed: !goesBack)
    }
  }

  /// Seconds that a completion may be late before it is called for.
  static let patience = 1.0
  /// Seconds that a hand may hold a transition without a word, from its beginning.
  static let handPatience = 10.0

  /// Sees to it that it ends, whatever its animator and its hand do: input must not be lost for good.
  ///
  /// An animator has the time that it said, one that was let go the time that is left; what was carried over from another
  /// motion may last longer.
  func watch() {
    watchdog?.cancel()
    watchdog = nil
    guard phase == .running, let stage else { return }
    let now = stage.timeline.now
    if isInteractive {
      guard !wasDriven else { return }
      let seconds = TransitionRun.handPatience
      watchdog = TimelineTimer(at: now + seconds, on: stage.timeline) { [weak self] in self?.handIsLate(after: seconds)
      }
      return
    }
    let ends = carried.compactMap(\.eventTime) + [group?.endsItself].compactMap { $0 }
    let seconds = max(duration, (ends.max() ?? now) - now) + TransitionRun.patience
    watchdog = TimelineTimer(at: now + seconds, on: stage.timeline) { [weak self] in
      self?.completionIsLate(after: seconds)
    }
  }

  /// Notes that the interaction controller has called, and so may take as long as it likes.
  func driven() {
    guard !wasDriven else { return }
    wasDriven = true
    watch()
  }

  private func completionIsLate(after seconds: Double) {
    guard phase == .running else { return }
    let issue: ScreenIssue =
      group?.isWaiting == true
      ? .ranTooLong(transition: handle.label, said: duration, after: seconds)
      : .neverCompleted(transition: handle.label, after: seconds)
    issue.report(on: stage)
    finishNow(cancelled: transitionWasCancelled)
  }

  private func handIsLate(after seconds: Double) {
    guard phase == .running, isInteractive else { return }
    ScreenIssue.neverDriven(transition: handle.label, after: seconds).report(on: stage)
    if let hand = interaction as? PercentDrivenInteractiveTransition {
      hand.finish()
    } else {
      letGo(cancelled: false, velocity: 0)
    }
  }
}
