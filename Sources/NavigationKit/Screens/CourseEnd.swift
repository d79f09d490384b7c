public import LearningModel
import LearningStore

/// What a learner has of a course when they come to its end.
public struct CourseEnd: Hashable, Sendable {
  /// The course.
  public let course: PlaceSummary
  /// Its goals.
  public let goals: [PlaceSummary]
  /// When they were in it for the first time and the last, and how long in all, in milliseconds; `nil` where they never
  /// were.
  public let from: Timestamp?, to: Timestamp?
  /// How long the learner was present in the course.
  public let activeTime: Duration
  /// The quizzes that they answered to their end, in reading order.
  public let quizzes: [PlaceSummary]
  /// The decks of which they turned cards, in reading order.
  public let decks: [Deck]
  /// The course to go on with: the next in the list that is not done; `nil` where there is none.
  public let next: PlaceSummary?

  /// A deck of cards, and what the learner said of those that they turned.
  public struct Deck: Hashable, Sendable {
    /// The activity.
    public let card: PlaceSummary
    /// How many cards they have turned.
    public let turned: Int
    /// How many of those they knew the last time.
    public let known: Int
  }
}

extension NavigationService {
  /// Returns what the learner has of a course.
  ///
  /// - Parameter name: The course, or a place in it.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/removedPlace(title:nearest:)``; the list
  ///   of courses is none.
  public func courseEnd(of name: PlaceName) throws(NavigationError) -> CourseEnd {
    try read { snapshot in
      let chain = try PlaceResolver(snapshot: snapshot, current: []).resolve(name, nearby: nil)
      let learner = try snapshot.learner(named: learner)
      let pages = Pages(snapshot: snapshot, learner: learner)
      guard let course = chain.first else { throw NavigationError.unknownPlace(name: "/", nearest: []) }
      let time = try learner.flatMap { try snapshot.timeSpent(in: course.id, by: $0.id) }

      var grades: [NodeID: [Int: Bool]] = [:]
      var answered: Set<NodeID> = []
      if let learner {
        let kinds: [ActivityEventKind] = [.quizChecked, .cardGraded]
        for event in try snapshot.activityEvents(of: learner.id, under: course.id, kinds: kinds, limit: nil) {
          if event.kind == .quizChecked {
            answered.insert(event.node)
          } else if let detail = LearningAct.Detail(of: event), let card = detail.card, let known = detail.known,
            grades[event.node]?[card] == nil
          {
            grades[event.node, default: [:]][card] = known
          }
        }
      }
      func chains(of nodes: some Sequence<NodeID>) throws -> [[ContentNode]] {
        try nodes.map { try snapshot.chain(to: $0) }.filter { $0.last?.isRemoved == false }
          .sorted { $0.map(\.position).lexicographicallyPrecedes($1.map(\.position)) }
      }
      let courses = try snapshot.cards(under: nil, for: learner?.id).map { PlaceSummary($0, at: NamedPlace([$0.node])) }
      let here = courses.firstIndex { $0.place.place == .node(course.id) } ?? 0
      return CourseEnd(
        course: try pages.card(of: [course]), goals: try pages.childCards(of: [course], .all).cards, from: time?.from,
        to: time?.to, activeTime: .milliseconds(time?.activeMilliseconds ?? 0),
        quizzes: try chains(of: answered).map(pages.card),
        decks: try chains(of: grades.keys).map { chain in
          let said = chain.last.flatMap { grades[$0.id] } ?? [:]
          return CourseEnd.Deck(card: try pages.card(of: chain), turned: said.count, known: said.values.count { $0 })
        },
        next: (courses[(here + 1)...] + courses[..<here]).first { $0.state != .done && $0.progress.total > 0 })
    }
  }
}
