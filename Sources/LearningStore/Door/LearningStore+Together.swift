import GRDB

/// A transaction that is open on this thread, and that the writes of this thread are part of.
///
/// Unchecked: it is seen by the thread alone that holds the connection.
final class SharedTransaction: @unchecked Sendable {
  /// The one that is open, where there is one.
  @TaskLocal static var current: SharedTransaction?

  let store: LearningStore
  let database: Database
  let statements: PreparedStatements
  /// Why SQLite has given the whole transaction up, as it does where the disk is full.
  var failure: (any Error)?

  init(_ store: LearningStore, _ transaction: StoreTransaction) {
    self.store = store
    database = transaction.database
    statements = transaction.statements
  }

  private static let beginText = StatementText("SAVEPOINT part")
  private static let keepText = StatementText("RELEASE part")
  private static let undoText = StatementText("ROLLBACK TO part")

  /// Does one part of it: all of what `body` does, or nothing where it throws.
  func part<Answer>(_ body: (StoreTransaction) throws -> Answer) throws -> Answer {
    // A savepoint outside of a transaction would be one of its own.
    if let failure { throw failure }
    do {
      try statements.run(Self.beginText)
      let answer = try body(
        StoreTransaction(database: database, statements: statements, state: store.currentState))
      try statements.run(Self.keepText)
      store.passState()
      return answer
    } catch {
      if database.isInsideTransaction {
        try statements.run(Self.undoText)
        try statements.run(Self.keepText)
      } else {
        failure = error
      }
      // What was worked out of the state inside holds for no other one.
      store.passState()
      throw error
    }
  }
}

extension LearningStore {
  /// Commits together what `body` writes through this door: with one wait for the disk, however many writes there are.
  ///
  /// Each write inside is all or nothing, as ever, and its answer counts when this returns. Inside another one it is a part
  /// of that one.
  ///
  /// - Parameters:
  ///   - durability: What the change survives once this returns.
  ///   - milliseconds: How long to wait for another writer before ``LearningStoreError/busy(path:)``.
  ///   - body: Called once, on this thread, with the database locked against every other writer.
  /// - Throws: What `body` throws, and ``LearningStoreError``; then nothing of it has happened.
  public func together<Answer>(
    surviving durability: Durability = .powerCut, waitingAtMost milliseconds: Int = 10_000, _ body: () throws -> Answer
  ) throws -> Answer {
    if let shared = SharedTransaction.current, shared.store === self { return try shared.part { _ in try body() } }
    return try transact(surviving: durability, waitingAtMost: milliseconds, isShared: true) { transaction in
      let shared = SharedTransaction(self, transaction)
      let answer = try SharedTransaction.$current.withValue(shared) { try body() }
      if let failure = shared.failure { throw failure }
      return answer
    }
  }
}
