import Synchronization

/// The connections of a store. Each call takes one that is free, or opens one, so there are as many as threads that ask.
final class PostgresPool: Sendable {
  let address: PostgresAddress
  private let free = Mutex<[PostgresConnection]>([])

  init(_ address: PostgresAddress) { self.address = address }

  /// Calls a function of the hub's; once more on a new connection where the one that it had was lost, since whatever was
  /// taken in already changes nothing the second time.
  func call(_ function: String, _ values: [String?]) throws -> String? {
    if let connection = free.withLock({ $0.popLast() }) {
      do { return try use(connection, function, values) } catch HubError.unreachable {}
      // The others were lost with it.
      free.withLock { $0 = [] }
    }
    return try use(PostgresConnection(address), function, values)
  }

  private func use(_ connection: PostgresConnection, _ function: String, _ values: [String?]) throws -> String? {
    defer {
      if connection.isUsable { free.withLock { $0.append(connection) } }
    }
    return try connection.call(function, values)
  }
}
