import CourseFormats
import Foundation
public import LearningModel
import LearningStore

extension CourseLibrary {
  /// Returns whether a text is the path of an existing file or folder, or the address of a Git repository.
  ///
  /// - Throws: ``CourseLibraryError`` if it is an address with an unsupported transport.
  public static func isSource(_ text: String) throws(CourseLibraryError) -> Bool {
    do throws(CourseFormatError) {
      return try GitAddress(text) != nil || FileManager.default.fileExists(atPath: text)
    } catch {
      throw CourseLibraryError(error, source: text, format: nil)
    }
  }

  /// Returns whether a text is the terminal output of a program such as `man`, rather than Markdown: it contains
  /// overstrikes or escape sequences, or it has no markup and most of its lines are indented.
  package static func isProgramOutput(_ text: String) -> Bool { PlainText.isProgramOutput(text) }

  /// Imports a file, a folder, an archive or a Git repository for reading, or updates the course that was imported from
  /// it.
  ///
  /// The course's source is the absolute path or the address, and opening the same source again updates the same
  /// course. If the key in the source belongs to a course from another source, the opened course gets a new key.
  /// Exception: if the other source no longer exists or has the same content, the existing course is updated instead.
  ///
  /// - Parameters:
  ///   - source: A path, or the address of a Git repository.
  ///   - options: The options of the import; the key is ignored.
  ///   - limit: The number of files up to which `confirm` is not called.
  ///   - confirm: Called if the source has more files. Returns whether to import it.
  ///   - cancellation: Cancels the import from another thread.
  ///   - progress: Receives the progress, on the calling thread.
  /// - Returns: The report, or `nil` if `confirm` returned `false`.
  /// - Throws: The errors of ``importCourse(from:options:cancellation:progress:)``.
  public func open(
    _ source: String, options: ImportOptions = ImportOptions(), askingAbove limit: Int = .max - 1,
    confirm: () -> Bool = { true }, cancellation: ImportCancellation? = nil,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) throws(CourseLibraryError) -> ImportReport? {
    var isDeclined = false
    do {
      return try importSource(source, options: options, isOpened: true, watcher: ImportWatcher(cancellation, progress))
      {
        isDeclined = $0.fileCount(upTo: limit + 1) > limit && !confirm()
        if isDeclined { throw ImportWatcher.Cancelled() }
      }
    } catch {
      guard isDeclined else { throw error }
      return nil
    }
  }

  /// Updates a course from the path or address from which it was opened or imported.
  ///
  /// The pages of a folder are read in the format in which they were imported, even if another one would be detected.
  ///
  /// - Parameters:
  ///   - path: The course's path.
  ///   - options: The options of the import; the key is ignored.
  ///   - cancellation: Cancels the import from another thread.
  ///   - progress: Receives the progress, on the calling thread.
  /// - Returns: The changes that were made or, for a dry run, would be made.
  /// - Throws: ``CourseLibraryError/unknownOrigin(path:source:)`` if only the name of the source is known, and the
  ///   errors of ``importCourse(from:options:cancellation:progress:)``.
  public func update(
    _ path: PlacePath, options: ImportOptions = ImportOptions(), cancellation: ImportCancellation? = nil,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) throws(CourseLibraryError) -> ImportReport {
    let origin = try read { try $0.origin(of: $0.existingCourse(at: path).id) }
    let source = origin?.source ?? ""
    var options = options
    if options.format == nil, let format = origin?.format, FormatRegistry.hasPages(of: format, inFolder: source) {
      options.format = format
    }
    guard Self.isPathOrAddress(source),
      let report = try open(source, options: options, cancellation: cancellation, progress: progress)
    else { throw .unknownOrigin(path: path, source: source) }
    return report
  }

  /// The key of the goal with the pages that a single page links, which are a part of its course.
  package static var linkedPagesKey: String { LinkedPages.goalKey }

  private static func isPathOrAddress(_ source: String) -> Bool {
    source.hasPrefix("/") || (try? GitAddress(source)) != nil
  }

  /// Returns whether a source is an address, or a path that still exists.
  static func existsElsewhere(_ source: String) -> Bool {
    isPathOrAddress(source) && (!source.hasPrefix("/") || FileManager.default.fileExists(atPath: source))
  }
}

/// A format that can be imported, with a description of how its elements are mapped to goals, lessons and activities.
public struct FormatDescription: Hashable, Codable, Sendable {
  /// The name of the format for ``ImportOptions/format``.
  public let name: String
  /// A description of the format in one sentence.
  public let summary: String
  /// A description of the elements that become goals, for example `a folder at the top`.
  public let goal: String
  /// A description of the elements that become lessons.
  public let lesson: String
  /// A description of the elements that become activities.
  public let activity: String
}

extension CourseLibrary {
  /// All formats that can be imported, in the order in which they are tried when the format of a source is detected.
  public static var formats: [FormatDescription] {
    FormatRegistry.readers.map { reader in
      FormatDescription(
        name: reader.name, summary: reader.summary, goal: reader.mapping.goal, lesson: reader.mapping.lesson,
        activity: reader.mapping.activity)
    }
  }

  /// The file name extensions that identify a format, in lower case, with the description of such a file: `a book`.
  package static var fileExtensions: [String: String] {
    FormatRegistry.readers.reduce(into: [:]) { all, reader in
      all.merge(reader.fileExtensions) { first, _ in first }
    }
  }
}
