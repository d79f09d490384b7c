/// A running or ended transition, as returned by the operation that started it.
///
/// A gesture can drive it at any time: set ``fractionComplete`` to show a fraction of it, then call
/// ``finish(velocity:)`` or ``cancel(velocity:)``.
@MainActor public final class Transition {
  /// The operation of the container.
  public let operation: TransitionOperation
  /// The screen that is visible before the transition.
  public let from: Screen
  /// The screen that is visible after the transition, unless it is cancelled.
  public let to: Screen
  /// How the transition ended, or `nil` if it is running.
  public private(set) var outcome: TransitionOutcome?

  var run: TransitionRun?
  private var ends: [@MainActor (TransitionOutcome) -> Void] = []
  /// The tasks that wait in ``ended()``, by number. `nil` ends a wait without an outcome.
  private var waits: [Int: CheckedContinuation<TransitionOutcome?, Never>] = [:]
  private var lastWait = 0

  init(_ operation: TransitionOperation, from: Screen, to: Screen) {
    self.operation = operation
    self.from = from
    self.to = to
  }

  /// Whether the transition is running.
  public var isRunning: Bool { outcome == nil }

  /// Whether a gesture currently drives the transition.
  public var isInteractive: Bool { run?.isInteractive ?? false }

  /// Whether the transition returns to its start or has returned there. A transition that a gesture reverses counts as
  /// cancelled immediately: the old screen receives key events again at once, and its appearance calls when the
  /// transition has ended.
  public var isCancelled: Bool { run?.transitionWasCancelled ?? (outcome == .cancelled) }

  /// The presented progress, usually 0…1. 1 when the transition has ended. Setting it pauses the transition.
  public var fractionComplete: Double {
    get { run?.percentComplete ?? 1 }
    set {
      pause()
      run?.updateInteractiveTransition(newValue)
    }
  }

  /// Pauses the transition and moves it to a fraction, where it waits. For gestures with discrete steps, such as a
  /// scroll wheel. A new fraction during the movement changes its target without a jump.
  ///
  /// - Parameters:
  ///   - fraction: 0…1.
  ///   - seconds: The approximate duration of the movement.
  public func glide(to fraction: Double, within seconds: Double) {
    if !isInteractive { pause() }
    run?.glide(to: fraction, within: seconds)
  }

  /// Pauses the transition at its current fraction.
  public func pause() {
    run?.pauseInteractiveTransition()
  }

  /// Ends the gesture and continues the transition to its end.
  ///
  /// - Parameter velocity: The velocity of the gesture, in fractions per second. If 0, the curve and speed of the
  ///   interaction controller are used.
  public func finish(velocity: Double = 0) {
    run?.endInteraction(cancelled: false, velocity: velocity)
  }

  /// Reverses the transition: it returns to its start.
  ///
  /// - Parameter velocity: The velocity of the gesture, in fractions per second, negative towards the start. If 0, the
  ///   curve and speed of the interaction controller are used.
  public func cancel(velocity: Double = 0) {
    run?.pauseInteractiveTransition()
    run?.endInteraction(cancelled: true, velocity: velocity)
  }

  /// Ends the transition immediately.
  public func skip() {
    run?.finishNow(cancelled: run?.transitionWasCancelled ?? false)
  }

  /// Adds a closure that is called at the end of the transition, or immediately if it has already ended.
  ///
  /// - Parameter body: Called with the outcome of the transition.
  public func whenEnded(_ body: @escaping @MainActor (TransitionOutcome) -> Void) {
    if let outcome { body(outcome) } else { ends.append(body) }
  }

  /// Waits until the transition ends. Cancelling the task ends only the wait, not the transition.
  ///
  /// - Returns: How the transition ended. If it has already ended, returns immediately.
  /// - Throws: `CancellationError` if the task is cancelled before the transition ends.
  public func ended() async throws(CancellationError) -> TransitionOutcome {
    if let outcome { return outcome }
    lastWait += 1
    let number = lastWait
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<TransitionOutcome?, Never>) in
        if Task.isCancelled { continuation.resume(returning: nil) } else { waits[number] = continuation }
      }
    } onCancel: {
      Task { @MainActor in waits.removeValue(forKey: number)?.resume(returning: nil) }
    }
    guard let outcome else { throw CancellationError() }
    return outcome
  }

  var label: String { "\(operation.label) \(from.label) → \(to.label)" }

  func end(_ outcome: TransitionOutcome) {
    guard self.outcome == nil else { return }
    self.outcome = outcome
    run = nil
    let calls = ends
    ends = []
    for call in calls { call(outcome) }
    let waiting = waits.sorted { $0.key < $1.key }
    waits = [:]
    for (_, wait) in waiting { wait.resume(returning: outcome) }
  }
}

extension TransitionOperation {
  var label: String {
    switch self {
    case .push: "push"
    case .pop: "pop"
    case .select: "select"
    case .replace: "replace"
    case .present: "present"
    case .dismiss: "dismiss"
    }
  }
}

/// The operation of a container for which a transition runs.
public enum TransitionOperation: Hashable, Sendable {
  /// A screen is pushed onto a stack.
  case push
  /// A screen is popped from a stack.
  case pop
  /// A container selects another of its screens. The indices are those of the screens.
  case select(from: Int, to: Int)
  /// A screen replaces another one.
  case replace
  /// A screen is presented over all others.
  case present
  /// A presented screen is dismissed.
  case dismiss

  /// Whether the operation leads forward: the new screen enters from the right or from above the old one.
  public var isForward: Bool {
    switch self {
    case .push, .replace, .present: true
    case .pop, .dismiss: false
    case .select(let from, let to): to > from
    }
  }
}

/// The relation of a presented screen to its presenter.
public enum PresentationStyle: Hashable, Sendable {
  /// The presented screen fills the stage. The presenter's layer is removed at the end of the transition.
  case fullScreen
  /// The presented screen is on top of the presenter, whose layer stays and whose appearance does not change.
  case custom
}

/// How a transition ended.
public enum TransitionOutcome: Hashable, Sendable {
  /// The new screen is visible.
  case completed
  /// The old screen is visible again.
  case cancelled
  /// The new screen is visible, and nothing was animated.
  case skipped(SkipReason)
}

/// The reason why a transition was not animated.
public enum SkipReason: Hashable, Sendable {
  /// The caller requested a transition without animation.
  case notAnimated
  /// The container is not on a stage or not visible.
  case notOnScreen
  /// A later operation made the transition unnecessary.
  case superseded
  /// The user prefers no motion.
  case reducedMotion
}
