import GRDB
import Synchronization

/// The statements of every connection of a store.
final class Connections: Sendable {
  /// One for each connection, which are a handful.
  private let known = Mutex<[PreparedStatements]>([])

  /// The statements of a connection, to be used by the thread that has the connection now.
  func statements(of database: Database) -> PreparedStatements {
    known.withLock { known in
      if let statements = known.first(where: { $0.database === database }) { return statements }
      let statements = PreparedStatements(database)
      known.append(statements)
      return statements
    }
  }

  /// Gives up every statement, as a connection wants it that is to be closed.
  func forget() {
    known.withLock { $0 = [] }
  }
}
