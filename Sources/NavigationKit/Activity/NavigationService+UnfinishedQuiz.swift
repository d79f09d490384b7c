import Foundation
public import LearningModel
import LearningStore

/// A quiz that was left in the middle.
public struct UnfinishedQuiz: Hashable, Sendable {
  /// The numbers of the choices taken so far, from 0, for each question.
  public var answers: [[Int]]
  /// The number of the question that is asked, from 0.
  public var question: Int
  /// Whether its answer is checked already.
  public var isChecked: Bool

  /// Makes one.
  public init(answers: [[Int]], question: Int, isChecked: Bool) {
    self.answers = answers
    self.question = question
    self.isChecked = isChecked
  }

  /// Whether it can be gone on with, asked these questions.
  fileprivate func fits(_ questions: [QuizQuestion]) -> Bool {
    questions.indices.contains(question) && answers.count == questions.count
      && zip(answers, questions).allSatisfy { $0.allSatisfy($1.choices.indices.contains) }
  }
}

extension NavigationService {
  /// Keeps how far the learner has come in a quiz, so that it goes on there.
  ///
  /// Nothing is kept for somebody who has no session open.
  ///
  /// - Parameters:
  ///   - quiz: What was answered so far; `nil` where there is nothing to come back to.
  ///   - questions: What is asked. Where a later edition of the course asks anything else, the quiz begins anew.
  ///   - place: The activity.
  ///   - milliseconds: How long to wait for a busy database; ten seconds where `nil`.
  public func save(
    _ quiz: UnfinishedQuiz?, of questions: [QuizQuestion], in place: Place, waitingAtMost timeout: Duration? = nil
  ) throws(NavigationError) {
    guard let node = place.node else { return }
    let moment = now()
    let stored = quiz.map { quiz in
      StoredQuiz(
        questions: questions.fingerprint, answers: Self.text(of: quiz.answers), question: max(0, quiz.question),
        isChecked: quiz.isChecked, savedAt: moment)
    }
    // Most quizzes are answered to their end, and nothing was ever kept of them.
    if stored == nil, try storedQuiz(in: node) == nil { return }
    try write(waitingAtMost: timeout) { transaction in
      guard let record = try openSession(in: transaction.snapshot, at: moment) else { return }
      try transaction.save(stored, of: node, for: record.session.learner, at: moment)
    }
  }

  /// Returns how far the learner has come in a quiz that was left in the middle; `nil` where it begins anew.
  public func unfinishedQuiz(of questions: [QuizQuestion], in place: Place) throws(NavigationError) -> UnfinishedQuiz? {
    guard let node = place.node, let stored = try storedQuiz(in: node), stored.questions == questions.fingerprint,
      let answers = try? JSONDecoder().decode([[Int]].self, from: Data(stored.answers.utf8))
    else { return nil }
    // What was answered to its end since then, elsewhere, is not gone on with.
    if let last = try quizAttempts(at: place, limit: 1).first, last.at > stored.savedAt { return nil }
    let quiz = UnfinishedQuiz(answers: answers, question: stored.question, isChecked: stored.isChecked)
    return quiz.fits(questions) ? quiz : nil
  }

  private func storedQuiz(in node: NodeID) throws(NavigationError) -> StoredQuiz? {
    try glance { snapshot in
      try snapshot.learner(named: learner).flatMap { try snapshot.unfinishedQuiz(of: node, for: $0.id) }
    }
  }

  private static func text(of answers: [[Int]]) -> String {
    "[" + answers.map { "[" + $0.map(String.init).joined(separator: ",") + "]" }.joined(separator: ",") + "]"
  }
}

extension [QuizQuestion] {
  /// Tells these questions from all others, in every run of every version: the hash of their coded form, which stays.
  fileprivate var fingerprint: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // A question has texts and truths only, and an encoder of JSON refuses neither.
    let coded = try! encoder.encode(self)
    return SHA1.hash([UInt8](coded)).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}

/// A quiz that the learner answered to its end.
public struct QuizAttempt: Hashable, Sendable {
  /// The numbers of the choices taken, from 0, for each question.
  public let answers: [[Int]]
  /// The share of the questions that was right, 0…1.
  public let score: Double
  /// When.
  public let at: Timestamp

  /// Creates an attempt from its parts.
  package init(answers: [[Int]], score: Double, at: Timestamp) {
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
  public func quizAttempts(at place: Place, limit: Int? = nil) throws(NavigationError) -> [QuizAttempt] {
    try ownEvents(.quizChecked, at: place, limit: limit).map(QuizAttempt.init)
  }

  /// Returns the last attempt at each quiz that the learner answered and that is in its course still, at a place and below
  /// it, the newest first.
  ///
  /// - Parameter name: The place; `nil` for all of them.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``.
  public func lastQuizAttempts(under name: PlaceName? = nil) throws(NavigationError) -> [(
    quiz: NamedPlace, attempt: QuizAttempt
  )] {
    try read { snapshot in
      let node = try name.flatMap { try PlaceResolver(snapshot: snapshot, current: []).resolveEvenRemoved($0)?.id }
      guard let learner = try snapshot.learner(named: learner) else { return [] }
      var seen: Set<NodeID> = []
      return try snapshot.activityEvents(of: learner.id, under: node, kinds: [.quizChecked], limit: nil)
        .filter { seen.insert($0.node).inserted }
        .map { (quiz: NamedPlace(try snapshot.chain(to: $0.node)), attempt: QuizAttempt($0)) }
        .filter { !$0.quiz.isRemoved }
    }
  }

  /// Returns what the learner said of each card the last time it was turned: its number from 0, and whether it was known.
  public func gradedCards(at place: Place) throws(NavigationError) -> [Int: Bool] {
    var grades: [Int: Bool] = [:]
    for event in try ownEvents(.cardGraded, at: place, limit: nil) {
      guard let detail = LearningAct.Detail(of: event), let card = detail.card, let known = detail.known,
        grades[card] == nil
      else { continue }
      grades[card] = known
    }
    return grades
  }

  private func ownEvents(_ kind: ActivityEventKind, at place: Place, limit: Int?) throws(NavigationError)
    -> [ActivityEvent]
  {
    try glance { snapshot in
      guard let node = place.node, let learner = try snapshot.learner(named: learner) else { return [] }
      return try snapshot.activityEvents(of: learner.id, under: node, kinds: [kind], limit: limit)
    }
  }
}
