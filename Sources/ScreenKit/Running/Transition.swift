/// A transition as the one who asked for it sees it: how it is going, and how it ended.
///
/// It can be taken in the hand at any moment: set ``fractionComplete`` to show one moment of it, then
/// ``finish(velocity:)`` or ``cancel(velocity:)``.
@MainActor public final class Transition {
  /// What it is for.
  public let operation: TransitionOperation
  /// The screen that was there.
  public let from: Screen
  /// The screen that will be there.
  public let to: Screen
  /// How it ended; nil before.
  public private(set) var outcome: TransitionOutcome?

  var run: TransitionRun?
  private var ends: [@MainActor (TransitionOutcome) -> Void] = []
  /// The tasks that wait in ``ended()``, by a number each. `nil` ends a wait without an outcome.
  private var waits: [Int: CheckedContinuation<TransitionOutcome?, Never>] = [:]
  private var lastWait = 0

  init(_ operation: TransitionOperation, from: Screen, to: Screen) {
    self.operation = operation
    self.from = from
    self.to = to
  }

  /// Whether it runs.
  public var isRunning: Bool { outcome == nil }

  /// Whether a hand drives it.
  public var isInteractive: Bool { run?.isInteractive ?? false }

  /// Whether it goes back to where it began, or has done so. One that a hand turns around counts as cancelled: who was
  /// shown before has the keys again at once, and hears that it appears when it is there.
  public var isCancelled: Bool { run?.transitionWasCancelled ?? (outcome == .cancelled) }

  /// How far it has come, 0…1, as it is seen; 1 when it is over. Setting it takes hold of it.
  public var fractionComplete: Double {
    get { run?.percentComplete ?? 1 }
    set {
      pause()
      run?.updateInteractiveTransition(newValue)
    }
  }

  /// Takes hold of it, and lets it go to a fraction and wait there: for a hand that is heard of in steps, such as a wheel.
  /// A new fraction while it runs bends that way, and stops nothing.
  ///
  /// - Parameters:
  ///   - fraction: 0…1.
  ///   - seconds: Until it is there.
  public func glide(to fraction: Double, within seconds: Double) {
    if !isInteractive { pause() }
    run?.glide(to: fraction, within: seconds)
  }

  /// Takes hold of it where it is.
  public func pause() {
    run?.pauseInteractiveTransition()
  }

  /// Lets go of it: it moves to its end.
  ///
  /// - Parameter velocity: Of the hand, in fractions a second; 0 takes the interaction controller's curve and speed.
  public func finish(velocity: Double = 0) {
    run?.letGo(cancelled: false, velocity: velocity)
  }

  /// Turns it around: it goes back to where it began.
  ///
  /// - Parameter velocity: Of the hand, in fractions a second, negative on the way back; 0 takes the interaction
  ///   controller's curve and speed.
  public func cancel(velocity: Double = 0) {
    run?.pauseInteractiveTransition()
    run?.letGo(cancelled: true, velocity: velocity)
  }

  /// Brings it to its end at once.
  public func skip() {
    run?.finishNow(cancelled: run?.transitionWasCancelled ?? false)
  }

  /// Calls when it is over, at once where it is already.
  public func whenEnded(_ body: @escaping @MainActor (TransitionOutcome) -> Void) {
    if let outcome { body(outcome) } else { ends.append(body) }
  }

  /// Waits until the transition ends. Cancelling the task ends only the wait, not the transition.
  ///
  /// - Returns: How the transition ended; at once if it has ended already.
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

/// What a transition is for; it tells which of a container's operations asks for an animator.
public enum TransitionOperation: Hashable, Sendable {
  /// A screen goes on a stack.
  case push
  /// A screen leaves a stack.
  case pop
  /// Another of several screens is shown.
  case select(from: Int, to: Int)
  /// One screen takes another's place.
  case replace
  /// A screen is shown over all others.
  case present
  /// The screen shown over all others leaves.
  case dismiss

  /// Whether it leads forward, not back: the screen it shows comes from the right, or on top.
  public var isForward: Bool {
    switch self {
    case .push, .replace, .present: true
    case .pop, .dismiss: false
    case .select(let from, let to): to > from
    }
  }
}

/// How a presented screen relates to the one that presents it.
public enum PresentationStyle: Hashable, Sendable {
  /// It takes the whole place; the layer of the presenting screen leaves the tree when the transition is over.
  case fullScreen
  /// It lies on top; the layer of the presenting screen stays, and its appearance does not change.
  case custom
}

/// How a transition ended.
public enum TransitionOutcome: Hashable, Sendable {
  /// The new screen is there.
  case completed
  /// The old screen is there again.
  case cancelled
  /// The new screen is there, and nothing was animated.
  case skipped(SkipReason)
}

/// Why nothing was animated.
public enum SkipReason: Hashable, Sendable {
  /// It was asked to be so.
  case notAnimated
  /// The container is not on a stage, or not seen.
  case notOnScreen
  /// Something later made it pointless.
  case superseded
  /// Whoever looks asked for no motion.
  case reducedMotion
}
