public import LearningModel

/// The transitions that each kind of place supports.
///
/// A place that shows the cards of its children supports their card transitions as a source (a child opens) and as a
/// target (a child closes). A place also supports the card transitions of its own level and of the levels above,
/// because it is located in these cards: as a target when the card opens, and as a source when the card closes. A
/// transition is possible if the place before the step supports it as a source and the place after the step supports it
/// as a target.
///
/// To add a kind of place or a transition, add its row here, its case in `candidate(for:)`, and its test.
public enum TransitionTable {
  /// The transitions that a kind of place supports.
  public struct Row: Hashable, Sendable {
    /// The kind of place.
    public let kind: PlaceKind
    /// The transitions that can start at this kind of place.
    public let asSource: [TransitionKind]
    /// The transitions that can end at this kind of place.
    public let asTarget: [TransitionKind]
  }

  /// All kinds of places, from the root to the activity.
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

  /// Returns the transitions that can start at a kind of place.
  public static func sourceTypes(of kind: PlaceKind) -> [TransitionKind] {
    rows.first { $0.kind == kind }?.asSource ?? []
  }

  /// Returns the transitions that can end at a kind of place.
  public static func targetTypes(of kind: PlaceKind) -> [TransitionKind] {
    rows.first { $0.kind == kind }?.asTarget ?? []
  }

  /// Returns the transition that opens or closes the card of a node of the given kind.
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
  /// The relation of the place after a step to the place before the step.
  enum Relation: Hashable, Sendable {
    /// The new place is a descendant. `child` is the child of the old place that is or contains the new place.
    case descendant(child: NodeID, kind: ContentKind)
    /// The new place is an ancestor. `child` is the child of the new place that is or contains the old place.
    case ancestor(child: NodeID, kind: ContentKind)
    /// The places are siblings, or the step is `next` or `previous`. `isLater` means that the new place comes later in
    /// reading order.
    case beside(node: NodeID, isLater: Bool)
    /// None of the other relations.
    case apart
  }

  /// Returns the transition from one place to another, or a cross-fade if no other transition is possible.
  ///
  /// - Parameters:
  ///   - source: The kind of the place before the step.
  ///   - target: The kind of the place after the step.
  ///   - relation: The relation of the second place to the first.
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
