import GRDB

/// One change of the database, all or nothing. It is valid inside the closure that it was given to.
public struct StoreTransaction {
  let database: Database
  /// What is run often on that connection.
  let statements: PreparedStatements
  /// Which state of the database it changes, as a number that no other state has in this process. Where it is committed,
  /// the state after it has the next number, until the database is changed again.
  public let state: Int

  /// The database as this change has made it so far.
  public var snapshot: StoreSnapshot { StoreSnapshot(database: database, statements: statements) }
}

@available(*, unavailable)
extension StoreTransaction: Sendable {}
