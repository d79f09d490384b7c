import LearningModel
import Testing

@testable import CoursePages

@Test func `a round shows cards in order and collects the unknown ones`() {
  var round = ReviewRound(cards: [4, 2, 7])
  round.grade(isKnown: true)
  round.turnOver()
  round.grade(isKnown: false)

  #expect(round.card == 7)
  #expect(!round.isTurnedOver)
  #expect(round.grades == [4: true, 2: false])
  #expect(round.unknownCards == [2])
  #expect(round.fraction == 2.0 / 3)

  round.grade(isKnown: true)
  round.grade(isKnown: false)
  #expect(round.isOver)
  #expect(round.knownCount == 2)
}

@Test func `taking back a card removes its grade`() {
  var round = ReviewRound(cards: [0, 1])
  round.grade(isKnown: false)
  round.undoGrade()
  round.undoGrade()

  #expect(round.card == 0)
  #expect(round.isTurnedOver)
  #expect(round.grades == [:])
}

private func question(_ right: Bool...) -> QuizQuestion {
  QuizQuestion(
    question: [.text("?")], details: [], choices: right.map { .init(text: [.text("choice")], isRight: $0) },
    explanation: [])
}

@Test func `an answer is right if exactly the right choices are ticked`() {
  var run = QuizRun(questions: [question(true, false, true), question(false, true)])
  run.tick(0)
  let first = run.check()
  #expect(first)
  #expect(!run.isRight(0))
  // A checked answer cannot be changed.
  run.tick(2)
  #expect(run.ticked == [0])
  run.advance()
  run.tick(0)
  run.tick(1)
  #expect(run.ticked == [1])
  let checked = run.check()
  #expect(checked)
  run.advance()

  #expect(run.isOver)
  #expect(run.correctCount == 1)
  #expect(run.score == 0.5)
}

@Test func `a question without right choices is answered by ticking nothing`() {
  var run = QuizRun(questions: [question(false, false)])
  run.tick(1)
  run.tick(1)
  #expect(run.ticked == [])
  let checked = run.check()
  #expect(checked)
  #expect(run.isRight(0))
}

@Test func `questions without choices do not count in the score`() {
  var run = QuizRun(questions: [question(), question(true, false)])
  let looked = run.check()
  run.advance()
  run.tick(1)
  let checked = run.check()
  run.advance()

  #expect(looked && checked && run.isOver)
  #expect(run.correctCount == 0)
  #expect(run.score == 0)
  #expect(QuizRun(questions: [question()]).score == 1)
}

@Test func `checking without a tick only ticks the selected choice`() {
  var run = QuizRun(questions: [question(true, false)])
  run.choose(1)
  let checked = run.check()

  #expect(!checked)
  #expect(run.ticked == [1])
  #expect(!run.isChecked)
  run.advance()
  #expect(run.number == 0)
}
