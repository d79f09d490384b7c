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
