#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that a process keeps locked as long as it uses a session. The lock is released when the process ends in any way,
/// so other processes can distinguish the remains of a killed process from work in progress.
///
/// Source: Linux, flock(2): the lock belongs to the open file and is released when the file is closed.
package final class ProcessLock: Sendable {
  /// The reason why a file could not be locked.
  package struct Refusal: Error, Hashable, Sendable {
    /// The path of the file or its folder.
    package let path: String
    /// The error number of the system: `EWOULDBLOCK` if another process holds the lock.
    package let code: Int32

    /// The operating system's message for ``code``.
    package var reason: String { DatabaseFile.errorMessage(code) }
  }

  private let descriptor: Int32
  private let path: String

  private init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit {
    unlink(path)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Creates a file, and its folder if missing, and locks the file.
  ///
  /// - Throws: ``Refusal`` if the file cannot be created, or another process has locked it.
  package static func make(_ name: String, in folder: String) throws(Refusal) -> ProcessLock {
    let path = "\(folder)/\(name)"
    while true {
      if mkdir(folder, 0o700) != 0, errno != EEXIST { throw Refusal(path: folder, code: errno) }
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw Refusal(path: path, code: errno) }
      if let lock = try lock(descriptor, path) { return lock }
    }
  }

  /// Takes over the lock of a process that has ended.
  ///
  /// - Returns: The lock, even if its file does not exist, or `nil` if the owner is still running.
  package static func takeOver(_ name: String, in folder: String) -> ProcessLock? {
    let path = "\(folder)/\(name)"
    while true {
      let descriptor = open(path, O_RDWR | O_CLOEXEC)
      guard descriptor >= 0 else { return errno == ENOENT ? ProcessLock(descriptor: -1, path: path) : nil }
      do throws(Refusal) {
        if let lock = try lock(descriptor, path) { return lock }
      } catch {
        return nil
      }
    }
  }

  /// Locks an open file.
  ///
  /// - Returns: `nil` if the process that held the lock has just deleted the file, so that the file must be opened or
  ///   created again.
  private static func lock(_ descriptor: Int32, _ path: String) throws(Refusal) -> ProcessLock? {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      throw Refusal(path: path, code: code)
    }
    var status = stat()
    let isOpen = fstat(descriptor, &status) == 0
    let identity = DatabaseFile.Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    guard isOpen, DatabaseFile.identity(at: path) == identity else {
      close(descriptor)
      return nil
    }
    return ProcessLock(descriptor: descriptor, path: path)
  }
}

/// An advisory lock on a folder, held while the tables of a database in the folder are created or migrated. It prevents
/// two programs that start at the same time from both changing the tables. It is released when the process ends.
struct FolderLock: ~Copyable {
  private let descriptor: Int32

  /// Waits for the lock.
  ///
  /// - Parameters:
  ///   - path: The path of the database whose folder is locked.
  ///   - deadline: The time at which waiting ends with ``LearningDatabaseError/busy(path:)``.
  init(for path: String, until deadline: ContinuousClock.Instant) throws(LearningDatabaseError) {
    let folder = DatabaseFile.split(path).folder
    descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .noPermission(path: path) }
    var attempt = 0
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      // If a file system does not support these locks, SQLite's own lock still protects each migration.
      guard code == EWOULDBLOCK || code == EINTR else { return }
      guard ContinuousClock.now < deadline else { throw .busy(path: path) }
      LockWait.pause(afterAttempt: attempt, milliseconds: 2)
      attempt += 1
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }
}
