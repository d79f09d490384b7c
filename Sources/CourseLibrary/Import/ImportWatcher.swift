/// Who follows an import: is told how far it has come, and may stop it.
struct ImportWatcher: Sendable {
  /// Ends an import that was asked to stop.
  struct Cancelled: Error {}

  private let cancellation: ImportCancellation?
  private let progress: (@Sendable (ImportProgress) -> Void)?

  init(_ cancellation: ImportCancellation? = nil, _ progress: (@Sendable (ImportProgress) -> Void)? = nil) {
    self.cancellation = cancellation
    self.progress = progress
  }

  /// Tells how far the import has come.
  ///
  /// - Throws: ``Cancelled``, where it was asked to stop.
  func tell(_ state: ImportProgress) throws {
    progress?(state)
    try check()
  }

  /// Looks whether to continue.
  ///
  /// - Throws: ``Cancelled``, where it was asked to stop.
  func check() throws {
    if cancellation?.isCancelled == true { throw Cancelled() }
  }
}
