public import Motion

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

/// Runs a block whose animations belong to no transition, also where one is beginning: what holds that, or takes it
/// back, leaves them alone.
@discardableResult
@MainActor public func apartFromTransitions<T>(_ body: () throws -> T) rethrows -> T {
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
