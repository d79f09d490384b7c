import LearningStore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// Locks of sessions. The process that began a session holds its lock, so that other processes can distinguish a session
// whose process was killed from one that is still open.

extension ProcessLock {
  /// The folder with the locks of a database's sessions, next to the database.
  private static func folder(of database: String) -> String { database + "-sessions" }

  /// Creates and acquires the lock of a session.
  ///
  /// - Throws: ``NavigationError/noSessionLock(path:reason:)``; `LearningDatabaseError` if the disk is full or
  ///   read-only.
  static func make(forSession name: String, of database: String) throws -> ProcessLock {
    do throws(Refusal) {
      return try make(name, in: folder(of: database))
    } catch {
      switch error.code {
      case ENOSPC, EDQUOT: throw LearningDatabaseError.diskFull(path: database)
      case EROFS: throw LearningDatabaseError.readOnly(path: database)
      default: throw NavigationError.noSessionLock(path: error.path, reason: error.reason)
      }
    }
  }

  /// Acquires the lock of a session whose process no longer runs.
  ///
  /// - Returns: The lock, even if its file no longer exists. `nil` if the process still runs.
  static func takeOver(ofSession name: String, of database: String) -> ProcessLock? {
    takeOver(name, in: folder(of: database))
  }
}
