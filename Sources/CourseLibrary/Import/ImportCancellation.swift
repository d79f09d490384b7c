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
