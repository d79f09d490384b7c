import TextCanvas

extension TransitionRun {
  /// Steps six and seven; exactly once. Success that is claimed after a cancel is overruled: the structure is as it was
  /// already.
  func completeTransition(_ didComplete: Bool) {
    switch phase {
    case .starting:
      if pendingCompletion != nil { reportSecondCompletion() } else { pendingCompletion = didComplete }
    case .ready, .running:
      if didComplete, transitionWasCancelled {
        ScreenIssue.completedAgainstCancel(transition: handle.label).report(on: stage)
      }
      complete(didComplete && !transitionWasCancelled)
    case .ended:
      if wasCutShort { wasCutShort = false } else { reportSecondCompletion() }
    }
  }

  private func reportSecondCompletion() {
    ScreenIssue.completedTwice(transition: handle.label).report(on: stage)
  }

  func complete(_ didComplete: Bool) {
    guard phase != .ended else { return }
    if plan.queue.wouldWait {
      finishSteps(didComplete)
    } else {
      plan.queue.perform { self.finishSteps(didComplete) }
    }
  }

  private func finishSteps(_ didComplete: Bool) {
    guard phase != .ended else { return }
    phase = .ended
    transitionWasCancelled = !didComplete
    watchdog?.cancel()
    watchdog = nil
    if !outlives { dropCarriedMotion() }
    let stage = stage
    let work = {
      if didComplete { self.arrive() } else { self.goBack() }
      self.tidy(didComplete)
      self.plan.settle(didComplete)
      self.animator?.animationEnded(didComplete)
      self.callCompletions(didComplete)
    }
    if let stage { stage.working(work) } else { work() }
  }

  func dropCarriedMotion() {
    for settling in carried { settling.stop() }
    carried = []
    for still in stills { still.removeFromSuperlayer() }
    stills = []
  }

  private func arrive() {
    if !outlives {
      checkEndState(plan.to, at: frames.toFinal)
      group?.dissolve()
      putBack(plan.to)
      if plan.keepsFromLayer { putBack(plan.from) }
      putLayersRight(completed: true)
    }
    plan.beforeCallbacks(true)
    if plan.appearsFirst {
      if plan.toAppears { plan.to.endAppearance() }
      if plan.fromDisappears { plan.from.endAppearance() }
    } else {
      if plan.fromDisappears { plan.from.endAppearance() }
      if plan.toAppears { plan.to.endAppearance() }
    }
  }

  /// Back within one turn, so that the halfway state is never seen.
  private func goBack() {
    if !outlives {
      group?.finish(atStart: true)
      group?.dissolve()
      putBack(plan.from)
    }
    if plan.toAppears {
      plan.to.beginAppearance(false, animated: animator != nil)
      plan.to.endAppearance()
    }
    if plan.fromDisappears {
      plan.from.beginAppearance(true, animated: animator != nil)
      plan.from.endAppearance()
    }
    if !outlives { putLayersRight(completed: false) }
  }

  /// Takes away the layer of the screen that has left, and puts both layers' looks right.
  func putLayersRight(completed: Bool) {
    if completed, !plan.keepsFromLayer { plan.from.layer.removeFromSuperlayer() }
    if !completed, !toWasThere { plan.to.layer.removeFromSuperlayer() }
    putRight()
  }

  /// Puts the layer of a screen that stays back where it belongs, if the animator has taken it away.
  private func putBack(_ screen: Screen) {
    guard animator != nil, screen.layer.superlayer !== plan.container else { return }
    ScreenIssue.wrongEndState(transition: handle.label, found: "'\(screen.label)' taken out of the container")
      .report(on: stage)
    insert(screen, besides: screen === plan.to ? plan.from : plan.to)
  }

  /// Identity transforms and full opacity, whichever way it ended.
  private func putRight() {
    guard plan.restoresLayers else { return }
    withoutAnimation {
      for (layer, frame) in [(plan.from.layer, frames.fromInitial), (plan.to.layer, frames.toFinal)] {
        layer.transform = .identity
        layer.opacity = 1
        layer.dissolve = nil
        layer.dissolved = 0
        layer.frame = frame
      }
    }
  }

  private func checkEndState(_ screen: Screen, at frame: Rect) {
    guard plan.restoresLayers, animator != nil, screen.layer.frame != frame else { return }
    let found = screen.layer.frame
    ScreenIssue.wrongEndState(
      transition: handle.label,
      found: "'\(screen.label)' at \(found.x), \(found.y), \(found.width) × \(found.height)"
    ).report(on: stage)
  }

  /// Takes away what the animator left in the container.
  private func tidy(_ didComplete: Bool) {
    guard plan.restoresLayers, animator != nil, !outlives else { return }
    let strays = strays
    furniture = []
    guard !strays.isEmpty else { return }
    for stray in strays { stray.removeFromSuperlayer() }
    ScreenIssue.wrongEndState(transition: handle.label, found: "\(strays.count) layers of the animator").report(
      on: stage)
  }

  /// What is in the container and is neither of a screen nor was there before.
  var strays: [Layer] {
    plan.container.sublayers.filter { layer in !involves(layer) && !furniture.contains { $0 === layer } }
  }

  private func involves(_ layer: Layer) -> Bool {
    layer === plan.from.layer || layer === plan.to.layer
  }

  private func callCompletions(_ didComplete: Bool) {
    let calls = completions
    completions = []
    alongside = []
    interactionChanges = []
    interactionEnds = []
    (interaction as? PercentDrivenInteractiveTransition)?.didEnd()
    for call in calls { call(self) }
    plan.host.setRun(nil, isPresentation: plan.isPresentation)
    plan.didShow(didComplete)
    if !didComplete {
      handle.end(.cancelled)
    } else if let skipReason {
      handle.end(.skipped(skipReason))
    } else {
      handle.end(.completed)
    }
    animator = nil
    interaction = nil
    group = nil
  }

  /// Brings it to its end at once, because something else begins: a push is completed, a pop that a hand holds goes
  /// back, and what was let go goes where it was going.
  func settleNow() {
    guard phase == .running else { return }
    transitionWasCancelled = goesBackWhenInterrupted
    changeInteraction(to: false)
    finishNow(cancelled: transitionWasCancelled)
  }

  func finishNow(cancelled: Bool) {
    guard phase == .running else { return }
    transitionWasCancelled = cancelled
    if isInteractive { changeInteraction(to: false) }
    plan.queue.directly {
      group?.finish(atStart: cancelled)
      if phase == .running {
        wasCutShort = true
        complete(!cancelled)
      }
    }
  }

  /// Is over, because its stage is gone: layers and structure as at its end; nothing is called but what waits for
  /// its end. What a hand has begun and still holds, and what moves back, is taken back.
  func abandon() {
    let arrives = !transitionWasCancelled && !(initiallyInteractive && isInteractive)
    phase = .ended
    watchdog?.cancel()
    dropCarriedMotion()
    if animator != nil { for stray in strays { stray.removeFromSuperlayer() } }
    group?.abandon()
    if arrives, !plan.keepsFromLayer { plan.from.layer.removeFromSuperlayer() }
    if !arrives, !toWasThere { plan.to.layer.removeFromSuperlayer() }
    putRight()
    plan.settleUntold(arrives)
    (animator as? any HidingOriginals)?.hidden?.showWhenSeen(in: [plan.from, plan.to])
    (interaction as? PercentDrivenInteractiveTransition)?.didEnd()
    forgetEveryone()
    plan.host.setRun(nil, isPresentation: plan.isPresentation)
    handle.end(arrives ? .skipped(.notOnScreen) : .cancelled)
  }

  private func forgetEveryone() {
    completions = []
    alongside = []
    interactionChanges = []
    interactionEnds = []
    animator = nil
    interaction = nil
    group = nil
  }
}

extension TransitionOperation {
  var isCompletedWhenInterrupted: Bool {
    switch self {
    case .push, .present: true
    case .pop, .dismiss, .select, .replace: false
    }
  }
}
