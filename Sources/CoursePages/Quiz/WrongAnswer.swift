package import LearningModel
package import NavigationService

/// A question that was not answered rightly when its quiz was answered last.
package struct WrongAnswer: Hashable {
  package let quiz: NamedPlace
  /// Its number in the quiz, from 0.
  package let number: Int
  package let question: QuizQuestion
  /// The numbers of the choices taken, from 0.
  package let taken: [Int]
  package let at: Timestamp

  /// The words of the choices that are right, or of those that were taken.
  package func words(ofTaken isTaken: Bool) -> [String] {
    question.choices.indices.filter { isTaken ? taken.contains($0) : question.choices[$0].isRight }
      .map { question.choices[$0].text.plainText }
  }

  /// Finds those of some quizzes, in the order of their questions.
  ///
  /// - Parameters:
  ///   - attempts: The last attempt at each quiz.
  ///   - content: What an activity is made of; `nil` for what is none any more.
  package static func all(
    in attempts: [(quiz: NamedPlace, attempt: QuizAttempt)], content: (NodeID) throws -> ActivityContent?
  ) rethrows -> [WrongAnswer] {
    try attempts.flatMap { quiz, attempt -> [WrongAnswer] in
      guard attempt.score < 1, let node = quiz.place.node, case .quiz(_, let questions, _)? = try content(node),
        let run = QuizRun(questions: questions, answered: attempt)
      else { return [] }
      return run.wrong.map {
        WrongAnswer(
          quiz: quiz, number: $0, question: questions[$0], taken: run.answers[$0].sorted(), at: attempt.at)
      }
    }
  }
}
