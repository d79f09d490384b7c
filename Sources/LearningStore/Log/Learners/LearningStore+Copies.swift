import GRDB

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

// The copies that are kept next to the database before its tables are migrated, such as
// `waymark.sqlite.before-0003_name`. The program creates them without being asked, so users may not know that they
// contain data of learners.

extension LearningStore {
  /// Returns the paths of the copies next to the database, sorted by name.
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

  /// Erases all data of one learner from a copy, including freed pages.
  ///
  /// The tables can be those of any older version, so their columns are read from the schema. Deletes every row that
  /// refers to the learner or one of their sessions.
  ///
  /// - Returns: Whether the copy contained the learner.
  package static func erase(learnerNamed name: String, fromCopyAt path: String) throws(LearningDatabaseError) -> Bool {
    var configuration = Configuration()
    configuration.label = "waymark.copy"
    // All rows that refer to each other are deleted in the same transaction, in any order.
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .timeout(2)
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      defer { queue.retire() }
      let existed = try queue.inDatabase { database in
        try database.execute(sql: "PRAGMA secure_delete = ON")
        var existed = false
        try database.inTransaction(.immediate) {
          existed = try OldTables(database).erase(learnerNamed: name)
          return .commit
        }
        if existed {
          try database.execute(sql: "VACUUM")
          try database.checkpoint(.truncate)
        }
        return existed
      }
      try queue.close()
      return existed
    } catch {
      throw LearningDatabaseError(of: error, at: path)
    }
  }
}

/// The tables of a database of any version.
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

  /// Deletes all rows of a learner.
  ///
  /// - Returns: Whether the learner existed.
  func erase(learnerNamed name: String) throws -> Bool {
    guard columns["learner"] != nil,
      let learner = try Int64.fetchOne(database, sql: "SELECT id FROM learner WHERE name = ?", arguments: [name])
    else { return false }
    let allowing = columns.keys.contains("erasure")
    if allowing { try database.execute(sql: "INSERT INTO erasure (learner) VALUES (?)", arguments: [learner]) }
    let deletedLast: Set = ["learner", "session", "erasure"]
    for (table, names) in columns where !deletedLast.contains(table) {
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
