public import LearningModel

/// Which transitions each kind of place can take part in.
///
/// A screen that shows the cards of its children is a source of those cards when one opens, and their target when one is
/// gone back to. It is itself, and lies inside, the cards of the levels above: their target when it is opened, their source
/// when it is left. A transition applies when the place that is left supports it as a source and the place that is
/// reached supports it as a target.
///
/// To add a kind of place or a transition: its row here, its case in `candidate(for:)`, and its test.
public enum TransitionTable {
  /// One kind of place: what it can be the beginning and the end of.
  public struct Row: Hashable, Sendable {
    /// The kind of place.
    public let kind: PlaceKind
    /// What can begin here.
    public let asSource: [TransitionKind]
    /// What can end here.
    public let asTarget: [TransitionKind]
  }

  /// Every kind of place, from the top of the tree down.
  public static let rows: [Row] = [
    Row(
      kind: .root,
      asSource: [.courseCard],
      asTarget: [.courseCard]),
    Row(
      kind: .course,
      asSource: [.courseCard, .goalCard, .siblingSlide],
      asTarget: [.courseCard, .goalCard, .siblingSlide]),
    Row(
      kind: .goal,
      asSource: [.courseCard, .goalCard, .lessonCard, .siblingSlide],
      asTarget: [.courseCard, .goalCard, .lessonCard, .siblingSlide]),
    Row(
      kind: .lesson,
      asSource: [.courseCard, .goalCard, .lessonCard, .activityCard, .siblingSlide],
      asTarget: [.courseCard, .goalCard, .lessonCard, .activityCard, .siblingSlide]),
    Row(
      kind: .activity,
      asSource: [.courseCard, .goalCard, .lessonCard, .activityCard, .siblingSlide],
      asTarget: [.courseCard, .goalCard, .lessonCard, .activityCard, .siblingSlide]),
  ]

  /// What can begin at a place of that kind.
  public static func sourceTypes(of kind: PlaceKind) -> [TransitionKind] {
    rows.first { $0.kind == kind }?.asSource ?? []
  }

  /// What can end at a place of that kind.
  public static func targetTypes(of kind: PlaceKind) -> [TransitionKind] {
    rows.first { $0.kind == kind }?.asTarget ?? []
  }

  /// The card that a node of that kind is on the page above it.
  public static func card(of kind: ContentKind) -> TransitionKind {
    switch kind {
    case .course: .courseCard
    case .goal: .goalCard
    case .lesson: .lessonCard
    case .activity: .activityCard
    }
  }
}

// MARK: - Choosing

extension TransitionTable {
  /// How two places lie to each other.
  enum Relation: Hashable, Sendable {
    /// The second is below the first; the node is the first's child on the way.
    case descendant(child: NodeID, kind: ContentKind)
    /// The second is above the first; the node is the second's child on the way.
    case ancestor(child: NodeID, kind: ContentKind)
    /// Both are children of one parent, or asked for as neighbours in reading order; `isLater` says on which side.
    case beside(node: NodeID, isLater: Bool)
    /// Neither.
    case apart
  }

  /// Returns the transition from one place to another.
  ///
  /// - Parameters:
  ///   - source: The kind of the place that is left.
  ///   - target: The kind of the place that is reached.
  ///   - relation: How the second lies to the first.
  static func choice(from source: PlaceKind, to target: PlaceKind, relation: Relation) -> TransitionChoice {
    guard let candidate = candidate(for: relation),
      sourceTypes(of: source).contains(candidate.kind), targetTypes(of: target).contains(candidate.kind)
    else { return .crossFade }
    return candidate
  }

  private static func candidate(for relation: Relation) -> TransitionChoice? {
    switch relation {
    case .descendant(let child, let kind):
      TransitionChoice(kind: card(of: kind), direction: .down, reason: .matched, node: child)
    case .ancestor(let child, let kind):
      TransitionChoice(kind: card(of: kind), direction: .up, reason: .matched, node: child)
    case .beside(let node, let isLater):
      TransitionChoice(kind: .siblingSlide, direction: isLater ? .right : .left, reason: .matched, node: node)
    case .apart:
      nil
    }
  }
}
