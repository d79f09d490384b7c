import CourseFormats
import Foundation
public import LearningModel
import LearningStore

extension CourseLibrary {
  /// Whether there is a file or folder at a path, or the text is the address of a Git repository.
  ///
  /// - Throws: ``CourseLibraryError`` if it is an address with another transport.
  public static func isSource(_ text: String) throws(CourseLibraryError) -> Bool {
    do throws(CourseFormatError) {
      return try GitAddress(text) != nil || FileManager.default.fileExists(atPath: text)
    } catch {
      throw CourseLibraryError(error, source: text, format: nil)
    }
  }

  /// Whether a text is the output of a program for a terminal, such as `man`, and not Markdown: it contains overstrikes or
  /// escape sequences, or most of its lines are indented and it has no markup.
  package static func isProgramOutput(_ text: String) -> Bool { PlainText.isProgramOutput(text) }

  /// Imports a file, a folder, an archive or a Git repository so that it can be opened, or imports it again.
  ///
  /// The course keeps the absolute path or the address as its source. The same source is always the same course. A
  /// source that has the key of another course gets a key of its own, unless the other course's source is gone or has
  /// the same content.
  ///
  /// - Parameters:
  ///   - source: A path or an address.
  ///   - options: The options of the import; the key is ignored.
  ///   - most: The number of files up to which `confirm` is not called.
  ///   - confirm: Called if the source has more files. `false` ends the import.
  ///   - cancellation: Stops the import.
  ///   - progress: Called with the progress of the import, on the calling thread.
  /// - Returns: The report, or `nil` if `confirm` returned `false`.
  /// - Throws: As ``importCourse(from:options:cancellation:progress:)``.
  public func open(
    _ source: String, options: ImportOptions = ImportOptions(), askingAbove most: Int = .max - 1,
    confirm: () -> Bool = { true }, cancellation: ImportCancellation? = nil,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) throws(CourseLibraryError) -> ImportReport? {
    struct Declined: Error {}
    let watcher = ImportWatcher(cancellation, progress)
    let known = try read { try $0.courseSources() }
    let origin: String
    do throws(CourseFormatError) {
      origin = try CourseSource.origin(of: source)
    } catch {
      throw CourseLibraryError(error, source: source, format: options.format)
    }
    var options = options
    options.key = known.first { $0.source == origin }?.key
    return try Self.typed(in: store) {
      do {
        var draft = try draft(options, watcher, named: source) {
          let opened = try CourseSource(opening: source, check: watcher.check)
          guard opened.fileCount(upTo: most + 1) <= most || confirm() else { throw Declined() }
          return opened
        }
        if options.key == nil, let key = draft.nodes.first?.key, let other = known.first(where: { $0.key == key }),
          other.digest != draft.sourceDigest, Self.isElsewhere(other.source)
        {
          options.key = Self.freeKey(like: key, besides: Set(known.map(\.key)))
          draft = try self.draft(options, watcher, named: source) {
            try CourseSource(opening: source, check: watcher.check)
          }
        }
        draft.sourceName = origin
        return try importDraft(draft, options: options, watcher: watcher)
      } catch is Declined {
        return nil
      }
    }
  }

  /// Imports a course again from the path or the address that it was opened from.
  ///
  /// - Parameters:
  ///   - path: The course's path.
  ///   - options: The options of the import; the key is ignored.
  ///   - cancellation: Stops the import.
  ///   - progress: Called with the progress of the import, on the calling thread.
  /// - Throws: ``CourseLibraryError/unknownOrigin(path:source:)`` if only the name of its source is known, and as
  ///   ``importCourse(from:options:cancellation:progress:)``.
  public func update(
    _ path: PlacePath, options: ImportOptions = ImportOptions(), cancellation: ImportCancellation? = nil,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) throws(CourseLibraryError) -> ImportReport {
    let source = try read { try $0.origin(of: $0.livingCourse(at: path).id)?.source } ?? ""
    guard Self.isPathOrAddress(source),
      let report = try open(source, options: options, cancellation: cancellation, progress: progress)
    else { throw .unknownOrigin(path: path, source: source) }
    return report
  }

  private static func isPathOrAddress(_ source: String) -> Bool {
    source.hasPrefix("/") || (try? GitAddress(source)) != nil
  }

  /// Whether a course came from an address, or from a path where there still is something.
  private static func isElsewhere(_ source: String) -> Bool {
    isPathOrAddress(source) && (!source.hasPrefix("/") || FileManager.default.fileExists(atPath: source))
  }

  private static func freeKey(like key: String, besides keys: Set<String>) -> String {
    (2...).lazy.map { "\(key)-\($0)" }.first { !keys.contains($0) } ?? key
  }
}

/// A format that can be imported, and what becomes what.
public struct FormatDescription: Hashable, Codable, Sendable {
  /// Its name, as an import takes it.
  public let name: String
  /// What it is, in one sentence.
  public let summary: String
  /// What becomes a goal.
  public let goal: String
  /// What becomes a lesson.
  public let lesson: String
  /// What becomes an activity.
  public let activity: String
}

extension CourseLibrary {
  /// Every format that can be imported, in the order in which a source is tried.
  public static var formats: [FormatDescription] {
    FormatRegistry.readers.map { reader in
      FormatDescription(
        name: reader.name, summary: reader.summary, goal: reader.mapping.goal, lesson: reader.mapping.lesson,
        activity: reader.mapping.activity)
    }
  }
}
