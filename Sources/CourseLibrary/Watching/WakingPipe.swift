#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A pipe through which what sleeps in `poll` is woken, also by a signal's handler.
final class WakingPipe: Sendable {
  /// Is readable once it was written to.
  let reading: Int32
  private let writing: Int32

  /// - Throws: ``CourseLibraryError/cannotWatch(path:reason:)``.
  init(for path: String) throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw CourseLibraryError.cannotWatch(
        path: path, reason: "the system says '\(String(cString: strerror(errno)).lowercased())'")
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// The end that is written to.
  var descriptor: Int32 { writing }
}
