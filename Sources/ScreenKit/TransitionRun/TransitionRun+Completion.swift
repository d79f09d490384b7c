import TextCanvas

extension TransitionRun {
  /// Performs steps six and seven. Called exactly once by the animator. After a cancellation, `true` is ignored,
  /// because the structure has already been restored.
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
      if wasEndedExternally { wasEndedExternally = false } else { reportSecondCompletion() }
    }
  }

  private func reportSecondCompletion() {
    ScreenIssue.completedTwice(transition: handle.label).report(on: stage)
  }

  func complete(_ didComplete: Bool) {
    guard phase != .ended else { return }
    if plan.queue.mustWait {
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
    if !outlivesCompletion { removeResidualAnimations() }
    let stage = stage
    let work = {
      if didComplete { self.arrive() } else { self.restoreStart() }
      self.removeLeftoverLayers(didComplete)
      self.plan.complete(didComplete)
      self.animator?.animationEnded(didComplete)
      self.callCompletions(didComplete)
    }
    if let stage { stage.working(work) } else { work() }
  }

  func removeResidualAnimations() {
    for spring in residualAnimations { spring.stop() }
    residualAnimations = []
    for snapshot in departingSnapshots { snapshot.removeFromSuperlayer() }
    departingSnapshots = []
  }

  private func arrive() {
    if !outlivesCompletion {
      checkEndState(plan.to, at: frames.toFinal)
      group?.dissolve()
      restoreFromLayer(plan.to)
      if plan.keepsFromLayer { restoreFromLayer(plan.from) }
      restoreLayers(completed: true)
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

  /// Makes all calls for the return to the old screen at once, so that no intermediate state is visible.
  private func restoreStart() {
    if !outlivesCompletion {
      group?.finish(atStart: true)
      group?.dissolve()
      restoreFromLayer(plan.from)
    }
    if plan.toAppears {
      plan.to.beginAppearance(false, animated: animator != nil)
      plan.to.endAppearance()
    }
    if plan.fromDisappears {
      plan.from.beginAppearance(true, animated: animator != nil)
      plan.from.endAppearance()
    }
    if !outlivesCompletion { restoreLayers(completed: false) }
  }

  /// Removes the layer of the screen that has left, and restores the appearance of both layers.
  func restoreLayers(completed: Bool) {
    if completed, !plan.keepsFromLayer { plan.from.layer.removeFromSuperlayer() }
    if !completed, !toLayerWasAttached { plan.to.layer.removeFromSuperlayer() }
    restoreAppearance()
  }

  /// Adds the layer of a screen that stays to the container again, if the animator has removed it.
  private func restoreFromLayer(_ screen: Screen) {
    guard animator != nil, screen.layer.superlayer !== plan.container else { return }
    ScreenIssue.wrongEndState(transition: handle.label, found: "'\(screen.label)' taken out of the container")
      .report(on: stage)
    insert(screen, besides: screen === plan.to ? plan.from : plan.to)
  }

  /// Resets transforms, opacity and frames, whether the transition completed or not.
  private func restoreAppearance() {
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
    let actual = screen.layer.frame
    ScreenIssue.wrongEndState(
      transition: handle.label,
      found: "'\(screen.label)' at \(actual.x), \(actual.y), \(actual.width) × \(actual.height)"
    ).report(on: stage)
  }

  /// Removes the layers that the animator left in the container.
  private func removeLeftoverLayers(_ didComplete: Bool) {
    guard plan.restoresLayers, animator != nil, !outlivesCompletion else { return }
    let leftovers = leftoverLayers
    existingLayers = []
    guard !leftovers.isEmpty else { return }
    for layer in leftovers { layer.removeFromSuperlayer() }
    ScreenIssue.wrongEndState(transition: handle.label, found: "\(leftovers.count) layers of the animator").report(
      on: stage)
  }

  /// The layers of the container that belong to no screen and were not in it before the transition.
  var leftoverLayers: [Layer] {
    plan.container.sublayers.filter { layer in !involves(layer) && !existingLayers.contains { $0 === layer } }
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

  /// Ends the transition immediately, because another operation starts. A push is completed, a pop that a gesture
  /// drives is cancelled, and a transition whose gesture has ended is completed or cancelled as that gesture decided.
  func completeNow() {
    guard phase == .running else { return }
    transitionWasCancelled = cancelsWhenInterrupted
    changeInteraction(to: false)
    finishNow(cancelled: transitionWasCancelled)
  }

  func finishNow(cancelled: Bool) {
    guard phase == .running else { return }
    transitionWasCancelled = cancelled
    if isInteractive { changeInteraction(to: false) }
    plan.queue.performDirectly {
      group?.finish(atStart: cancelled)
      if phase == .running {
        wasEndedExternally = true
        complete(!cancelled)
      }
    }
  }

  /// Ends the transition because its stage was deallocated. Sets the final layers and structure, and calls only the
  /// closures that wait for the transition's end. A transition that a gesture has started and still drives is
  /// cancelled, and so is one that returns to its start.
  func abandon() {
    let arrives = !transitionWasCancelled && !(initiallyInteractive && isInteractive)
    phase = .ended
    watchdog?.cancel()
    removeResidualAnimations()
    if animator != nil { for layer in leftoverLayers { layer.removeFromSuperlayer() } }
    group?.abandon()
    if arrives, !plan.keepsFromLayer { plan.from.layer.removeFromSuperlayer() }
    if !arrives, !toLayerWasAttached { plan.to.layer.removeFromSuperlayer() }
    restoreAppearance()
    plan.completeWithoutCallbacks(arrives)
    // The objects that the callbacks refer to may be deallocated too, so the layers are shown when a screen appears.
    if let hidden = (animator as? any HidingOriginals)?.hidden {
      for screen in [plan.from, plan.to] { screen.hiddenOriginals.append(hidden) }
    }
    (interaction as? PercentDrivenInteractiveTransition)?.didEnd()
    releaseCallbacks()
    plan.host.setRun(nil, isPresentation: plan.isPresentation)
    handle.end(arrives ? .skipped(.notOnScreen) : .cancelled)
  }

  private func releaseCallbacks() {
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
