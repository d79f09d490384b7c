import Dispatch
import GRDB
import GRDBSQLite
import Synchronization

/// The one door to the database: its content, its learners, and the two logs.
///
/// What is asked is asked of a ``StoreSnapshot``, what is changed goes through a ``StoreTransaction``. Both live as long
/// as the closure they are given to.
///
/// ```swift
/// let store = try LearningStore.open(at: "waymark.sqlite")
/// let courses = try store.read { try $0.courses() }
/// ```
package final class LearningStore: Sendable {
  /// Where the file is, without symbolic links.
  package let path: String

  private let pool: DatabasePool
  private let access: Mutex<Access>
  private let connections = Connections()
  let keeper: LogKeeper
  private let turn = DispatchSemaphore(value: 1)
  /// What ``dataVersion()`` answered last.
  private let version = Mutex(0)
  /// The state of the database; the thread that has the turn may change it.
  private let number = Mutex(StateNumber())
  /// Which file was opened.
  private let file: DatabaseFile.Identity?

  /// - Parameters:
  ///   - refusal: Why nothing can be written to the file; `nil` if it can.
  ///   - copy: A copy in memory that is read instead of the file.
  init(
    path: String, pool: DatabasePool, keeper: LogKeeper, refusal: LearningStoreError? = nil, copy: DatabaseQueue? = nil
  ) {
    self.path = path
    self.pool = pool
    access = Mutex(Access(refusal: refusal, copy: copy))
    self.keeper = keeper
    file = DatabaseFile.identity(at: path)
    // Not by the store itself, which waits for it before it goes.
    keeper.renewLog { [weak pool, turn] in
      guard let pool, turn.wait(timeout: .now() + .milliseconds(100)) == .success else { return }
      defer { turn.signal() }
      Self.renewLog(of: pool)
    }
  }

  deinit {
    keeper.close()
    connections.forget()
  }

  /// Closes the file. Nothing may be asked for any more.
  func close() throws {
    OpenDoors.remove(self)
    keeper.close()
    connections.forget()
    try pool.close()
    try access.withLock { try $0.copy?.close() }
  }

  // MARK: - A file that cannot be written

  /// The target of reads and writes.
  private struct Access {
    /// Why nothing can be written to the file; `nil` if it can.
    var refusal: LearningStoreError?
    /// A copy of the database in memory, which is used instead of the file.
    var copy: DatabaseQueue?
    /// Whether the copy takes writes.
    var isScratch = false
    /// Whether a scratch copy is made when the file cannot be written.
    var allowsScratch = false
  }

  /// The connections to the file, or to the copy in memory that replaces it.
  var database: any DatabaseWriter { access.withLock { $0.copy } ?? pool }

  /// Why nothing can be written to the file, such as ``LearningStoreError/diskFull(path:)``; `nil` if it can.
  package var refusal: LearningStoreError? { access.withLock { $0.refusal } }

  /// Whether writes go to a copy in memory, which is lost when the store is closed.
  package var isScratch: Bool { access.withLock { $0.isScratch } }

  /// Lets writes continue in memory if the file cannot be written: the disk is full, or the file is read-only.
  ///
  /// The first such write copies the whole database into memory. From then on this store neither reads nor writes the
  /// file, also after the disk has free space again. ``refusal`` and ``isScratch`` report the change.
  package func allowScratch() { access.withLock { $0.allowsScratch = true } }

  /// Calls a function that writes and rolls back. If the file cannot be written, the function gets a copy of the store
  /// in memory.
  package func withScratch<Answer>(_ body: (LearningStore) throws -> Answer) throws -> Answer {
    do {
      return try body(self)
    } catch let error as LearningStoreError where error.meansUnwritable && !isScratch {
      let scratch = LearningStore(path: path, pool: pool, keeper: LogKeeper(for: path), refusal: error)
      scratch.allowScratch()
      defer {
        scratch.connections.forget()
        scratch.access.withLock { $0.copy?.retire() }
      }
      return try body(scratch)
    }
  }

  /// Moves to a scratch copy after a write has failed.
  ///
  /// - Returns: Whether the write can be repeated there.
  private func moveToScratch(because error: LearningStoreError) -> Bool {
    access.withLock { access in
      guard access.allowsScratch, error.meansUnwritable, !access.isScratch else { return false }
      guard let copy = try? access.copy ?? Self.copyInMemory(of: pool) else { return false }
      (access.copy, access.refusal, access.isScratch) = (copy, access.refusal ?? error, true)
      return true
    }
  }

  /// Copies a database, with the contents of its log, into memory.
  static func copyInMemory(of pool: DatabasePool) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.label = "waymark.memory"
    let copy = try DatabaseQueue(configuration: configuration)
    try pool.backup(to: copy)
    return copy
  }

  /// Throws ``refusal`` if there is one.
  package func checkWritable() throws(LearningStoreError) {
    if let refusal { throw refusal }
  }

  /// What a write that has been answered survives.
  package enum Durability: Sendable {
    /// The end of the process, however it comes. A power cut may undo the last writes, never half of one.
    case process
    /// A power cut too; some milliseconds slower. For what is done seldom and could not be done again.
    case powerCut
  }

  /// Asks questions of one state of the database; writers do not wait for it, and it does not wait for them.
  ///
  /// - Throws: What `body` throws, and ``LearningStoreError``.
  package func read<Answer>(_ body: (StoreSnapshot) throws -> Answer) throws -> Answer {
    do {
      return try database.read { database in
        try body(StoreSnapshot(database: database, statements: connections.statements(of: database)))
      }
    } catch {
      throw LearningStoreError.explaining(error, at: path)
    }
  }

  /// Asks questions that may be stopped while they are being answered.
  ///
  /// - Throws: `CancellationError` where they were stopped, what `body` throws, and ``LearningStoreError``.
  package func read<Answer>(
    until interruption: Interruption, _ body: (StoreSnapshot) throws -> Answer
  ) throws -> Answer {
    do {
      return try database.read { database in
        try interruption.watching(database) {
          try body(
            StoreSnapshot(
              database: database, statements: connections.statements(of: database), interruption: interruption))
        }
      }
    } catch {
      throw LearningStoreError.explaining(error, at: path)
    }
  }

  /// Changes the database: all of what `body` does, or nothing where it throws. Not to be called inside another
  /// write; inside ``together(surviving:waitingAtMost:_:)`` it is a part of that transaction.
  ///
  /// - Parameters:
  ///   - durability: What the change survives once this returns.
  ///   - milliseconds: How long to wait for another writer before ``LearningStoreError/busy(path:)``.
  ///   - body: Called once, with the database locked against every other writer.
  /// - Throws: What `body` throws, and ``LearningStoreError``.
  package func write<Answer>(
    surviving durability: Durability = .process, waitingAtMost milliseconds: Int = 10_000,
    _ body: (StoreTransaction) throws -> Answer
  ) throws -> Answer {
    if let shared = SharedTransaction.current, shared.store === self {
      do { return try shared.part(body) } catch { throw LearningStoreError.explaining(error, at: path) }
    }
    return try transact(surviving: durability, waitingAtMost: milliseconds, isShared: false, body)
  }

  /// Runs a transaction of its own, a second time if the first attempt made the store move to a scratch copy.
  ///
  /// - Parameter isShared: Whether its parts have counted the states of the database.
  func transact<Answer>(
    surviving durability: Durability, waitingAtMost milliseconds: Int, isShared: Bool,
    _ body: (StoreTransaction) throws -> Answer
  ) throws -> Answer {
    do {
      return try attempt(surviving: durability, waitingAtMost: milliseconds, isShared: isShared, body)
    } catch let error as LearningStoreError where moveToScratch(because: error) {
      return try attempt(surviving: durability, waitingAtMost: milliseconds, isShared: isShared, body)
    }
  }

  private func attempt<Answer>(
    surviving durability: Durability, waitingAtMost milliseconds: Int, isShared: Bool,
    _ body: (StoreTransaction) throws -> Answer
  ) throws -> Answer {
    let isScratch = isScratch
    if !isScratch { try checkWritable() }
    let deadline = DispatchTime.now() + .milliseconds(milliseconds)
    guard turn.wait(timeout: deadline) == .success else {
      throw LearningStoreError.busy(path: path)
    }
    defer { turn.signal() }
    do {
      // SQLite would continue to write into a file that has no name any more, and all of it would be lost.
      guard isScratch || DatabaseFile.identity(at: path) == file else {
        throw LearningStoreError.inputOutput(path: path, detail: "the file is not there any more")
      }
      return try database.writeWithoutTransaction { database in
        if durability == .powerCut { try database.execute(sql: "PRAGMA synchronous = FULL") }
        defer {
          if durability == .powerCut { try? database.execute(sql: "PRAGMA synchronous = NORMAL") }
        }
        // As GRDB's own way does it, but for preparing both each time.
        let statements = connections.statements(of: database)
        try BusyTimeout.until(deadline, on: database) { try statements.run(Self.beginWritingText) }
        do {
          let state = number.withLock { number in
            number.begin(database)
            return number.current
          }
          let answer = try body(StoreTransaction(database: database, statements: statements, state: state))
          try statements.run(Self.commitText)
          number.withLock { isShared ? $0.commitParts(database) : $0.commit(database) }
          return answer
        } catch {
          number.withLock { $0.fail() }
          if database.isInsideTransaction { try? database.rollback() }
          throw error
        }
      }
    } catch {
      throw LearningStoreError.explaining(error, at: path)
    }
  }

  /// The number of the state that a part of a shared transaction finds.
  var currentState: Int { number.withLock { $0.current } }

  /// Takes note that a part of a shared transaction has ended.
  func passState() { number.withLock { $0.pass() } }

  private static let beginWritingText = StatementText("BEGIN IMMEDIATE")
  private static let beginReadingText = StatementText("BEGIN DEFERRED")
  private static let commitText = StatementText("COMMIT")

  /// Asks little, as a screen does after a step: on the connection that has written it, and still has in memory what every
  /// other one reads anew after each write.
  ///
  /// Writers of this process wait for the answer, so what may take long is asked by ``read(_:)``; and so is this where one
  /// of them is at work.
  ///
  /// - Throws: What `body` throws, and ``LearningStoreError``.
  package func glance<Answer>(_ body: (StoreSnapshot) throws -> Answer) throws -> Answer {
    guard turn.wait(timeout: .now()) == .success else { return try read(body) }
    defer { turn.signal() }
    do {
      return try database.writeWithoutTransaction { database in
        let statements = connections.statements(of: database)
        try statements.run(Self.beginReadingText)
        // Nothing was changed, so it does not matter how this ends.
        defer { try? statements.run(Self.commitText) }
        return try body(StoreSnapshot(database: database, statements: statements))
      }
    } catch {
      throw LearningStoreError.explaining(error, at: path)
    }
  }

  /// A number that changes when another process has changed the database. Writes through this door do not change it.
  ///
  /// Nothing waits for it: while this process writes, an import for instance, the answer is the one before.
  ///
  /// Source: SQLite, "PRAGMA data_version"; it is asked on the connection that writes.
  package func dataVersion() throws -> Int {
    guard turn.wait(timeout: .now()) == .success else { return version.withLock { $0 } }
    defer { turn.signal() }
    do {
      let now = try database.writeWithoutTransaction { database in
        var version = 0
        try connections.statements(of: database).run(Self.versionText) { row in
          version = row[0]
          return false
        }
        return version
      }
      version.withLock { $0 = now }
      return now
    } catch {
      throw LearningStoreError.explaining(error, at: path)
    }
  }

  private static let versionText = StatementText("PRAGMA data_version")

  /// Commits a page that is as it was, on the connection that has the others in its memory: for another one's commit it would
  /// have to read them anew.
  private static func renewLog(of pool: DatabasePool) {
    // What does not work now is done by the next step.
    try? pool.writeWithoutTransaction { database in
      try BusyTimeout.until(.now() + .milliseconds(100), on: database) {
        try database.inTransaction(.immediate) {
          let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
          // Writing this number writes the page, also where it stays the same.
          try database.execute(sql: "PRAGMA user_version = \(version)")
          return .commit
        }
      }
    }
  }

  /// Does what no transaction can, when it is this writer's turn.
  func outsideTransaction(_ body: (Database) throws -> Void) throws {
    if !isScratch, let refusal, !moveToScratch(because: refusal) { throw refusal }
    guard turn.wait(timeout: .now() + .milliseconds(BusyTimeout.usual)) == .success else {
      throw LearningStoreError.busy(path: path)
    }
    defer { turn.signal() }
    do {
      try database.writeWithoutTransaction { database in
        try BusyTimeout.until(.now() + .milliseconds(2_000), on: database) { try body(database) }
      }
    } catch {
      throw LearningStoreError.explaining(error, at: path)
    }
  }
}

/// A transaction that is open on this thread, and that the writes of this thread are part of.
///
/// Unchecked: it is seen by the thread alone that holds the connection.
final class SharedTransaction: @unchecked Sendable {
  /// The one that is open, where there is one.
  @TaskLocal static var current: SharedTransaction?

  let store: LearningStore
  let database: Database
  let statements: PreparedStatements
  /// Why SQLite has given the whole transaction up, as it does where the disk is full.
  var failure: (any Error)?

  init(_ store: LearningStore, _ transaction: StoreTransaction) {
    self.store = store
    database = transaction.database
    statements = transaction.statements
  }

  private static let beginText = StatementText("SAVEPOINT part")
  private static let keepText = StatementText("RELEASE part")
  private static let undoText = StatementText("ROLLBACK TO part")

  /// Does one part of it: all of what `body` does, or nothing where it throws.
  func part<Answer>(_ body: (StoreTransaction) throws -> Answer) throws -> Answer {
    // A savepoint outside of a transaction would be one of its own.
    if let failure { throw failure }
    do {
      try statements.run(Self.beginText)
      let answer = try body(
        StoreTransaction(database: database, statements: statements, state: store.currentState))
      try statements.run(Self.keepText)
      store.passState()
      return answer
    } catch {
      if database.isInsideTransaction {
        try statements.run(Self.undoText)
        try statements.run(Self.keepText)
      } else {
        failure = error
      }
      // What was worked out of the state inside holds for no other one.
      store.passState()
      throw error
    }
  }
}

extension LearningStore {
  /// Commits together what `body` writes through this door: with one wait for the disk, however many writes there are.
  ///
  /// Each write inside is all or nothing, as ever, and its answer counts when this returns. Inside another one it is a part
  /// of that one.
  ///
  /// - Parameters:
  ///   - durability: What the change survives once this returns.
  ///   - milliseconds: How long to wait for another writer before ``LearningStoreError/busy(path:)``.
  ///   - body: Called once, on this thread, with the database locked against every other writer.
  /// - Throws: What `body` throws, and ``LearningStoreError``; then nothing of it has happened.
  package func together<Answer>(
    surviving durability: Durability = .powerCut, waitingAtMost milliseconds: Int = 10_000, _ body: () throws -> Answer
  ) throws -> Answer {
    if let shared = SharedTransaction.current, shared.store === self { return try shared.part { _ in try body() } }
    return try transact(surviving: durability, waitingAtMost: milliseconds, isShared: true) { transaction in
      let shared = SharedTransaction(self, transaction)
      let answer = try SharedTransaction.$current.withValue(shared) { try body() }
      if let failure = shared.failure { throw failure }
      return answer
    }
  }

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

/// Numbers the states that a database has for one connection, so that what was worked out of one is known to hold still.
///
/// Source: SQLite, "SQLITE_FCNTL_DATA_VERSION": it changes with each change of the database, by any process, and may be
/// asked where a transaction has begun, or has just been committed.
struct StateNumber {
  /// The number of the state that was seen last.
  private(set) var current = 0
  /// What SQLite calls it; `nil` where it is not known.
  private var version: UInt32?

  /// Takes note of the state that a transaction finds.
  mutating func begin(_ database: Database) {
    let found = Self.version(of: database)
    if found == nil || found != version { current += 1 }
    version = found
  }

  /// Takes note of what the transaction made of it.
  mutating func commit(_ database: Database) {
    current += 1
    version = Self.version(of: database)
  }

  /// Takes note that a part of a transaction has ended.
  mutating func pass() { current += 1 }

  /// Takes note that a transaction is committed whose parts were counted.
  mutating func commitParts(_ database: Database) { version = Self.version(of: database) }

  /// Takes note that it is not known what has become of the transaction.
  mutating func fail() { version = nil }

  private static func version(of database: Database) -> UInt32? {
    var version: UInt32 = 0
    let code = sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return code == SQLITE_OK ? version : nil
  }
}
