/// An animation of layers that can be paused, scrubbed, reversed and continued with a velocity.
///
/// When the animator starts, it records the changes that its blocks make to layers. Each changed property moves from
/// its presented value to the new value. All of them follow one progress value, ``fractionComplete``.
@MainActor public final class Animator {
  /// The state of an animator.
  public enum State: Hashable, Sendable {
    /// The animator has not started.
    case inactive
    /// The animator waits for its delay, or moves.
    case running
    /// The animator is paused at a fraction.
    case paused
    /// The animator has ended.
    case ended
  }

  /// Seconds from start to end, without the delay. For a spring, the duration of the spring.
  public let duration: Double
  /// The timing curve, which maps elapsed time to the fraction.
  public let curve: TimingCurve
  /// The current state.
  public internal(set) var state = State.inactive
  /// Seconds between ``start(afterDelay:)`` and the first movement.
  public private(set) var delay = 0.0

  private(set) var timeline: Timeline?
  weak var group: AnimationGroup?
  var motion: FractionMotion?
  var pausedFraction = 0.0
  var layers: [WeakLayer] = []
  private var blocks: [Block] = []
  var completions: [@MainActor (_ finished: Bool) -> Void] = []
  /// The fraction calculated last, with its time: avoids calculating it for each property of a frame.
  var cachedFraction: (time: Double, fraction: Double)?
  /// Whether the completions were called or discarded.
  var hasCompleted = false

  struct WeakLayer { weak var layer: Layer? }
  private struct Block {
    let start: Double
    let length: Double
    let changes: @MainActor () -> Void
  }

  /// Creates an animator. It has no effect until ``start(afterDelay:)`` is called.
  ///
  /// - Parameters:
  ///   - duration: Seconds, 0 or more. Springs determine their own duration.
  ///   - curve: The timing curve.
  ///   - animations: Changes to layers that will be animated.
  public init(
    duration: Double, curve: TimingCurve = .easeInOut, animations: (@MainActor () -> Void)? = nil
  ) {
    self.duration = curve.duration(requested: duration)
    self.curve = curve
    if let animations { blocks.append(Block(start: 0, length: 1, changes: animations)) }
  }

  /// The presented progress, usually 0…1. The timing curve is applied, so springs may exceed 1. Setting it pauses the
  /// animator at that fraction.
  public var fractionComplete: Double {
    get { fraction }
    set { pause(at: newValue) }
  }

  /// Whether the animator runs by itself. `false` before the start, while paused, and after the end.
  public var isRunning: Bool { state == .running }

  /// Whether the animator runs towards its start. If it changes during the animation, the direction reverses without a
  /// jump in velocity.
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
      cachedFraction = nil
    }
  }

  /// Adds changes to animate. Has no effect after the start.
  ///
  /// - Parameters:
  ///   - delayFactor: The fraction of the duration, 0…1, that passes before these changes begin to move.
  ///   - changes: Changes to layers that will be animated.
  public func addAnimations(delayFactor: Double = 0, _ changes: @escaping @MainActor () -> Void) {
    guard state == .inactive else { return }
    let start = max(0, min(1, delayFactor))
    addAnimations(from: start, length: 1 - start, changes)
  }

  /// Adds changes that are animated during an interval of the animator's progress. Start and length are within 0…1.
  func addAnimations(from start: Double, length: Double, _ changes: @escaping @MainActor () -> Void) {
    blocks.append(Block(start: start, length: length, changes: changes))
  }

  /// Adds a completion. Completions are called once, in the order in which they were added.
  ///
  /// - Parameter body: Called after the end. `finished` is whether the animation reached one of its ends.
  public func addCompletion(_ body: @escaping @MainActor (_ finished: Bool) -> Void) {
    completions.append(body)
  }
}

extension Animator {
  /// Runs the animation blocks and starts to animate their changes.
  ///
  /// If the blocks change no layer, or if there is no stage (none of the layers is on one, and no stage is handling an
  /// event), the animator ends immediately. In a transition it takes its full duration even if no layer changes,
  /// because gestures and the velocity hand-off after an interruption depend on that duration.
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

  /// Begins to animate the recorded changes.
  ///
  /// - Parameter waits: Whether the animator takes its full duration even if no layer changed.
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

  /// Pauses the animator at its current fraction. Has no effect unless it is running by itself.
  public func pause() {
    guard state == .running, group?.isDriving != true else { return }
    pause(at: fraction)
  }

  /// Continues a paused animator from its current fraction.
  ///
  /// - Parameters:
  ///   - curve: The timing curve of the remaining movement. If `nil`, the animator's own curve. A spring without a
  ///     ``Spring/cutoff`` starts with the current value and velocity.
  ///   - durationFactor: The duration of the remaining movement as a fraction of ``duration``. If 0, the duration is
  ///     proportional to the remaining distance.
  ///   - velocity: The velocity of the gesture at its end, in fractions per second.
  public func continueAnimation(curve: TimingCurve? = nil, durationFactor: Double = 0, velocity: Double = 0) {
    guard state == .paused, let timeline, group?.isDriving != true else { return }
    let end = isReversed ? 0.0 : 1.0
    let remainingDuration = durationFactor > 0 ? duration * durationFactor : duration * abs(end - pausedFraction)
    switch curve ?? self.curve {
    case .spring(let spring, _) where spring.cutoff == nil:
      motion = .thrown(spring, from: pausedFraction, to: end, velocity: velocity, start: timeline.now)
    case _ where velocity != 0:
      motion = .settled(
        from: pausedFraction, to: end, velocity: velocity, start: timeline.now, within: remainingDuration)
    case .spring(let spring, _):
      let curve = TimingCurve.spring(duration: remainingDuration, dampingRatio: spring.dampingRatio)
      motion = .along(curve, from: pausedFraction, to: end, start: timeline.now, duration: remainingDuration)
    case let curve:
      motion = .along(curve, from: pausedFraction, to: end, start: timeline.now, duration: remainingDuration)
    }
    state = .running
    cachedFraction = nil
    timeline.add(self)
  }

  /// Ends the animation.
  ///
  /// - Parameter finishing: Whether the layers jump to the end of the animation (to its start if ``isReversed``). If
  ///   `false`, all layers keep their presented values.
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
    // Layers outside a stage change no frame, but the completions must still be called at the end.
    guard layers.contains(where: { $0.layer?.stage != nil }) else { return motion.end }
    return max(time, motion.start)
  }

  func eventReached() {
    end(atStart: motion?.target == 0)
  }

  func timelineEnds() {
    abandon()
  }

  /// Releases all layers without calling any completion.
  func abandon() {
    release()
    completions = []
    hasCompleted = true
  }

  /// The fraction that the animator's layers present now.
  var fraction: Double {
    if let group, group.isDriving { return group.fraction(of: self) }
    guard let motion, let timeline, state == .running else { return pausedFraction }
    if let cachedFraction, cachedFraction.time == timeline.now { return cachedFraction.fraction }
    let fraction = motion.fraction(at: timeline.now)
    cachedFraction = (timeline.now, fraction)
    return fraction
  }

  /// In fractions per second.
  var velocity: Double {
    if let group, group.isDriving { return group.velocity(of: self) }
    guard let motion, let timeline, state == .running else { return 0 }
    return motion.velocity(at: timeline.now)
  }

  func adopt(_ layer: Layer) {
    if !layers.contains(where: { $0.layer === layer }) { layers.append(WeakLayer(layer: layer)) }
  }

  /// Stops animating a layer. If it was the last layer, the animator ends without having finished.
  func removeLayer(_ layer: Layer) {
    guard layers.contains(where: { $0.layer === layer }) else { return }
    layers.removeAll { $0.layer === layer || $0.layer == nil }
    guard layers.isEmpty, !hasCompleted else { return }
    release()
    complete(finished: false)
  }

  func pause(at fraction: Double) {
    guard state == .running || state == .paused, group?.isDriving != true else { return }
    state = .paused
    pausedFraction = fraction
    timeline?.remove(self)
    for layer in layers.lazy.compactMap(\.layer) { layer.setNeedsFrame() }
  }

  /// Stops the animator's own motion, because a group now determines its fraction.
  func joinGroup() {
    timeline?.remove(self)
  }

  /// Jumps to an end and calls the completions. An animator of a group that jumps to its end keeps its recorded
  /// changes, so that the group can still reverse it.
  func end(atStart: Bool) {
    guard !hasCompleted else { return }
    timeline?.remove(self)
    if let group, !atStart, !group.isEnding {
      pausedFraction = 1
      motion = nil
      state = .paused
      complete(finished: true)
      return
    }
    if atStart { restoreModels() }
    release()
    complete(finished: true)
  }

  /// Restores the model values from before the animation.
  func restoreModels() {
    for layer in layers.compactMap(\.layer) {
      for animation in layer.animations where animation.animator === self {
        layer.model[animation.property] += animation.change
        if animation.property == .width || animation.property == .height { layer.needsLayout = true }
      }
    }
    release()
  }

  /// Removes all animations of this animator, so that the layers present their model values.
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
/// Each property moves from its presented value to the new value. The model has the new value as soon as this function
/// returns. A property that is already moving is not stopped: both animations are added, so that the movement changes
/// its direction smoothly.
///
/// - Parameters:
///   - duration: Seconds. If 0 or less, the changes apply immediately. If the curve is a spring, the spring determines
///     the duration.
///   - delay: Seconds before the first movement.
///   - curve: The timing curve, which maps elapsed time to progress.
///   - changes: Changes to layers.
///   - completion: Called once; `finished` is whether the animation reached one of its ends. Called immediately if
///     nothing changed.
/// - Returns: The animator, with which the animation can be paused, scrubbed and reversed.
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

/// Animates the changes that a block makes to layers with a spring that ends exactly after its duration, as in UIKit.
///
/// - Parameters:
///   - duration: Seconds.
///   - delay: Seconds before the first movement.
///   - dampingRatio: 0…1. At 1, the spring does not overshoot.
///   - initialVelocity: In total distances per second: at 1, the whole distance would be covered in a second.
///   - changes: Changes to layers.
///   - completion: Called once; `finished` is whether the animation reached one of its ends.
/// - Returns: The animator, with which the animation can be paused, scrubbed and reversed.
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

/// Runs a block whose animations do not belong to the transition that is starting. Pausing or cancelling that
/// transition does not affect them.
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
  /// Starts the animator with the changes of a block that is not stored.
  func start(afterDelay delay: Double, recording changes: @MainActor () -> Void) {
    withoutActuallyEscaping(changes) { changes in
      addAnimations(changes)
      start(afterDelay: delay)
    }
  }
}

/// One step of a keyframe animation.
public struct Keyframe {
  /// The start, as a fraction of the total duration, 0…1.
  public var start: Double
  /// The length, as a fraction of the total duration, 0…1.
  public var duration: Double
  /// Changes to layers. They are animated from the values that the previous keyframes have set.
  public var changes: @MainActor () -> Void

  /// Creates a keyframe.
  ///
  /// - Parameters:
  ///   - start: The start, as a fraction of the total duration, 0…1.
  ///   - duration: The length, as a fraction of the total duration, 0…1.
  ///   - changes: Changes to layers.
  public init(start: Double, duration: Double, changes: @escaping @MainActor () -> Void) {
    self.start = start
    self.duration = duration
    self.changes = changes
  }
}

/// Animates a sequence of keyframes.
///
/// A keyframe that exceeds 0…1 is shortened and reported as ``ScreenIssue/keyframeOutsideAnimation(start:duration:)``.
///
/// - Parameters:
///   - duration: The total duration in seconds. If 0 or less, the changes apply immediately.
///   - delay: Seconds before the first movement.
///   - curve: The timing curve of the whole animation. The default is linear, so that each keyframe starts at its own
///     time.
///   - frames: The keyframes, in the order in which their changes depend on each other.
///   - completion: Called once, when the total duration has passed.
/// - Returns: The animator, with which the animation can be paused, scrubbed and reversed.
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
