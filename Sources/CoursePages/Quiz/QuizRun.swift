package import LearningModel
package import NavigationKit
import WholeNumbers

/// One pass through a quiz: the current question, the ticked choices and the results.
package struct QuizRun: Hashable {
  package let questions: [QuizQuestion]
  /// The indices of the questions of this run, in order: all questions, or those that were answered incorrectly in an
  /// earlier run.
  package private(set) var questionIndices: [Int]
  package private(set) var number = 0
  /// The ticked choices of each question.
  package private(set) var answers: [Set<Int>]
  /// Whether the current answer was checked and its explanation is visible.
  package private(set) var isChecked = false
  /// The choice that the Space key ticks.
  package private(set) var chosen = 0

  package init(questions: [QuizQuestion]) {
    self.questions = questions
    questionIndices = Array(questions.indices)
    answers = questions.map { _ in [] }
  }

  /// Creates a run with the questions that were answered incorrectly in another run, or with all questions if there are
  /// none.
  package init(again run: QuizRun) {
    self.init(questions: run.questions)
    guard !run.wrongQuestions.isEmpty else { return }
    questionIndices = run.wrongQuestions
    number = questionIndices[0]
    answers = questions.indices.map { questionIndices.contains($0) ? [] : run.answers[$0] }
  }

  /// Continues a stored run.
  package init(questions: [QuizQuestion], _ unfinished: UnfinishedQuiz) {
    self.questions = questions
    number = unfinished.question
    let answers = unfinished.answers.map(Set.init)
    self.answers = answers
    // A question after the current one has answers only if it was answered correctly in an earlier run. This run omits
    // such questions.
    questionIndices = questions.indices.filter { $0 <= unfinished.question || answers[$0].isEmpty }
    isChecked = unfinished.isChecked
    chosen = ticked.min() ?? 0
  }

  /// Creates the finished run of a completed attempt, or returns `nil` if the questions have changed since the attempt.
  package init?(questions: [QuizQuestion], answeredCount attempt: QuizAttempt) {
    let fits = zip(questions, attempt.answers).allSatisfy { question, answer in
      answer.allSatisfy(question.choices.indices.contains)
    }
    guard !questions.isEmpty, attempt.answers.count == questions.count, fits else { return nil }
    self.init(questions: questions)
    number = questions.count
    answers = attempt.answers.map(Set.init)
    // The same answers give another score if the correct choices have changed.
    guard abs(score - attempt.score) < 0.001 else { return nil }
  }

  /// Whether some but not all questions were answered.
  package var isUnfinished: Bool {
    !isOver && !(isLast && isChecked) && (answeredCount > 0 || isChecked || !ticked.isEmpty)
  }

  /// The current question, or `nil` if the run is over.
  package var question: QuizQuestion? { questions.indices.contains(number) ? questions[number] : nil }
  package var isOver: Bool { question == nil }
  package var isLast: Bool { number == questionIndices.last }
  package var ticked: Set<Int> { answers.indices.contains(number) ? answers[number] : [] }

  /// The number of questions whose answers were checked.
  package var answeredCount: Int { questionIndices.count { $0 < number } + (isChecked && !isOver ? 1 : 0) }

  /// The position of the current question in the run: `question 2 of 5`.
  package var positionText: String {
    "question \(min(questionIndices.count { $0 < number } + 1, questionIndices.count)) of \(questionIndices.count)"
  }

  /// The position of the next question in the run.
  package var nextPositionText: String {
    "question \(min(questionIndices.count { $0 <= number } + 1, questionIndices.count)) of \(questionIndices.count)"
  }

  /// Returns the position to store. The quiz's card in a list shows the progress in it, such as `3 of 8 questions`.
  package func position(at time: Timestamp) -> ReadingPosition {
    ReadingPosition(
      block: min(number, questions.count - 1), fraction: Double(answeredCount) / Double(questionIndices.count),
      heading: nil,
      savedAt: time)
  }

  /// Whether the learner can tick several choices of the current question. `false` if exactly one choice is correct.
  package var asksForSeveral: Bool { question.map { Self.correctChoices($0).count != 1 } ?? false }

  /// The number of correct choices of the current question.
  package var rightChoices: Int { question.map { Self.correctChoices($0).count } ?? 0 }

  package func isRight(_ number: Int) -> Bool { answers[number] == Self.correctChoices(questions[number]) }
  /// The number of questions with choices that were answered correctly.
  package var correctCount: Int { questions.indices.count { !questions[$0].isFreeText && isRight($0) } }
  package var score: Double {
    let questionCount = questions.choiceQuestionCount
    return questionCount == 0 ? 1 : Double(correctCount) / Double(questionCount)
  }

  /// The indices of the questions with choices that were answered incorrectly.
  package var wrongQuestions: [Int] { questions.indices.filter { !questions[$0].isFreeText && !isRight($0) } }

  private static func correctChoices(_ question: QuizQuestion) -> Set<Int> {
    Set(question.choices.indices.filter { question.choices[$0].isRight })
  }

  /// Returns a copy of the run as it was after the given question had been checked.
  package func checked(_ number: Int) -> QuizRun {
    var run = self
    (run.number, run.isChecked) = (number, true)
    return run
  }

  package mutating func choose(_ choice: Int) {
    guard let question, !isChecked else { return }
    chosen = max(0, min(choice, question.choices.count - 1))
  }

  /// Whether ``tick(_:)`` would change anything.
  package func canTick(_ choice: Int) -> Bool {
    guard let question, !isChecked, question.choices.indices.contains(choice) else { return false }
    return asksForSeveral || chosen != choice || !ticked.contains(choice)
  }

  /// Ticks a choice, or removes its tick. If exactly one choice is correct, ticks the choice and removes the tick of
  /// any other choice.
  package mutating func tick(_ choice: Int) {
    guard canTick(choice) else { return }
    chosen = choice
    if !asksForSeveral {
      answers[number] = [choice]
    } else if answers[number].remove(choice) == nil {
      answers[number].insert(choice)
    }
  }

  /// Replaces the ticks: ticks the choices with these numbers, counted from 1, and no others.
  ///
  /// - Returns: `false` if a number is out of range, or if there are several numbers but the question accepts only one
  ///   choice.
  package mutating func answer(_ numbers: [Int]) -> Bool {
    guard let question, numbers.allSatisfy({ (1...max(1, question.choices.count)).contains($0) }),
      numbers.count == 1 || asksForSeveral
    else { return false }
    let requested = Set(numbers.map { $0 - 1 })
    for choice in question.choices.indices where ticked.contains(choice) != requested.contains(choice) {
      // If exactly one choice is correct, ticking a choice removes the tick of the other one.
      if asksForSeveral || requested.contains(choice) { tick(choice) }
    }
    return true
  }

  /// Checks the answer. If no choice is ticked, only ticks the selected choice, so that the learner sees it before it
  /// is checked.
  ///
  /// - Returns: Whether the answer was checked.
  package mutating func check() -> Bool {
    guard let question, !isChecked else { return false }
    guard !ticked.isEmpty || Self.correctChoices(question).isEmpty else {
      tick(chosen)
      return false
    }
    isChecked = true
    return true
  }

  /// Continues with the next question, or ends the run.
  package mutating func advance() {
    guard isChecked else { return }
    number = questionIndices.first { $0 > number } ?? questions.count
    chosen = 0
    isChecked = false
  }
}

extension UnfinishedQuiz {
  /// Creates the stored form of a run.
  package init(_ run: QuizRun) {
    self.init(answers: run.answers.map { $0.sorted() }, question: run.number, isChecked: run.isChecked)
  }
}

extension QuizQuestion {
  /// Whether the question has no choices. Only the learner can judge the answer to such a question.
  package var isFreeText: Bool { choices.isEmpty }
}

extension [QuizQuestion] {
  /// The number of questions with choices.
  package var choiceQuestionCount: Int { count { !$0.isFreeText } }

  /// Returns the number of correct answers that are required to pass.
  ///
  /// - Parameter share: The required share of correct answers, 0…1.
  package func needed(toPass share: Double) -> Int {
    Int(clamping: (share * Double(choiceQuestionCount) - 1e-9).rounded(.up))
  }
}
