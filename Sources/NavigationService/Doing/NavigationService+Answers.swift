public import LearningModel
import LearningStore

/// A quiz that the learner answered to its end.
public struct QuizAttempt: Hashable, Sendable {
  /// The numbers of the choices taken, from 0, for each question.
  public let answers: [[Int]]
  /// The share of the questions that was right, 0…1.
  public let score: Double
  /// When.
  public let at: Timestamp

  /// Makes an attempt.
  public init(answers: [[Int]], score: Double, at: Timestamp) {
    self.answers = answers
    self.score = score
    self.at = at
  }

  fileprivate init(_ event: ActivityEvent) {
    self.init(answers: LearningAct.Detail(of: event)?.answers ?? [], score: event.score ?? 0, at: event.at)
  }
}

extension NavigationService {
  /// Returns the learner's attempts at a quiz, the newest first.
  public func quizAttempts(at place: Place, limit: Int? = nil) throws -> [QuizAttempt] {
    try ownEvents(.quizChecked, at: place, limit: limit).map(QuizAttempt.init)
  }

  /// Returns the last attempt at each quiz that the learner answered and that is in its course still, at a place and below
  /// it, the newest first.
  ///
  /// - Parameter name: The place; `nil` for all of them.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``.
  public func lastQuizAttempts(under name: PlaceName? = nil) throws -> [(quiz: NamedPlace, attempt: QuizAttempt)] {
    try read { snapshot in
      let node = try name.flatMap { try Naming(snapshot: snapshot, current: []).resolveEvenRemoved($0)?.id }
      guard let learner = try snapshot.learner(named: learner) else { return [] }
      var seen: Set<NodeID> = []
      return try snapshot.activityEvents(of: learner.id, under: node, kinds: [.quizChecked], limit: nil)
        .filter { seen.insert($0.node).inserted }
        .map { (quiz: NamedPlace(try snapshot.chain(to: $0.node)), attempt: QuizAttempt($0)) }
        .filter { !$0.quiz.isRemoved }
    }
  }

  /// Returns what the learner said of each card the last time it was turned: its number from 0, and whether it was known.
  public func gradedCards(at place: Place) throws -> [Int: Bool] {
    var grades: [Int: Bool] = [:]
    for event in try ownEvents(.cardGraded, at: place, limit: nil) {
      guard let detail = LearningAct.Detail(of: event), let card = detail.card, let known = detail.known,
        grades[card] == nil
      else { continue }
      grades[card] = known
    }
    return grades
  }

  private func ownEvents(_ kind: ActivityEventKind, at place: Place, limit: Int?) throws -> [ActivityEvent] {
    try glance { snapshot in
      guard let node = place.node, let learner = try snapshot.learner(named: learner) else { return [] }
      return try snapshot.activityEvents(of: learner.id, under: node, kinds: [kind], limit: limit)
    }
  }
}
