import GRDB

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Detects every change of a database by any process, including this one.
///
/// Source: SQLite, "PRAGMA data_version": it reports to a connection what other connections have committed. So this
/// connection is never used for writing.
package final class ChangeWatch: Sendable {
  private let store: LearningStore
  private let connection: DatabaseQueue

  fileprivate init(_ store: LearningStore) throws {
    self.store = store
    var configuration = Configuration()
    configuration.label = "waymark.changes"
    configuration.readonly = true
    // Without a write-ahead log, reading the number waits for a commit.
    configuration.busyMode = BusyTimeout.mode(store.busyTimeout)
    do {
      connection = try DatabaseQueue(path: store.address, configuration: configuration)
    } catch {
      throw LearningDatabaseError.explaining(error, at: store.path)
    }
  }

  /// Returns a number that differs after each change. Takes some microseconds.
  ///
  /// - Throws: ``LearningDatabaseError/removed(path:)`` if the file was deleted or replaced, and other errors of the
  ///   database.
  package func version() throws -> Int {
    try store.checkFile()
    do {
      // Unsafe only means that two reads may see two states; this is one read.
      return try connection.unsafeRead { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
    } catch {
      throw LearningDatabaseError.explaining(error, at: store.path)
    }
  }
}

extension LearningStore {
  /// Starts detecting changes.
  package func watch() throws -> ChangeWatch { try ChangeWatch(self) }

  /// Lets all processes that follow the attributes of the database's file know that its courses are others now.
  ///
  /// Sets the file's time, which nothing else does while the database is open: what is written goes into the log beside it.
  package func announceCourses() {
    guard !isInMemory else { return }
    // If that is not permitted, other processes notice the change at their next query.
    _ = utimes(path, nil)
  }
}
