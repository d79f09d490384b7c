public import LearningModel
import LearningStore

/// A learner's results in a course, for the screen at the end of the course.
public struct CourseEnd: Hashable, Sendable {
  /// The finished course.
  public let course: PlaceSummary
  /// The goals of the course.
  public let goals: [PlaceSummary]
  /// The times of the learner's first and last visits to the course. `nil` if the learner has not visited it.
  public let from: Timestamp?, to: Timestamp?
  /// How long the learner was present in the course.
  public let activeTime: Duration
  /// The quizzes that the learner has finished, in reading order.
  public let quizzes: [PlaceSummary]
  /// The decks of flashcards of which the learner has graded cards, in reading order.
  public let decks: [Deck]
  /// The course to continue with: the next unfinished course in the list. After the end of the list, the search
  /// continues at its beginning. `nil` if all other courses are done.
  public let next: PlaceSummary?

  /// A deck of flashcards with the learner's grades.
  public struct Deck: Hashable, Sendable {
    /// The activity with the flashcards.
    public let summary: PlaceSummary
    /// The number of cards that the learner has graded.
    public let turnedCount: Int
    /// The number of cards that the learner knew the last time.
    public let knownCount: Int
  }
}

extension CoursePlaces {
  /// Returns the learner's results in a course.
  ///
  /// - Parameter name: The course, or a place in it.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, also for the root;
  ///   ``NavigationError/removedPlace(title:nearest:)``.
  public func courseEnd(of name: PlaceName) throws(NavigationError) -> CourseEnd {
    try session.read { snapshot in
      let chain = try PlaceResolver(snapshot: snapshot, current: []).resolve(name, nearby: nil)
      let learner = try snapshot.learner(named: session.learner)
      let pages = Pages(snapshot: snapshot, learner: learner, at: session.now())
      guard let course = chain.first else { throw NavigationError.unknownPlace(name: "/", nearest: []) }
      let time = try learner.flatMap { try snapshot.timeSpent(in: course.id, by: $0.id) }

      var grades: [NodeID: [Int: Bool]] = [:]
      var answered: Set<NodeID> = []
      if let learner {
        let kinds: [ActivityEventKind] = [.quizChecked, .cardGraded]
        for event in try snapshot.activityEvents(of: learner.id, under: course.id, kinds: kinds, limit: nil) {
          if event.kind == .quizChecked {
            answered.insert(event.node)
          } else if let detail = ActivityEventContent.Detail(of: event), let card = detail.card,
            let isKnown = detail.known,
            grades[event.node]?[card] == nil
          {
            grades[event.node, default: [:]][card] = isKnown
          }
        }
      }
      func chains(of nodes: some Sequence<NodeID>) throws -> [[ContentNode]] {
        try nodes.map { try snapshot.chain(to: $0) }.filter { $0.last?.isRemoved == false }
          .sorted { $0.map(\.position).lexicographicallyPrecedes($1.map(\.position)) }
      }
      let courses = try snapshot.cards(under: nil, for: learner?.id, at: pages.now).map {
        try pages.makeSummary(of: $0, at: NamedPlace([$0.node]))
      }
      let index = courses.firstIndex { $0.place.place == .node(course.id) } ?? 0
      return CourseEnd(
        course: try pages.summary(of: [course]), goals: try pages.childSummaries(of: [course], .all).summaries,
        from: time?.from,
        to: time?.to, activeTime: .milliseconds(time?.activeMilliseconds ?? 0),
        quizzes: try chains(of: answered).map(pages.summary),
        decks: try chains(of: grades.keys).map { chain in
          let cards = chain.last.flatMap { grades[$0.id] } ?? [:]
          return CourseEnd.Deck(
            summary: try pages.summary(of: chain), turnedCount: cards.count, knownCount: cards.values.count { $0 })
        },
        next: (courses[(index + 1)...] + courses[..<index]).first { $0.state != .done && $0.progress.total > 0 })
    }
  }
}
