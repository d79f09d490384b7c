import GRDB
import LearningModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension LearningStore {
  /// Copies the whole database as it is at one moment, beside readers and writers.
  ///
  /// - Parameter path: Where the copy shall be, in a folder that is there. What has the name already is kept.
  /// - Throws: ``LearningStoreError``; then there is no copy.
  public func backUp(to path: String) throws(LearningStoreError) {
    guard try DatabaseFile.makeFile(path) else {
      throw .cannotCreate(path: path, reason: "there is a file of this name already")
    }
    try Self.fill(path, with: database)
  }

  /// Keeps a database as it is before its tables change, beside it: `waymark.sqlite.before-0002_log`, with a number behind
  /// it where the name is taken, or that of a log which SQLite would take for the copy's.
  static func keep(_ pool: DatabasePool, at path: String, before migration: String) throws(LearningStoreError) {
    var (copy, number) = ("\(path).before-\(migration)", 1)
    while !(try makeCopy(copy)) {
      number += 1
      copy = "\(path).before-\(migration).\(number)"
    }
    try fill(copy, with: pool)
  }

  static func makeCopy(_ path: String) throws(LearningStoreError) -> Bool {
    guard !isTaken(path) else { return false }
    return try DatabaseFile.makeFile(path)
  }

  static func isTaken(_ path: String) -> Bool {
    var status = stat()
    return ["-wal", "-shm", "-journal"].contains { lstat(path + $0, &status) == 0 }
  }

  /// Fills an empty file with what a database holds; takes it away where that fails.
  static func fill(_ path: String, with database: any DatabaseReader) throws(LearningStoreError) {
    do {
      var configuration = Configuration()
      configuration.label = "waymark.copy"
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      defer { queue.retire() }
      try database.backup(to: queue)
      try queue.close()
    } catch {
      unlink(path)
      guard let error = error as? DatabaseError else { throw .unexpected(path: path, code: 0, detail: "\(error)") }
      throw LearningStoreError(error, at: path)
    }
  }
}
