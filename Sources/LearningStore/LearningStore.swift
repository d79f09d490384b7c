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
  /// The path of the file, without symbolic links; `:memory:` if there is no file.
  package let path: String
  /// How long a write waits for another writer if the call sets no other time.
  package let busyTimeout: Duration
  /// Whether the database is in memory and ends with the store.
  package let isInMemory: Bool

  /// What SQLite opens for a further connection.
  let address: String
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
  /// Whether the log has a first page. The thread that has the turn may change it.
  private let hasBegunLog = Atomic(false)

  /// - Parameters:
  ///   - pool: The connections to the file.
  ///   - openForWriting: Opens the connections that write. Called before the first write if `pool` only reads.
  ///   - refusal: Why nothing can be written to the file; `nil` if it can.
  ///   - copy: A copy in memory that is read instead of the file.
  init(
    path: String, pool: DatabasePool, openForWriting: OpenPool? = nil, keeper: LogKeeper, busyTimeout: Duration,
    refusal: LearningDatabaseError? = nil, copy: DatabaseQueue? = nil
  ) {
    (self.path, address, isInMemory) = (path, path, false)
    self.busyTimeout = busyTimeout
    access = Mutex(Access(pool: pool, openForWriting: openForWriting, refusal: refusal, copy: copy))
    self.keeper = keeper
    file = DatabaseFile.identity(at: path)
    renewLog(of: pool)
  }

  /// Creates a store on a database in memory.
  ///
  /// - Parameter address: The address at which each connection of this process finds the database.
  init(memory: DatabaseQueue, at address: String, busyTimeout: Duration) {
    (path, isInMemory) = (":memory:", true)
    self.address = address
    self.busyTimeout = busyTimeout
    access = Mutex(Access(copy: memory))
    keeper = LogKeeper(for: address)
    file = nil
  }

  deinit {
    keeper.close()
    connections.forget()
  }

  /// Closes the file. The store must not be used any more.
  func close() throws {
    OpenDoors.remove(self)
    keeper.close()
    connections.forget()
    try access.withLock { access in
      try access.pool?.close()
      try access.formerPool?.close()
      try access.copy?.close()
    }
  }

  /// Lets the checkpointer write the first page of a new log.
  private func renewLog(of pool: DatabasePool) {
    // Captures `pool` weakly: the store waits for the checkpointer before it is deallocated.
    keeper.renewLog { [weak pool, turn, busyTimeout] in
      guard let pool, turn.wait(timeout: .now() + .milliseconds(100)) == .success else { return }
      defer { turn.signal() }
      // If this fails, the next write does it.
      try? pool.writeWithoutTransaction { database in
        try BusyTimeout.until(.now() + .milliseconds(100), on: database, then: busyTimeout) {
          try Self.rewriteFirstPage(in: database)
        }
      }
    }
  }

  // MARK: - A file that cannot be written

  /// Opens connections, and waits for another program for up to the given time.
  typealias OpenPool = @Sendable (_ timeout: Duration) throws -> DatabasePool

  /// The target of reads and writes.
  private struct Access {
    /// The connections to the file; `nil` if the database is in memory.
    var pool: DatabasePool?
    /// Connections that were replaced by `pool`. Reads may still use them.
    var formerPool: DatabasePool?
    /// Opens the connections that write, if `pool` only reads.
    var openForWriting: OpenPool?
    /// Why nothing can be written to the file; `nil` if it can.
    var refusal: LearningDatabaseError?
    /// A copy of the database in memory, which is used instead of the file.
    var copy: DatabaseQueue?
    /// Whether the copy takes writes.
    var isScratch = false
    /// Whether a scratch copy is made when the file cannot be written.
    var allowsScratch = false
  }

  /// The connections to the file, to the copy in memory that replaces it, or to the database in memory.
  var database: any DatabaseWriter {
    access.withLock { access in
      if let copy = access.copy { return copy }
      // A store has connections of one of the two kinds.
      return access.pool!
    }
  }

  /// Why nothing can be written to the file, such as ``LearningDatabaseError/diskFull(path:)``; `nil` if it can.
  package var refusal: LearningDatabaseError? { access.withLock { $0.refusal } }

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
    } catch let error as LearningDatabaseError where error.meansUnwritable && !isScratch {
      guard let pool = access.withLock({ $0.pool }) else { throw error }
      let scratch = LearningStore(
        path: path, pool: pool, keeper: LogKeeper(for: path), busyTimeout: busyTimeout, refusal: error)
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
  private func moveToScratch(because error: LearningDatabaseError) -> Bool {
    access.withLock { access in
      guard access.allowsScratch, error.meansUnwritable, !access.isScratch, !isInMemory else { return false }
      guard let copy = try? access.copy ?? access.pool.map(Self.copyInMemory) else { return false }
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
  package func checkWritable() throws(LearningDatabaseError) {
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
  /// - Throws: What `body` throws, and ``LearningDatabaseError``.
  package func read<Answer>(_ body: (StoreSnapshot) throws -> Answer) throws -> Answer {
    do {
      return try database.read { database in
        try body(StoreSnapshot(database: database, statements: connections.statements(of: database)))
      }
    } catch {
      throw LearningDatabaseError.explaining(error, at: path)
    }
  }

  /// Asks questions that may be stopped while they are being answered.
  ///
  /// - Throws: `CancellationError` where they were stopped, what `body` throws, and ``LearningDatabaseError``.
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
      throw LearningDatabaseError.explaining(error, at: path)
    }
  }

  /// Changes the database in one transaction, which is rolled back if `body` throws. Must not be called inside another
  /// write; inside ``together(surviving:waitingAtMost:_:)`` it is a part of that transaction.
  ///
  /// While ``Interruption/current`` is set, it can end the wait for another writer.
  ///
  /// - Parameters:
  ///   - durability: What the change survives once this returns.
  ///   - timeout: How long to wait for another writer before ``LearningDatabaseError/busy(path:)``. If `nil`,
  ///     ``busyTimeout``.
  ///   - body: Called once, with the database locked against every other writer.
  /// - Throws: What `body` throws, ``LearningDatabaseError``, and `CancellationError` if the wait was interrupted.
  package func write<Answer>(
    surviving durability: Durability = .process, waitingAtMost timeout: Duration? = nil,
    _ body: (StoreTransaction) throws -> Answer
  ) throws -> Answer {
    if let shared = SharedTransaction.current, shared.store === self {
      do { return try shared.part(body) } catch { throw LearningDatabaseError.explaining(error, at: path) }
    }
    return try transact(surviving: durability, waitingAtMost: timeout ?? busyTimeout, isShared: false, body)
  }

  /// Runs a transaction of its own, a second time if the first attempt made the store move to a scratch copy.
  ///
  /// - Parameter isShared: Whether its parts have counted the states of the database.
  func transact<Answer>(
    surviving durability: Durability, waitingAtMost timeout: Duration, isShared: Bool,
    _ body: (StoreTransaction) throws -> Answer
  ) throws -> Answer {
    do {
      return try attempt(surviving: durability, waitingAtMost: timeout, isShared: isShared, body)
    } catch let error as LearningDatabaseError where moveToScratch(because: error) {
      return try attempt(surviving: durability, waitingAtMost: timeout, isShared: isShared, body)
    }
  }

  private func attempt<Answer>(
    surviving durability: Durability, waitingAtMost timeout: Duration, isShared: Bool,
    _ body: (StoreTransaction) throws -> Answer
  ) throws -> Answer {
    let isScratch = isScratch
    if !isScratch { try checkWritable() }
    let deadline = DispatchTime.after(timeout)
    let isMyTurn = try Interruption.waiting(until: deadline) { turn.wait(timeout: $0) == .success }
    guard isMyTurn else { throw LearningDatabaseError.busy(path: path) }
    defer { turn.signal() }
    do {
      if !isScratch { try checkFile() }
      try prepareToWrite(until: deadline)
      return try database.writeWithoutTransaction { database in
        if !isScratch, !isInMemory { try beginLog(in: database) }
        if durability == .powerCut { try database.execute(sql: "PRAGMA synchronous = FULL") }
        defer {
          if durability == .powerCut { try? database.execute(sql: "PRAGMA synchronous = NORMAL") }
        }
        // As GRDB's own way does it, but for preparing both each time.
        let statements = connections.statements(of: database)
        try BusyTimeout.waiting(until: deadline, on: database, then: busyTimeout) {
          try statements.run(Self.beginWritingText)
        }
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
      throw LearningDatabaseError.explaining(error, at: path)
    }
  }

  /// Throws an error if the file was deleted or replaced. SQLite would continue with the file that has no name any more,
  /// and everything written to it would be lost.
  package func checkFile() throws(LearningDatabaseError) {
    guard isInMemory || DatabaseFile.identity(at: path) == file else { throw .removed(path: path) }
  }

  // MARK: - The write-ahead log

  /// Opens the connections that write if the store was opened while the file could not be written.
  private func prepareToWrite(until deadline: DispatchTime) throws {
    guard let open = access.withLock({ $0.openForWriting }) else { return }
    let isOpen = try Interruption.waiting(until: deadline) { end in
      do {
        let pool = try open(end.remaining)
        access.withLock { access in
          (access.formerPool, access.pool, access.openForWriting) = (access.pool, pool, nil)
        }
        renewLog(of: pool)
        return true
      } catch LearningDatabaseError.busy {
        return false
      }
    }
    if !isOpen { throw LearningDatabaseError.busy(path: path) }
  }

  /// Writes the first page of an empty log, before the first write of this store.
  ///
  /// This commit does not wait for the disk, which a new log otherwise does three times: the content of the page is
  /// unchanged. A later commit that must survive a power cut first writes out the whole log, with its header and its
  /// directory entry.
  ///
  /// Sources: SQLite, `sqlite3WalFrames` in `wal.c`, `unixSync` in `os_unix.c`.
  private func beginLog(in database: Database) throws {
    guard !hasBegunLog.exchange(true, ordering: .relaxed), DatabaseFile.hasEmptyLog(at: path) else { return }
    try database.execute(sql: "PRAGMA synchronous = OFF")
    defer { try? database.execute(sql: "PRAGMA synchronous = NORMAL") }
    do {
      try BusyTimeout.until(.now(), on: database, then: busyTimeout) { try Self.rewriteFirstPage(in: database) }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      // Another program writes, so the log gets its first page from that.
    }
  }

  /// Commits the first page unchanged. Must run on the connection that writes: after a commit of another one it would have
  /// to read its cached pages again.
  private static func rewriteFirstPage(in database: Database) throws {
    try database.inTransaction(.immediate) {
      let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      // Writing this number writes the page even if the number stays the same.
      try database.execute(sql: "PRAGMA user_version = \(version)")
      return .commit
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
  /// - Throws: What `body` throws, and ``LearningDatabaseError``.
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
      throw LearningDatabaseError.explaining(error, at: path)
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
      throw LearningDatabaseError.explaining(error, at: path)
    }
  }

  private static let versionText = StatementText("PRAGMA data_version")

  /// Does what no transaction can, when it is this writer's turn.
  func outsideTransaction(_ body: (Database) throws -> Void) throws {
    if !isScratch, let refusal, !moveToScratch(because: refusal) { throw refusal }
    guard turn.wait(timeout: .after(busyTimeout)) == .success else {
      throw LearningDatabaseError.busy(path: path)
    }
    defer { turn.signal() }
    do {
      try prepareToWrite(until: .after(busyTimeout))
      try database.writeWithoutTransaction { database in
        try BusyTimeout.until(.after(min(busyTimeout, .seconds(2))), on: database, then: busyTimeout) {
          try body(database)
        }
      }
    } catch {
      throw LearningDatabaseError.explaining(error, at: path)
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
  ///   - timeout: How long to wait for another writer before ``LearningDatabaseError/busy(path:)``. If `nil`,
  ///     ``busyTimeout``.
  ///   - body: Called once, on this thread, with the database locked against every other writer.
  /// - Throws: What `body` throws, and ``LearningDatabaseError``; then nothing of it has happened.
  package func together<Answer>(
    surviving durability: Durability = .powerCut, waitingAtMost timeout: Duration? = nil, _ body: () throws -> Answer
  ) throws -> Answer {
    if let shared = SharedTransaction.current, shared.store === self { return try shared.part { _ in try body() } }
    return try transact(surviving: durability, waitingAtMost: timeout ?? busyTimeout, isShared: true) { transaction in
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
    } catch LearningDatabaseError.busy {
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
