/// The kind of a transition.
public enum TransitionKind: OpenVocabulary {
  /// The card of a course opens or closes.
  case courseCard
  /// The card of a goal opens or closes.
  case goalCard
  /// The card of a lesson opens or closes.
  case lessonCard
  /// The card of an activity opens or closes.
  case activityCard
  /// A page is replaced by a sibling page, which slides in from the side.
  case siblingSlide
  /// A page fades into another. Used if the places before and after the step have no common transition.
  case crossFade
  /// A kind that a newer version has written.
  case other(String)

  /// The kinds that this version knows.
  public static let allCases: [Self] = [.courseCard, .goalCard, .lessonCard, .activityCard, .siblingSlide, .crossFade]
  /// The known kinds by their raw values.
  public static let meanings = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The name of the kind in the log.
  public var rawValue: String {
    switch self {
    case .courseCard: "courseCard"
    case .goalCard: "goalCard"
    case .lessonCard: "lessonCard"
    case .activityCard: "activityCard"
    case .siblingSlide: "siblingSlide"
    case .crossFade: "crossFade"
    case .other(let word): word
    }
  }
}

/// The direction of a transition.
public enum TransitionDirection: OpenVocabulary {
  /// Away from the list of courses.
  case down
  /// Towards the list of courses.
  case up
  /// Backwards in reading order.
  case left
  /// Forwards in reading order.
  case right
  /// A direction that a newer version has written.
  case other(String)

  /// The directions that this version knows.
  public static let allCases: [Self] = [.down, .up, .left, .right]
  /// The known directions by their raw values.
  public static let meanings = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The name of the direction in the log.
  public var rawValue: String {
    switch self {
    case .down: "down"
    case .up: "up"
    case .left: "left"
    case .right: "right"
    case .other(let word): word
    }
  }
}

/// The reason for choosing a transition.
public enum TransitionReason: OpenVocabulary {
  /// Both places support the transition.
  case matched
  /// The places have no common transition.
  case noMatch
  /// A reason that a newer version has written.
  case other(String)

  /// The reasons that this version knows.
  public static let allCases: [Self] = [.matched, .noMatch]
  /// The known reasons by their raw values.
  public static let meanings = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The name of the reason in the log.
  public var rawValue: String {
    switch self {
    case .matched: "matched"
    case .noMatch: "noMatch"
    case .other(let word): word
    }
  }
}

/// The transition of a step, determined by the kinds of the places. A front end may draw a simpler transition.
public struct TransitionChoice: Hashable, Sendable {
  /// The kind of the transition.
  public let kind: TransitionKind
  /// The direction, or `nil` for a cross-fade.
  public let direction: TransitionDirection?
  /// The reason for choosing the transition.
  public let reason: TransitionReason
  /// The node whose card and header move. `nil` for a cross-fade.
  public let node: NodeID?

  /// Creates a choice.
  public init(kind: TransitionKind, direction: TransitionDirection?, reason: TransitionReason, node: NodeID?) {
    self.kind = kind
    self.direction = direction
    self.reason = reason
    self.node = node
  }

  /// The choice for places without a common transition.
  public static let crossFade = TransitionChoice(kind: .crossFade, direction: nil, reason: .noMatch, node: nil)
}

extension TransitionChoice: CustomStringConvertible {
  /// The kind and, if there is one, the direction, such as `lessonCard, down`.
  public var description: String { kind.rawValue + (direction.map { ", " + $0.rawValue } ?? "") }
}
