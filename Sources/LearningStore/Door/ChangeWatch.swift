import GRDB

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Sees every change of a database that any process makes, this one too.
///
/// Source: SQLite, "PRAGMA data_version": it tells a connection of what others have done. So this one is a connection of
/// its own, on which nothing is ever written.
package final class ChangeWatch: Sendable {
  private let path: String
  private let connection: DatabaseQueue

  init(_ path: String) throws {
    self.path = path
    var configuration = Configuration()
    configuration.label = "waymark.changes"
    configuration.readonly = true
    do {
      connection = try DatabaseQueue(path: path, configuration: configuration)
    } catch {
      throw LearningStoreError.explaining(error, at: path)
    }
  }

  /// A number that is another one after each change. Asking costs some microseconds.
  package func version() throws -> Int {
    do {
      // Unsafe is only that two reads could see two states; this is one.
      return try connection.unsafeRead { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
    } catch {
      throw LearningStoreError.explaining(error, at: path)
    }
  }
}

extension LearningStore {
  /// Begins to look for changes.
  package func watch() throws -> ChangeWatch { try ChangeWatch(path) }

  /// Lets all processes that follow the attributes of the database's file know that its courses are others now.
  ///
  /// Sets the file's time, which nothing else does while the database is open: what is written goes into the log beside it.
  package func announceCourses() {
    // Where that is not permitted, the others see it when they look the next time.
    _ = utimes(path, nil)
  }
}
