import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Stops an import from another thread, or from a signal's handler.
///
/// ```swift
/// let cancellation = ImportCancellation()
/// // Elsewhere: cancellation.cancel()
/// try library.importCourse(from: "my-course", cancellation: cancellation)
/// ```
public final class ImportCancellation: Sendable {
  private let flag = Atomic(false)
  /// Where a byte wakes the watch that waits for an author; -1 where none does.
  private let waking = Atomic<Int32>(-1)

  /// Makes one that has not been asked to stop anything.
  public init() {}

  /// Asks the import to stop as soon as it can. Where its course is not there yet, nothing of it is left; where it is,
  /// only the search index stays behind, and follows with the next search.
  public func cancel() {
    flag.store(true, ordering: .sequentiallyConsistent)
    let descriptor = waking.load(ordering: .sequentiallyConsistent)
    // Source: POSIX, 2.4.3: a handler may write.
    if descriptor >= 0 { withUnsafeBytes(of: UInt8(0)) { _ = write(descriptor, $0.baseAddress, 1) } }
  }

  /// Lets the cancelling wake what waits on a pipe; `nil` for nothing.
  func wake(_ pipe: WakingPipe?) { waking.store(pipe?.descriptor ?? -1, ordering: .sequentiallyConsistent) }

  /// Whether it was asked to stop.
  public var isCancelled: Bool { flag.load(ordering: .relaxed) }
}

/// A pipe through which what sleeps in `poll` is woken, also by a signal's handler.
final class WakingPipe: Sendable {
  /// Is readable once it was written to.
  let reading: Int32
  private let writing: Int32

  /// - Throws: ``CourseLibraryError/cannotWatch(path:reason:)``.
  init(for path: String) throws(CourseLibraryError) {
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

/// Who follows an import: is told how far it has come, and may stop it.
struct ImportWatcher: Sendable {
  /// Ends an import that was asked to stop.
  struct Cancelled: Error {}

  private let cancellation: ImportCancellation?
  private let progress: (@Sendable (ImportProgress) -> Void)?

  init(_ cancellation: ImportCancellation? = nil, _ progress: (@Sendable (ImportProgress) -> Void)? = nil) {
    self.cancellation = cancellation
    self.progress = progress
  }

  /// Tells how far the import has come.
  ///
  /// - Throws: ``Cancelled``, where it was asked to stop.
  func tell(_ state: ImportProgress) throws {
    progress?(state)
    try check()
  }

  /// Looks whether to continue.
  ///
  /// - Throws: ``Cancelled``, where it was asked to stop.
  func check() throws {
    if cancellation?.isCancelled == true { throw Cancelled() }
  }
}
