package import LearningModel

// Pages of the log in ascending order, for event streams.

extension StoreSnapshot {
  /// Returns the number of the newest step of all learners; 0 in an empty log.
  package func newestStepNumber() throws -> Int64 { try value(Self.newestText) ?? 0 }

  private static let newestText = StatementText("SELECT max(id) FROM navigationEvent")

  /// Returns steps of all learners in ascending order of their numbers.
  ///
  /// - Parameters:
  ///   - numbers: Steps with these numbers only.
  ///   - limit: The maximum number of steps.
  package func steps(numbered numbers: ClosedRange<Int64>, limit: Int) throws -> [LoggedStep] {
    try all(Self.stepsText, numbers.lowerBound, numbers.upperBound, limit, as: LoggedStep.init)
  }

  private static let stepsText = StatementText(
    """
    SELECT \(LoggedStep.columns) FROM navigationEvent AS event NOT INDEXED
    WHERE event.id BETWEEN ? AND ? ORDER BY event.id LIMIT ?
    """)

  /// Returns steps of one learner in ascending order of their numbers.
  package func steps(of learner: LearnerID, numbered numbers: ClosedRange<Int64>, limit: Int) throws -> [LoggedStep] {
    try all(Self.ownStepsText, learner, numbers.lowerBound, numbers.upperBound, limit, as: LoggedStep.init)
  }

  private static let ownStepsText = StatementText(
    """
    SELECT \(LoggedStep.columns) FROM navigationEvent AS event INDEXED BY navigationEventOfLearner
    WHERE event.learner = ? AND event.id BETWEEN ? AND ? ORDER BY event.id LIMIT ?
    """)

  /// Returns how many steps of a learner have these numbers, counting up to a limit.
  package func stepCount(of learner: LearnerID, numbered numbers: ClosedRange<Int64>, limit: Int) throws -> Int {
    try value(Self.ownCountText, learner, numbers.lowerBound, numbers.upperBound, limit) ?? 0
  }

  private static let ownCountText = StatementText(
    """
    SELECT count(*) FROM (
      SELECT 1 FROM navigationEvent INDEXED BY navigationEventOfLearner
      WHERE learner = ? AND id BETWEEN ? AND ? LIMIT ?)
    """)
}
