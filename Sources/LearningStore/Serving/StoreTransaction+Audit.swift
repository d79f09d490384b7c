package import LearningModel

extension StoreTransaction {
  /// Appends an entry to the audit.
  package func note(_ entry: AuditEntry) throws {
    try run(Self.noteText, entry.token, entry.reader, entry.learner, entry.request, entry.at)
  }

  private static let noteText = StatementText(
    "INSERT INTO learnerAudit (token, reader, learner, request, at) VALUES (?, ?, ?, ?, ?)")
}

extension StoreSnapshot {
  /// Returns the audit, newest first.
  package func audit() throws -> [AuditEntry] {
    try all(Self.auditText) {
      AuditEntry(token: $0[0], reader: $0[1], learner: $0[2], request: $0[3], at: $0[4])
    }
  }

  private static let auditText = StatementText(
    "SELECT token, reader, learner, request, at FROM learnerAudit ORDER BY id DESC")
}
