/// The replies that a session waits for before it restores the terminal.
///
/// A reply that arrives later would be read by the shell as if it was typed.
struct PendingReplies: Equatable {
  /// The number of expected replies, or 0.
  let count: Int
  /// The time until which the session waits, in seconds of ``MonotonicClock``.
  let deadline: Double

  /// Calculates the expected replies.
  ///
  /// - Parameters:
  ///   - isSettled: Whether the initial queries have been answered.
  ///   - openQuestions: The number of queries after frames without a reply, except for those that ``FlowControl`` has
  ///     given up.
  ///   - unanswered: The number of queries after frames without a reply, including those that were given up.
  ///   - hasAnswered: Whether the terminal has replied to a query after a frame.
  ///   - questionsSent: The time at which the session finished writing the initial queries.
  ///   - now: The time at which the session ends.
  ///   - options: The timeouts.
  init(
    isSettled: Bool, openQuestions: Int, unanswered: Int, hasAnswered: Bool, questionsSent: Double, now: Double,
    options: TerminalOptions
  ) {
    let startEnds = questionsSent + options.startTimeout.seconds
    let isStarting = now < startEnds
    // The first queries after frames are given up within milliseconds, before a distant terminal can reply.
    let count = isStarting ? max(openQuestions, unanswered) + (isSettled ? 0 : 1) : openQuestions
    // A terminal that has never replied may not support the query. The session waits for its replies only during the
    // start timeout.
    self.count = hasAnswered || isStarting ? count : 0
    deadline = hasAnswered ? max(startEnds, now + options.answerTimeout.seconds) : startEnds
  }
}
