import Dispatch
import LearningStore

/// Reports changes in the file system through a service of the operating system, instead of checking files at
/// intervals. A caller waits for ``descriptor`` with the system call `poll`.
protocol ChangeNotifier: AnyObject {
  /// A descriptor that is readable while there are changes that were not taken.
  var descriptor: Int32 { get }

  /// Starts to report files that are added to a folder, removed from it or saved in it. Subfolders are not included.
  /// Does nothing if the folder is already followed or no longer exists.
  ///
  /// - Throws: ``CourseLibraryError/cannotWatch(path:reason:)``.
  func follow(folder: String) throws(CourseLibraryError)

  /// Starts to report changes of the attributes of a file, such as its modification time.
  ///
  /// - Throws: ``CourseLibraryError/cannotWatch(path:reason:)``.
  func follow(attributesOf file: String) throws(CourseLibraryError)

  /// Returns and removes the changes that have been reported, without waiting.
  func takeChanges() -> [DiskChange]
}

/// A change in the file system.
struct DiskChange: Hashable {
  enum Kind {
    /// A file was added, removed or saved.
    case file
    /// Folders were added or removed. New folders are not followed yet.
    case folders
    /// Attributes of a file were changed.
    case attributes
  }

  var kind: Kind
  /// The name of the file, or `nil` if the operating system does not report it.
  var name: String?
}

/// Creates a notifier for the operating system.
///
/// - Parameter path: The path for errors.
/// - Throws: ``CourseLibraryError/cannotWatch(path:reason:)``.
func makeChangeNotifier(for path: String) throws(CourseLibraryError) -> any ChangeNotifier {
  #if canImport(Glibc)
  try InotifyNotifier(for: path)
  #else
  try KqueueNotifier(for: path)
  #endif
}

/// Observes the imports into a database until it is released.
package final class ImportFollowing {
  private let notifier: any ChangeNotifier
  private let source: any DispatchSourceRead

  fileprivate init(_ path: String, _ body: @escaping @MainActor @Sendable () -> Void) throws {
    let notifier = try makeChangeNotifier(for: path)
    try notifier.follow(attributesOf: path)
    self.notifier = notifier
    source = DispatchSource.makeReadSource(fileDescriptor: notifier.descriptor, queue: .main)
    // The notifier is used on the main queue only after this point.
    nonisolated(unsafe) let sharedNotifier = notifier
    source.setEventHandler {
      guard !sharedNotifier.takeChanges().isEmpty else { return }
      MainActor.assumeIsolated(body)
    }
    source.resume()
  }

  deinit { source.cancel() }
}

extension CourseLibrary {
  /// Calls a function on the main actor after any process has imported or removed a course.
  ///
  /// SQLite does not notify other processes. An import therefore sets the modification time of the database's file when
  /// the course is committed. Steps of learners are written to the write-ahead log and do not trigger a call.
  ///
  /// - Returns: An object that observes imports until it is released, or `nil` if the operating system cannot report
  ///   changes.
  package func followImports(_ body: @escaping @MainActor @Sendable () -> Void) -> ImportFollowing? {
    try? ImportFollowing(store.path, body)
  }
}
