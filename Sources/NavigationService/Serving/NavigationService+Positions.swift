import LearningModel
import LearningStore

// How far a text was read, for front ends that have no session open while somebody reads.

extension NavigationService {
  /// Keeps where a text was left, or forgets it.
  ///
  /// - Parameters:
  ///   - position: How far; what lies outside 0…1 is brought there. `nil` forgets it.
  ///   - name: Which activity.
  /// - Throws: ``NavigationError/notAnActivity(place:)``, and as a step does.
  package func setReadingPosition(_ position: ReadingPosition?, in name: PlaceName) throws {
    let moment = now()
    try write { transaction in
      let node = try activity(name, in: transaction.snapshot)
      guard let position else {
        guard let known = try transaction.snapshot.learner(named: learner) else { return }
        return try transaction.forgetReadingPosition(of: node, for: known.id, at: moment)
      }
      let known = try makeLearner(in: transaction, at: moment)
      try transaction.save(
        StoredReadingPosition(
          block: max(0, position.block), blockOffset: min(1, max(0, position.blockOffset)),
          fraction: min(1, max(0, position.fraction)), heading: position.heading, savedAt: position.savedAt),
        of: node, for: known.id)
    }
  }

  /// Returns how far a text was read; `nil` where it was not.
  ///
  /// - Throws: ``NavigationError/notAnActivity(place:)``, ``NavigationError/unknownPlace(name:nearest:)``.
  package func readingPosition(at name: PlaceName) throws -> ReadingPosition? {
    try read { snapshot in
      let node = try activity(name, in: snapshot)
      guard let learner = try snapshot.learner(named: learner) else { return nil }
      return try snapshot.readingPosition(of: node, for: learner.id).map(ReadingPosition.init)
    }
  }

  private func activity(_ name: PlaceName, in snapshot: StoreSnapshot) throws -> NodeID {
    let chain = try Naming(snapshot: snapshot, current: []).resolve(name, nearby: nil)
    guard let node = chain.last, node.kind == .activity else {
      throw NavigationError.notAnActivity(place: NamedPlace(chain).path)
    }
    return node.id
  }
}
