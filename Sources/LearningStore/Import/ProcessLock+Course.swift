import LearningModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

// What whoever brings, changes or removes much of a course holds until nothing is left to be done.

extension ProcessLock {
  /// The folder of the locks of a database's courses: beside it.
  private static func folder(of database: String) -> String { database + "-arrivals" }

  /// Locks a course.
  static func make(for course: NodeID, of database: String) throws(LearningStoreError) -> ProcessLock {
    do throws(Refusal) {
      return try make("\(course.rawValue)", in: folder(of: database))
    } catch {
      switch error.code {
      case EWOULDBLOCK: throw .busy(path: database)
      case ENOSPC: throw .diskFull(path: database)
      case EACCES, EPERM, EROFS: throw .noPermission(path: database)
      default: throw .inputOutput(path: database, detail: error.reason)
      }
    }
  }

  /// Takes over the lock of somebody who is gone.
  ///
  /// - Returns: The lock, also where its file is gone; `nil` while its owner lives.
  static func takeOver(of course: NodeID, of database: String) -> ProcessLock? {
    takeOver("\(course.rawValue)", in: folder(of: database))
  }
}
