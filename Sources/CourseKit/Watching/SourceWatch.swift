import CourseFormats
import Foundation
import LearningModel

/// Waits for changes of a source by observing all of its folders.
///
/// ```swift
/// let watch = try SourceWatch(path: "my-course", until: cancellation)
/// repeat {
///   try library.importCourse(from: "my-course", cancellation: cancellation)
/// } while try watch.waitForChange()
/// ```
public final class SourceWatch {
  /// The time without changes, in milliseconds, after which a save is considered complete. Editors write several files.
  static let quietInterval: Int32 = 40
  /// The time after the first change, in milliseconds, after which a save is considered complete in any case.
  static let maximumDelay = 160
  /// The interval in milliseconds at which the folder is looked up by its path. The system does not report that another
  /// file system is mounted there, or that a folder with the path was created after the old one was removed.
  static let identityInterval: Int32 = 500

  private let path: String
  /// The name of the file, if the source is a single file. Otherwise `nil`.
  private let file: String?
  private let folder: String
  private var notifier: any ChangeNotifier
  /// The device and the number of the observed folder, or `nil` while there is no folder at the path.
  private var identity: [UInt64]?
  private let cancellation: ImportCancellation
  private let waking: WakingPipe

  /// Starts to observe a folder, or the folder that contains a file.
  ///
  /// - Parameters:
  ///   - path: The path of the source.
  ///   - cancellation: Ends the wait. Can be used by one watch at a time only.
  /// - Throws: ``CourseLibraryError/cannotWatch(path:reason:)``, or
  ///   ``CourseLibraryError/unreadableSource(kind:description:remedy:)`` if there is no file or folder at the path.
  public init(path: String, until cancellation: ImportCancellation) throws(CourseLibraryError) {
    self.path = path
    self.cancellation = cancellation
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw CourseLibraryError(.sourceMissing(path: path), source: path, format: nil)
    }
    let url = URL(filePath: path)
    file = isFolder.boolValue ? nil : url.lastPathComponent
    folder = isFolder.boolValue ? path : url.deletingLastPathComponent().path
    notifier = try makeChangeNotifier(for: path)
    waking = try WakingPipe(for: path)
    cancellation.wake(waking)
    try followFolders()
  }

  deinit { cancellation.wake(nil) }

  /// Waits until a file of the source is saved, added or removed, and until the save is complete.
  ///
  /// The removal and the return of the folder are changes too. An import fails while the folder is away.
  ///
  /// - Returns: `true` after a change, `false` if the wait was cancelled.
  /// - Throws: ``CourseLibraryError/cannotWatch(path:reason:)``.
  public func waitForChange() throws(CourseLibraryError) -> Bool {
    var since: ContinuousClock.Instant?
    var hasNewFolders = false
    while !cancellation.isCancelled {
      var descriptors = [notifier.descriptor, waking.reading].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let count = poll(&descriptors, 2, since == nil ? Self.identityInterval : Self.quietInterval)
      // The wait was interrupted by a signal, possibly the one that cancels.
      if count < 0 { continue }
      let changes = notifier.takeChanges().filter(counts)
      let isOther = Self.identity(of: folder) != identity
      if isOther || changes.contains(where: { $0.kind == .folders }) { hasNewFolders = true }
      if isOther || !changes.isEmpty, since == nil { since = .now }
      if let since, count == 0 || since.duration(to: .now) >= .milliseconds(Self.maximumDelay) {
        if hasNewFolders { try followFolders() }
        return true
      }
    }
    return false
  }

  /// Returns whether a change is relevant to the source. Temporary and backup files of editors are not.
  private func counts(_ change: DiskChange) -> Bool {
    guard let name = change.name else { return true }
    if let file { return name == file || change.kind == .folders }
    return !name.hasPrefix(".") && !name.hasSuffix("~")
  }

  /// Returns the device and the number of the folder at a path, or `nil` if there is no folder at the path.
  private static func identity(of folder: String) -> [UInt64]? {
    var status = stat()
    return stat(folder, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
  }

  /// Observes all current folders, without those that readers ignore.
  private func followFolders() throws(CourseLibraryError) {
    let current = Self.identity(of: folder)
    // The folders that were observed before may still exist at another path.
    if current != identity { notifier = try makeChangeNotifier(for: path) }
    identity = current
    guard current != nil else { return }
    try notifier.follow(folder: folder)
    guard file == nil else { return }
    var visited: Set<String> = []
    try followFolders(in: folder, depth: 0, visited: &visited)
  }

  private func followFolders(in folder: String, depth: Int, visited: inout Set<String>) throws(CourseLibraryError) {
    // A symbolic link may lead to an ancestor of the folder.
    let real = URL(filePath: folder).resolvingSymlinksInPath().path
    guard depth < SourceLimits.standard.pathDepth, visited.insert(real).inserted,
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    else { return }
    for name in names where !name.hasPrefix(".") && name != "node_modules" {
      let inner = folder + "/" + name
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: inner, isDirectory: &isFolder), isFolder.boolValue else { continue }
      try notifier.follow(folder: inner)
      try followFolders(in: inner, depth: depth + 1, visited: &visited)
    }
  }
}
