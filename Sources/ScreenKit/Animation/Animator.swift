/// A running change of layers that can be paused, scrubbed, reversed and thrown.
///
/// What it moves is recorded when it starts: every property that its block changes goes from where it is to where the
/// block puts it. All of them follow one number, ``fractionComplete``.
@MainActor public final class Animator {
  /// What an animator is doing.
  public enum State: Hashable, Sendable {
    /// Not started.
    case inactive
    /// Waiting for its delay, or moving.
    case running
    /// Held at a fraction.
    case paused
    /// Over.
    case ended
  }

  /// Seconds from start to end, without delay; of a spring, its own time.
  public let duration: Double
  /// How the fraction follows from time without interference.
  public let curve: TimingCurve
  /// What it is doing.
  public internal(set) var state = State.inactive
  /// Seconds between ``start(afterDelay:)`` and the first motion.
  public private(set) var delay = 0.0

  private(set) var timeline: Timeline?
  weak var group: AnimationGroup?
  var motion: FractionMotion?
  var held = 0.0
  var layers: [WeakLayer] = []
  private var blocks: [Block] = []
  var completions: [@MainActor (_ finished: Bool) -> Void] = []
  /// The fraction of the moment it was last asked for.
  var known: (time: Double, fraction: Double)?
  /// Whether everyone who waited for its end was called.
  var hasCompleted = false

  struct WeakLayer { weak var layer: Layer? }
  private struct Block {
    let start: Double
    let length: Double
    let changes: @MainActor () -> Void
  }

  /// Makes an animator; it does nothing before ``start(afterDelay:)``.
  ///
  /// - Parameters:
  ///   - duration: Seconds, 0 or more; springs keep their own time.
  ///   - curve: How the fraction follows from time.
  ///   - animations: Changes to animate.
  public init(
    duration: Double, curve: TimingCurve = .easeInOut, animations: (@MainActor () -> Void)? = nil
  ) {
    self.duration = curve.duration(requested: duration)
    self.curve = curve
    if let animations { blocks.append(Block(start: 0, length: 1, changes: animations)) }
  }

  /// How far it has come, 0…1, as it is seen: the curve is in it, so springs may go beyond 1. Setting it pauses.
  public var fractionComplete: Double {
    get { fraction }
    set { hold(at: newValue) }
  }

  /// Whether it moves by itself.
  public var isRunning: Bool { state == .running }

  /// Whether it runs to its start. Changing it while it moves turns it around without a jump in velocity.
  public var isReversed = false {
    didSet {
      guard isReversed != oldValue, state == .running, let timeline, group?.isDriving != true else { return }
      let fraction = fraction
      let velocity = self.velocity
      let end = isReversed ? 0.0 : 1.0
      switch curve {
      case .spring(let spring, _) where spring.cutoff == nil:
        motion = .thrown(spring, from: fraction, to: end, velocity: velocity, start: timeline.now)
      default:
        motion = .settled(
          from: fraction, to: end, velocity: velocity, start: timeline.now, within: duration * abs(end - fraction))
      }
      known = nil
    }
  }

  /// Adds changes; before the start only.
  ///
  /// - Parameters:
  ///   - delayFactor: The part of the duration, 0…1, that passes before these changes begin to move.
  ///   - changes: Changes to animate.
  public func addAnimations(delayFactor: Double = 0, _ changes: @escaping @MainActor () -> Void) {
    guard state == .inactive else { return }
    let start = max(0, min(1, delayFactor))
    addAnimations(from: start, length: 1 - start, changes)
  }

  /// Adds changes that run in a part of the whole, both within 0…1.
  func addAnimations(from start: Double, length: Double, _ changes: @escaping @MainActor () -> Void) {
    blocks.append(Block(start: start, length: length, changes: changes))
  }

  /// Adds a call for when it is over, once, in the order they were added; `finished` tells whether it reached an end.
  public func addCompletion(_ body: @escaping @MainActor (_ finished: Bool) -> Void) {
    completions.append(body)
  }
}

extension Animator {
  /// Runs the blocks, and starts to move.
  ///
  /// Where nothing changes, or nothing that changes is on a stage, it is over at once. In a transition it takes its
  /// time all the same, since others go along with it: a hand, and the motion of what it interrupted.
  ///
  /// - Parameter delay: Seconds before the first motion.
  public func start(afterDelay delay: Double = 0) {
    guard state == .inactive else { return }
    self.delay = max(0, delay)
    state = .running
    let isAnimated = AnimationRecording.isEnabled && duration > 0
    for block in blocks {
      if isAnimated {
        AnimationRecording(self, start: block.start, length: block.length).record(block.changes)
      } else {
        withoutEnclosingAnimation(block.changes)
      }
    }
    blocks = []
    begin(waits: isAnimated && AnimationGroup.recording != nil)
  }

  /// Begins to move what was recorded.
  ///
  /// - Parameter waits: Whether it takes its time also where nothing was.
  private func begin(waits: Bool) {
    timeline = layers.lazy.compactMap { $0.layer?.stage?.timeline }.first ?? StageClock.current?.timeline
    guard let timeline, waits || !layers.isEmpty else {
      release()
      complete(finished: true)
      return
    }
    motion = .along(curve, from: 0, to: 1, start: timeline.now - timeline.headStart + delay, duration: duration)
    AnimationGroup.recording?.join(self)
    if group?.isDriving != true { timeline.add(self) }
  }

  /// Holds it where it is.
  public func pause() {
    guard state == .running, group?.isDriving != true else { return }
    hold(at: fraction)
  }

  /// Continues from where it is held.
  ///
  /// - Parameters:
  ///   - curve: How it continues; nil keeps its own. A spring starts from the value and velocity it has.
  ///   - durationFactor: The rest takes this part of the duration; 0 for the part that is left to do.
  ///   - velocity: Of the hand that lets go, in fractions a second.
  public func continueAnimation(curve: TimingCurve? = nil, durationFactor: Double = 0, velocity: Double = 0) {
    guard state == .paused, let timeline, group?.isDriving != true else { return }
    let end = isReversed ? 0.0 : 1.0
    let left = durationFactor > 0 ? duration * durationFactor : duration * abs(end - held)
    switch curve ?? self.curve {
    case .spring(let spring, _) where spring.cutoff == nil:
      motion = .thrown(spring, from: held, to: end, velocity: velocity, start: timeline.now)
    case _ where velocity != 0:
      motion = .settled(from: held, to: end, velocity: velocity, start: timeline.now, within: left)
    case .spring(let spring, _):
      let curve = TimingCurve.spring(duration: left, dampingRatio: spring.dampingRatio)
      motion = .along(curve, from: held, to: end, start: timeline.now, duration: left)
    case let curve:
      motion = .along(curve, from: held, to: end, start: timeline.now, duration: left)
    }
    state = .running
    known = nil
    timeline.add(self)
  }

  /// Ends it.
  ///
  /// - Parameter finishing: Whether it jumps to its end (its start, where ``isReversed``); otherwise everything stays
  ///   where it is seen now.
  public func stop(finishing: Bool) {
    guard state == .running || state == .paused else { return }
    if finishing {
      end(atStart: isReversed)
      return
    }
    for layer in layers.compactMap(\.layer) {
      for animation in layer.animations where animation.animator === self {
        layer.model[animation.property] += animation.addition(at: fraction)
      }
    }
    release()
    complete(finished: false)
  }
}

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

/// Animates the changes that a block makes to layers.
///
/// Every property goes from its value to the one the block gives it; the model has that one as soon as this returns. A
/// property that is moving already is not stopped: the new change is added to the old, so the way bends smoothly.
///
/// - Parameters:
///   - duration: Seconds. At 0 or less the changes are made at once; a curve that is a spring keeps its own time.
///   - delay: Seconds before the first motion.
///   - curve: How progress follows from time.
///   - changes: Changes to layers.
///   - completion: Called once, with whether an end was reached: at once where nothing changed.
/// - Returns: The animator, to pause, scrub or reverse it.
@discardableResult
@MainActor public func animate(
  duration: Double, delay: Double = 0, curve: TimingCurve = .easeInOut, _ changes: @MainActor () -> Void,
  completion: (@MainActor (_ finished: Bool) -> Void)? = nil
) -> Animator {
  let animator = Animator(duration: duration > 0 ? duration : 0, curve: duration > 0 ? curve : .linear)
  if let completion { animator.addCompletion(completion) }
  animator.start(afterDelay: delay, recording: changes)
  return animator
}

/// Animates with a spring of UIKit's form: over at its duration, exactly.
///
/// - Parameters:
///   - duration: Seconds.
///   - delay: Seconds before the first motion.
///   - dampingRatio: 0…1; at 1 nothing overshoots.
///   - initialVelocity: In whole distances a second.
///   - changes: Changes to layers.
///   - completion: Called once, with whether an end was reached.
/// - Returns: The animator, to pause, scrub or reverse it.
@discardableResult
@MainActor public func animate(
  duration: Double, delay: Double = 0, dampingRatio: Double, initialVelocity: Double = 0,
  _ changes: @MainActor () -> Void, completion: (@MainActor (_ finished: Bool) -> Void)? = nil
) -> Animator {
  animate(
    duration: duration, delay: delay,
    curve: .spring(duration: duration, dampingRatio: dampingRatio, initialVelocity: initialVelocity), changes,
    completion: completion)
}

/// Runs a block whose animations do not belong to the transition that begins now: pausing or cancelling the transition does
/// not affect them.
///
/// - Parameter body: Starts the animations.
/// - Returns: The result of the block.
/// - Throws: The error of the block.
@discardableResult
@MainActor public func apartFromTransitions<T, Failure: Error>(_ body: () throws(Failure) -> T) throws(Failure) -> T {
  let outer = AnimationGroup.recording
  AnimationGroup.recording = nil
  defer { AnimationGroup.recording = outer }
  return try body()
}

extension Animator {
  /// Starts with a block that need not be kept.
  func start(afterDelay delay: Double, recording changes: @MainActor () -> Void) {
    withoutActuallyEscaping(changes) { changes in
      addAnimations(changes)
      start(afterDelay: delay)
    }
  }
}

/// A part of a keyframe animation.
public struct Keyframe {
  /// When it begins, as a fraction of the whole duration, 0…1.
  public var start: Double
  /// How long it takes, as a fraction of the whole duration, 0…1.
  public var duration: Double
  /// Changes to layers; they go from the value that the keyframes before have left.
  public var changes: @MainActor () -> Void

  /// Makes a keyframe.
  public init(start: Double, duration: Double, changes: @escaping @MainActor () -> Void) {
    self.start = start
    self.duration = duration
    self.changes = changes
  }
}

/// Animates in parts, each with a start and a length relative to the whole.
///
/// A part that lies outside the whole is cut off at its ends, and reported.
///
/// - Parameters:
///   - duration: Seconds for all of it.
///   - delay: Seconds before the first motion.
///   - curve: How the whole goes; linear, so that the parts begin when they say.
///   - frames: The parts, in the order in which their changes build on each other.
///   - completion: Called once, when the whole duration has passed.
/// - Returns: The animator, to pause, scrub or reverse it.
@discardableResult
@MainActor public func animateKeyframes(
  duration: Double, delay: Double = 0, curve: TimingCurve = .linear, _ frames: [Keyframe],
  completion: (@MainActor (_ finished: Bool) -> Void)? = nil
) -> Animator {
  let animator = Animator(duration: duration > 0 ? duration : 0, curve: duration > 0 ? curve : .linear)
  if let completion { animator.addCompletion(completion) }
  for frame in frames {
    let start = max(0, min(1, frame.start))
    let end = max(start, min(1, frame.start + frame.duration))
    let isWithin = frame.start >= 0 && frame.duration >= 0 && frame.start + frame.duration <= 1 + 1e-9
    let length = isWithin ? min(1 - start, frame.duration) : end - start
    if !isWithin {
      ScreenIssue.keyframeOutsideAnimation(start: frame.start, duration: frame.duration).report(on: nil)
    }
    animator.addAnimations(from: start, length: length, frame.changes)
  }
  animator.start(afterDelay: delay)
  return animator
}
