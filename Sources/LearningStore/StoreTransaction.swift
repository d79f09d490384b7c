import GRDB

/// One change of the database, all or nothing. It is valid inside the closure that it was given to.
public struct StoreTransaction {
  let database: Database

  /// The database as this change has made it so far.
  public var snapshot: StoreSnapshot { StoreSnapshot(database: database) }
}

@available(*, unavailable)
extension StoreTransaction: Sendable {}
