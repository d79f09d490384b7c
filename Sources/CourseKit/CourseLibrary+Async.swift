import LearningStore

// Asynchronous variants of long-running calls. Cancelling the task stops them.

extension CourseLibrary {
  /// Imports a course like the synchronous variant, without blocking the calling thread.
  ///
  /// If the task is cancelled before the course is written, nothing is changed and
  /// ``CourseLibraryError/importCancelled(source:)`` is thrown. If it is cancelled later, the course is imported, but
  /// the search index is incomplete until the next search.
  ///
  /// - Parameters:
  ///   - path: The source: a path, or the address of a Git repository.
  ///   - options: The options of the import.
  ///   - progress: Receives the progress, on a background thread.
  /// - Returns: The changes that were made or, for a dry run, would be made.
  /// - Throws: ``CourseLibraryError``.
  @discardableResult
  public func importCourse(
    from path: String, options: ImportOptions = ImportOptions(), progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws(CourseLibraryError) -> ImportReport {
    try await importing { [self] cancellation in
      try importCourse(from: path, options: options, cancellation: cancellation, progress: progress)
    }
  }

  /// Imports a course from the content of a single file, without blocking the calling thread.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - bytes: The content of the file.
  ///   - options: The options of the import.
  ///   - progress: Receives the progress, on a background thread.
  /// - Returns: The changes that were made or, for a dry run, would be made.
  /// - Throws: ``CourseLibraryError``; ``CourseLibraryError/importCancelled(source:)`` if the task was cancelled.
  @discardableResult
  public func importCourse(
    named name: String, bytes: [UInt8], options: ImportOptions = ImportOptions(),
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws(CourseLibraryError) -> ImportReport {
    try await importing { [self] cancellation in
      try importCourse(named: name, bytes: bytes, options: options, cancellation: cancellation, progress: progress)
    }
  }

  /// Copies the whole database, including the history, without blocking the calling thread. Other programs can use the
  /// database in the meantime.
  ///
  /// - Parameter path: The file to create, in an existing folder. An existing file is not overwritten.
  /// - Throws: ``CourseLibraryError/backupCancelled(path:)`` if the task was cancelled, and
  ///   ``CourseLibraryError/database(_:)``. In both cases there is no copy.
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
