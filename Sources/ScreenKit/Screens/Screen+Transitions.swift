public import TextCanvas

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
      (next.animator as? MatchedTransition)?.fitLooks()
    }
    timeline?.headStart = headStart
  }

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

extension Screen {
  /// Shows another screen in a container of your own, with all that the library's containers have: ``transitions`` is
  /// asked for animator and hand, the screens hear their calls in order and have a coordinator, less motion is respected,
  /// whatever runs is interrupted without a jump, and what never ends is ended.
  ///
  /// A screen that is no child yet becomes one and takes the place of the old one, which leaves; a cancel undoes that.
  /// Where both are children already, the container settles in `completion` which of them stays one: then call
  /// `willMove(to: nil)` of what leaves before this, and `didMove(to:)` or `removeFromParent()` in there.
  ///
  /// ```swift
  /// try transition(from: page, to: next, operation: .replace) { self.page = $0 }
  /// ```
  ///
  /// - Parameters:
  ///   - from: The child that is shown.
  ///   - to: The screen to show.
  ///   - operation: What the provider is asked for; also sets the side from which the new screen comes.
  ///   - animated: Whether it is animated.
  ///   - container: The layer that holds the screens' layers; nil is the one that the old screen's is in.
  ///   - frame: Where a screen lies in that layer, asked again after each layout; nil is the whole of it.
  ///   - animator: Makes the animator where the provider has none.
  ///   - shows: Called with the screen that the keys are for, whenever that is another one: the new one when it begins,
  ///     the old one while a hand holds it or when it is turned around, and at the end the one that is there.
  ///   - completion: Called once at the end, before the animator's and the coordinator's completions; `shown` is whether
  ///     the new screen is there.
  /// - Throws: `ContainmentError.noCommonParent` where the old screen is no child, `ContainmentError.sameScreen`;
  ///   `containsItself`, `heldElsewhere` or `presented` for a new screen that has another place.
  @discardableResult
  public func transition(
    from: Screen, to: Screen, operation: TransitionOperation, animated: Bool = true, in container: Layer? = nil,
    frame: (@MainActor () -> Rect)? = nil,
    by animator: @escaping @MainActor () -> any AnimatedTransitioning = { SlideTransition() },
    completion: @escaping @MainActor (_ shown: Bool) -> Void = { _ in }, shows: @escaping @MainActor (Screen) -> Void
  ) throws(ContainmentError) -> Transition {
    guard from.parent === self else { throw .noCommonParent(from: from.label, to: to.label, container: label) }
    guard from !== to else { throw .sameScreen(screen: to.label, container: label) }
    if let refusal = refusal(of: to) { throw refusal }
    let handle = Transition(operation, from: from, to: to)
    operations.perform {
      self.replaceRunning {
        let place = container ?? from.loadedLayer?.superlayer ?? self.layer
        // What was interrupted may have taken the old screen away again: then another child is there.
        let inPlace = self.children.filter { $0.loadedLayer?.superlayer === place }
        let from = inPlace.contains { $0 === from } ? from : inPlace.last ?? from
        guard from !== to else {
          shows(to)
          completion(true)
          handle.end(.skipped(.superseded))
          return nil
        }
        var plan = self.plan(operation, from: from, to: to, in: place, shows: shows, completion: completion)
        plan.isAnimated = animated
        plan.defaultAnimator = animator
        plan.arrange = {
          let rest = frame?() ?? place.bounds
          return .sideways(in: rest, columns: operation.isForward ? rest.width : -rest.width)
        }
        plan.askProvider()
        return TransitionRun(plan, handle: handle)
      }
    }
    return handle
  }

  /// The structure: which screens are children while it runs, and which at the end.
  private func plan(
    _ operation: TransitionOperation, from: Screen, to: Screen, in place: Layer,
    shows: @escaping @MainActor (Screen) -> Void, completion: @escaping @MainActor (Bool) -> Void
  ) -> TransitionPlan {
    let joins = to.parent !== self
    if joins {
      from.willMove(to: nil)
      addChild(to)
    }
    shows(to)
    var plan = TransitionPlan(
      operation: operation, host: self, container: place, from: from, to: to, isAnimated: true,
      arrange: { .still(in: place.bounds) }, goesBelow: operation == .pop || operation == .dismiss,
      defaultAnimator: { SlideTransition() },
      settle: { [unowned self] completed in
        let (leaving, staying) = completed ? (from, to) : (to, from)
        shows(staying)
        if joins {
          if !completed { leaving.willMove(to: nil) }
          leaving.removeFromParent()
          staying.didMove(to: self)
        }
        completion(completed)
      })
    plan.decided = { isInteractive in
      if isInteractive { shows(from) }
    }
    plan.heads = { towardsNew in shows(towardsNew ? to : from) }
    plan.settleUntold = { [unowned self] completed in
      let (leaving, staying) = completed ? (from, to) : (to, from)
      shows(staying)
      if joins { self.takeChildren([staying], insteadOf: [leaving]) }
    }
    return plan
  }
}
