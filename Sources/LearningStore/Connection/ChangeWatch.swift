import GRDB

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Detects every change of a database by any process, including this one.
///
/// Source: SQLite, "PRAGMA data_version": the number changes for a connection only if other connections have committed.
/// Therefore this connection is never used for writing.
package final class ChangeWatch: Sendable {
  private let store: LearningStore
  private let connection: DatabaseQueue

  fileprivate init(_ store: LearningStore) throws {
    self.store = store
    var configuration = Configuration()
    configuration.label = "waymark.changes"
    configuration.readonly = true
    // Without a write-ahead log, reading the number waits for commits of other connections.
    configuration.busyMode = BusyTimeout.mode(store.busyTimeout)
    do {
      connection = try DatabaseQueue(path: store.address, configuration: configuration)
    } catch {
      throw LearningDatabaseError.explaining(error, at: store.path)
    }
  }

  /// Returns a number that differs after each change. Takes a few microseconds.
  ///
  /// - Throws: ``LearningDatabaseError/removed(path:)`` if the file was deleted or replaced, and other errors of the
  ///   database.
  package func version() throws -> Int {
    try store.checkFile()
    do {
      // "Unsafe" only means that two reads may see different states. This is a single read.
      return try connection.unsafeRead { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
    } catch {
      throw LearningDatabaseError.explaining(error, at: store.path)
    }
  }
}

extension LearningStore {
  package func watch() throws -> ChangeWatch { try ChangeWatch(self) }

  /// Notifies processes that watch the attributes of the database file that its courses have changed.
  ///
  /// Sets the modification time of the file. Nothing else changes that time while the database is open, because writes
  /// go to the write-ahead log next to the file.
  package func announceCourses() {
    guard !isInMemory else { return }
    // If this is not permitted, other processes notice the change at their next query.
    _ = utimes(path, nil)
  }
}
