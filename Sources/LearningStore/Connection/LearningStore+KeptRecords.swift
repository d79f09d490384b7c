import LearningModel

/// The records of a database that a restore replaces.
struct ReplacedRecords {
  let contents: DatabaseContents
  fileprivate let origin: String?
  fileprivate let lastToken: Int64
  fileprivate let tokens: [AccessToken]
  fileprivate let audit: [AuditEntry]
  fileprivate let erasedLearners: [String]
  /// The erasures of learners' histories, by the UUIDs of the learners.
  fileprivate let erasures: [(learner: String, erasure: LearnerRecord.Erasure)]
}

extension StoreSnapshot {
  /// Returns the records that a restore of a backup takes over.
  func replacedRecords() throws -> ReplacedRecords {
    ReplacedRecords(
      contents: try contents(), origin: try value("SELECT origin FROM replica"),
      lastToken: try value("SELECT seq FROM sqlite_sequence WHERE name = 'accessToken'") ?? 0,
      tokens: try accessTokens(), audit: try audit(), erasedLearners: try erasedLearners(),
      erasures: try learners().map { (learner: try uuid(of: $0.id) ?? "", erasure: try erased(of: $0.id)) }
        .filter { !$0.erasure.isEmpty })
  }
}

extension LearningStore {
  /// Takes over the revocations, the erasures and the audit of the database that this one is going to replace.
  func keep(_ replaced: ReplacedRecords) throws -> KeptRecords {
    let isErasing = try read { snapshot in
      try (replaced.erasedLearners + replaced.erasures.map(\.learner)).contains {
        try snapshot.learner(withUUID: $0) != nil
      }
    }
    var kept = KeptRecords()
    func body(_ transaction: StoreTransaction) throws -> ErasedRows {
      let snapshot = transaction.snapshot
      for token in try snapshot.accessTokens() where token.revokedAt == nil {
        let known = replaced.tokens.first { $0.id == token.id && $0.createdAt == token.createdAt }
        if let time = known?.revokedAt {
          _ = try transaction.revokeAccessToken(token.id, at: time)
          kept.revokedTokens += 1
        } else if try known == nil && token.id <= replaced.lastToken
          && replaced.origin == snapshot.value("SELECT origin FROM replica")
        {
          // Only an erasure deletes a token.
          for rows in ["answeredRequest WHERE token", "accessToken WHERE id"] {
            try transaction.run("DELETE FROM \(rows) = ?", token.id)
          }
          kept.erasedTokens += 1
        }
      }
      for uuid in replaced.erasedLearners {
        _ = try transaction.rememberErasure(uuid)
        guard let learner = try snapshot.learner(withUUID: uuid)?.id else { continue }
        _ = try transaction.erase(learner: learner)
        kept.erasures += 1
      }
      for (uuid, erasure) in replaced.erasures {
        guard let learner = try snapshot.learner(withUUID: uuid)?.id, try erasure != snapshot.erased(of: learner) else {
          continue
        }
        if try transaction.erase(erasure, of: learner) { try transaction.rebuildProjections(of: learner) }
        kept.erasures += 1
      }
      let known = Set(try snapshot.audit())
      for entry in replaced.audit.reversed() where !known.contains(entry) {
        try transaction.appendAudit(entry)
        kept.auditEntries += 1
      }
      return ErasedRows()
    }
    _ = try isErasing ? erasing(sweeping: true, body) : write(durability: .powerCut, body)
    return kept
  }
}
