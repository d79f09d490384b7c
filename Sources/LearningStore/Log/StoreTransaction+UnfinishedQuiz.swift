import GRDB
public import LearningModel

/// A quiz that was left in the middle.
public struct StoredQuiz: Hashable, Sendable {
  /// A fingerprint of the questions.
  public var questions: String
  /// For each question the numbers of the choices taken, as a list of lists in JSON.
  public var answers: String
  /// The number of the question that is asked, from 0.
  public var question: Int
  /// Whether its answer is checked already.
  public var isChecked: Bool
  /// When it was saved.
  public var savedAt: Timestamp

  /// Makes one from all that is known of it.
  public init(questions: String, answers: String, question: Int, isChecked: Bool, savedAt: Timestamp) {
    self.questions = questions
    self.answers = answers
    self.question = question
    self.isChecked = isChecked
    self.savedAt = savedAt
  }
}

extension StoreTransaction {
  /// Keeps how far a learner has come in a quiz; `nil` where there is nothing to come back to.
  ///
  /// - Parameter moment: When.
  public func save(_ quiz: StoredQuiz?, of node: NodeID, for learner: LearnerID, at moment: Timestamp) throws {
    if let quiz {
      try run(
        Self.keepText, learner, node, quiz.questions, quiz.answers, quiz.question, quiz.isChecked, quiz.savedAt)
    } else {
      try run(Self.forgetText, learner, node)
      guard database.changesCount > 0 else { return }
    }
    try noteChange(of: .quiz, at: node, by: learner, at: moment)
  }

  private static let forgetText = StatementText("DELETE FROM unfinishedQuiz WHERE learner = ? AND node = ?")
  private static let keepText = StatementText(
    """
    INSERT INTO unfinishedQuiz (learner, node, questions, answers, question, isChecked, savedAt)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET questions = excluded.questions, answers = excluded.answers, question = excluded.question,
      isChecked = excluded.isChecked, savedAt = excluded.savedAt
    """)
}

extension StoreSnapshot {
  /// Returns how far a learner has come in a quiz that was left in the middle; `nil` where there is none.
  public func unfinishedQuiz(of node: NodeID, for learner: LearnerID) throws -> StoredQuiz? {
    try first(Self.quizText, learner, node) { row in
      StoredQuiz(questions: row[0], answers: row[1], question: row[2], isChecked: row[3], savedAt: row[4])
    }
  }

  private static let quizText = StatementText(
    "SELECT questions, answers, question, isChecked, savedAt FROM unfinishedQuiz WHERE learner = ? AND node = ?")

  /// Returns all quizzes that a learner has left in the middle, the oldest first.
  func unfinishedQuizzes(of learner: LearnerID) throws -> [(node: NodeID, quiz: StoredQuiz)] {
    try all(Self.quizzesText, learner) { row in
      (
        node: row[0] as NodeID,
        quiz: StoredQuiz(questions: row[1], answers: row[2], question: row[3], isChecked: row[4], savedAt: row[5])
      )
    }
    .sorted { ($0.quiz.savedAt, $0.node) < ($1.quiz.savedAt, $1.node) }
  }

  private static let quizzesText = StatementText(
    "SELECT node, questions, answers, question, isChecked, savedAt FROM unfinishedQuiz WHERE learner = ?")
}
