import GRDB

extension LearningStore {
  /// Copies the write-ahead log into the database file and truncates it to zero bytes, if it is longer than a limit.
  ///
  /// The log's file otherwise keeps the length of the largest transaction since the last program closed it, and the pages in
  /// it keep rows that were erased since. Writers wait during the copy, and reads that began before are waited for.
  ///
  /// - Parameter bytes: The length up to which nothing is done.
  /// - Returns: `false` if a read that began before, or another process, did not end within two seconds.
  package func truncateLog(over bytes: Int = 0) throws -> Bool {
    guard DatabaseFile.size(at: path + "-wal") > bytes else { return true }
    // The checkpointer's thread would keep the lock for as long as it copies.
    keeper.finish()
    do {
      try outsideTransaction { try $0.checkpoint(.truncate) }
      return true
    } catch LearningStoreError.busy {
      return false
    }
  }
}
