import LearningStore

// Looking after what is worked out from the logs, and after the file.

extension NavigationService {
  /// Works everything out anew that is worked out from the logs.
  public func rebuild() throws {
    try write { try $0.rebuildProjections() }
  }

  /// Looks for contradictions in the logs and in what is worked out from them.
  ///
  /// - Returns: One sentence for each; none where all is well.
  public func check() throws -> [String] {
    try Self.explaining { try store.withScratch { try $0.checkLogs() } }
  }

  /// Truncates the write-ahead log if it is longer than a number of bytes.
  ///
  /// - Returns: `false` if a read that began before, or another process, did not end within two seconds.
  package func truncateLog(over bytes: Int) throws -> Bool {
    try Self.explaining { try store.truncateLog(over: bytes) }
  }

  /// Takes what was erased out of the file where that could not be done at once.
  ///
  /// - Returns: `false` while another program reads the database.
  public func sweep() throws -> Bool {
    try Self.explaining { try store.sweep() }
  }
}
