public import LearningModel

/// A place as somebody names it.
public enum PlaceName: Hashable, Sendable {
  /// By its node, as a screen does that shows it.
  case place(Place)
  /// By a path, or by the slug of a child or a sibling, as a person types it.
  case text(String)
}

extension PlaceName: ExpressibleByStringLiteral {
  /// Names a place by its path or slug.
  public init(stringLiteral text: String) {
    self = .text(text)
  }
}

/// What a front end asks for: an operation, and the place that it is about.
public enum NavigationRequest: Hashable, Sendable {
  /// Go down to a child of the current place.
  case push(PlaceName)
  /// Go up to the parent.
  case pop
  /// Go up to a place on the stack.
  case popTo(PlaceName)
  /// Go up to the list of courses.
  case popToRoot
  /// Go to another child of the same parent.
  case select(PlaceName)
  /// Go on to what follows in reading order.
  case next
  /// Go to what precedes in reading order.
  case previous
  /// Go anywhere.
  case open(PlaceName)
  /// Go to the visit before this one.
  case back
  /// Go to the visit that `back` came from.
  case forward
  /// Take up where the learner left off.
  case resume

  /// The operation that the log will name.
  public var operation: NavigationOperation {
    switch self {
    case .push: .push
    case .pop: .pop
    case .popTo: .popTo
    case .popToRoot: .popToRoot
    case .select: .select
    case .next: .next
    case .previous: .previous
    case .open: .open
    case .back: .back
    case .forward: .forward
    case .resume: .resume
    }
  }
}
