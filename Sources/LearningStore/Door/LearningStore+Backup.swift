import GRDB
import LearningModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension LearningStore {
  /// Copies the whole database as it is at one moment, while everybody goes on reading and writing.
  ///
  /// - Parameter path: Where the copy shall be. Folders that are missing are made; a file that is there is kept.
  /// - Throws: ``LearningStoreError``; then there is no copy.
  public func backUp(to path: String) throws(LearningStoreError) {
    guard DatabaseFile.identity(at: path) == nil else {
      throw .cannotCreate(path: path, reason: "there is a file of this name already")
    }
    try Self.copy(pool, to: try DatabaseFile(at: path))
  }

  /// Fills a file with what a database holds; takes it away where that fails.
  static func copy(_ pool: DatabasePool, to file: DatabaseFile) throws(LearningStoreError) {
    do {
      try fill(file, with: pool)
    } catch {
      unlink(file.path)
      throw error
    }
  }

  private static func fill(_ file: DatabaseFile, with pool: DatabasePool) throws(LearningStoreError) {
    do {
      var configuration = Configuration()
      configuration.label = "waymark.copy"
      let queue = try DatabaseQueue(path: file.path, configuration: configuration)
      defer { queue.retire() }
      try pool.backup(to: queue)
      try queue.close()
    } catch let error as DatabaseError {
      throw LearningStoreError(error, at: file.path)
    } catch {
      throw .unexpected(path: file.path, code: 0, detail: "\(error)")
    }
  }
}
