import GRDB

/// SQL on a database, past the door: to make large histories, and to choose what is asked.
enum Shell {
  static func run(in path: String, _ body: (Database) throws -> Void) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.inDatabase { database in
      // What is made can be made again: nothing has to survive a power cut here.
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
