import CourseFormats
import LearningModel
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
  /// - Throws: ``CourseLibraryError``: what is wrong with the source, or why it is refused, with the report, or
  ///   ``CourseLibraryError/importCancelled(source:)``. Other `ExplainedError` where the database cannot be written.
  @discardableResult
  public func importCourse(
    from path: String, options: ImportOptions = ImportOptions(), cancellation: ImportCancellation? = nil,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) throws -> ImportReport {
    let watcher = ImportWatcher(cancellation, progress)
    let origin = try? CourseSource.origin(of: path)
    let opened = try store.read { try $0.courseSources() }.first { $0.source == origin }
    var options = options
    options.key = options.key ?? opened?.key
    var draft = try draft(options, watcher, named: path) { try CourseSource(opening: path, check: watcher.check) }
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
  ) throws -> ImportReport {
    let watcher = ImportWatcher(cancellation, progress)
    let draft = try draft(options, watcher, named: name) { CourseSource(name: name, bytes: bytes) }
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
  ) throws -> ImportReport {
    func run() throws -> ImportReport {
      try CourseImport(draft, options: options, store: store, now: now, watcher: watcher).run()
    }
    do {
      // A course that is changed between the look at it and the write is looked at again.
      for _ in 0..<3 {
        do { return try run() } catch LearningStoreError.changedMeanwhile { continue }
      }
      return try run()
    } catch is ImportWatcher.Cancelled {
      throw CourseLibraryError.importCancelled(source: draft.sourceName)
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
    self = .unreadableSource(kind: kind, words: error.description)
  }
}
