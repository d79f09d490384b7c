public import TextCanvas

extension Screen {
  /// The coordinator of the transition in which this screen takes part, or of the transition that runs in this screen.
  /// `nil` if there is none.
  ///
  /// Available to both screens of the transition, their children at any depth, the container, and the ancestors of the
  /// container.
  public var transitionCoordinator: (any TransitionCoordinator)? {
    if let coordinator = involvedRun { return coordinator }
    return runInAncestors
  }

  private var involvedRun: TransitionRun? {
    for screen in ancestry {
      for host in [screen.parent, screen.presenting, screen] {
        for run in host?.runs ?? [] where run.phase != .ended && run.involves(screen) { return run }
      }
    }
    return nil
  }

  private var runInAncestors: TransitionRun? {
    if let run = runs.first(where: { $0.phase != .ended && $0.animator != nil }) { return run }
    for child in shownChildren {
      if let run = child.runInAncestors { return run }
    }
    return nil
  }

  /// The transition that runs in this container, and the one by which it presents or dismisses a screen.
  var runs: [TransitionRun] { [run, presentationRun].compactMap { $0 } }

  /// The running presentation or dismissal anywhere in the chain of presented screens, or `nil`. A new one in the
  /// same chain interrupts it.
  private var runningPresentation: TransitionRun? {
    sequence(first: outermostPresenter, next: \.presented).lazy.compactMap(\.presentationRun).first
  }

  /// The screen at the beginning of the chain of presented screens. Its queue orders all their presentations.
  var outermostPresenter: Screen {
    var screen = root
    while let presenter = screen.presenting { screen = presenter.root }
    return screen
  }

  func setRun(_ run: TransitionRun?, isPresentation: Bool) {
    if isPresentation { presentationRun = run } else { self.run = run }
  }

  private func currentDetachedAnimation(isPresentation: Bool) -> DetachedAnimation? {
    isPresentation ? detachedModalAnimation : detachedAnimation
  }

  private func setDetachedAnimation(_ motion: DetachedAnimation?, isPresentation: Bool) {
    if isPresentation { detachedModalAnimation = motion } else { detachedAnimation = motion }
  }

  /// Ends the transitions that run in this screen, because the screen leaves.
  ///
  /// - Parameter animated: Whether the screen leaves visibly. If so, the animations in it continue during that time.
  func finishRunningTransitions(animated: Bool) {
    guard animated else {
      run?.completeNow()
      detachedAnimation?.end()
      detachedAnimation = nil
      return
    }
    guard let run else { return }
    detachedAnimation?.end()
    detachedAnimation = run.finishOffscreen()
  }

  /// Whether animations of an ended transition are still visible in the screen.
  package var hasDetachedAnimations: Bool { detachedAnimation?.isMoving == true }

  /// Ends the animations of ended transitions in the screen and its children at any depth.
  func removeDetachedAnimations() {
    for motion in [detachedAnimation, detachedModalAnimation] { motion?.end() }
    (detachedAnimation, detachedModalAnimation) = (nil, nil)
    for child in children { child.removeDetachedAnimations() }
  }

  /// Starts a transition that replaces the running one. The running transition ends first, and the new one continues
  /// from its presented positions.
  func replaceRunning(isPresentation: Bool = false, with start: () -> TransitionRun?) {
    let running = isPresentation ? runningPresentation : run
    let owner = isPresentation ? outermostPresenter : self
    let detached = owner.currentDetachedAnimation(isPresentation: isPresentation)
    let interrupted = running?.phase == .running ? running?.animator : nil
    if let running { interrupted?.willBeInterrupted(goingBack: running.cancelsWhenInterrupted) }
    var capturedMotion = running.map { CapturedMotion(of: $0) } ?? CapturedMotion(of: detached)
    running?.completeNow()
    detached?.end()
    owner.setDetachedAnimation(nil, isPresentation: isPresentation)
    guard let next = start() else {
      owner.setDetachedAnimation(capturedMotion?.makeDetachedAnimation(), isPresentation: isPresentation)
      return
    }
    // A transition that continues another one starts without the head start, and so do all of its layers.
    let timeline = next.stage?.timeline
    let headStart = timeline?.headStart ?? 0
    if capturedMotion != nil { timeline?.headStart = 0 }
    next.interrupted = interrupted
    next.start()
    if next.skipReason == .notOnScreen {
      // A transition of a container that is not visible is not animated, but the remaining motion in it must still come
      // to rest.
      owner.setDetachedAnimation(capturedMotion?.makeDetachedAnimation(), isPresentation: isPresentation)
    } else {
      capturedMotion?.apply(into: next)
      (next.animator as? any HidingOriginals)?.motionWasContinued()
    }
    timeline?.headStart = headStart
  }

  /// Replaces a child with another one in an animation block: adds the new layer, runs the block as an animation, and
  /// removes the old layer.
  ///
  /// Call `addChild(to)` and `from.willMove(to: nil)` before, and `to.didMove(to: self)` and `from.removeFromParent()`
  /// in the completion. The caller sets the frames and appearance of the layers.
  ///
  /// - Parameters:
  ///   - from: The visible child.
  ///   - to: The child to show.
  ///   - duration: Seconds. At 0 the child is replaced immediately, with the same calls.
  ///   - curve: The timing curve.
  ///   - animations: Changes to layers.
  ///   - completion: Called once after the old layer was removed. `finished` is whether the new screen is visible.
  /// - Returns: The transition.
  /// - Throws: `ContainmentError.noCommonParent` if one of the screens is not a child of this screen;
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
    if to.reportedParent === self { ScreenIssue.movedTooEarly(screen: to.label).report(on: stage) }
    let handle = Transition(.replace, from: from, to: to)
    operations.perform {
      self.replaceRunning {
        var frames = TransitionFrames.stationary(in: to.layer.frame)
        frames.fromInitial = from.layer.frame
        var plan = TransitionPlan(
          operation: .replace, host: self, container: from.layer.superlayer ?? self.layer, from: from, to: to,
          isAnimated: duration > 0, arrange: { frames },
          defaultAnimator: { BlockTransition(duration: duration, curve: curve, animations: animations) },
          complete: { completion?($0) })
        plan.restoresLayers = false
        return TransitionRun(plan, handle: handle)
      }
      if duration <= 0 { animations?() }
    }
    return handle
  }
}

/// An animator that runs an animation block.
@MainActor private final class BlockTransition: AnimatedTransitioning {
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
  /// Shows another screen in a container of your own, with all features of the library's containers: ``transitions``
  /// provides the controllers, the screens get their calls in order and have a coordinator, the motion preference is
  /// respected, running transitions are interrupted without a jump, and overdue transitions are ended.
  ///
  /// If the new screen is not a child yet, it becomes one, and the old screen is removed at the end. A cancellation
  /// undoes this. If both screens are already children, the caller decides which of them stays a child: call
  /// `willMove(to: nil)` of the leaving screen before this function, and `didMove(to:)` or `removeFromParent()` in
  /// `completion`.
  ///
  /// ```swift
  /// try transition(from: page, to: next, operation: .replace) { self.page = $0 }
  /// ```
  ///
  /// - Parameters:
  ///   - from: The visible child.
  ///   - to: The screen to show.
  ///   - operation: The operation that is passed to the provider. It also determines the side from which the new screen
  ///     enters.
  ///   - animated: Whether the transition is animated.
  ///   - container: The layer that contains the screens' layers. If `nil`, the superlayer of the old screen's layer.
  ///   - frame: Returns the frame of a screen at rest in the container. Called again after each layout. If `nil`, the
  ///     container's bounds.
  ///   - animator: Creates the animator if the provider returns none.
  ///   - completion: Called once at the end, before the completions of the animator and the coordinator. `shown` is
  ///     whether the new screen is visible.
  ///   - shows: Called with the screen that receives key events, each time it changes: the new screen at the start, the
  ///     old one while a gesture drives the transition or after a reversal, and the visible one at the end.
  /// - Returns: The transition.
  /// - Throws: `ContainmentError.noCommonParent` if the old screen is not a child; `ContainmentError.sameScreen`;
  ///   `containsItself`, `ownedByContainer` or `presented` if the new screen is contained or presented elsewhere.
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
        let destination = container ?? from.loadedLayer?.superlayer ?? self.layer
        // The interrupted transition may have removed the old screen. Then another child is visible.
        let present = self.children.filter { $0.loadedLayer?.superlayer === destination }
        let from = present.contains { $0 === from } ? from : present.last ?? from
        guard from !== to else {
          shows(to)
          completion(true)
          handle.end(.skipped(.superseded))
          return nil
        }
        var plan = self.plan(operation, from: from, to: to, in: destination, shows: shows, completion: completion)
        plan.isAnimated = animated
        plan.defaultAnimator = animator
        plan.arrange = {
          let restingFrame = frame?() ?? destination.bounds
          return .sideways(in: restingFrame, columns: operation.isForward ? restingFrame.width : -restingFrame.width)
        }
        plan.askProvider()
        return TransitionRun(plan, handle: handle)
      }
    }
    return handle
  }

  /// Plans the structure: which screens are children during the transition and at its end.
  private func plan(
    _ operation: TransitionOperation, from: Screen, to: Screen, in container: Layer,
    shows: @escaping @MainActor (Screen) -> Void, completion: @escaping @MainActor (Bool) -> Void
  ) -> TransitionPlan {
    let joins = to.parent !== self
    if joins {
      from.willMove(to: nil)
      addChild(to)
    }
    shows(to)
    var plan = TransitionPlan(
      operation: operation, host: self, container: container, from: from, to: to, isAnimated: true,
      arrange: { .stationary(in: container.bounds) }, insertsBelow: operation == .pop || operation == .dismiss,
      defaultAnimator: { SlideTransition() },
      complete: { [unowned self] completed in
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
    plan.directionDidChange = { towardsNew in shows(towardsNew ? to : from) }
    plan.completeWithoutCallbacks = { [unowned self] completed in
      let (leaving, staying) = completed ? (from, to) : (to, from)
      shows(staying)
      if joins { self.replaceChildren([staying], replacing: [leaving]) }
    }
    return plan
  }
}
