import Dispatch
import LearningStore

/// Follows the imports of a database for as long as it is kept.
package final class ImportFollowing {
  private let notifier: any ChangeNotifier
  private let source: any DispatchSourceRead

  fileprivate init(_ path: String, _ body: @escaping @MainActor @Sendable () -> Void) throws {
    let notifier = try makeChangeNotifier(for: path)
    try notifier.follow(attributesOf: path)
    self.notifier = notifier
    source = DispatchSource.makeReadSource(fileDescriptor: notifier.descriptor, queue: .main)
    // On the main queue, as all that is asked of the notifier from now on.
    nonisolated(unsafe) let taking = notifier
    source.setEventHandler {
      guard !taking.take().isEmpty else { return }
      MainActor.assumeIsolated(body)
    }
    source.resume()
  }

  deinit { source.cancel() }
}

extension CourseLibrary {
  /// Calls something on the main actor each time that a course was imported or removed, by any process.
  ///
  /// An import sets the time of the database's file when its course is there: SQLite tells no process of what another
  /// does, and what a learner does is written beside the file and wakes nothing.
  ///
  /// - Returns: What is to be kept for as long as that is wanted; `nil` where the system cannot tell.
  package func followImports(_ body: @escaping @MainActor @Sendable () -> Void) -> ImportFollowing? {
    try? ImportFollowing(store.path, body)
  }
}
