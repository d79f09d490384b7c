import TextCanvas

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
}

extension TransitionRun {
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
}
