import LearningModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that whoever brings a course holds locked until the course is published. The lock goes with the process,
/// however it ends, so that what a killed import has left can be told from what is still on its way.
final class ArrivalLock {
  private let descriptor: Int32
  private let path: String

  private init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit {
    unlink(path)
    // Whoever takes the last file away takes the folder with it.
    rmdir(DatabaseFile.split(path).folder)
    if descriptor >= 0 { close(descriptor) }
  }

  /// The folder of the locks of a database: beside it.
  static func folder(of database: String) -> String { database + "-arrivals" }

  /// Makes the file and locks it.
  static func make(for course: NodeID, of database: String) throws(LearningStoreError) -> ArrivalLock {
    let folder = folder(of: database)
    let path = "\(folder)/\(course.rawValue)"
    while true {
      if mkdir(folder, 0o700) != 0, errno != EEXIST { throw error(of: database) }
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      if descriptor < 0 {
        // Somebody else has just taken the empty folder away.
        if errno == ENOENT { continue }
        throw error(of: database)
      }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        close(descriptor)
        throw .busy(path: database)
      }
      return ArrivalLock(descriptor: descriptor, path: path)
    }
  }

  /// Takes over the lock of somebody who is gone.
  ///
  /// - Returns: The lock, also where its file is gone; `nil` while its owner lives.
  static func takeOver(of course: NodeID, of database: String) -> ArrivalLock? {
    let path = "\(folder(of: database))/\(course.rawValue)"
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return errno == ENOENT ? ArrivalLock(descriptor: -1, path: path) : nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
    return ArrivalLock(descriptor: descriptor, path: path)
  }

  private static func error(of database: String) -> LearningStoreError {
    let found = errno
    switch found {
    case ENOSPC: return .diskFull(path: database)
    case EACCES, EPERM, EROFS: return .noPermission(path: database)
    default: return .inputOutput(path: database, detail: DatabaseFile.words(found))
    }
  }
}
