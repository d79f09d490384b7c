public import Motion

extension Screen {
  /// The way into the transition that this screen takes part in, or that runs in it; nil while none runs.
  ///
  /// Both screens of a transition have it, what is in them, the container, and what the container is in.
  public var transitionCoordinator: (any TransitionCoordinator)? {
    if let coordinator = takenPart { return coordinator }
    return runWithin
  }

  private var takenPart: TransitionRun? {
    for screen in ancestry {
      for host in [screen.parent, screen.presenting, screen] {
        for run in host?.runs ?? [] where run.phase != .ended && run.involves(screen) { return run }
      }
    }
    return nil
  }

  private var runWithin: TransitionRun? {
    if let run = runs.first(where: { $0.phase != .ended && $0.animator != nil }) { return run }
    for child in shownChildren {
      if let run = child.runWithin { return run }
    }
    return nil
  }

  /// The transitions that run in this container, and the one by which it presents.
  var runs: [TransitionRun] { [run, presentationRun].compactMap { $0 } }

  /// The presentation or dismissal that runs anywhere in the chain of presented screens: they share one place.
  private var runningPresentation: TransitionRun? {
    sequence(first: outermostPresenter, next: \.presented).lazy.compactMap(\.presentationRun).first
  }

  /// The screen at the beginning of the chain of presented screens; its queue orders all their presentations.
  var outermostPresenter: Screen {
    var screen = root
    while let presenter = screen.presenting { screen = presenter.root }
    return screen
  }

  func setRun(_ run: TransitionRun?, isPresentation: Bool) {
    if isPresentation { presentationRun = run } else { self.run = run }
  }

  private func looseMotion(isPresentation: Bool) -> LooseMotion? { isPresentation ? looseModals : loose }

  private func setLooseMotion(_ motion: LooseMotion?, isPresentation: Bool) {
    if isPresentation { looseModals = motion } else { loose = motion }
  }

  /// Brings what runs in it to its end at once, because it leaves itself.
  ///
  /// - Parameter animated: Whether it is seen to leave; then what moves in it dies away on the way.
  func finishRunningTransitions(animated: Bool) {
    guard animated else {
      run?.settleNow()
      loose?.end()
      loose = nil
      return
    }
    guard let run else { return }
    loose?.end()
    loose = run.finishOutOfSight()
  }

  /// Whether something is still seen to move in it of a transition that is over.
  package var isComingToRest: Bool { loose?.isMoving == true }

  /// Ends what still moves after a transition, in it and in all that it contains.
  func dropLooseMotion() {
    for motion in [loose, looseModals] { motion?.end() }
    (loose, looseModals) = (nil, nil)
    for child in children { child.dropLooseMotion() }
  }

  /// Does something that replaces whatever runs: that comes to its end first, and what is seen continues from where it
  /// is.
  func replaceRunning(isPresentation: Bool = false, with start: () -> TransitionRun?) {
    let running = isPresentation ? runningPresentation : run
    let keeper = isPresentation ? outermostPresenter : self
    let loose = keeper.looseMotion(isPresentation: isPresentation)
    let interrupted = running?.phase == .running ? running?.animator : nil
    if let running { interrupted?.willBeInterrupted(goingBack: running.goesBackWhenInterrupted) }
    var seen = running.map { CarriedMotion(of: $0) } ?? CarriedMotion(of: loose)
    running?.settleNow()
    loose?.end()
    keeper.setLooseMotion(nil, isPresentation: isPresentation)
    guard let next = start() else {
      keeper.setLooseMotion(seen?.settleAlone(), isPresentation: isPresentation)
      return
    }
    // What carries another motion on begins where that is, and all of its layers do: they belong together.
    let timeline = next.stage?.timeline
    let headStart = timeline?.headStart ?? 0
    if seen != nil { timeline?.headStart = 0 }
    next.interrupted = interrupted
    next.start()
    if next.skipReason == .notOnScreen {
      // What leaves, or only comes, shows no transition; what is seen in it comes to rest all the same.
      keeper.setLooseMotion(seen?.settleAlone(), isPresentation: isPresentation)
    } else {
      seen?.settle(into: next)
    }
    timeline?.headStart = headStart
  }
}

extension Screen {
  /// Switches between two children of this screen with an animation block, in the simple way: the new layer is added,
  /// the block animated, the old layer taken away.
  ///
  /// Before it: `addChild(to)`, and `from.willMove(to: nil)`. In the completion: `to.didMove(to: self)`, and
  /// `from.removeFromParent()`. The layers' frames and looks are the caller's.
  ///
  /// - Parameters:
  ///   - from: The child that is shown.
  ///   - to: The child to show.
  ///   - duration: Seconds; 0 switches at once, with the same calls.
  ///   - curve: How progress follows from time.
  ///   - animations: Changes to layers.
  ///   - completion: Called once, when the old layer is gone; `finished` tells whether the new screen is there.
  /// - Throws: `ContainmentError.noCommonParent` where one of them is no child of this screen,
  ///   `ContainmentError.sameScreen`.
  @discardableResult
  public func transition(
    from: Screen, to: Screen, duration: Double, curve: TimingCurve = .easeInOut,
    animations: (@MainActor () -> Void)? = nil, completion: (@MainActor (_ finished: Bool) -> Void)? = nil
  ) throws(ContainmentError) -> Transition {
    guard from.parent === self, to.parent === self else {
      throw .noCommonParent(from: from.label, to: to.label, container: label)
    }
    guard from !== to else { throw .sameScreen(screen: to.label, container: label) }
    if to.acknowledgedParent === self { ScreenIssue.movedTooEarly(screen: to.label).report(on: stage) }
    let handle = Transition(.replace, from: from, to: to)
    operations.perform {
      self.replaceRunning {
        var frames = TransitionFrames.still(in: to.layer.frame)
        frames.fromInitial = from.layer.frame
        var plan = TransitionPlan(
          operation: .replace, host: self, container: from.layer.superlayer ?? self.layer, from: from, to: to,
          isAnimated: duration > 0, arrange: { frames },
          defaultAnimator: { BlockTransition(duration: duration, curve: curve, animations: animations) },
          settle: { completion?($0) })
        plan.restoresLayers = false
        return TransitionRun(plan, handle: handle)
      }
      if duration <= 0 { animations?() }
    }
    return handle
  }
}

/// Animates a block, as the whole of a transition.
@MainActor final class BlockTransition: AnimatedTransitioning {
  private let duration: Double
  private let curve: TimingCurve
  private let animations: (@MainActor () -> Void)?

  init(duration: Double, curve: TimingCurve, animations: (@MainActor () -> Void)?) {
    self.duration = duration
    self.curve = curve
    self.animations = animations
  }

  var hasMotion: Bool { false }

  func transitionDuration(using context: (any TransitionContext)?) -> Double { duration }

  func animateTransition(using context: any TransitionContext) {
    let animator = Animator(duration: duration, curve: curve, animations: animations)
    animator.addCompletion { _ in context.completeTransition(!context.transitionWasCancelled) }
    animator.start()
  }
}
