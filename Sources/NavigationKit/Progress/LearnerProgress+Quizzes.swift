import Foundation
import JSONCoding
public import LearningModel
import LearningStore

/// The answers to a quiz that a learner has not finished.
public struct UnfinishedQuiz: Hashable, Sendable {
  /// For each question, the indices of the selected choices.
  public var answers: [[Int]]
  /// The index of the current question.
  public var question: Int
  /// Whether the answer to the current question was already checked.
  public var isChecked: Bool

  /// Creates the state of a quiz.
  public init(answers: [[Int]], question: Int, isChecked: Bool) {
    self.answers = answers
    self.question = question
    self.isChecked = isChecked
  }

  /// Returns whether all indices are valid for these questions.
  fileprivate func fits(_ questions: [QuizQuestion]) -> Bool {
    questions.indices.contains(question) && answers.count == questions.count
      && zip(answers, questions).allSatisfy { $0.allSatisfy($1.choices.indices.contains) }
  }
}

extension LearnerProgress {
  /// Saves the learner's progress in a quiz, so that ``unfinishedQuiz(of:in:)`` can resume it.
  ///
  /// Does nothing if no session is open.
  ///
  /// - Parameters:
  ///   - quiz: The answers so far; `nil` removes the saved answers, for example after the last question.
  ///   - questions: The questions. The quiz restarts if a later version of the course has different questions.
  ///   - place: The activity. Nothing is saved for the root.
  ///   - timeout: How long to wait for another writer; `nil` for the database's busy timeout.
  /// - Throws: ``NavigationError/busy``, ``NavigationError/database(_:)``.
  public func save(
    _ quiz: UnfinishedQuiz?, of questions: [QuizQuestion], in place: Place, waitingAtMost timeout: Duration? = nil
  ) throws(NavigationError) {
    guard let node = place.node else { return }
    let time = session.now()
    let stored = quiz.map { quiz in
      StoredQuiz(
        questions: questions.fingerprint, answers: Self.text(of: quiz.answers), question: max(0, quiz.question),
        isChecked: quiz.isChecked, savedAt: time)
    }
    // Most quizzes are finished without having been saved, and then nothing needs to be removed.
    if stored == nil, try storedQuiz(in: node) == nil { return }
    try session.write(waitingAtMost: timeout) { transaction in
      guard let record = try session.openSession(in: transaction.snapshot, at: time) else { return }
      try transaction.save(stored, of: node, for: record.session.learner, at: time)
    }
  }

  /// Returns the saved progress in an unfinished quiz. Returns `nil` if the quiz starts from the beginning: nothing was
  /// saved, the questions have changed, or the learner has finished the quiz since.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func unfinishedQuiz(of questions: [QuizQuestion], in place: Place) throws(NavigationError) -> UnfinishedQuiz? {
    guard let node = place.node, let stored = try storedQuiz(in: node), stored.questions == questions.fingerprint,
      let answers = try? JSONDecoder().decode([[Int]].self, from: Data(stored.answers.utf8))
    else { return nil }
    // The quiz was finished later, for example on another device.
    if let last = try quizAttempts(at: place, limit: 1).first, last.at > stored.savedAt { return nil }
    let quiz = UnfinishedQuiz(answers: answers, question: stored.question, isChecked: stored.isChecked)
    return quiz.fits(questions) ? quiz : nil
  }

  private func storedQuiz(in node: NodeID) throws(NavigationError) -> StoredQuiz? {
    try session.readLatest { snapshot in
      try snapshot.learner(named: session.learner).flatMap { try snapshot.unfinishedQuiz(of: node, for: $0.id) }
    }
  }

  private static func text(of answers: [[Int]]) -> String {
    "[" + answers.map { "[" + $0.map(String.init).joined(separator: ",") + "]" }.joined(separator: ",") + "]"
  }
}

extension [QuizQuestion] {
  /// A hash that identifies these questions. It is stored, so it must be the same in every version of Waymark.
  fileprivate var fingerprint: String {
    // Encoding cannot fail on strings and Booleans.
    SHA1.hash(try! JSONEncoding.sorted(self)).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}

/// A quiz that the learner answered completely.
public struct QuizAttempt: Hashable, Sendable {
  /// For each question, the indices of the selected choices.
  public let answers: [[Int]]
  /// The share of right answers, 0…1.
  public let score: Double
  /// When the learner finished the quiz.
  public let at: Timestamp

  package init(answers: [[Int]], score: Double, at: Timestamp) {
    self.answers = answers
    self.score = score
    self.at = at
  }

  fileprivate init(_ event: ActivityEvent) {
    self.init(answers: ActivityEventContent.Detail(of: event)?.answers ?? [], score: event.score ?? 0, at: event.at)
  }
}

extension LearnerProgress {
  /// Returns the learner's attempts at a quiz, the newest first.
  ///
  /// - Parameters:
  ///   - place: The quiz.
  ///   - limit: The maximum number of attempts; `nil` for all.
  /// - Throws: ``NavigationError/database(_:)``.
  public func quizAttempts(at place: Place, limit: Int? = nil) throws(NavigationError) -> [QuizAttempt] {
    try activityEvents(.quizChecked, at: place, limit: limit).map(QuizAttempt.init)
  }

  /// Returns the learner's last attempt at each answered quiz in a place and its descendants, the newest first. Quizzes
  /// that were removed from their course are omitted.
  ///
  /// - Parameter name: The place; `nil` for the quizzes in all places.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``.
  public func lastQuizAttempts(under name: PlaceName? = nil) throws(NavigationError) -> [(
    quiz: NamedPlace, attempt: QuizAttempt
  )] {
    try session.read { snapshot in
      let node = try name.flatMap { try PlaceResolver(snapshot: snapshot, current: []).resolveEvenRemoved($0)?.id }
      guard let learner = try snapshot.learner(named: session.learner) else { return [] }
      var visited: Set<NodeID> = []
      return try snapshot.activityEvents(of: learner.id, under: node, kinds: [.quizChecked], limit: nil)
        .filter { visited.insert($0.node).inserted }
        .map { (quiz: NamedPlace(try snapshot.chain(to: $0.node)), attempt: QuizAttempt($0)) }
        .filter { !$0.quiz.isRemoved }
    }
  }

  /// Returns the learner's last grade of each flashcard, by the index of the card: `true` if the learner knew its back.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func gradedCards(at place: Place) throws(NavigationError) -> [Int: Bool] {
    var grades: [Int: Bool] = [:]
    for event in try activityEvents(.cardGraded, at: place, limit: nil) {
      guard let detail = ActivityEventContent.Detail(of: event), let card = detail.card, let isKnown = detail.known,
        grades[card] == nil
      else { continue }
      grades[card] = isKnown
    }
    return grades
  }

  private func activityEvents(_ kind: ActivityEventKind, at place: Place, limit: Int?) throws(NavigationError)
    -> [ActivityEvent]
  {
    try session.readLatest { snapshot in
      guard let node = place.node, let learner = try snapshot.learner(named: session.learner) else { return [] }
      return try snapshot.activityEvents(of: learner.id, under: node, kinds: [kind], limit: limit)
    }
  }
}
