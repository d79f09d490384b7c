public import LearningModel
import LearningStore

/// How much of a place a learner has done.
public struct ProgressRow: Hashable, Encodable, Sendable {
  /// The place.
  public let place: NamedPlace
  /// Whose.
  public let learner: String
  /// How much.
  public let progress: Progress

  package init(place: NamedPlace, learner: String, progress: Progress) {
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
  public func progress(of name: PlaceName? = nil, by scope: LearnerScope = .own) throws -> [ProgressRow] {
    try read { snapshot in
      let node = try name.flatMap { try Naming(snapshot: snapshot, current: []).resolve($0, nearby: nil).last }
      let places = try (node.map { [$0] } ?? []) + snapshot.children(of: Place(node?.id))
      let names = PlaceNames(snapshot)
      return try places.flatMap { place in
        let name = try names.name(of: .node(place.id))
        switch try snapshot.resolve(scope, own: learner) {
        case .everyone:
          return try snapshot.progressOfLearners(at: place.id).map {
            ProgressRow(place: name, learner: $0.learner.name, progress: Progress($0.progress))
          }
        case .one(let id):
          let sums = try snapshot.progress(of: place.id, for: id)
          return [ProgressRow(place: name, learner: try names.name(of: id), progress: Progress(sums))]
        case .nobody:
          return [
            ProgressRow(
              place: name, learner: learner, progress: Progress(try snapshot.progress(of: place.id, for: nil)))
          ]
        }
      }
    }
  }
}

extension Progress {
  init(_ sums: PlaceProgress) {
    self.init(done: sums.done, total: sums.total)
  }
}
