import Testing

@testable import TerminalIO

@Suite struct OwedAnswersTests {
  /// Returns the expected replies of a session that sent its first queries at time 10.
  private func owed(
    at now: Double, isSettled: Bool = false, openQuestions: Int = 0, unanswered: Int = 0,
    hasAnswered: Bool = false
  ) -> (count: Int, deadline: Double) {
    let replies = PendingReplies(
      isSettled: isSettled, openQuestions: openQuestions, unanswered: unanswered, hasAnswered: hasAnswered,
      questionsSent: 10, now: now,
      options: TerminalOptions(answerTimeout: .seconds(2), startTimeout: .seconds(1)))
    return (replies.count, replies.deadline)
  }

  @Test(arguments: [10.0, 10.5, 10.99])
  func `replies are awaited until one second after the first queries`(now: Double) {
    #expect(owed(at: now) == (1, 11))
    #expect(owed(at: now, openQuestions: 2) == (3, 11))
    #expect(owed(at: now, isSettled: true, openQuestions: 2) == (2, 11))
  }

  @Test func `replies are awaited in the first second even if frames no longer wait`() {
    #expect(owed(at: 10.2, unanswered: 2) == (3, 11))
    #expect(owed(at: 10.2, isSettled: true, unanswered: 2, hasAnswered: true) == (2, 12.2))
    #expect(owed(at: 11.2, isSettled: true, unanswered: 2, hasAnswered: true).count == 0)
  }

  @Test(arguments: [11.0, 12, 1000])
  func `replies are not awaited later if the terminal has never replied`(now: Double) {
    #expect(owed(at: now).count == 0)
    #expect(owed(at: now, openQuestions: 3).count == 0)
    #expect(owed(at: now, isSettled: true, openQuestions: 3).count == 0)
  }

  @Test func `no replies are awaited if all queries have been answered`() {
    #expect(owed(at: 10.1, isSettled: true).count == 0)
    #expect(owed(at: 20, isSettled: true, hasAnswered: true).count == 0)
    #expect(owed(at: 20, hasAnswered: true).count == 0)
  }

  @Test func `replies are awaited longer if the terminal has replied before`() {
    #expect(owed(at: 20, isSettled: true, openQuestions: 2, hasAnswered: true) == (2, 22))
    #expect(owed(at: 10.5, openQuestions: 1, hasAnswered: true) == (2, 12.5))
  }

  @Test(arguments: [false, true], [0.0, 0.5, 5, 100])
  func `a terminal that does not reply delays the end by at most 0.7 seconds`(hasAnswered: Bool, age: Double) {
    let replies = PendingReplies(
      isSettled: false, openQuestions: 3, unanswered: 3, hasAnswered: hasAnswered, questionsSent: 10, now: 10 + age,
      options: TerminalOptions())

    #expect(replies.deadline <= 10 + age + 0.7 || replies.count == 0)
  }
}
