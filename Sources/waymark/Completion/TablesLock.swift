#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Keeps the tables of a database as they are: a process that brings them up to date locks its folder first, and waits.
///
/// With it a database can be opened by one that may not change it. One of an older version is then not opened at all.
struct TablesLock {
  private let descriptor: Int32

  /// Takes the lock; `nil` where there is no database, or another process changes its tables just now.
  init?(at path: String) {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    var status = stat()
    guard stat(real, &status) == 0, status.st_size > 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let name = String(cString: real)
    let folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? "."
    descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    // Others may look at the same time.
    guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
  }

  /// Lets the tables go.
  func release() { close(descriptor) }
}
