import LearningModel
import LearningStore

extension NavigationService {
  /// Computes the step that opens one place from another, whoever is where: nothing is performed, and nobody moves.
  ///
  /// - Parameters:
  ///   - source: The place that is left.
  ///   - target: The place that is opened.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/removedPlace(title:nearest:)``.
  public func step(from source: PlaceName, to target: PlaceName) throws -> Step {
    try read { snapshot in
      let chain = try Naming(snapshot: snapshot, current: []).resolve(source, nearby: nil)
      let planner = Planner(
        snapshot: snapshot,
        situation: Situation(learner: nil, record: nil, last: nil, chain: chain, from: chain, note: nil), now: now())
      return try planner.step(.open(target), try planner.plan(.open(target)))
    }
  }
}
