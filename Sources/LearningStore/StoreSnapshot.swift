import GRDB

/// One state of the database, to ask questions of. It is valid inside the closure that it was given to.
public struct StoreSnapshot {
  let database: Database
  /// What is run often on that connection.
  let statements: PreparedStatements
  /// What may stop the questions that take long.
  var interruption: Interruption?
}

@available(*, unavailable)
extension StoreSnapshot: Sendable {}
