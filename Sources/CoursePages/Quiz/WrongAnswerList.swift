package import CourseKit
package import LearningModel
package import NavigationKit
import TextCanvas

/// A question that was answered wrongly in the last attempt at its quiz.
package struct WrongAnswer: Hashable {
  package let quiz: NamedPlace
  /// The index of the question in the quiz.
  package let number: Int
  package let question: QuizQuestion
  /// The indices of the ticked choices.
  package let chosen: [Int]
  package let at: Timestamp

  /// Returns the texts of the ticked choices if `isTaken` is `true`, otherwise those of the correct choices.
  package func choiceTexts(ofTaken isTaken: Bool) -> [String] {
    question.choices.indices.filter { isTaken ? chosen.contains($0) : question.choices[$0].isRight }
      .map { question.choices[$0].text.plainText }
  }

  /// Returns the wrong answers of an attempt in the order of the questions, or an empty array if the questions have
  /// changed.
  fileprivate static func all(of quiz: NamedPlace, _ attempt: QuizAttempt, in library: CourseLibrary) throws -> [Self] {
    guard attempt.score < 1, let node = quiz.place.node,
      case .quiz(_, let questions, _)? = try library.content(of: node),
      let run = QuizRun(questions: questions, answeredCount: attempt)
    else { return [] }
    return run.wrongQuestions.map {
      WrongAnswer(
        quiz: quiz, number: $0, question: questions[$0], chosen: run.answers[$0].sorted(), at: attempt.at)
    }
  }
}

/// The questions that a learner answered wrongly in the last attempt at each quiz, searchable by their text.
package struct WrongAnswerList {
  private let all: [(answer: WrongAnswer, words: String)]

  package init() { all = [] }

  /// Reads the answers: those of one quiz first, then the others, newest attempt first.
  ///
  /// - Parameters:
  ///   - name: The place whose quizzes are read, or `nil` for all.
  ///   - place: The quiz whose answers come first.
  /// - Throws: The errors of the services.
  package init(
    of navigation: NavigationService, _ library: CourseLibrary, under name: PlaceName? = nil, first place: Place? = nil
  ) throws {
    let answers = try navigation.progress.lastQuizAttempts(under: name).flatMap {
      try WrongAnswer.all(of: $0.quiz, $0.attempt, in: library)
    }
    all = (answers.filter { $0.quiz.place == place } + answers.filter { $0.quiz.place != place }).map {
      ($0, ($0.question.question.plainText + " " + $0.quiz.title).folded)
    }
  }

  package var count: Int { all.count }
  package var isEmpty: Bool { all.isEmpty }

  /// The message if there are no wrong answers.
  package static let emptyMessage =
    "No wrong answers. Questions appear here until you answer them correctly."

  /// Returns the answers whose question or quiz title contains all words of a query.
  ///
  /// - Parameter limit: The maximum number of answers.
  package func answers(with query: String = "", limit: Int = .max) -> [WrongAnswer] {
    let terms = query.folded.split(separator: " ")
    return Array(all.lazy.filter { row in terms.allSatisfy { row.words.contains($0) } }.map(\.answer).prefix(limit))
  }
}
