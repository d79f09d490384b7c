import GRDB

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

// The copies that were kept beside the database before its tables changed: `waymark.sqlite.before-0003_name`. They are
// ours, so nobody thinks of them, and they hold whoever was here at that time.

extension LearningStore {
  /// The paths of the copies that stand beside the database, in the order of their names.
  package func copiesBeforeMigrations() -> [String] {
    let (folder, name) = DatabaseFile.split(path)
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var copies: [String] = []
    while let entry = readdir(directory) {
      let file = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) { String(cString: $0) }
      }
      let isLog = file.hasSuffix("-wal") || file.hasSuffix("-shm") || file.hasSuffix("-journal")
      if file.hasPrefix("\(name).before-"), !isLog { copies.append("\(folder)/\(file)") }
    }
    return copies.sorted()
  }

  /// Erases everything of one learner from a copy, also from the pages that become free.
  ///
  /// The tables are those of an older version: they are asked what they are, and every row that names the learner or one of
  /// their sessions goes.
  ///
  /// - Returns: Whether the learner was in it.
  package static func erase(learnerNamed name: String, fromCopyAt path: String) throws(LearningDatabaseError) -> Bool {
    var configuration = Configuration()
    configuration.label = "waymark.copy"
    // Everything that refers to a row goes in the same transaction, in whatever order.
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .timeout(2)
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      defer { queue.retire() }
      let wasThere = try queue.inDatabase { database in
        try database.execute(sql: "PRAGMA secure_delete = ON")
        var wasThere = false
        try database.inTransaction(.immediate) {
          wasThere = try OldTables(database).erase(learnerNamed: name)
          return .commit
        }
        if wasThere {
          try database.execute(sql: "VACUUM")
          try database.checkpoint(.truncate)
        }
        return wasThere
      }
      try queue.close()
      return wasThere
    } catch {
      throw LearningDatabaseError(of: error, at: path)
    }
  }
}

/// The tables of a database of some version.
private struct OldTables {
  private let database: Database
  /// The columns of each table.
  private let columns: [String: Set<String>]

  init(_ database: Database) throws {
    self.database = database
    let tables = try String.fetchAll(
      database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'")
    columns = try Dictionary(
      uniqueKeysWithValues: tables.map { table in
        (table, try Set(String.fetchAll(database, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])))
      })
  }

  /// - Returns: Whether the learner was there.
  func erase(learnerNamed name: String) throws -> Bool {
    guard columns["learner"] != nil,
      let learner = try Int64.fetchOne(database, sql: "SELECT id FROM learner WHERE name = ?", arguments: [name])
    else { return false }
    let allowing = columns.keys.contains("erasure")
    if allowing { try database.execute(sql: "INSERT INTO erasure (learner) VALUES (?)", arguments: [learner]) }
    let apart: Set = ["learner", "session", "erasure"]
    for (table, names) in columns where !apart.contains(table) {
      if names.contains("learner") {
        try database.execute(sql: "DELETE FROM \(table) WHERE learner = ?", arguments: [learner])
      } else if names.contains("session") {
        try database.execute(
          sql: "DELETE FROM \(table) WHERE session IN (SELECT id FROM session WHERE learner = ?)",
          arguments: [learner])
      }
    }
    if columns.keys.contains("session") {
      try database.execute(sql: "DELETE FROM session WHERE learner = ?", arguments: [learner])
    }
    if allowing { try database.execute(sql: "DELETE FROM erasure WHERE learner = ?", arguments: [learner]) }
    try database.execute(sql: "DELETE FROM learner WHERE id = ?", arguments: [learner])
    return true
  }
}
