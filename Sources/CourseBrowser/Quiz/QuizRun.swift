import LearningModel
import NavigationService

/// One time through a quiz: which question is asked, what is ticked, and what was right.
struct QuizRun: Hashable {
  let questions: [QuizQuestion]
  private(set) var number = 0
  /// The choices taken, for each question.
  private(set) var answers: [Set<Int>]
  /// Whether the question's answer is checked, and its explanation seen.
  private(set) var isChecked = false
  /// The choice that Space ticks.
  private(set) var chosen = 0

  init(questions: [QuizQuestion]) {
    self.questions = questions
    answers = questions.map { _ in [] }
  }

  /// Goes on where it was left.
  init(questions: [QuizQuestion], _ unfinished: UnfinishedQuiz) {
    self.questions = questions
    number = unfinished.question
    answers = unfinished.answers.map(Set.init)
    isChecked = unfinished.isChecked
    chosen = ticked.min() ?? 0
  }

  /// Whether something was answered, and not everything.
  var isUnfinished: Bool { !isOver && !(isLast && isChecked) && (number > 0 || isChecked || !ticked.isEmpty) }

  /// The question that is asked; `nil` when the quiz is over.
  var question: QuizQuestion? { questions.indices.contains(number) ? questions[number] : nil }
  var isOver: Bool { question == nil }
  var isLast: Bool { number == questions.count - 1 }
  var ticked: Set<Int> { answers.indices.contains(number) ? answers[number] : [] }

  /// How many questions have been answered, and the answers checked.
  var answered: Int { number + (isChecked && !isOver ? 1 : 0) }

  /// How far it has come, as it is kept for its card.
  func position(at moment: Timestamp) -> ReadingPosition {
    ReadingPosition(
      block: min(number, questions.count - 1), fraction: Double(answered) / Double(questions.count), heading: nil,
      savedAt: moment)
  }

  /// Whether several choices are right.
  var asksForSeveral: Bool { question.map { Self.right($0).count != 1 } ?? false }

  /// How many of the choices are right.
  var rightChoices: Int { question.map { Self.right($0).count } ?? 0 }

  func isRight(_ number: Int) -> Bool { answers[number] == Self.right(questions[number]) }
  /// How many of the questions with choices were answered rightly.
  var right: Int { questions.indices.count { !questions[$0].isOpen && isRight($0) } }
  var score: Double {
    let judged = questions.judged
    return judged == 0 ? 1 : Double(right) / Double(judged)
  }

  private static func right(_ question: QuizQuestion) -> Set<Int> {
    Set(question.choices.indices.filter { question.choices[$0].isRight })
  }

  mutating func choose(_ choice: Int) {
    guard let question, !isChecked else { return }
    chosen = max(0, min(choice, question.choices.count - 1))
  }

  /// Ticks a choice, or takes the tick away; where one is right, another one loses its tick.
  mutating func tick(_ choice: Int) {
    guard let question, !isChecked, question.choices.indices.contains(choice) else { return }
    chosen = choice
    if !asksForSeveral {
      answers[number] = [choice]
    } else if answers[number].remove(choice) == nil {
      answers[number].insert(choice)
    }
  }

  /// Checks what is ticked. Where nothing is, the chosen one is ticked instead, for the learner to see it first.
  ///
  /// - Returns: Whether it was checked.
  mutating func check() -> Bool {
    guard let question, !isChecked else { return false }
    guard !ticked.isEmpty || Self.right(question).isEmpty else {
      tick(chosen)
      return false
    }
    isChecked = true
    return true
  }

  /// Goes on to the next question, or to the end.
  mutating func goOn() {
    guard isChecked else { return }
    number += 1
    chosen = 0
    isChecked = false
  }
}

extension UnfinishedQuiz {
  /// What is kept of a quiz.
  init(_ run: QuizRun) {
    self.init(answers: run.answers.map { $0.sorted() }, question: run.number, isChecked: run.isChecked)
  }
}

extension QuizQuestion {
  /// Whether it is answered in one's own words: it has no choices, so only the learner can say what the answer was worth.
  var isOpen: Bool { choices.isEmpty }
}

extension [QuizQuestion] {
  /// How many of them can be right or wrong.
  var judged: Int { count { !$0.isOpen } }
}
