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
