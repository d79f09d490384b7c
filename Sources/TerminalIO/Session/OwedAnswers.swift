/// The answers that a session waits for before it gives the terminal back.
///
/// An answer that arrives later is read by the shell, as if it was typed.
struct OwedAnswers: Equatable {
  /// How many answers the terminal owes; 0 if none is awaited.
  let count: Int
  /// The time until which they are awaited, in seconds of ``MonotonicClock``.
  let deadline: Double

  /// - Parameters:
  ///   - isSettled: Whether the questions of the start have been answered.
  ///   - openQuestions: How many of the questions that follow frames have no answer yet, except for those that
  ///     ``FlowControl`` has given up.
  ///   - unanswered: How many of the questions that follow frames have no answer yet, including those.
  ///   - hasAnswered: Whether the terminal has answered such a question.
  ///   - questionsSent: When the questions of the start had been written.
  ///   - now: When the session would end.
  init(
    isSettled: Bool, openQuestions: Int, unanswered: Int, hasAnswered: Bool, questionsSent: Double, now: Double,
    options: TerminalOptions
  ) {
    let startEnds = questionsSent + options.startTimeout.seconds
    let isStarting = now < startEnds
    // Frames give up the first questions within milliseconds, before a distant terminal can answer.
    let count = isStarting ? max(openQuestions, unanswered) + (isSettled ? 0 : 1) : openQuestions
    // A terminal that never answered may not know the question: it gets no more time than the start.
    self.count = hasAnswered || isStarting ? count : 0
    deadline = hasAnswered ? max(startEnds, now + options.answerTimeout.seconds) : startEnds
  }
}
