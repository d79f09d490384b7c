public import LearningModel
import LearningStore

/// One attempt at a quiz, or one card graded.
public struct Attempt: Hashable, Encodable, Sendable {
  /// The activity.
  public let place: NamedPlace
  /// Whose.
  public let learner: String
  /// What was done.
  public let kind: ActivityEventKind
  /// The share that was right, 0…1.
  public let score: Double?
  /// When.
  public let at: Timestamp

  private enum Key: String, CodingKey {
    case learner, attempt, score, at
  }

  /// Writes `path`, `kind`, `title`, `learner`, `attempt`, `score` and `at`.
  public func encode(to encoder: any Encoder) throws {
    try place.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(learner, forKey: .learner)
    try container.encode(kind, forKey: .attempt)
    try container.encode(score, forKey: .score)
    try container.encode(at, forKey: .at)
  }
}

extension NavigationService {
  /// Returns the quizzes that were answered and the cards that were graded, in a place or anywhere, the newest first.
  ///
  /// - Throws: ``NavigationError`` where the place or learner does not exist.
  public func attempts(
    in name: PlaceName? = nil, by scope: LearnerScope = .own, limit: Int? = nil
  ) throws -> [Attempt] {
    try read { snapshot in
      let node = try name.flatMap { try Naming(snapshot: snapshot, current: []).resolveEvenRemoved($0) }
      guard let learner = try snapshot.resolve(scope, own: self.learner).learner else { return [] }
      let names = PlaceNames(snapshot)
      let kinds: [ActivityEventKind] = [.quizChecked, .cardGraded]
      return try snapshot.activityEvents(of: learner, under: node?.id, kinds: kinds, limit: limit).map {
        Attempt(
          place: try names.name(of: .node($0.node)), learner: try names.name(of: $0.learner), kind: $0.kind,
          score: $0.score, at: $0.at)
      }
    }
  }
}
