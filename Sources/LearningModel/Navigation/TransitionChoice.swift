/// Which transition a step calls for.
public enum TransitionKind: OpenVocabulary {
  /// A course's card opens, or is gone back to.
  case courseCard
  /// A goal's card opens, or is gone back to.
  case goalCard
  /// A lesson's card opens, or is gone back to.
  case lessonCard
  /// An activity's card opens, or is gone back to.
  case activityCard
  /// A page gives way to the one beside it.
  case siblingSlide
  /// One page fades into another: what is left where source and target share nothing.
  case crossFade
  /// One that a later program has written.
  case other(String)

  /// Those that are known here.
  public static let allCases: [Self] = [.courseCard, .goalCard, .lessonCard, .activityCard, .siblingSlide, .crossFade]
  /// What their words mean.
  public static let meanings = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The word in the log.
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

/// Which way a transition goes.
public enum TransitionDirection: OpenVocabulary {
  /// Deeper into the course.
  case down
  /// Back towards the list of courses.
  case up
  /// Back in reading order.
  case left
  /// On in reading order.
  case right
  /// One that a later program has written.
  case other(String)

  /// Those that are known here.
  public static let allCases: [Self] = [.down, .up, .left, .right]
  /// What their words mean.
  public static let meanings = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The word in the log.
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

/// Why that transition was chosen.
public enum TransitionReason: OpenVocabulary {
  /// Source and target share a type.
  case matched
  /// They share none.
  case noMatch
  /// One that a later program has written.
  case other(String)

  /// Those that are known here.
  public static let allCases: [Self] = [.matched, .noMatch]
  /// What their words mean.
  public static let meanings = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The word in the log.
  public var rawValue: String {
    switch self {
    case .matched: "matched"
    case .noMatch: "noMatch"
    case .other(let word): word
    }
  }
}

/// The transition that applies to a step. It is structural: what is drawn may fall back to less.
public struct TransitionChoice: Hashable, Sendable {
  /// Which transition.
  public let kind: TransitionKind
  /// Which way; `nil` for a cross-fade.
  public let direction: TransitionDirection?
  /// Why that one.
  public let reason: TransitionReason
  /// The node whose card, header and crumb move; `nil` for a cross-fade.
  public let node: NodeID?

  /// Makes a choice.
  public init(kind: TransitionKind, direction: TransitionDirection?, reason: TransitionReason, node: NodeID?) {
    self.kind = kind
    self.direction = direction
    self.reason = reason
    self.node = node
  }

  /// The choice if source and target share nothing.
  public static let crossFade = TransitionChoice(kind: .crossFade, direction: nil, reason: .noMatch, node: nil)
}

extension TransitionChoice: CustomStringConvertible {
  /// The kind and, if there is one, the direction, such as `lessonCard, down`.
  public var description: String { kind.rawValue + (direction.map { ", " + $0.rawValue } ?? "") }
}
