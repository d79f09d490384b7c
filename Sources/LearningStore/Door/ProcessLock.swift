#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that a process holds locked while something of its own lasts: a session, or a course that it brings or takes
/// away. The lock goes with the process, however it ends, so that what a killed one has left can be told from what is still
/// at work.
///
/// Source: Linux, flock(2): the lock is the open file's, and is released when that is closed.
package final class ProcessLock: Sendable {
  /// Why a lock cannot be had.
  package struct Refusal: Error, Hashable, Sendable {
    /// The file, or its folder.
    package let path: String
    /// The number of the system's error; `EWOULDBLOCK` where another process holds it.
    package let code: Int32

    /// The system's words for it.
    package var reason: String { DatabaseFile.words(code) }
  }

  private let descriptor: Int32
  private let path: String

  private init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit {
    unlink(path)
    // The folder is taken away with its last file.
    rmdir(DatabaseFile.split(path).folder)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Makes the file, and the folder where it is missing, and locks it.
  ///
  /// - Throws: Why not.
  package static func make(_ name: String, in folder: String) throws(Refusal) -> ProcessLock {
    let path = "\(folder)/\(name)"
    while true {
      if mkdir(folder, 0o700) != 0, errno != EEXIST { throw Refusal(path: folder, code: errno) }
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      if descriptor < 0 {
        // Another process has just taken the empty folder away.
        if errno == ENOENT { continue }
        throw Refusal(path: path, code: errno)
      }
      if let lock = try lock(descriptor, path) { return lock }
    }
  }

  /// Takes over the lock of a process that is gone.
  ///
  /// - Returns: The lock, also where its file is gone; `nil` while its owner lives.
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

  /// Locks a file that is open.
  ///
  /// - Returns: `nil` where the process that held it has just taken the file away: another one counts from now on.
  private static func lock(_ descriptor: Int32, _ path: String) throws(Refusal) -> ProcessLock? {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let found = errno
      close(descriptor)
      throw Refusal(path: path, code: found)
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

/// An advisory lock on a folder, held while the tables of a database in it are changed, so that two programs that
/// start at once do not both change them. It goes with the process that holds it.
struct FolderLock: ~Copyable {
  private let descriptor: Int32

  /// Waits for the lock.
  ///
  /// - Parameters:
  ///   - path: The database that it is for; its folder is what is locked.
  ///   - deadline: Until when to wait.
  init(for path: String, until deadline: ContinuousClock.Instant) throws(LearningDatabaseError) {
    let folder = DatabaseFile.split(path).folder
    descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .noPermission(path: path) }
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let found = errno
      // A file system without such locks is no reason to refuse: SQLite's own lock still guards each migration.
      guard found == EWOULDBLOCK || found == EINTR else { return }
      guard ContinuousClock.now < deadline else { throw .busy(path: path) }
      pause(milliseconds: 2)
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }
}
