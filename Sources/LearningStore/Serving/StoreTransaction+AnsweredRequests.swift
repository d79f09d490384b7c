package import LearningModel

extension StoreSnapshot {
  /// Returns what a request of that token and key was, and what it was answered; `nil` where there was none since then.
  package func answeredRequest(
    _ key: String, of token: Int64, since moment: Timestamp
  ) throws -> (digest: String, answer: String)? {
    try first(Self.answerText, token, key, moment) { (digest: $0[0], answer: $0[1]) }
  }

  private static let answerText = StatementText(
    "SELECT request, answer FROM answeredRequest WHERE token = ? AND key = ? AND at >= ?")
}

extension StoreTransaction {
  /// Keeps what a request was answered.
  package func keep(_ answer: String, of request: RepeatableRequest, at moment: Timestamp) throws {
    try run(Self.keepText, request.token, request.key, request.digest, answer, moment)
  }

  /// Forgets what was answered before a moment.
  package func forgetAnsweredRequests(before moment: Timestamp) throws {
    try run(Self.forgetText, moment)
  }

  // A key that is older than they are kept is free again.
  private static let keepText = StatementText(
    """
    INSERT INTO answeredRequest (token, key, request, answer, at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET request = excluded.request, answer = excluded.answer, at = excluded.at
    """)
  private static let forgetText = StatementText("DELETE FROM answeredRequest WHERE at < ?")
}
