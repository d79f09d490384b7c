import LearningStore

// The asynchronous forms of the calls that take long. A cancelled task stops them.

extension CourseLibrary {
  /// Imports a course as the synchronous form does, without blocking the calling thread.
  ///
  /// If the task is cancelled before the course is written, nothing is changed, and
  /// ``CourseLibraryError/importCancelled(source:)`` is thrown. After that, only the search index is incomplete; the next
  /// search continues it.
  ///
  /// - Parameters:
  ///   - path: The source: a path, or the address of a Git repository.
  ///   - options: The options of the import.
  ///   - progress: Receives the progress, on a background thread.
  /// - Returns: What was done; after a dry run, what would be done.
  /// - Throws: ``CourseLibraryError``.
  @discardableResult
  public func importCourse(
    from path: String, options: ImportOptions = ImportOptions(), progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws(CourseLibraryError) -> ImportReport {
    try await importing { [self] cancellation throws in
      try importCourse(from: path, options: options, cancellation: cancellation, progress: progress)
    }
  }

  /// Imports a course from the bytes of one file, without blocking the calling thread.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - bytes: Its content.
  ///   - options: The options of the import.
  ///   - progress: Receives the progress, on a background thread.
  /// - Throws: ``CourseLibraryError``; ``CourseLibraryError/importCancelled(source:)`` if the task was cancelled.
  @discardableResult
  public func importCourse(
    named name: String, bytes: [UInt8], options: ImportOptions = ImportOptions(),
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws(CourseLibraryError) -> ImportReport {
    try await importing { [self] cancellation throws in
      try importCourse(named: name, bytes: bytes, options: options, cancellation: cancellation, progress: progress)
    }
  }

  /// Copies the whole database, with its history, while it is used, without blocking the calling thread.
  ///
  /// - Parameter path: The file to write, in an existing folder. An existing file of this name is kept.
  /// - Throws: ``CourseLibraryError/backupCancelled(path:)`` if the task was cancelled, and
  ///   ``CourseLibraryError/database(_:)``; then there is no copy.
  public func backUp(to path: String) async throws(CourseLibraryError) {
    try await BlockingWork.run { [self] () throws(CourseLibraryError) in try backUpBlocking(to: path) }
  }

  private func backUpBlocking(to path: String) throws(CourseLibraryError) { try backUp(to: path) }

  private func importing(
    _ body: @escaping @Sendable (ImportCancellation) throws -> ImportReport
  ) async throws(CourseLibraryError) -> ImportReport {
    let cancellation = ImportCancellation()
    return try await BlockingWork.run(onCancel: { cancellation.cancel() }) { [store] () throws(CourseLibraryError) in
      try Self.typed(in: store) { try body(cancellation) }
    }
  }
}
