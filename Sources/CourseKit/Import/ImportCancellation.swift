import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Cancels an import from another thread or from a signal handler.
///
/// ```swift
/// let cancellation = ImportCancellation()
/// // Elsewhere: cancellation.cancel()
/// try library.importCourse(from: "my-course", cancellation: cancellation)
/// ```
public final class ImportCancellation: Sendable {
  private let flag = Atomic(false)
  /// The descriptor to which `cancel()` writes a byte to end the wait of a ``SourceWatch``, or -1.
  private let waking = Atomic<Int32>(-1)

  /// Creates a cancellation that is not cancelled.
  public init() {}

  /// Cancels the import as soon as possible. If the course has not been written, nothing is changed. Otherwise only the
  /// search index is incomplete until the next search.
  public func cancel() {
    flag.store(true, ordering: .sequentiallyConsistent)
    let descriptor = waking.load(ordering: .sequentiallyConsistent)
    // A signal handler may call `write`. Source: POSIX, 2.4.3.
    if descriptor >= 0 { withUnsafeBytes(of: UInt8(0)) { _ = write(descriptor, $0.baseAddress, 1) } }
  }

  /// Sets the pipe to which `cancel()` writes, or `nil` for none.
  func wake(_ pipe: WakingPipe?) { waking.store(pipe?.descriptor ?? -1, ordering: .sequentiallyConsistent) }

  /// Whether `cancel()` was called.
  public var isCancelled: Bool { flag.load(ordering: .relaxed) }
}

/// A pipe that ends a wait in `poll`. A signal handler may write to it.
final class WakingPipe: Sendable {
  /// The end that is waited for. Readable after a byte was written to the other end.
  let reading: Int32
  private let writing: Int32

  /// Creates a pipe.
  ///
  /// - Parameter path: The path for errors.
  /// - Throws: ``CourseLibraryError/cannotWatch(path:reason:)``.
  init(for path: String) throws(CourseLibraryError) {
    var descriptors: [Int32] = [-1, -1]
    guard pipe(&descriptors) == 0 else {
      throw CourseLibraryError.cannotWatch(
        path: path, reason: "the system reports '\(String(cString: strerror(errno)).lowercased())'")
    }
    for end in descriptors {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (reading, writing) = (descriptors[0], descriptors[1])
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// The end that is written to.
  var descriptor: Int32 { writing }
}

/// Reports the progress of an import and checks whether the import was cancelled.
struct ImportWatcher: Sendable {
  /// The error that ends a cancelled import.
  struct Cancelled: Error {}

  private let cancellation: ImportCancellation?
  private let progress: (@Sendable (ImportProgress) -> Void)?

  init(_ cancellation: ImportCancellation? = nil, _ progress: (@Sendable (ImportProgress) -> Void)? = nil) {
    self.cancellation = cancellation
    self.progress = progress
  }

  /// Reports the progress.
  ///
  /// - Throws: ``Cancelled`` if the import was cancelled.
  func report(_ state: ImportProgress) throws {
    progress?(state)
    try check()
  }

  /// Checks whether the import was cancelled.
  ///
  /// - Throws: ``Cancelled`` if it was.
  func check() throws {
    if cancellation?.isCancelled == true { throw Cancelled() }
  }
}
