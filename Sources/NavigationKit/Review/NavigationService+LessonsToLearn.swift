import LearningModel
import LearningStore

extension NavigationService {
  /// Returns the next lesson with cards that the learner has not begun, in reading order. Courses with cards of the
  /// learner come first.
  ///
  /// - Parameter name: A place, to search in it only. `nil` or the root for all courses.
  /// - Returns: The lesson and the number of its new cards, or `nil` if there is no such lesson.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/database(_:)``.
  package func nextLessonToLearn(in name: PlaceName? = nil) throws(NavigationError) -> (lesson: NamedPlace, cards: Int)?
  {
    try readMemories { snapshot in
      let scope = try reviewScope(snapshot, name)
      let learner = scope.learner
      let begun = Set(try learner.map { try snapshot.newCards(of: $0) }?.map(\.node) ?? [])
      let known = Set(scope.courses)
      let courses = try scope.chain.last.map { [$0] } ?? snapshot.children(of: .root)
      for course in courses.filter({ known.contains($0.id) }) + courses.filter({ !known.contains($0.id) }) {
        let activities = try snapshot.activitiesWithCards(under: course.id, madeBy: learner).filter {
          !begun.contains($0)
        }
        for activity in activities {
          guard try newCards(in: activity, of: learner, snapshot) > 0 else { continue }
          let lesson = Array(try snapshot.chain(to: activity).dropLast())
          guard let parent = lesson.last else { continue }
          let siblings = Set(try snapshot.children(of: .node(parent.id)).map(\.id))
          let cards = try activities.filter(siblings.contains).map { try newCards(in: $0, of: learner, snapshot) }
          return (NamedPlace(lesson), cards.reduce(0, +))
        }
      }
      return nil
    }
  }

  /// The number of cards of an activity that a learner has not met.
  private func newCards(in activity: NodeID, of learner: LearnerID?, _ snapshot: StoreSnapshot) throws -> Int {
    guard let learner else { return try snapshot.cardReferences(in: activity, of: nil).count }
    return try snapshot.newCards(in: activity, of: learner, limit: .max).count
  }
}
