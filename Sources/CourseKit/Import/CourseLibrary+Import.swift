import BundledCourse
import CourseFormats
public import LearningModel
import LearningStore

extension CourseLibrary {
  /// Imports a course from a file, an archive, a folder or a Git repository, or imports it again.
  ///
  /// The source is read and checked whole before the first row changes, and everything is seen at once, by a transaction
  /// that survives a power cut. What was imported before is compared by key: a node that stays keeps its history.
  ///
  /// A source that a course was opened from keeps that course's key; see ``open(_:options:askingAbove:confirm:cancellation:progress:)``.
  ///
  /// - Parameters:
  ///   - path: The source: a path, or the address of a Git repository.
  ///   - options: What a person says about it.
  ///   - cancellation: Stops the import when it is asked to.
  ///   - progress: Is told now and then how far the import has come, on the calling thread.
  /// - Returns: What was done; after a dry run, what would be.
  /// - Throws: ``CourseLibraryError``: what is wrong with the source, or why it is refused, with the report;
  ///   ``CourseLibraryError/importCancelled(source:)``; ``CourseLibraryError/database(_:)``.
  @discardableResult
  public func importCourse(
    from path: String, options: ImportOptions = ImportOptions(), cancellation: ImportCancellation? = nil,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) throws(CourseLibraryError) -> ImportReport {
    let watcher = ImportWatcher(cancellation, progress)
    let origin = try? CourseSource.origin(of: path)
    let opened = try read { try $0.courseSources() }.first { $0.source == origin }
    var options = options
    options.key = options.key ?? opened?.key
    var draft = try Self.typed(in: store) {
      try self.draft(options, watcher, named: path) { try CourseSource(opening: path, check: watcher.check) }
    }
    if let origin, opened != nil || !origin.hasPrefix("/") { draft.sourceName = origin }
    return try importDraft(draft, options: options, watcher: watcher)
  }

  /// Imports a course from the bytes of one file.
  ///
  /// - Parameters:
  ///   - name: What the file is called.
  ///   - bytes: What is in it.
  ///   - options: What a person says about it.
  ///   - cancellation: Stops the import when it is asked to.
  ///   - progress: Is told now and then how far the import has come.
  /// - Throws: As ``importCourse(from:options:cancellation:progress:)``.
  @discardableResult
  public func importCourse(
    named name: String, bytes: [UInt8], options: ImportOptions = ImportOptions(),
    cancellation: ImportCancellation? = nil, progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) throws(CourseLibraryError) -> ImportReport {
    let watcher = ImportWatcher(cancellation, progress)
    let draft = try Self.typed(in: store) {
      try self.draft(options, watcher, named: name) { CourseSource(name: name, bytes: bytes) }
    }
    return try importDraft(draft, options: options, watcher: watcher)
  }

  /// Reads a source.
  ///
  /// - Throws: ``CourseLibraryError``, and the errors of `source` that are not about a format.
  func draft(
    _ options: ImportOptions, _ watcher: ImportWatcher, named name: String, from source: () throws -> CourseSource
  ) throws -> CourseDraft {
    var name = name
    do {
      let source = try source()
      name = source.name
      return try SourceReading.draft(of: source, from: options.format, key: options.key, watcher: watcher)
    } catch let error as CourseFormatError {
      throw CourseLibraryError(error, source: name, format: options.format)
    } catch is ImportWatcher.Cancelled {
      throw CourseLibraryError.importCancelled(source: name)
    }
  }

  /// Imports what a reader has made of a source.
  func importDraft(
    _ draft: CourseDraft, options: ImportOptions, watcher: ImportWatcher = ImportWatcher()
  ) throws(CourseLibraryError) -> ImportReport {
    func run() throws -> ImportReport {
      try CourseImport(draft, options: options, store: store, now: now, watcher: watcher).run()
    }
    return try Self.typed(in: store) {
      do {
        // If another process changes the course between the comparison and the write, the import starts again.
        for _ in 0..<3 {
          do { return try run() } catch LearningDatabaseError.changedMeanwhile { continue }
        }
        return try run()
      } catch is ImportWatcher.Cancelled {
        throw CourseLibraryError.importCancelled(source: draft.sourceName)
      } catch is CancellationError {
        throw CourseLibraryError.importCancelled(source: draft.sourceName)
      }
    }
  }
}

extension CourseLibraryError {
  /// A reader's error in the library's words: bad content is a refused import with one diagnostic.
  init(_ error: CourseFormatError, source: String, format: String?) {
    let kind: FailureKind
    switch error.category {
    case .content:
      let report = ImportReport(
        source: source, format: format ?? "", key: "", title: "", revision: 0, imported: false,
        difference: DifferenceCounts(), counts: ContentCounts(), losses: [], diagnostics: [error.diagnostic])
      self = .importRefused(.badSource(errors: 1), report: report)
      return
    case .missing: kind = .notFound
    case .forbidden: kind = .noPermission
    case .inputOutput: kind = .inputOutput
    case .usage: kind = .refused
    case .unavailable: kind = .unavailable
    }
    self = .unreadableSource(kind: kind, description: error.description, remedy: error.remedy)
  }
}

/// What a person may say about an import.
public struct ImportOptions: Hashable, Sendable {
  /// The name of the source's format; `nil` to find out.
  public var format: String?
  /// The course's key, in the place of the source's own.
  public var key: String?
  /// Whether the import may remove more than half of the course, or change its format.
  public var replaces: Bool
  /// Whether to work out the difference and change nothing.
  public var isDryRun: Bool

  /// Makes options.
  public init(format: String? = nil, key: String? = nil, replaces: Bool = false, isDryRun: Bool = false) {
    self.format = format
    self.key = key
    self.replaces = replaces
    self.isDryRun = isDryRun
  }
}

/// How far an import has come.
public enum ImportProgress: Hashable, Sendable {
  /// The source is read: so many nodes so far.
  case reading(nodes: Int)
  /// The course is compared with what the database has: so many nodes, of how many.
  case comparing(done: Int, total: Int)
  /// The course of so many nodes is written, in one transaction: it is there when this ends, and not before.
  case writing(total: Int)
  /// The course is there, and becomes searchable: so many nodes, of how many.
  case indexing(done: Int, total: Int)
}

/// What an import did, or would do.
public struct ImportReport: Hashable, Sendable {
  /// What a person calls the source.
  public var source: String
  /// The name of its format; empty where the source could not be read.
  public var format: String
  /// The course's key, which names it in later imports; empty where the source could not be read.
  public var key: String
  /// The course's path; `nil` if the source could not be read. Not encoded, since the key names the course too.
  public var course: PlacePath?
  /// The course's title; empty where the source could not be read.
  public var title: String
  /// The revision that the course now has; 0 where the database does not have it.
  public var revision: Int
  /// Whether the database now says what the source says. `false` after a dry run and a refusal.
  public var imported: Bool
  /// How many nodes change, and how.
  public var difference: DifferenceCounts
  /// How many nodes of each kind the source has.
  public var counts: ContentCounts
  /// What cannot be shown in a terminal, counted.
  public var losses: [Loss]
  /// What there is to say about the source.
  public var diagnostics: [Diagnostic]
  /// The changes one by one, in reading order, removals last. Not written with the rest.
  public var changes: [NodeChange] = []
}

extension ImportReport: Codable {
  private enum CodingKeys: String, CodingKey {
    case source, format
    case key = "course"
    case title, revision, imported, difference, counts, losses, diagnostics
  }
}

/// A course as it was before an import changed it. Its texts stand in a temporary file without a name, which goes with it.
public struct FormerCourse: Sendable {
  /// What its author called it.
  public var title: String { draft.nodes.first?.title ?? "" }
  let draft: CourseDraft
}

extension CourseLibrary {
  /// Keeps a course as it is, so that it can be had again after an import.
  ///
  /// - Parameter path: The course's path.
  /// - Throws: ``CourseLibraryError`` where there is no such course, or where the temporary folder has no room.
  public func former(_ path: PlacePath) throws(CourseLibraryError) -> FormerCourse {
    let (course, nodes, titles, origin, pictures) = try read { snapshot in
      let course = try snapshot.livingCourse(at: path)
      return (
        course, try snapshot.subtree(from: .node(course.id)).map(\.node), try snapshot.authorTitles(in: course.id),
        try snapshot.origin(of: course.id), try snapshot.pictures(of: course.id)
      )
    }
    let places = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.id, $0) })
    return try Self.typed(in: store) {
      do {
        var spool = try ContentSpool()
        var types: [Int: ActivityType] = [:]
        for (index, node) in nodes.enumerated() where node.kind == .activity {
          guard let content = try read({ try $0.content(of: node.id) }) else { continue }
          try spool.keep(content, at: index)
          types[index] = content.type
        }
        for digest in pictures {
          if let bytes = try read({ try $0.picture(digest) }) { try spool.keep(picture: bytes, digest: digest) }
        }
        let draft = CourseDraft(
          format: origin?.format ?? "waymark", sourceName: origin?.source ?? "", sourceDigest: "",
          language: course.language,
          nodes: nodes.enumerated().map { index, node in
            DraftNode(
              parent: node.parent.flatMap { places[$0] }, key: node.key, kind: node.kind,
              title: titles[node.id] ?? node.title, summary: node.summary, minutes: node.minutes, type: types[index])
          }, contents: try spool.finish())
        return FormerCourse(draft: draft)
      } catch let error as CourseFormatError {
        throw CourseLibraryError.unreadableSource(
          kind: .inputOutput, description: error.description, remedy: error.remedy)
      }
    }
  }

  /// Imports a course as it was: it has its former places, texts and source again. What learners did in it stays.
  ///
  /// - Throws: ``CourseLibraryError``.
  @discardableResult
  public func bringBack(_ former: FormerCourse) throws(CourseLibraryError) -> ImportReport {
    try importDraft(former.draft, options: ImportOptions(replaces: true))
  }

  /// What a report calls the source of the bundled course.
  package static let bundledSourceName = "english-for-business.json"
  /// Where the bundled course stands among the others.
  public static let bundledPath = PlacePath("english-for-business")

  /// Imports the course that comes with the program.
  ///
  /// - Parameters:
  ///   - options: As for any other import; the format and the key are the course's own unless they are given.
  ///   - cancellation: Stops the import when it is asked to.
  ///   - progress: Is told now and then how far the import has come.
  /// - Throws: As ``importCourse(from:options:cancellation:progress:)``.
  @discardableResult
  public func importBundled(
    options: ImportOptions = ImportOptions(), cancellation: ImportCancellation? = nil,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) throws(CourseLibraryError) -> ImportReport {
    let bytes = Array(UnsafeBufferPointer(start: bundled_course(), count: bundled_course_size()))
    return try importCourse(
      named: Self.bundledSourceName, bytes: bytes, options: options, cancellation: cancellation, progress: progress)
  }
}
