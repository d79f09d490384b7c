import Synchronization

/// Stops an import from another thread, or from a signal's handler.
///
/// ```swift
/// let cancellation = ImportCancellation()
/// // Elsewhere: cancellation.cancel()
/// try library.importCourse(from: "my-course", cancellation: cancellation)
/// ```
public final class ImportCancellation: Sendable {
  private let flag = Atomic(false)

  /// Makes one that has not been asked to stop anything.
  public init() {}

  /// Asks the import to stop as soon as it can. Where its course is not there yet, nothing of it is left; where it is,
  /// only the search index stays behind, and follows with the next search.
  public func cancel() { flag.store(true, ordering: .relaxed) }

  /// Whether it was asked to stop.
  public var isCancelled: Bool { flag.load(ordering: .relaxed) }
}
