import Dispatch
import LearningStore

/// Tells by the system's own means what changes on a disk. Nothing is asked again and again: what waits for a change sleeps
/// in `poll` on ``descriptor``.
protocol ChangeNotifier: AnyObject {
  /// Is readable, as `poll` sees it, while there are changes that were not taken.
  var descriptor: Int32 { get }

  /// Begins to follow what comes into a folder, goes from it or is saved in it; not what is in folders inside it. A folder
  /// that is followed already is followed once.
  ///
  /// - Throws: ``CourseLibraryError/cannotWatch(path:reason:)``; nothing where the folder has gone meanwhile.
  func follow(folder: String) throws(CourseLibraryError)

  /// Begins to follow the attributes of a file, such as its time.
  ///
  /// - Throws: ``CourseLibraryError/cannotWatch(path:reason:)``.
  func follow(attributesOf file: String) throws(CourseLibraryError)

  /// Takes the changes that there are, without waiting for any.
  func take() -> [DiskChange]
}

/// Something that changed on a disk.
struct DiskChange: Hashable {
  /// What it was.
  enum Kind {
    /// What is in a file, or whether it is there.
    case file
    /// Which folders there are: those that are new are not followed yet.
    case folders
    /// Attributes.
    case attributes
  }

  var kind: Kind
  /// The name of the file; `nil` where the system does not tell.
  var name: String?
}

/// Makes the notifier of this system.
///
/// - Throws: ``CourseLibraryError/cannotWatch(path:reason:)``.
func makeChangeNotifier(for path: String) throws(CourseLibraryError) -> any ChangeNotifier {
  #if canImport(Glibc)
  try InotifyNotifier(for: path)
  #else
  try KqueueNotifier(for: path)
  #endif
}

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
