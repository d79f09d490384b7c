import CourseFormats
import Foundation
import LearningModel

/// Waits for an author to save: follows all folders of a source, and says when what is in them has changed.
///
/// ```swift
/// let watch = try SourceWatch(path: "my-course", until: cancellation)
/// repeat {
///   try library.importCourse(from: "my-course", cancellation: cancellation)
/// } while try watch.waitForChange()
/// ```
public final class SourceWatch {
  /// Milliseconds without a change after which what was saved counts as whole: an editor writes several files.
  static let stillness: Int32 = 40
  /// Milliseconds after the first change at which it counts as whole at the latest.
  static let longest = 160

  private let path: String
  /// The one file that counts; `nil` where all do.
  private let file: String?
  private let folder: String
  private let notifier: any ChangeNotifier
  private let cancellation: ImportCancellation
  private let waking: WakingPipe

  /// Begins to follow a folder, or a file, whose folder is followed then.
  ///
  /// - Parameters:
  ///   - path: The source, as an import takes it.
  ///   - cancellation: Ends the waiting; of one watch at a time.
  /// - Throws: ``CourseLibraryError/cannotWatch(path:reason:)``, or ``CourseLibraryError/unreadableSource(kind:description:remedy:)``
  ///   where there is nothing at that path.
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

  /// Waits until something of the source was saved, came or went, and then until that is whole.
  ///
  /// - Returns: `false` where it was cancelled.
  /// - Throws: As ``init(path:until:)``, where the folder is gone.
  public func waitForChange() throws(CourseLibraryError) -> Bool {
    var since: ContinuousClock.Instant?
    var hasNewFolders = false
    while !cancellation.isCancelled {
      var descriptors = [notifier.descriptor, waking.reading].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let count = poll(&descriptors, 2, since == nil ? -1 : Self.stillness)
      // A signal, perhaps the one that cancels.
      if count < 0 { continue }
      let changes = notifier.take().filter(counts)
      if changes.contains(where: { $0.kind == .folders }) { hasNewFolders = true }
      if !changes.isEmpty, since == nil { since = .now }
      if let since, count == 0 || since.duration(to: .now) >= .milliseconds(Self.longest) {
        if hasNewFolders { try followFolders() }
        return true
      }
    }
    return false
  }

  /// Whether a change is one of the source. What editors put beside a file while they write it is not.
  private func counts(_ change: DiskChange) -> Bool {
    guard let name = change.name else { return true }
    if let file { return name == file || change.kind == .folders }
    return !name.hasPrefix(".") && !name.hasSuffix("~")
  }

  /// Follows the folders that there are now. Those that no reader looks into are left out.
  private func followFolders() throws(CourseLibraryError) {
    guard FileManager.default.fileExists(atPath: folder) else {
      throw CourseLibraryError(.sourceMissing(path: path), source: path, format: nil)
    }
    try notifier.follow(folder: folder)
    guard file == nil else { return }
    var seen: Set<String> = []
    try followFolders(in: folder, depth: 0, seen: &seen)
  }

  private func followFolders(in folder: String, depth: Int, seen: inout Set<String>) throws(CourseLibraryError) {
    // A symbolic link may lead back to a folder above it.
    let real = URL(filePath: folder).resolvingSymlinksInPath().path
    guard depth < SourceLimits.standard.pathDepth, seen.insert(real).inserted,
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    else { return }
    for name in names where !name.hasPrefix(".") && name != "node_modules" {
      let inner = folder + "/" + name
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: inner, isDirectory: &isFolder), isFolder.boolValue else { continue }
      try notifier.follow(folder: inner)
      try followFolders(in: inner, depth: depth + 1, seen: &seen)
    }
  }
}
