import GRDB

/// Direct SQL access to a database, to generate large histories and to select query arguments.
enum Shell {
  static func run(in path: String, _ body: (Database) throws -> Void) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.inDatabase { database in
      // The generated data need not survive a power failure.
      try database.execute(
        sql:
          "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; PRAGMA temp_store = MEMORY"
      )
      try body(database)
      try database.execute(sql: "PRAGMA journal_mode = WAL")
    }
    try queue.close()
  }

  static func column(_ sql: String, in path: String) throws -> [String] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { try String.fetchAll($0, sql: sql) }
  }

  static func numbers(_ sql: String, in path: String) throws -> [Int64] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { try Int64.fetchAll($0, sql: sql) }
  }
}
