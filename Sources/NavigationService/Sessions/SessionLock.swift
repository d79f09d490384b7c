import LearningStore

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that a front end's process holds locked while its session lives. The lock goes with the process, however it
/// ends, so that whoever opens the database next can tell a session that was killed from one that is at work.
final class SessionLock: Sendable {
  private let descriptor: Int32
  private let path: String

  private init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit {
    unlink(path)
    close(descriptor)
  }

  /// The folder of locks of a database: beside it.
  static func folder(of database: String) -> String { database + "-sessions" }

  /// Makes the file and locks it.
  ///
  /// - Throws: ``NavigationError/noSessionLock(path:reason:)``.
  static func make(named name: String, for database: String) throws(NavigationError) -> SessionLock {
    let folder = folder(of: database)
    if mkdir(folder, 0o700) != 0, errno != EEXIST {
      throw .noSessionLock(path: folder, reason: String(cString: strerror(errno)).lowercased())
    }
    let path = "\(folder)/\(name)"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw .noSessionLock(path: path, reason: String(cString: strerror(errno)).lowercased())
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let reason = String(cString: strerror(errno)).lowercased()
      close(descriptor)
      throw .noSessionLock(path: path, reason: reason)
    }
    return SessionLock(descriptor: descriptor, path: path)
  }

  /// Takes over the lock of a session whose process is gone.
  ///
  /// - Returns: The lock, also where its file is gone; `nil` while the process lives.
  static func takeOver(named name: String, for database: String) -> SessionLock? {
    let path = "\(folder(of: database))/\(name)"
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return errno == ENOENT ? SessionLock(descriptor: -1, path: path) : nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
    return SessionLock(descriptor: descriptor, path: path)
  }
}
