import CourseFormats
import LearningModel
import LearningStore

extension CourseLibrary {
  /// Imports a course from a file, an archive or a folder, or imports it again.
  ///
  /// The source is read and checked whole before the first row changes, and everything is seen at once, by a transaction
  /// that survives a power cut. What was imported before is compared by key: a node that stays keeps its history.
  ///
  /// - Parameters:
  ///   - path: The source.
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
    return try importCourse(options, watcher, named: path) { try CourseSource(path: path, unpacking: watcher.check) }
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
    try importCourse(options, ImportWatcher(cancellation, progress), named: name) {
      CourseSource(name: name, bytes: bytes)
    }
  }

  private func importCourse(
    _ options: ImportOptions, _ watcher: ImportWatcher, named name: String, from source: () throws -> CourseSource
  ) throws -> ImportReport {
    var name = name
    let draft: CourseDraft
    do {
      let source = try source()
      name = source.name
      draft = try SourceReading.draft(of: source, from: options.format, key: options.key, watcher: watcher)
    } catch let error as CourseFormatError {
      throw CourseLibraryError(error, source: name, format: options.format)
    } catch is ImportWatcher.Cancelled {
      throw CourseLibraryError.importCancelled(source: name)
    }
    return try importDraft(draft, options: options, watcher: watcher)
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
  fileprivate init(_ error: CourseFormatError, source: String, format: String?) {
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
    }
    self = .unreadableSource(kind: kind, words: error.description)
  }
}
