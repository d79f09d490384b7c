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

  /// Whether it goes on, rather than back: the screen it shows comes from the right, or on top.
  public var isForward: Bool {
    switch self {
    case .push, .replace, .present: true
    case .pop, .dismiss: false
    case .select(let from, let to): to > from
    }
  }
}

/// What tells the element that moves from one screen to another: the same value at both ends.
public struct TransitionID: Hashable, Sendable, CustomStringConvertible {
  private let value: any Hashable & Sendable

  /// Makes an identity of a value.
  public init(_ value: some Hashable & Sendable) {
    self.value = value
  }

  /// Whether both are of equal values; those of different types are as equal as `AnyHashable` says.
  public static func == (one: TransitionID, other: TransitionID) -> Bool {
    AnyHashable(one.value) == AnyHashable(other.value)
  }

  /// Feeds the value to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(AnyHashable(value))
  }

  /// The value, as text.
  public var description: String { String(describing: value) }
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
