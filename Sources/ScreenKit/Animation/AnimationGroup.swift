/// The animations of one transition, which can be paused, scrubbed, finished and reversed as one.
///
/// While the group does not drive its animators, each of them runs by itself. While it drives them, they all follow the
/// group's fraction of its total duration. Each animator has its own window of that duration, given by its start and
/// length.
@MainActor final class AnimationGroup {
  /// The group that animators join when they start, or `nil` outside of a transition.
  static var recording: AnimationGroup?

  private(set) var animators: [Animator] = []
  private(set) var isEnding = false
  private let timeline: Timeline
  private let startTime: Double
  fileprivate var windows: [ObjectIdentifier: Window] = [:]
  private var mode = Mode.free
  private var holdPoint = 0.0
  /// The earliest time, in the stage's seconds, at which a run of the whole group may end.
  private var earliestEnd = 0.0
  private var whenRunEnds: (@MainActor () -> Void)?

  private enum Mode {
    case free
    case paused(Double)
    /// Moving to the fraction at which the group will be held.
    case gliding(FractionMotion)
    case running(FractionMotion)
  }

  /// The interval of an animator in the group's time, in seconds, and the difference between the animator's actual and
  /// expected fraction when the group was paused.
  struct Window {
    let start: Double
    let duration: Double
    var offset = 0.0
  }

  init(on timeline: Timeline) {
    self.timeline = timeline
    startTime = timeline.now
  }

  /// Runs a block. Every animator that starts in the block joins the group.
  func record<T>(_ body: () -> T) -> T {
    let outer = AnimationGroup.recording
    AnimationGroup.recording = self
    defer { AnimationGroup.recording = outer }
    return body()
  }

  func join(_ animator: Animator) {
    guard !isEnding else { return }
    animators.append(animator)
    animator.group = self
    windows[ObjectIdentifier(animator)] = Window(
      start: timeline.now - startTime + animator.delay, duration: animator.duration)
    if isDriving { animator.joinGroup() }
  }

  /// Seconds from the start of the group to the end of its last animator.
  var duration: Double { windows.values.map { $0.start + $0.duration }.max() ?? 0 }

  /// The animator that ends last. Alongside animations follow it.
  var lead: Animator? {
    animators.max { (windows[ObjectIdentifier($0)]?.end ?? 0) < (windows[ObjectIdentifier($1)]?.end ?? 0) }
  }

  var isDriving: Bool {
    if case .free = mode { return false }
    return true
  }

  /// The time at which the group, driven as a whole, reaches its target. `nil` while the animators run by themselves or
  /// the group is held.
  var endsItself: Double? { if case .running = mode { eventTime } else { nil } }

  /// Returns the time at which all animations have ended, or `nil` while the group is held.
  func end(at now: Double) -> Double? {
    switch mode {
    case .paused, .gliding: nil
    case .running: eventTime
    case .free: animators.compactMap(\.eventTime).max() ?? now
    }
  }

  /// Whether an animator of the group has not called its completions yet.
  var isWaiting: Bool { animators.contains { !$0.hasCompleted } }

  /// Whether the animators run by themselves and no time has passed since the group was created.
  var isBeginning: Bool { !isDriving && timeline.now == startTime }

  var isPaused: Bool {
    switch mode {
    case .paused, .gliding: true
    case .free, .running: false
    }
  }
}

extension AnimationGroup {
  private func place(of animator: Animator, at fraction: Double) -> Double {
    guard let window = windows[ObjectIdentifier(animator)], window.duration > 0 else { return fraction >= 1 ? 1 : 0 }
    let duration = duration
    let progress = (fraction * duration - window.start) / window.duration
    let isLast = window.end >= duration - 1e-9
    return max(window.start <= 0 ? progress : 0, min(isLast ? progress : 1, progress))
  }

  /// Returns the fraction of one animator while the group drives it.
  func fraction(of animator: Animator) -> Double {
    let fraction = fraction
    let offset = windows[ObjectIdentifier(animator)]?.offset ?? 0
    guard offset != 0 else { return place(of: animator, at: fraction) }
    // The animator's offset from its expected fraction decreases to 0 towards both ends.
    let weight =
      fraction >= holdPoint
      ? (holdPoint < 1 ? (1 - fraction) / (1 - holdPoint) : 0) : (holdPoint > 0 ? fraction / holdPoint : 0)
    return place(of: animator, at: fraction) + offset * max(0, min(1, weight))
  }

  func velocity(of animator: Animator) -> Double {
    guard let motion, let window = windows[ObjectIdentifier(animator)], window.duration > 0 else {
      return 0
    }
    let progress = place(of: animator, at: fraction)
    guard progress > 0 || window.start <= 0, progress < 1 || window.end >= duration - 1e-9 else { return 0 }
    return motion.velocity(at: timeline.now) * duration / window.duration
  }

  /// The presented fraction of the whole group.
  var fraction: Double {
    switch mode {
    case .paused(let fraction): return fraction
    case .gliding(let motion), .running(let motion): return motion.fraction(at: timeline.now)
    case .free:
      guard let lead, let window = windows[ObjectIdentifier(lead)], duration > 0 else { return 0 }
      return (window.start + lead.fraction * window.duration) / duration
    }
  }

  /// In fractions per second.
  var velocity: Double {
    switch mode {
    case .paused: return 0
    case .gliding(let motion), .running(let motion): return motion.velocity(at: timeline.now)
    case .free:
      guard let lead, let window = windows[ObjectIdentifier(lead)], duration > 0 else { return 0 }
      return lead.velocity * window.duration / duration
    }
  }

  /// Pauses the whole group at its current fraction.
  func hold() {
    guard !isEnding else { return }
    switch mode {
    case .paused: return
    case .gliding, .running:
      mode = .paused(fraction)
      timeline.remove(self)
    case .free:
      let fraction = fraction
      let fractions = animators.map(\.fraction)
      holdPoint = fraction
      mode = .paused(fraction)
      for (animator, actual) in zip(animators, fractions) {
        let offset = actual - place(of: animator, at: fraction)
        windows[ObjectIdentifier(animator)]?.offset = offset
        animator.joinGroup()
      }
    }
  }

  /// Pauses the group, if it is not paused, and shows a fraction of it.
  func scrub(to fraction: Double) {
    hold()
    mode = .paused(fraction)
    invalidate()
  }

  /// Moves to a fraction and holds the group there. If the group is already moving to a fraction, it keeps its
  /// velocity, otherwise it starts from rest.
  ///
  /// - Parameters:
  ///   - fraction: The fraction at which the group is held.
  ///   - seconds: The approximate duration of the movement.
  func glide(to fraction: Double, within seconds: Double) {
    let velocity = isPaused ? self.velocity : 0
    // A movement from rest answers an event, so it gets the head start. A movement in progress only changes its target.
    let start = timeline.now - (velocity == 0 ? timeline.headStart : 0)
    hold()
    mode = .gliding(
      .settled(from: self.fraction, to: fraction, velocity: velocity, start: start, within: seconds))
    timeline.add(self)
    invalidate()
  }

  /// Runs the whole group to its start or end.
  ///
  /// - Parameters:
  ///   - motion: The motion of the group's fraction, which determines the target.
  ///   - time: The earliest time of the end, in the stage's seconds. A motion that arrives earlier waits at its end.
  ///   - end: Called after the completions of the animators.
  func run(_ motion: FractionMotion, notBefore time: Double = 0, then end: (@MainActor () -> Void)? = nil) {
    mode = .running(motion)
    earliestEnd = time
    whenRunEnds = end
    timeline.add(self)
    invalidate()
  }

  /// Jumps to one end and calls the completions of all animators, including those that join during these calls.
  func finish(atStart: Bool) {
    mode = .paused(atStart ? 0 : 1)
    timeline.remove(self)
    if atStart {
      for animator in animators { animator.restoreModels() }
    }
    for _ in 0..<16 {
      let waiting = animators.filter { !$0.hasCompleted }
      if waiting.isEmpty { return }
      for animator in waiting { animator.end(atStart: atStart) }
    }
  }

  /// Releases the animators that have arrived. If the animators run by themselves, those that still move continue.
  func dissolve() {
    isEnding = true
    timeline.remove(self)
    let driven = isDriving
    for animator in animators where driven || !animator.isRunning { animator.release() }
    for animator in animators { animator.group = nil }
    animators = []
    windows = [:]
    mode = .free
  }

  /// Releases all animators without calling their completions.
  func abandon() {
    for animator in animators { animator.abandon() }
    dissolve()
  }

  private func invalidate() {
    timeline.needsFrame = true
  }
}

extension AnimationGroup.Window {
  var end: Double { start + duration }
}

extension AnimationGroup: TimelineEntry {
  var eventTime: Double? {
    switch mode {
    case .free, .paused: nil
    case .gliding(let motion): motion.end
    case .running(let motion): max(motion.end, earliestEnd)
    }
  }

  /// The motion of the group's fraction while the group moves as a whole, otherwise `nil`.
  private var motion: FractionMotion? {
    switch mode {
    case .free, .paused: nil
    case .gliding(let motion), .running(let motion): motion
    }
  }

  func nextChange(from time: Double) -> Double? { motion == nil ? nil : time }

  func timelineEnds() {}

  func eventReached() {
    if case .gliding(let motion) = mode {
      mode = .paused(motion.target)
      timeline.remove(self)
      return invalidate()
    }
    guard case .running(let motion) = mode else { return }
    let end = whenRunEnds
    whenRunEnds = nil
    finish(atStart: motion.target == 0)
    end?()
  }
}
