import LearningModel
import NavigationKit
import Testing

@testable import CoursePages

struct QuizSessionTests {
  private let questions = [true, false].map { isFirstRight in
    QuizQuestion(
      question: [.text("?")], details: [],
      choices: [.init(text: [.text("a")], isRight: isFirstRight), .init(text: [.text("b")], isRight: !isFirstRight)],
      explanation: [])
  }

  private func session(
    after attempts: [QuizAttempt] = [], introduction: [Block] = [], unfinished: QuizRun? = nil
  ) -> QuizSession {
    var session = QuizSession(questions, introduction: introduction, passingShare: 0.5)
    session.restore(attempts, unfinished: unfinished)
    return session
  }

  private func attempt(_ answers: [[Int]], _ score: Double) -> QuizAttempt {
    QuizAttempt(answers: answers, score: score, at: Timestamp(milliseconds: 0))
  }

  /// Answers the next questions with these choices, counted from 1.
  private func answer(_ session: inout QuizSession, _ choices: Int...) {
    for choice in choices {
      _ = session.answer([choice])
      _ = session.check()
      session.advance()
    }
  }

  @Test func `a quiz without introduction and attempts begins with its first question`() {
    #expect(session().run == QuizRun(questions: questions))
    #expect(session(introduction: [.rule]).run == nil)
    #expect(session(after: [attempt([[0], [0]], 0.5)]).run == nil)
  }

  @Test func `an unfinished run continues unless the questions have changed`() {
    var run = QuizRun(questions: questions)
    run.tick(1)
    let other = QuizRun(questions: [questions[0]])

    #expect(session(introduction: [.rule], unfinished: run).run == run)
    #expect(session(introduction: [.rule], unfinished: other).run == nil)
  }

  @Test func `checking the last question completes the quiz and returns the event to record`() {
    var session = session()
    answer(&session, 2)
    _ = session.answer([2])
    #expect(session.completion == nil)

    let isChecked = session.check()

    #expect(isChecked)
    #expect(session.completion == .quizChecked(answers: [[1], [1]], score: 0.5, pass: 0.5, of: 2))
    #expect(session.unfinished == nil)
    session.advance()
    #expect(session.isListOfResults && session.result == 0)
    #expect(session.score(right: session.run?.correctCount ?? 0) == "1 of 2 right")
  }

  @Test func `restarting repeats the whole run, or the wrong answers of a finished run`() {
    var session = session()
    answer(&session, 2)
    session.restart()
    #expect(session.run == QuizRun(questions: questions))

    answer(&session, 2, 2)
    session.restart()

    #expect(session.run?.questionIndices == [0])
    answer(&session, 1)
    #expect(session.run?.score == 1)
  }

  @Test func `restarting before the first question repeats the wrong answers of the last attempt`() {
    var session = session(after: [attempt([[0], [0]], 0.5)])

    session.restart()

    #expect(session.run?.questionIndices == [1])
  }

  @Test func `the run in progress continues after an earlier attempt was shown`() {
    var session = session(after: [attempt([[0], [0]], 0.5)])
    session.continueOrBegin()
    answer(&session, 1)
    let run = session.run

    let isShown = session.show(attempt: 0, question: 1)

    #expect(isShown && session.openResult?.number == 1)
    #expect(session.suspendedRun == run && session.unfinished == run)
    session.leaveAttempt()
    session.continueOrBegin()
    #expect(session.run == run && session.suspendedRun == nil)
  }

  @Test func `an attempt is not shown if the questions have changed since`() {
    var session = session(after: [attempt([[0]], 1)])
    session.continueOrBegin()

    let isShown = session.show(attempt: 0)

    #expect(!isShown && session.run == QuizRun(questions: questions))
  }

  @Test func `looking up questions suspends the run until it is continued`() {
    var session = session()
    answer(&session, 1)
    let run = session.run

    session.showMatches(MatchingQuestions())

    #expect(session.run == nil && session.suspendedRun == run && session.runInProgress == run)
    session.continueOrBegin()
    #expect(session.run == run)
  }

  @Test func `the attempt that is shown is not listed as an earlier one`() {
    var session = session(after: [attempt([[0], [0]], 0.5)])
    session.continueOrBegin()
    answer(&session, 1, 2)

    session.recorded([attempt([[0], [1]], 1), attempt([[0], [0]], 0.5)])

    #expect(session.earlierAttempts.map(\.score) == [0.5])
    #expect(session.score(of: session.attempts[1]) == "1 of 2 right")
  }

  @Test func `answering with numbers ticks exactly those choices if the question has them`() {
    var session = session()

    for (numbers, isAccepted, ticked) in [([2], true, [1]), ([1], true, [0]), ([3], false, [0]), ([1, 2], false, [0])] {
      let wasAccepted = session.answer(numbers)
      #expect(wasAccepted == isAccepted && session.run?.ticked == Set(ticked))
    }
  }

  @Test func `the remaining time is that of the unanswered questions`() {
    var session = session()
    #expect(session.remainingSeconds(of: 120) == 120)

    answer(&session, 1)

    #expect(session.remainingSeconds(of: 120) == 60)
    #expect(DisplayFormat.remainingTime(seconds: 60, isBegun: true) == "1 min left")
    #expect(DisplayFormat.remainingTime(seconds: 61, isBegun: false) == "2 min")
  }
}
