package import LearningModel
package import NavigationKit

/// One time through a quiz: which question is asked, what is ticked, and what was right.
package struct QuizRun: Hashable {
  package let questions: [QuizQuestion]
  /// The numbers of the questions that are asked, in order: all, or those that were not answered rightly.
  package private(set) var asked: [Int]
  package private(set) var number = 0
  /// The choices taken, for each question.
  package private(set) var answers: [Set<Int>]
  /// Whether the question's answer is checked, and its explanation seen.
  package private(set) var isChecked = false
  /// The choice that Space ticks.
  package private(set) var chosen = 0

  package init(questions: [QuizQuestion]) {
    self.questions = questions
    asked = Array(questions.indices)
    answers = questions.map { _ in [] }
  }

  /// Asks again what was not answered rightly in another run; all of it where everything was.
  package init(again run: QuizRun) {
    self.init(questions: run.questions)
    guard !run.wrong.isEmpty else { return }
    asked = run.wrong
    number = asked[0]
    answers = questions.indices.map { asked.contains($0) ? [] : run.answers[$0] }
  }

  /// Continues where it was left.
  package init(questions: [QuizQuestion], _ unfinished: UnfinishedQuiz) {
    self.questions = questions
    number = unfinished.question
    let answers = unfinished.answers.map(Set.init)
    self.answers = answers
    // What stands answered behind the question that is asked was right before.
    asked = questions.indices.filter { $0 <= unfinished.question || answers[$0].isEmpty }
    isChecked = unfinished.isChecked
    chosen = ticked.min() ?? 0
  }

  /// A quiz as it was answered to its end; `nil` where its questions are not those that were answered.
  package init?(questions: [QuizQuestion], answered attempt: QuizAttempt) {
    let fits = zip(questions, attempt.answers).allSatisfy { question, answer in
      answer.allSatisfy(question.choices.indices.contains)
    }
    guard !questions.isEmpty, attempt.answers.count == questions.count, fits else { return nil }
    self.init(questions: questions)
    number = questions.count
    answers = attempt.answers.map(Set.init)
    // Where other choices are right now, the questions have changed.
    guard abs(score - attempt.score) < 0.001 else { return nil }
  }

  /// Whether something was answered, and not everything.
  package var isUnfinished: Bool { !isOver && !(isLast && isChecked) && (answered > 0 || isChecked || !ticked.isEmpty) }

  /// The question that is asked; `nil` when the quiz is over.
  package var question: QuizQuestion? { questions.indices.contains(number) ? questions[number] : nil }
  package var isOver: Bool { question == nil }
  package var isLast: Bool { number == asked.last }
  package var ticked: Set<Int> { answers.indices.contains(number) ? answers[number] : [] }

  /// How many questions have been answered, and the answers checked.
  package var answered: Int { asked.count { $0 < number } + (isChecked && !isOver ? 1 : 0) }

  /// Which of the asked questions it is: `question 2 of 5`.
  package var place: String { "question \(min(asked.count { $0 < number } + 1, asked.count)) of \(asked.count)" }

  /// The same of the question that comes next.
  package var nextPlace: String { "question \(min(asked.count { $0 <= number } + 1, asked.count)) of \(asked.count)" }

  /// How far it has come, as it is kept for its card.
  package func position(at moment: Timestamp) -> ReadingPosition {
    ReadingPosition(
      block: min(number, questions.count - 1), fraction: Double(answered) / Double(asked.count), heading: nil,
      savedAt: moment)
  }

  /// Whether several choices are right.
  package var asksForSeveral: Bool { question.map { Self.right($0).count != 1 } ?? false }

  /// How many of the choices are right.
  package var rightChoices: Int { question.map { Self.right($0).count } ?? 0 }

  package func isRight(_ number: Int) -> Bool { answers[number] == Self.right(questions[number]) }
  /// How many of the questions with choices were answered rightly.
  package var right: Int { questions.indices.count { !questions[$0].isOpen && isRight($0) } }
  package var score: Double {
    let judged = questions.judged
    return judged == 0 ? 1 : Double(right) / Double(judged)
  }

  /// The numbers of the questions with choices that were not answered rightly.
  package var wrong: [Int] { questions.indices.filter { !questions[$0].isOpen && !isRight($0) } }

  private static func right(_ question: QuizQuestion) -> Set<Int> {
    Set(question.choices.indices.filter { question.choices[$0].isRight })
  }

  /// The run as it was when a question of it was checked.
  package func checked(_ number: Int) -> QuizRun {
    var run = self
    (run.number, run.isChecked) = (number, true)
    return run
  }

  package mutating func choose(_ choice: Int) {
    guard let question, !isChecked else { return }
    chosen = max(0, min(choice, question.choices.count - 1))
  }

  /// Ticks a choice, or takes the tick away; where one is right, another one loses its tick.
  package mutating func tick(_ choice: Int) {
    guard let question, !isChecked, question.choices.indices.contains(choice) else { return }
    chosen = choice
    if !asksForSeveral {
      answers[number] = [choice]
    } else if answers[number].remove(choice) == nil {
      answers[number].insert(choice)
    }
  }

  /// Ticks exactly the choices with these numbers, from 1.
  ///
  /// - Returns: Whether the question has them and accepts that many.
  package mutating func answer(_ numbers: [Int]) -> Bool {
    guard let question, numbers.allSatisfy({ (1...max(1, question.choices.count)).contains($0) }),
      numbers.count == 1 || asksForSeveral
    else { return false }
    let wanted = Set(numbers.map { $0 - 1 })
    for choice in question.choices.indices where ticked.contains(choice) != wanted.contains(choice) {
      // If one choice is right, ticking it removes the other tick.
      if asksForSeveral || wanted.contains(choice) { tick(choice) }
    }
    return true
  }

  /// Checks what is ticked. Where nothing is, the chosen one is ticked instead, for the learner to see it first.
  ///
  /// - Returns: Whether it was checked.
  package mutating func check() -> Bool {
    guard let question, !isChecked else { return false }
    guard !ticked.isEmpty || Self.right(question).isEmpty else {
      tick(chosen)
      return false
    }
    isChecked = true
    return true
  }

  /// Shows the next question, or the end.
  package mutating func goOn() {
    guard isChecked else { return }
    number = asked.first { $0 > number } ?? questions.count
    chosen = 0
    isChecked = false
  }
}

extension UnfinishedQuiz {
  /// What is kept of a quiz.
  package init(_ run: QuizRun) {
    self.init(answers: run.answers.map { $0.sorted() }, question: run.number, isChecked: run.isChecked)
  }
}

extension QuizQuestion {
  /// Whether it is answered in one's own words: it has no choices, so only the learner can say what the answer was worth.
  package var isOpen: Bool { choices.isEmpty }
}

extension [QuizQuestion] {
  /// How many of them can be right or wrong.
  package var judged: Int { count { !$0.isOpen } }

  /// How many of them must be right for a share to be reached.
  package func needed(toPass share: Double) -> Int { Int((share * Double(judged) - 1e-9).rounded(.up)) }
}
