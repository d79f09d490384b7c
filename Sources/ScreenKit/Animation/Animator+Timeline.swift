extension Animator: TimelineEntry {
  var eventTime: Double? { state == .running ? motion?.end : nil }

  func nextChange(from time: Double) -> Double? {
    guard state == .running, let motion else { return nil }
    // What is on no stage changes no picture; its end still has to be told.
    guard layers.contains(where: { $0.layer?.stage != nil }) else { return motion.end }
    return max(time, motion.start)
  }

  func eventReached() {
    end(atStart: motion?.target == 0)
  }

  func timelineEnds() {
    abandon()
  }

  /// Lets go of everything; no completion is called.
  func abandon() {
    release()
    completions = []
    hasCompleted = true
  }

  /// What its layers follow now.
  var fraction: Double {
    if let group, group.isDriving { return group.fraction(of: self) }
    guard let motion, let timeline, state == .running else { return held }
    if let known, known.time == timeline.now { return known.fraction }
    let fraction = motion.fraction(at: timeline.now)
    known = (timeline.now, fraction)
    return fraction
  }

  /// Fractions a second.
  var velocity: Double {
    if let group, group.isDriving { return group.velocity(of: self) }
    guard let motion, let timeline, state == .running else { return 0 }
    return motion.velocity(at: timeline.now)
  }

  func adopt(_ layer: Layer) {
    if !layers.contains(where: { $0.layer === layer }) { layers.append(WeakLayer(layer: layer)) }
  }

  /// Moves a layer no more; with its last one it is over, short of its end.
  func forget(_ layer: Layer) {
    guard layers.contains(where: { $0.layer === layer }) else { return }
    layers.removeAll { $0.layer === layer || $0.layer == nil }
    guard layers.isEmpty, !hasCompleted else { return }
    release()
    complete(finished: false)
  }

  func hold(at fraction: Double) {
    guard state == .running || state == .paused, group?.isDriving != true else { return }
    state = .paused
    held = fraction
    timeline?.remove(self)
    for layer in layers.lazy.compactMap(\.layer) { layer.setNeedsFrame() }
  }

  /// Hands the fraction over to a group; the animator itself stands still.
  func yieldToGroup() {
    timeline?.remove(self)
  }

  /// Arrives. In a group it keeps what it moved, so that the group can take it back.
  func end(atStart: Bool) {
    guard !hasCompleted else { return }
    timeline?.remove(self)
    if let group, !atStart, !group.isEnding {
      held = 1
      motion = nil
      state = .paused
      complete(finished: true)
      return
    }
    if atStart { takeBack() }
    release()
    complete(finished: true)
  }

  /// Gives the models the values they had before it began.
  func takeBack() {
    for layer in layers.compactMap(\.layer) {
      for animation in layer.animations where animation.animator === self {
        layer.model[animation.property] += animation.change
        if animation.property == .width || animation.property == .height { layer.needsLayout = true }
      }
    }
    release()
  }

  /// Lets go of everything it moved; what is seen is the model.
  func release() {
    timeline?.remove(self)
    for layer in layers.compactMap(\.layer) {
      layer.animations.removeAll { $0.animator === self }
      layer.setNeedsFrame()
    }
    layers = []
    state = .ended
    motion = nil
  }

  func complete(finished: Bool) {
    hasCompleted = true
    let calls = completions
    completions = []
    let group = group
    for call in calls {
      if let group { group.record { call(finished) } } else { call(finished) }
    }
  }
}
