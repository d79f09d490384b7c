import Motion
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
  var reportedFraction = 0.0
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
  var wasDriven = false
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
