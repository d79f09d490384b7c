import LearningStore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// What a front end's process holds while its session lives, so that the next process can tell a session
// that was killed from one that is at work.

extension ProcessLock {
  /// The folder of the locks of a database's sessions: beside it.
  private static func folder(of database: String) -> String { database + "-sessions" }

  /// Makes the lock of a session.
  ///
  /// - Throws: ``NavigationError/noSessionLock(path:reason:)``; `LearningStoreError` if the disk is full or read-only.
  static func make(forSession name: String, of database: String) throws -> ProcessLock {
    do throws(Refusal) {
      return try make(name, in: folder(of: database))
    } catch {
      switch error.code {
      case ENOSPC, EDQUOT: throw LearningStoreError.diskFull(path: database)
      case EROFS: throw LearningStoreError.readOnly(path: database)
      default: throw NavigationError.noSessionLock(path: error.path, reason: error.reason)
      }
    }
  }

  /// Takes over the lock of a session whose process is gone.
  ///
  /// - Returns: The lock, also where its file is gone; `nil` while the process lives.
  static func takeOver(ofSession name: String, of database: String) -> ProcessLock? {
    takeOver(name, in: folder(of: database))
  }
}
