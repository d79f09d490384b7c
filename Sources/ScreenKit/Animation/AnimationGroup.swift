/// The animations of one transition, run as one: held, scrubbed, finished and taken back together.
///
/// As long as it is not held, each animator runs by itself. Held, one number drives them all: the group's fraction of
/// its whole time, through which each animator has its own window (its delay and duration).
@MainActor final class AnimationGroup {
  /// The group that animators join when they begin.
  static var recording: AnimationGroup?

  private(set) var animators: [Animator] = []
  private(set) var isEnding = false
  private let timeline: Timeline
  private let begun: Double
  fileprivate var windows: [ObjectIdentifier: Window] = [:]
  private var mode = Mode.free
  private var holdPoint = 0.0
  /// What runs to an end does not get there before this.
  private var earliestEnd = 0.0
  private var whenRunEnds: (@MainActor () -> Void)?

  private enum Mode {
    case free
    case held(Double)
    /// Moving to where it will be held.
    case gliding(FractionMotion)
    case running(FractionMotion)
  }

  /// Where an animator lies in the group's time, in seconds, and how far it was off its place when the group was held.
  struct Window {
    let start: Double
    let duration: Double
    var offset = 0.0
  }

  init(on timeline: Timeline) {
    self.timeline = timeline
    begun = timeline.now
  }

  /// Runs a block; every animator that begins in it joins.
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
      start: timeline.now - begun + animator.delay, duration: animator.duration)
    if isDriving { animator.yieldToGroup() }
  }

  /// Seconds from the group's beginning to its last end.
  var duration: Double { windows.values.map { $0.start + $0.duration }.max() ?? 0 }

  /// The animator that ends last; what runs alongside follows it.
  var lead: Animator? {
    animators.max { (windows[ObjectIdentifier($0)]?.end ?? 0) < (windows[ObjectIdentifier($1)]?.end ?? 0) }
  }

  var isDriving: Bool {
    if case .free = mode { return false }
    return true
  }

  /// When it arrives where it runs to as one; nil while its animators run by themselves, or are held.
  var endsItself: Double? { if case .running = mode { eventTime } else { nil } }

  /// When all of it has arrived; nil while it is held.
  func end(at now: Double) -> Double? {
    switch mode {
    case .held, .gliding: nil
    case .running: eventTime
    case .free: animators.compactMap(\.eventTime).max() ?? now
    }
  }

  /// Whether an animation of it has not called its completion.
  var isWaiting: Bool { animators.contains { !$0.hasCompleted } }

  /// Whether it runs by itself and no time has passed since it began.
  var isBeginning: Bool { !isDriving && timeline.now == begun }

  var isHeld: Bool {
    switch mode {
    case .held, .gliding: true
    case .free, .running: false
    }
  }
}

extension AnimationGroup {
  private func place(of animator: Animator, at fraction: Double) -> Double {
    guard let window = windows[ObjectIdentifier(animator)], window.duration > 0 else { return fraction >= 1 ? 1 : 0 }
    let duration = duration
    let place = (fraction * duration - window.start) / window.duration
    let isLast = window.end >= duration - 1e-9
    return max(window.start <= 0 ? place : 0, min(isLast ? place : 1, place))
  }

  /// The fraction of one animator while the group drives it.
  func fraction(of animator: Animator) -> Double {
    let fraction = fraction
    let offset = windows[ObjectIdentifier(animator)]?.offset ?? 0
    guard offset != 0 else { return place(of: animator, at: fraction) }
    // What the animator was off its place fades away towards both ends.
    let weight =
      fraction >= holdPoint
      ? (holdPoint < 1 ? (1 - fraction) / (1 - holdPoint) : 0) : (holdPoint > 0 ? fraction / holdPoint : 0)
    return place(of: animator, at: fraction) + offset * max(0, min(1, weight))
  }

  func velocity(of animator: Animator) -> Double {
    guard let motion, let window = windows[ObjectIdentifier(animator)], window.duration > 0 else {
      return 0
    }
    let place = place(of: animator, at: fraction)
    guard place > 0 || window.start <= 0, place < 1 || window.end >= duration - 1e-9 else { return 0 }
    return motion.velocity(at: timeline.now) * duration / window.duration
  }

  /// How far the whole has come, as it is seen.
  var fraction: Double {
    switch mode {
    case .held(let fraction): return fraction
    case .gliding(let motion), .running(let motion): return motion.fraction(at: timeline.now)
    case .free:
      guard let lead, let window = windows[ObjectIdentifier(lead)], duration > 0 else { return 0 }
      return (window.start + lead.fraction * window.duration) / duration
    }
  }

  /// Fractions a second.
  var velocity: Double {
    switch mode {
    case .held: return 0
    case .gliding(let motion), .running(let motion): return motion.velocity(at: timeline.now)
    case .free:
      guard let lead, let window = windows[ObjectIdentifier(lead)], duration > 0 else { return 0 }
      return lead.velocity * window.duration / duration
    }
  }

  /// Takes hold of the whole where it is.
  func hold() {
    guard !isEnding else { return }
    switch mode {
    case .held: return
    case .gliding, .running:
      mode = .held(fraction)
      timeline.remove(self)
    case .free:
      let fraction = fraction
      let places = animators.map(\.fraction)
      holdPoint = fraction
      mode = .held(fraction)
      for (animator, seen) in zip(animators, places) {
        let offset = seen - place(of: animator, at: fraction)
        windows[ObjectIdentifier(animator)]?.offset = offset
        animator.yieldToGroup()
      }
    }
  }

  /// Shows a fraction of the whole; takes hold of it first.
  func scrub(to fraction: Double) {
    hold()
    mode = .held(fraction)
    touch()
  }

  /// Goes to a fraction, and waits there; from rest or with the velocity that it has.
  ///
  /// - Parameter seconds: Until it is there.
  func glide(to fraction: Double, within seconds: Double) {
    let velocity = isHeld ? self.velocity : 0
    // What begins from rest answers an event; what is moving already keeps moving as it does.
    let start = timeline.now - (velocity == 0 ? timeline.headStart : 0)
    hold()
    mode = .gliding(
      .settled(from: self.fraction, to: fraction, velocity: velocity, start: start, within: seconds))
    timeline.add(self)
    touch()
  }

  /// Runs to an end.
  ///
  /// - Parameters:
  ///   - motion: How.
  ///   - moment: It is not over before; it waits at its end.
  func run(_ motion: FractionMotion, notBefore moment: Double = 0, then end: (@MainActor () -> Void)? = nil) {
    mode = .running(motion)
    earliestEnd = moment
    whenRunEnds = end
    timeline.add(self)
    touch()
  }

  /// Jumps to an end, and calls everyone who waits for it; also those who begin to wait meanwhile.
  func finish(atStart: Bool) {
    mode = .held(atStart ? 0 : 1)
    timeline.remove(self)
    if atStart {
      for animator in animators { animator.takeBack() }
    }
    for _ in 0..<16 {
      let waiting = animators.filter { !$0.hasCompleted }
      if waiting.isEmpty { return }
      for animator in waiting { animator.end(atStart: atStart) }
    }
  }

  /// Lets go of what has arrived; what still moves continues by itself.
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

  /// Lets go of all animators; no completion is called.
  func abandon() {
    for animator in animators { animator.abandon() }
    dissolve()
  }

  private func touch() {
    timeline.needsFrame = true
  }
}

extension AnimationGroup.Window {
  var end: Double { start + duration }
}

extension AnimationGroup: TimelineEntry {
  var eventTime: Double? {
    switch mode {
    case .free, .held: nil
    case .gliding(let motion): motion.end
    case .running(let motion): max(motion.end, earliestEnd)
    }
  }

  /// How it moves by itself while it drives.
  private var motion: FractionMotion? {
    switch mode {
    case .free, .held: nil
    case .gliding(let motion), .running(let motion): motion
    }
  }

  func nextChange(from time: Double) -> Double? { motion == nil ? nil : time }

  func timelineEnds() {}

  func eventReached() {
    if case .gliding(let motion) = mode {
      mode = .held(motion.target)
      timeline.remove(self)
      return touch()
    }
    guard case .running(let motion) = mode else { return }
    let end = whenRunEnds
    whenRunEnds = nil
    finish(atStart: motion.target == 0)
    end?()
  }
}
