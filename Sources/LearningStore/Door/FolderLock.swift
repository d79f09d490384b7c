#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An advisory lock on a folder, held while the tables of a database in it are changed, so that two programs that
/// start at once do not both change them. It goes with the process that holds it.
struct FolderLock: ~Copyable {
  private let descriptor: Int32

  /// Waits for the lock.
  ///
  /// - Parameters:
  ///   - path: The database that it is for; its folder is what is locked.
  ///   - deadline: Until when to wait.
  init(for path: String, until deadline: ContinuousClock.Instant) throws(LearningStoreError) {
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
