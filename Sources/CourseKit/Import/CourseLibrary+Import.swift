import BundledCourse
import CourseFormats
public import LearningModel
import LearningStore

extension CourseLibrary {
  /// Imports a course from a file, an archive, a folder or a Git repository. If the course exists, it is updated.
  ///
  /// The source is read and checked completely before anything is written. All changes are made in one transaction,
  /// which survives a power failure. Places are identified by their keys, and keep their history.
  ///
  /// The course keeps the absolute path or the address of its source. If the source contains no key for the course, the
  /// key is made from its name. If that key belongs to a course from another source, the import creates a second course
  /// with a new key such as `readme-2`, and the report contains a warning. Exception: if the other source no longer exists
  /// or has the same content, its course is updated. A later import from the same source uses the same key.
  ///
  /// - Parameters:
  ///   - path: The source: a path, or the address of a Git repository.
  ///   - options: The options of the import.
  ///   - cancellation: Cancels the import from another thread.
  ///   - progress: Receives the progress, on the calling thread.
  /// - Returns: The changes that were made or, for a dry run, would be made.
  /// - Throws: ``CourseLibraryError``: the error of the source; the reason for refusing the import, with the report;
  ///   ``CourseLibraryError/importCancelled(source:)``; ``CourseLibraryError/database(_:)``.
  @discardableResult
  public func importCourse(
    from path: String, options: ImportOptions = ImportOptions(), cancellation: ImportCancellation? = nil,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) throws(CourseLibraryError) -> ImportReport {
    try importCourse(from: path, options: options, cancellation: cancellation, progress: progress, recording: nil)
  }

  /// Imports a course together with the learner's progress in the program from which the source comes.
  ///
  /// - Parameters:
  ///   - includingProgress: Whether the answers and passed exercises are read. Otherwise `record` receives the preset, and the
  ///     number of cards with progress.
  ///   - record: Records the progress in the course at a path. Its writes are part of the transaction that
  ///     writes the course. For a dry run, called outside a transaction. If `nil`, the progress is not read.
  ///   - remembersSource: Whether the course keeps the path of the source. `false` for a temporary file.
  /// - Throws: The errors of ``importCourse(from:options:cancellation:progress:)``, and those of `record` as
  ///   ``CourseLibraryError/unreadableSource(kind:description:remedy:)``.
  package func importCourse(
    from path: String, options: ImportOptions, cancellation: ImportCancellation? = nil,
    progress: (@Sendable (ImportProgress) -> Void)? = nil, includingProgress: Bool = true,
    recording record: ((_ progress: SourceProgress, _ course: PlacePath) throws -> Void)?, remembersSource: Bool = true
  ) throws(CourseLibraryError) -> ImportReport {
    try importSource(
      path, options: options, remembersSource: remembersSource, watcher: ImportWatcher(cancellation, progress),
      includesProgress: includingProgress && record != nil, recording: record)
  }

  /// Imports a source as the course that was imported from it before, or as a new course.
  ///
  /// - Parameters:
  ///   - isOpened: Whether a key that the source contains can be replaced too, so that the import never updates a course
  ///     from another source that still exists.
  ///   - remembersSource: Whether the course keeps the path of the source.
  ///   - confirm: Called once with the opened source; an error that it throws ends the import.
  func importSource(
    _ path: String, options: ImportOptions, isOpened: Bool = false, remembersSource: Bool = true,
    watcher: ImportWatcher,
    includesProgress: Bool = false, confirm: (CourseSource) throws -> Void = { _ in },
    recording record: ((_ progress: SourceProgress, _ course: PlacePath) throws -> Void)? = nil
  ) throws(CourseLibraryError) -> ImportReport {
    try Self.typed(in: store) {
      let origin = remembersSource ? try? CourseSource.origin(of: path) : nil
      let formerKeys = try store.read { try $0.courseSources() }.filter { $0.source == origin }.map(\.key)
      var options = options
      if isOpened { options.key = formerKeys.first }
      var draft = try draft(options, watcher, named: path, formerKeys: formerKeys, includesProgress: includesProgress) {
        let source = try CourseSource(opening: path, check: watcher.check)
        try confirm(source)
        return source
      }
      if let report = try recordingOnly(draft, record) { return report }
      // Read again, because another process may have imported a course in the meantime.
      let others = try store.read { try $0.courseSources() }
      if draft.hasDerivedKey || isOpened && options.key == nil, let key = draft.nodes.first?.key,
        let other = others.first(where: { $0.key == key }), other.source != origin,
        other.digest != draft.sourceDigest, Self.existsElsewhere(other.source)
      {
        var keys = UniqueNames(usedNames: Set(others.map(\.key)), numberedFrom: 2)
        let free = keys.makeUnique(key)
        options.key = free
        draft = try self.draft(options, watcher, named: path, includesProgress: includesProgress) {
          try CourseSource(opening: path, check: watcher.check)
        }
        draft.diagnostics.append(
          Diagnostic(
            severity: .warning, file: draft.sourceName,
            message:
              "The key \(quoted: key) belongs to the course from \(quoted: other.source), so this course has the key "
              + "\(quoted: free). To update the other course instead, import this source with the key \(quoted: key)."))
      }
      draft.origin = origin
      if let origin, isOpened || !origin.hasPrefix("/") { draft.sourceName = origin }
      return try importDraft(draft, options: options, watcher: watcher, recording: record)
    }
  }

  /// Records the progress of a source whose cards were all exported from courses of this database.
  ///
  /// - Returns: The report about the course with most of the cards, which does not change. `nil` if the source contains
  ///   another card.
  private func recordingOnly(
    _ draft: CourseDraft, _ record: ((_ progress: SourceProgress, _ course: PlacePath) throws -> Void)?
  ) throws -> ImportReport? {
    guard draft.nodes.count == 1, !draft.isRefused,
      let key = draft.exportedCards.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key,
      let course = try store.read({ try $0.course(withKey: key) })
    else { return nil }
    let (path, counts) = try store.read { (try $0.path(of: course.node.id), try $0.counts(of: course.node.id)) }
    try record?(draft.progress, path)
    return ImportReport(
      source: draft.sourceName, format: draft.format, key: key, course: path, title: course.node.title,
      revision: course.revision, imported: true, difference: DifferenceCounts(), counts: counts,
      losses: draft.losses, diagnostics: draft.diagnostics)
  }

  /// Imports a course from the content of a single file.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - bytes: The content of the file.
  ///   - options: The options of the import.
  ///   - cancellation: Cancels the import from another thread.
  ///   - progress: Receives the progress, on the calling thread.
  /// - Returns: The changes that were made or, for a dry run, would be made.
  /// - Throws: The errors of ``importCourse(from:options:cancellation:progress:)``.
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
    _ options: ImportOptions, _ watcher: ImportWatcher, named name: String, formerKeys: [String] = [],
    includesProgress: Bool = false, from source: () throws -> CourseSource
  ) throws -> CourseDraft {
    var name = name
    do {
      let source = try source()
      name = source.name
      let store = store
      var reading = ReadOptions(key: options.key, isStrict: options.isStrict)
      reading.formerKeys = formerKeys
      reading.includesProgress = includesProgress
      if includesProgress {
        reading.exportedCards = { guids in try store.read { try $0.exportedCards(named: guids) } }
      }
      reading.lastEdition = { course, page in try store.read { try $0.lastEdition(of: page, inCourse: course) } }
      return try SourceReading.draft(of: source, from: options.format, options: reading, watcher: watcher)
        .withoutStoredOwnCards(in: store)
    } catch let error as CourseFormatError {
      throw CourseLibraryError(error, source: name, format: options.format)
    } catch is ImportWatcher.Cancelled {
      throw CourseLibraryError.importCancelled(source: name)
    }
  }

  /// Imports a draft that was read from a source.
  func importDraft(
    _ draft: CourseDraft, options: ImportOptions, watcher: ImportWatcher = ImportWatcher(),
    recording record: ((_ progress: SourceProgress, _ course: PlacePath) throws -> Void)? = nil
  ) throws(CourseLibraryError) -> ImportReport {
    func run() throws -> ImportReport {
      var attempt = CourseImport(draft, options: options, store: store, now: now, watcher: watcher)
      return try attempt.run(recording: record)
    }
    return try Self.typed(in: store) {
      do {
        // If another process changes the course between the comparison and the write, the import is repeated.
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
  /// Converts the error of a reader. Invalid content becomes a refused import with one diagnostic.
  init(_ error: CourseFormatError, source: String, format: String?) {
    guard error.kind == .badData else {
      self = .unreadableSource(kind: error.kind, description: error.description, remedy: error.remedy)
      return
    }
    let report = ImportReport(
      source: source, format: format ?? "", key: "", title: "", revision: 0, imported: false,
      difference: DifferenceCounts(), counts: ContentCounts(), losses: [], diagnostics: [error.diagnostic])
    self = .importRefused(.badSource(errors: 1), report: report)
  }
}

/// The options of an import.
public struct ImportOptions: Hashable, Sendable {
  /// The name of the source's format, or `nil` to detect it.
  public var format: String?
  /// The course's key, or `nil` to use the key in the source.
  public var key: String?
  /// Whether the import may remove more than half of the course or change its format.
  public var replaces: Bool
  /// Whether to compute the changes without making them.
  public var isDryRun: Bool
  /// Whether the import fails if a page cannot be read. If `false`, such a page is left out, or its last good edition
  /// stays.
  public var isStrict: Bool
  /// Whether places whose pages were renamed keep their history. ``JoinEvidence`` lists how they are recognised.
  public var joinsRenamed: Bool

  /// Creates options.
  public init(
    format: String? = nil, key: String? = nil, replaces: Bool = false, isDryRun: Bool = false, isStrict: Bool = false,
    joinsRenamed: Bool = true
  ) {
    self.format = format
    self.key = key
    self.replaces = replaces
    self.isDryRun = isDryRun
    self.isStrict = isStrict
    self.joinsRenamed = joinsRenamed
  }
}

/// The progress of an import.
public enum ImportProgress: Hashable, Sendable {
  /// The source is being read. `nodes` is the number of nodes read so far.
  case reading(nodes: Int)
  /// The course is being compared with the database. `done` of `total` nodes were compared.
  case comparing(done: Int, total: Int)
  /// The course with `total` nodes is being written, in one transaction. It becomes visible at the end.
  case writing(total: Int)
  /// The course is imported and is being added to the search index. `done` of `total` nodes were added.
  case indexing(done: Int, total: Int)
}

/// The changes that an import made or, for a dry run, would make.
public struct ImportReport: Hashable, Sendable {
  /// The name, path or address of the source.
  public var source: String
  /// The name of the source's format. Empty if the source could not be read.
  public var format: String
  /// The course's key, which identifies it in later imports. Empty if the source could not be read.
  public var key: String
  /// The course's path. `nil` if the source could not be read. Not encoded, because the key identifies the course too.
  public var course: PlacePath?
  /// The course's title. Empty if the source could not be read.
  public var title: String
  /// The revision of the course in the database after the import. 0 if the database does not contain the course.
  public var revision: Int
  /// Whether the database now contains the course in the state of the source. `false` after a dry run or a refusal.
  public var imported: Bool
  /// The number of changed nodes by kind of change.
  public var difference: DifferenceCounts
  /// The number of nodes in the source by kind.
  public var counts: ContentCounts
  /// The kinds of elements that a terminal cannot show, with the number of occurrences of each.
  public var losses: [Loss]
  /// The errors and warnings about the source.
  public var diagnostics: [Diagnostic]
  /// The places whose pages were renamed, and which keep their history.
  public var joined: [JoinedPlace] = []
  /// The removed places at which a learner of the database has records. Their history is kept, and returns with them.
  public var removedWithRecords: [RemovedPlace] = []
  /// The individual changes in reading order, removals last. Not encoded.
  public var changes: [NodeChange] = []
}

extension ImportReport: Codable {
  private enum CodingKeys: String, CodingKey {
    case source, format
    case key = "course"
    case title, revision, imported, difference, counts, losses, diagnostics, joined, removedWithRecords
  }
}

/// A copy of a course before an import, from which it can be restored. The texts are in an unlinked temporary file,
/// which is deleted with the copy.
public struct CourseSnapshot: Sendable {
  /// The author's title of the course.
  public var title: String { draft.nodes.first?.title ?? "" }
  let draft: CourseDraft
}

extension CourseLibrary {
  /// Copies a course, so that ``restore(_:)`` can restore it after an import.
  ///
  /// - Parameter path: The course's path.
  /// - Returns: The copy.
  /// - Throws: ``CourseLibraryError`` if there is no such course, or if the temporary folder has no space left.
  public func snapshot(_ path: PlacePath) throws(CourseLibraryError) -> CourseSnapshot {
    let (course, nodes, titles, origin, images) = try read { snapshot in
      let course = try snapshot.existingCourse(at: path)
      return (
        course, try snapshot.subtree(from: .node(course.id)).map(\.node), try snapshot.authorTitles(in: course.id),
        try snapshot.origin(of: course.id), try snapshot.images(of: course.id)
      )
    }
    let places = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.id, $0) })
    return try Self.typed(in: store) {
      var spool = try ContentSpool()
      var types: [Int: ActivityType] = [:]
      for (index, node) in nodes.enumerated() where node.kind == .activity {
        guard let content = try read({ try $0.content(of: node.id) }) else { continue }
        try spool.store(content, at: index)
        types[index] = content.type
      }
      for digest in images {
        if let bytes = try read({ try $0.image(digest) }) { try spool.store(image: bytes, digest: digest) }
      }
      let draft = CourseDraft(
        format: origin?.format ?? "waymark", sourceName: origin?.source ?? "", sourceDigest: "",
        language: course.language,
        nodes: nodes.enumerated().map { index, node in
          DraftNode(
            parent: node.parent.flatMap { places[$0] }, key: node.key, kind: node.kind,
            title: titles[node.id] ?? node.title, summary: node.summary, minutes: node.minutes, type: types[index])
        }, contents: try spool.finish())
      return CourseSnapshot(draft: draft)
    }
  }

  /// Restores a course with its former places, texts and source. The learners' history and progress are kept.
  ///
  /// - Returns: The changes that were made.
  /// - Throws: ``CourseLibraryError``.
  @discardableResult
  public func restore(_ former: CourseSnapshot) throws(CourseLibraryError) -> ImportReport {
    try importDraft(former.draft, options: ImportOptions(replaces: true))
  }

  /// The name of the bundled course's source in reports.
  package static let bundledSourceName = "english-for-business.json"
  /// The path of the bundled course.
  public static let bundledPath = PlacePath("english-for-business")

  /// Imports the course that is bundled with the program.
  ///
  /// - Parameters:
  ///   - options: The options of the import. The format and the key default to those of the bundled course.
  ///   - cancellation: Cancels the import from another thread.
  ///   - progress: Receives the progress, on the calling thread.
  /// - Returns: The changes that were made or, for a dry run, would be made.
  /// - Throws: The errors of ``importCourse(from:options:cancellation:progress:)``.
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
