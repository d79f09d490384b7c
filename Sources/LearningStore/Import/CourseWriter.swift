import Foundation
import GRDB
package import LearningModel

/// Writes one course on a separate connection. Everything is first staged in temporary tables, which locks nothing, and
/// then written in one transaction.
///
/// Source: SQLite, "Temporary Files Used By SQLite".
package final class CourseWriter {
  private let connection: DatabaseQueue
  private let store: LearningStore
  /// The number of letters of each staged content, by its index in the plan. `nil` if no content is staged.
  private var letters: [Int?] = []
  /// Contents that are not staged yet. Staging many at once is faster than staging them one after the other.
  private var pendingContents: [(index: Int, content: StoredContent)] = []
  private var pendingBytes = 0

  init(for store: LearningStore) throws {
    self.store = store
    let checkpointer = store.checkpointer
    var configuration = Configuration()
    configuration.label = "waymark.import"
    configuration.busyMode = BusyTimeout.mode(store.busyTimeout)
    // The transaction of an import is longer than one closure: separate statements begin and end it.
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { database in
      // A database without a name is a file that is deleted when the connection is closed. It is attached before
      // `temp_store` is set to memory, so that the staged contents stay on disk. SQLite's statement journals are then
      // in memory, which saves a quarter of the time of each statement.
      try database.execute(
        sql: """
          ATTACH '' AS staging;
          PRAGMA staging.journal_mode = OFF;
          \(CourseStaging.tables)
          PRAGMA temp_store = MEMORY;
          PRAGMA synchronous = NORMAL;
          PRAGMA cache_size = -8000;
          """)
      checkpointer.observeCommits(database)
    }
    connection = try DatabaseQueue(path: store.address, configuration: configuration)
  }

  deinit { connection.retire() }

  /// Stages the content of a node until ``commit(_:at:)``. Takes no lock on the database.
  ///
  /// - Parameter index: The index of the node in the plan.
  package func stage(_ content: StoredContent, at index: Int) throws {
    if index >= letters.count { letters += repeatElement(nil, count: index + 1 - letters.count) }
    letters[index] = content.properties.letters
    pendingContents.append((index, content))
    pendingBytes += content.json.utf8.count
    if pendingBytes >= Self.maximumPendingBytes { try stagePending() }
  }

  /// Stages an image of the course until ``commit(_:at:)``. Takes no lock on the database.
  ///
  /// - Parameters:
  ///   - digest: The ``StoredImage/digest`` of the image.
  ///   - bytes: The content of the image file, or `nil` if the database already contains it.
  package func stage(image digest: String, bytes: [UInt8]?) throws {
    try staging { transaction in
      if !transaction.database.isInsideTransaction { try transaction.run("BEGIN") }
      try transaction.run("INSERT OR IGNORE INTO staging.stagedPicture VALUES (?, ?)", digest, bytes)
    }
  }

  /// Calls a function that changes only the staging tables, which are in a temporary file.
  ///
  /// - Throws: ``LearningDatabaseError/noTemporarySpace(reason:)``, and other ``LearningDatabaseError``s.
  private func staging(_ body: (StoreTransaction) throws -> Void) throws {
    do {
      try connection.inDatabase { try body(StoreTransaction(database: $0)) }
    } catch let error as DatabaseError
      where [.SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CANTOPEN].contains(error.resultCode)
    {
      throw LearningDatabaseError.noTemporarySpace(reason: error.message ?? "\(error.resultCode)")
    } catch {
      throw LearningDatabaseError.explaining(error, at: store.path)
    }
  }

  /// The number of bytes from which waiting contents are staged.
  private static let maximumPendingBytes = 256 << 10

  private func stagePending() throws {
    try staging { transaction in
      if !transaction.database.isInsideTransaction { try transaction.run("BEGIN") }
      for (index, content) in pendingContents {
        try transaction.run("INSERT OR REPLACE INTO staging.stagedContent VALUES (?, ?, ?, ?, ?, ?, ?)") { parameters in
          parameters.add(index)
          parameters.add(content.properties.type.rawValue)
          parameters.add(content.json)
          parameters.add(content.properties.letters)
          parameters.add(content.properties.items)
          parameters.add(content.properties.type.hasScore)
          parameters.add(content.properties.type.isReadInParts)
        }
      }
    }
    pendingContents.removeAll(keepingCapacity: true)
    pendingBytes = 0
  }

  /// Writes the planned course in one transaction that survives a power cut.
  ///
  /// Queues the changed nodes for the search index, which ``LearningStore/indexSearch(for:until:progress:)`` updates.
  ///
  /// - Parameters:
  ///   - plan: The planned course.
  ///   - time: The time of the import.
  ///   - complete: Called after the course is written. Writes that it makes through the store are part of the
  ///     transaction.
  /// - Throws: ``LearningDatabaseError/changedMeanwhile(path:course:)`` if the course was changed after the plan was
  ///   made, other ``LearningDatabaseError``s, and the errors of `complete`.
  package func commit(
    _ plan: CoursePlan, at time: Timestamp, completing complete: () throws -> Void = {}
  ) throws -> (course: NodeID, revision: Int) {
    try stagePending()
    var staging = CourseStaging(plan, letters: letters)
    try self.staging { transaction in
      if transaction.database.isInsideTransaction { try transaction.run("COMMIT") }
      try transaction.database.inTransaction(.deferred) {
        try staging.write(in: transaction)
        return .commit
      }
    }
    do {
      return try connection.inDatabase { database in
        do {
          return try write(plan, staging, at: time, to: database, complete)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
          guard try plan.isOutdated(in: database) else { throw error }
          throw LearningDatabaseError.changedMeanwhile(path: store.path, course: plan.key)
        }
      }
    } catch {
      throw LearningDatabaseError.explaining(error, at: store.path)
    }
  }

  private func write(
    _ plan: CoursePlan, _ staging: CourseStaging, at time: Timestamp, to database: Database,
    _ complete: () throws -> Void
  ) throws -> (course: NodeID, revision: Int) {
    try database.execute(sql: "PRAGMA synchronous = FULL")
    try BusyTimeout.waiting(until: .after(store.busyTimeout), on: database, then: store.busyTimeout) {
      try database.beginTransaction(.immediate)
    }
    do {
      let transaction = StoreTransaction(database: database)
      var commit = CourseCommit(plan, staging, at: time, path: store.path, in: transaction)
      let result = try commit.run()
      try store.sharing(transaction, complete)
      try database.commit()
      LearningStore.hasRecorded = true
      return result
    } catch {
      if database.isInsideTransaction { try? database.rollback() }
      // Values computed inside the transaction are not valid after its rollback.
      store.advanceState()
      throw error
    }
  }
}

@available(*, unavailable)
extension CourseWriter: Sendable {}

extension LearningStore {
  /// Opens a connection for one import and closes it after `body` has returned.
  package func importing<Answer>(_ body: (CourseWriter) throws -> Answer) throws -> Answer {
    try checkWritable()
    do {
      return try body(CourseWriter(for: self))
    } catch {
      throw LearningDatabaseError.explaining(error, at: path)
    }
  }
}
