public import LearningModel
import LearningStore

/// How much of a place a learner has done.
public struct ProgressRow: Hashable, Encodable, Sendable {
  /// The place.
  public let place: NamedPlace
  /// Whose.
  public let learner: String
  /// How much.
  public let progress: LearningProgress

  package init(place: NamedPlace, learner: String, progress: LearningProgress) {
    self.place = place
    self.learner = learner
    self.progress = progress
  }

  private enum Key: String, CodingKey {
    case done, total, learner
  }

  /// Writes `path`, `kind`, `title`, `done`, `total` and `learner`.
  public func encode(to encoder: any Encoder) throws {
    try place.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(progress.done, forKey: .done)
    try container.encode(progress.total, forKey: .total)
    try container.encode(learner, forKey: .learner)
  }
}

extension NavigationService {
  /// Returns the learner's progress: of a place and each of its children, or of every course where no place is named.
  ///
  /// - Throws: ``NavigationError`` where the place or learner does not exist.
  public func progress(of name: PlaceName? = nil, by scope: LearnerScope = .own) throws(NavigationError)
    -> [ProgressRow]
  {
    try read { snapshot in
      let node = try name.flatMap { try PlaceResolver(snapshot: snapshot, current: []).resolve($0, nearby: nil).last }
      let places = try (node.map { [$0] } ?? []) + snapshot.children(of: Place(node?.id))
      let names = PlaceNames(snapshot)
      return try places.flatMap { place in
        let name = try names.name(of: .node(place.id))
        switch try snapshot.resolve(scope, own: learner) {
        case .everyone:
          return try snapshot.progressOfLearners(at: place.id).map {
            ProgressRow(place: name, learner: $0.learner.name, progress: LearningProgress($0.progress))
          }
        case .one(let id):
          let sums = try snapshot.progress(of: place.id, for: id)
          return [ProgressRow(place: name, learner: try names.name(of: id), progress: LearningProgress(sums))]
        case .nobody:
          return [
            ProgressRow(
              place: name, learner: learner, progress: LearningProgress(try snapshot.progress(of: place.id, for: nil)))
          ]
        }
      }
    }
  }
}

extension LearningProgress {
  init(_ sums: PlaceProgress) {
    self.init(done: sums.done, total: sums.total)
  }
}

/// One attempt at a quiz, or one card graded.
public struct ActivityAttempt: Hashable, Encodable, Sendable {
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
  ) throws(NavigationError) -> [ActivityAttempt] {
    try read { snapshot in
      let node = try name.flatMap { try PlaceResolver(snapshot: snapshot, current: []).resolveEvenRemoved($0) }
      guard let learner = try snapshot.resolve(scope, own: self.learner).learner else { return [] }
      let names = PlaceNames(snapshot)
      let kinds: [ActivityEventKind] = [.quizChecked, .cardGraded]
      return try snapshot.activityEvents(of: learner, under: node?.id, kinds: kinds, limit: limit).map {
        ActivityAttempt(
          place: try names.name(of: .node($0.node)), learner: try names.name(of: $0.learner), kind: $0.kind,
          score: $0.score, at: $0.at)
      }
    }
  }
}
