import Dispatch
import GRDB
import GRDBSQLite
import Synchronization

/// The facade of the database: all reads and writes of courses, learners and their logs go through it.
///
/// Reads use a ``StoreSnapshot``, writes use a ``StoreTransaction``. Both are valid only inside the closure that
/// receives them.
///
/// ```swift
/// let store = try LearningStore.open(at: "waymark.sqlite")
/// let courses = try store.read { try $0.courses() }
/// ```
package final class LearningStore: Sendable {
  /// The path of the file, without symbolic links, or `:memory:` if there is no file.
  package let path: String
  /// How long a write waits for another writer if the call sets no other timeout.
  package let busyTimeout: Duration
  /// Whether the database is in memory and is discarded together with the store.
  package let isInMemory: Bool

  /// Whether this process has committed a change of courses or logs, so that repeating the command would record it twice.
  /// Updates of the search index do not count.
  package internal(set) static var hasRecorded: Bool {
    get { recordFlag.load(ordering: .relaxed) }
    set { recordFlag.store(newValue, ordering: .relaxed) }
  }

  private static let recordFlag = Atomic(false)

  /// The path or URI with which SQLite opens another connection to the same database.
  let address: String
  private let access: Mutex<Access>
  private let connections = StatementCaches()
  let checkpointer: WALCheckpointer
  private let writerSemaphore = DispatchSemaphore(value: 1)
  /// The last result of ``dataVersion()``, which is returned again while another thread writes.
  private let version = Mutex(0)
  /// The number of the current database state. Only the thread that holds `writerSemaphore` changes it.
  private let stateNumber = Mutex(StateNumber())
  /// The identity of the opened file, which detects that the file was deleted or replaced. `nil` in memory.
  private let file: DatabaseFile.Identity?
  /// Whether this store has already ensured that the write-ahead log has a first page. Only the thread that holds
  /// `writerSemaphore` changes it.
  private let hasBegunLog = Atomic(false)
  private let replicaFile: ReplicaFile
  /// Whether this store has compared the database with ``ReplicaFile``. Only the thread that holds `writerSemaphore`
  /// changes it.
  private let hasComparedReplica: Atomic<Bool>

  /// Creates a store on a file.
  ///
  /// - Parameters:
  ///   - pool: The connections to the file.
  ///   - openForWriting: Opens the connections that write. Called before the first write if `pool` can only read.
  ///   - refusal: Why the file cannot be written, or `nil` if it can.
  ///   - copy: A copy of the database in memory that is read instead of the file.
  init(
    path: String, pool: DatabasePool, openForWriting: OpenPool? = nil, checkpointer: WALCheckpointer,
    busyTimeout: Duration,
    refusal: LearningDatabaseError? = nil, copy: DatabaseQueue? = nil
  ) {
    (self.path, address, isInMemory) = (path, path, false)
    self.busyTimeout = busyTimeout
    access = Mutex(Access(pool: pool, openForWriting: openForWriting, refusal: refusal, copy: copy))
    self.checkpointer = checkpointer
    file = DatabaseFile.identity(at: path)
    replicaFile = ReplicaFile(of: path)
    hasComparedReplica = Atomic(false)
    renewLog(of: pool)
  }

  /// Creates a store on a database in memory.
  ///
  /// - Parameter address: The URI with which connections of this process open the database.
  init(memory: DatabaseQueue, at address: String, busyTimeout: Duration) {
    (path, isInMemory) = (":memory:", true)
    self.address = address
    self.busyTimeout = busyTimeout
    access = Mutex(Access(copy: memory))
    checkpointer = WALCheckpointer(for: address)
    file = nil
    replicaFile = ReplicaFile(of: path)
    hasComparedReplica = Atomic(true)
  }

  deinit {
    checkpointer.close()
    connections.removeAll()
  }

  /// Closes the file. The store must not be used afterwards.
  func close() throws {
    StoreRegistry.remove(self)
    checkpointer.close()
    connections.removeAll()
    try access.withLock { access in
      try access.pool?.close()
      try access.formerPool?.close()
      try access.copy?.close()
    }
  }

  /// Asks the checkpointer to write the first page of a new log.
  private func renewLog(of pool: DatabasePool) {
    // Captures `pool` weakly: `deinit` waits for the checkpointer, so a strong reference would deadlock.
    checkpointer.renewLog { [weak pool, writerSemaphore, busyTimeout] in
      guard let pool, writerSemaphore.wait(timeout: .now() + .milliseconds(100)) == .success else { return }
      defer { writerSemaphore.signal() }
      // If this fails, the next write writes the page.
      try? pool.writeWithoutTransaction { database in
        try BusyTimeout.until(.now() + .milliseconds(100), on: database, then: busyTimeout) {
          try Self.commitFirstPage(in: database)
        }
      }
    }
  }

  // MARK: - Unwritable files

  /// Opens connections for reading and writing. Waits for other programs for at most the given time.
  typealias OpenPool = @Sendable (_ timeout: Duration) throws -> DatabasePool

  /// The database to which reads and writes go: the file, or a copy in memory.
  private struct Access {
    /// The connections to the file, or `nil` if the database is in memory.
    var pool: DatabasePool?
    /// The connections that `pool` has replaced. Reads that began earlier may still use them.
    var formerPool: DatabasePool?
    /// Opens connections that can write. `nil` if `pool` can already write.
    var openForWriting: OpenPool?
    /// Why the file cannot be written, or `nil` if it can.
    var refusal: LearningDatabaseError?
    /// A copy of the database in memory, which is used instead of the file if set.
    var copy: DatabaseQueue?
    /// Whether writes go to the copy.
    var isScratch = false
    /// Whether the store may switch to a copy in memory if the file cannot be written.
    var allowsScratch = false
  }

  /// The connections to use: to the file, to the copy in memory that replaces it, or to the database in memory.
  var database: any DatabaseWriter {
    access.withLock { access in
      if let copy = access.copy { return copy }
      // A store has either a copy or a pool.
      return access.pool!
    }
  }

  /// Why the file cannot be written, such as ``LearningDatabaseError/diskFull(path:)``, or `nil` if it can.
  package var refusal: LearningDatabaseError? { access.withLock { $0.refusal } }

  /// Whether writes go to a copy in memory, which is lost when the store is closed.
  package var isScratch: Bool { access.withLock { $0.isScratch } }

  /// Allows writes to continue in memory if the file cannot be written, because the disk is full or the file is
  /// read-only.
  ///
  /// The first such write copies the whole database into memory. From then on this store neither reads nor writes the
  /// file, even if the disk has free space again. ``refusal`` and ``isScratch`` report the change.
  package func allowScratch() { access.withLock { $0.allowsScratch = true } }

  /// Calls a function that writes and then rolls back. If the file cannot be written, calls the function with a copy of
  /// the store in memory instead.
  package func withScratch<Answer>(_ body: (LearningStore) throws -> Answer) throws -> Answer {
    do {
      return try body(self)
    } catch let error as LearningDatabaseError where error.meansUnwritable && !isScratch {
      guard let pool = access.withLock({ $0.pool }) else { throw error }
      let scratch = LearningStore(
        path: path, pool: pool, checkpointer: WALCheckpointer(for: path), busyTimeout: busyTimeout, refusal: error)
      scratch.allowScratch()
      defer {
        scratch.connections.removeAll()
        scratch.access.withLock { $0.copy?.retire() }
      }
      return try body(scratch)
    }
  }

  /// Switches to a scratch copy in memory after a write has failed, if that is allowed and the error means that the
  /// file cannot be written.
  ///
  /// - Returns: Whether the write can be repeated on the copy.
  private func moveToScratch(because error: LearningDatabaseError) -> Bool {
    access.withLock { access in
      guard access.allowsScratch, error.meansUnwritable, !access.isScratch, !isInMemory else { return false }
      guard let copy = try? access.copy ?? access.pool.map(Self.copyInMemory) else { return false }
      (access.copy, access.refusal, access.isScratch) = (copy, access.refusal ?? error, true)
      return true
    }
  }

  /// Copies a database, including the contents of its write-ahead log, into memory.
  static func copyInMemory(of pool: DatabasePool) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.label = "waymark.memory"
    let copy = try DatabaseQueue(configuration: configuration)
    try pool.backup(to: copy)
    return copy
  }

  /// Throws ``refusal`` if the file cannot be written.
  package func checkWritable() throws(LearningDatabaseError) {
    if let refusal { throw refusal }
  }

  /// The failures that a write survives after it has returned.
  package enum Durability: Sendable {
    /// The process can end in any way. A power cut may undo the last writes, but never a part of one.
    case process
    /// A power cut as well, which takes some milliseconds longer. For rare changes that could not be repeated.
    case powerCut
  }

  /// Reads one consistent state of the database. Readers and writers do not wait for each other.
  ///
  /// - Throws: Errors that `body` throws, and ``LearningDatabaseError``.
  package func read<Answer>(_ body: (StoreSnapshot) throws -> Answer) throws -> Answer {
    do {
      return try database.read { database in
        try body(StoreSnapshot(database: database, statements: connections.statements(of: database)))
      }
    } catch {
      throw LearningDatabaseError.explaining(error, at: path)
    }
  }

  /// Reads one consistent state of the database with queries that can be interrupted.
  ///
  /// - Throws: `CancellationError` if the queries were interrupted, errors that `body` throws, and
  ///   ``LearningDatabaseError``.
  package func read<Answer>(
    until interruption: Interruption, _ body: (StoreSnapshot) throws -> Answer
  ) throws -> Answer {
    do {
      return try database.read { database in
        // On a new connection, this must not be interrupted.
        let statements = connections.statements(of: database)
        return try interruption.watching(database) {
          try body(StoreSnapshot(database: database, statements: statements, interruption: interruption))
        }
      }
    } catch {
      throw LearningDatabaseError.explaining(error, at: path)
    }
  }

  /// Changes the database in one transaction, which is rolled back if `body` throws. Must not be called inside another
  /// write. Inside ``groupCommit(durability:waitingAtMost:_:)``, the change becomes part of that transaction.
  ///
  /// While ``Interruption/current`` is set, it can end the wait for another writer.
  ///
  /// - Parameters:
  ///   - durability: The failures that the change survives once this method has returned.
  ///   - timeout: How long to wait for another writer before throwing ``LearningDatabaseError/busy(path:)``. If `nil`,
  ///     ``busyTimeout``.
  ///   - body: Called with the database locked against all other writers. Called a second time if the first attempt
  ///     fails because the file cannot be written and the store then switches to a scratch copy in memory.
  /// - Throws: Errors that `body` throws, ``LearningDatabaseError``, and `CancellationError` if the wait was
  ///   interrupted.
  package func write<Answer>(
    durability: Durability = .process, waitingAtMost timeout: Duration? = nil,
    _ body: (StoreTransaction) throws -> Answer
  ) throws -> Answer {
    if let shared = SharedTransaction.current, shared.store === self {
      do { return try shared.savepoint(body) } catch { throw LearningDatabaseError.explaining(error, at: path) }
    }
    return try transact(durability: durability, waitingAtMost: timeout ?? busyTimeout, isShared: false, body)
  }

  /// Runs a transaction that is not part of another one. Runs it a second time if the first attempt made the store
  /// switch to a scratch copy.
  ///
  /// - Parameter isShared: Whether `body` runs nested transactions, each of which has already advanced the state
  ///   number.
  func transact<Answer>(
    durability: Durability, waitingAtMost timeout: Duration, isShared: Bool,
    _ body: (StoreTransaction) throws -> Answer
  ) throws -> Answer {
    do {
      return try attempt(durability: durability, waitingAtMost: timeout, isShared: isShared, body)
    } catch let error as LearningDatabaseError where moveToScratch(because: error) {
      return try attempt(durability: durability, waitingAtMost: timeout, isShared: isShared, body)
    }
  }

  private func attempt<Answer>(
    durability: Durability, waitingAtMost timeout: Duration, isShared: Bool,
    _ body: (StoreTransaction) throws -> Answer
  ) throws -> Answer {
    let isScratch = isScratch
    if !isScratch { try checkWritable() }
    let deadline = DispatchTime.after(timeout)
    let isMyTurn = try Interruption.waiting(until: deadline) { writerSemaphore.wait(timeout: $0) == .success }
    guard isMyTurn else { throw LearningDatabaseError.busy(path: path) }
    defer { writerSemaphore.signal() }
    do {
      if !isScratch { try checkFile() }
      try prepareToWrite(until: deadline)
      return try database.writeWithoutTransaction { database in
        if !isScratch, !isInMemory { try beginLog(in: database) }
        if durability == .powerCut { try database.execute(sql: "PRAGMA synchronous = FULL") }
        defer {
          if durability == .powerCut { try? database.execute(sql: "PRAGMA synchronous = NORMAL") }
        }
        // Begins and commits like GRDB, but with statements that are prepared only once.
        let statements = connections.statements(of: database)
        try BusyTimeout.waiting(until: deadline, on: database, then: busyTimeout) {
          try statements.run(Self.beginWritingSQL)
        }
        do {
          let state = stateNumber.withLock { number in
            number.begin(database)
            return number.current
          }
          let transaction = StoreTransaction(database: database, statements: statements, state: state)
          let isComparing = !isScratch && !hasComparedReplica.load(ordering: .relaxed)
          let renewed = isComparing ? try renewReplica(ofCopy: transaction) : nil
          let answer = try body(transaction)
          if let renewed { replicaFile.record(renewed) }
          try statements.run(Self.commitSQL)
          if isComparing { hasComparedReplica.store(true, ordering: .relaxed) }
          Self.hasRecorded = true
          stateNumber.withLock { isShared ? $0.commitSavepoints(database) : $0.commit(database) }
          return answer
        } catch {
          stateNumber.withLock { $0.fail() }
          if database.isInsideTransaction { try? database.rollback() }
          throw error
        }
      }
    } catch {
      throw LearningDatabaseError.explaining(error, at: path)
    }
  }

  /// Gives the database another UUID if it is a copy or was replaced by an older copy.
  ///
  /// - Returns: The state to store in ``ReplicaFile``, or `nil` if the UUID stays the same.
  private func renewReplica(ofCopy transaction: StoreTransaction) throws -> ReplicaFile.Content? {
    guard try replicaFile.isOfAnotherDatabase(than: transaction.snapshot.replicaState()) else { return nil }
    try transaction.renewReplica()
    return try transaction.snapshot.replicaState()
  }

  /// Leaves the UUID of the database unchanged, because its file is going to get the name of another database.
  func keepReplica() { hasComparedReplica.store(true, ordering: .relaxed) }

  /// Stores in ``ReplicaFile`` that the records of a snapshot leave the database. Must be called before they do.
  package func recordDeparture(of snapshot: StoreSnapshot) throws {
    if !isInMemory, refusal == nil { replicaFile.raise(to: try snapshot.replicaState()) }
  }

  /// Throws an error if the file was deleted, emptied or replaced. SQLite would continue with the deleted file or with
  /// its own copy of the pages, and everything written would be lost.
  package func checkFile() throws(LearningDatabaseError) {
    guard isInMemory || DatabaseFile.identity(at: path) == file && DatabaseFile.size(at: path) > 0 else {
      throw .removed(path: path)
    }
  }

  /// Checks that the file is in its place and that its disk has space, and writes its first page unchanged.
  package func checkWriting() throws {
    if DatabaseFile.isDiskFull(at: path) { throw LearningDatabaseError.diskFull(path: path) }
    try write { try Self.rewriteFirstPage(in: $0.database) }
  }

  // MARK: - The write-ahead log

  /// Opens the connections that write, if the store was opened while the file could not be written.
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
  /// This commit does not wait for the disk, although the first commit to a new log normally waits three times. That is
  /// safe because the content of the page is unchanged. A later commit that must survive a power cut first syncs the
  /// whole log, including its header and its directory entry.
  ///
  /// Sources: SQLite, `sqlite3WalFrames` in `wal.c`, `unixSync` in `os_unix.c`.
  private func beginLog(in database: Database) throws {
    guard !hasBegunLog.exchange(true, ordering: .relaxed), DatabaseFile.hasEmptyLog(at: path) else { return }
    try database.execute(sql: "PRAGMA synchronous = OFF")
    defer { try? database.execute(sql: "PRAGMA synchronous = NORMAL") }
    do {
      try BusyTimeout.until(.now(), on: database, then: busyTimeout) { try Self.commitFirstPage(in: database) }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      // Another program is writing, and its commit writes the first page.
    }
  }

  /// Commits the first page unchanged. Must run on the connection that writes: after a commit by another connection,
  /// that connection would have to read its cached pages again.
  private static func commitFirstPage(in database: Database) throws {
    try database.inTransaction(.immediate) {
      try rewriteFirstPage(in: database)
      return .commit
    }
  }

  /// Writes the first page unchanged.
  private static func rewriteFirstPage(in database: Database) throws {
    let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    // Assigning this number writes the page even if the number stays the same.
    try database.execute(sql: "PRAGMA user_version = \(version)")
  }

  /// The number of the latest known state, which changes with each change by this store. It is also the number of the state
  /// in which a nested transaction begins.
  package var currentState: Int { stateNumber.withLock { $0.current } }

  /// Advances the state number after a nested transaction has ended.
  func advanceState() { stateNumber.withLock { $0.advance() } }

  private static let beginWritingSQL = StatementText("BEGIN IMMEDIATE")
  private static let beginReadingSQL = StatementText("BEGIN DEFERRED")
  private static let commitSQL = StatementText("COMMIT")

  /// Runs a short read, such as the queries of a screen after a navigation event, on the connection that writes. That
  /// connection still has the written pages in its cache; every other connection must read them again after each write.
  ///
  /// Writers of this process wait until the read has ended, so use ``read(_:)`` for queries that may take long. If a
  /// writer of this process is active, this method calls ``read(_:)`` instead.
  ///
  /// - Throws: Errors that `body` throws, and ``LearningDatabaseError``.
  package func readLatest<Answer>(_ body: (StoreSnapshot) throws -> Answer) throws -> Answer {
    guard writerSemaphore.wait(timeout: .now()) == .success else { return try read(body) }
    defer { writerSemaphore.signal() }
    do {
      return try database.writeWithoutTransaction { database in
        let statements = connections.statements(of: database)
        // Nothing was changed, so a failed commit has no effect. GRDB ends the program if the transaction remains open.
        defer { if (try? statements.run(Self.commitSQL)) == nil { try? database.rollback() } }
        try statements.run(Self.beginReadingSQL)
        return try body(StoreSnapshot(database: database, statements: statements))
      }
    } catch {
      throw LearningDatabaseError.explaining(error, at: path)
    }
  }

  /// Returns a number that changes after another process has changed the database. Writes by this store do not change
  /// it.
  ///
  /// Never waits: while this process writes, for example during an import, returns the previous number.
  ///
  /// Source: SQLite, "PRAGMA data_version", run on the connection that writes.
  package func dataVersion() throws -> Int {
    guard writerSemaphore.wait(timeout: .now()) == .success else { return version.withLock { $0 } }
    defer { writerSemaphore.signal() }
    do {
      let now = try database.writeWithoutTransaction { database in
        var version = 0
        try connections.statements(of: database).run(Self.versionSQL) { row in
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

  private static let versionSQL = StatementText("PRAGMA data_version")

  /// Runs an operation that cannot run inside a transaction, after waiting for other writers of this process.
  ///
  /// - Throws: ``LearningDatabaseError/busy(path:)`` if the wait exceeds ``busyTimeout``, the reason why the file
  ///   cannot be written, and errors that `body` throws.
  func outsideTransaction(_ body: (Database) throws -> Void) throws {
    if !isScratch, let refusal, !moveToScratch(because: refusal) { throw refusal }
    guard writerSemaphore.wait(timeout: .after(busyTimeout)) == .success else {
      throw LearningDatabaseError.busy(path: path)
    }
    defer { writerSemaphore.signal() }
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

/// A transaction that is open on this thread. Writes of the same thread are nested in it.
///
/// `@unchecked Sendable` because only the thread that holds the connection accesses it.
final class SharedTransaction: @unchecked Sendable {
  /// The open transaction of the current thread, or `nil` outside a shared transaction.
  @TaskLocal static var current: SharedTransaction?

  let store: LearningStore
  let database: Database
  let statements: PreparedStatements
  /// The error with which SQLite rolled back the whole transaction, for example because the disk is full. `nil` while
  /// the transaction is open.
  var failure: (any Error)?

  init(_ store: LearningStore, _ transaction: StoreTransaction) {
    self.store = store
    database = transaction.database
    statements = transaction.statements
  }

  private static let beginSQL = StatementText("SAVEPOINT part")
  private static let keepSQL = StatementText("RELEASE part")
  private static let undoSQL = StatementText("ROLLBACK TO part")

  /// Runs a nested transaction. If `body` throws, only its own changes are rolled back.
  func savepoint<Answer>(_ body: (StoreTransaction) throws -> Answer) throws -> Answer {
    // If SQLite has already rolled back the transaction, a savepoint would start a new one.
    if let failure { throw failure }
    do {
      try statements.run(Self.beginSQL)
      let answer = try body(
        StoreTransaction(database: database, statements: statements, state: store.currentState))
      try statements.run(Self.keepSQL)
      store.advanceState()
      return answer
    } catch {
      if database.isInsideTransaction {
        try statements.run(Self.undoSQL)
        try statements.run(Self.keepSQL)
      } else {
        failure = error
      }
      // Values computed from the state inside the nested transaction are not valid after its rollback.
      store.advanceState()
      throw error
    }
  }
}

extension LearningStore {
  /// Commits all writes that `body` makes through this store in one transaction, so that they wait for the disk only
  /// once.
  ///
  /// Each write inside is rolled back on its own if it fails. No write is durable before this method returns. Inside
  /// another call of this method, the writes become part of the outer transaction.
  ///
  /// - Parameters:
  ///   - durability: The failures that the changes survive once this method has returned.
  ///   - timeout: How long to wait for another writer before throwing ``LearningDatabaseError/busy(path:)``. If `nil`,
  ///     ``busyTimeout``.
  ///   - body: Called on this thread, with the database locked against all other writers. Called a second time if the
  ///     first attempt fails because the file cannot be written and the store then switches to a scratch copy in
  ///     memory.
  /// - Throws: Errors that `body` throws, and ``LearningDatabaseError``. All changes are rolled back then.
  package func groupCommit<Answer>(
    durability: Durability = .powerCut, waitingAtMost timeout: Duration? = nil, _ body: () throws -> Answer
  ) throws -> Answer {
    if let shared = SharedTransaction.current, shared.store === self { return try shared.savepoint { _ in try body() } }
    return try transact(durability: durability, waitingAtMost: timeout ?? busyTimeout, isShared: true) { transaction in
      try sharing(transaction, body)
    }
  }

  /// Calls a function whose writes through this store are nested in an open transaction of this thread.
  func sharing<Answer>(_ transaction: StoreTransaction, _ body: () throws -> Answer) throws -> Answer {
    let shared = SharedTransaction(self, transaction)
    let answer = try SharedTransaction.$current.withValue(shared) { try body() }
    if let failure = shared.failure { throw failure }
    return answer
  }

  /// Copies the write-ahead log into the database file and truncates it to zero bytes, if it is longer than a limit.
  ///
  /// Without a call of this method, the log file keeps the length of the largest transaction until the last program
  /// closes the database. Its pages keep rows that were erased in the meantime. Writers wait during the copy, and the
  /// copy waits for reads that began earlier.
  ///
  /// - Parameter bytes: The length in bytes up to which the log is left unchanged.
  /// - Returns: `false` if an earlier read or another process did not end within two seconds.
  package func truncateLog(over bytes: Int = 0) throws -> Bool {
    guard DatabaseFile.size(at: path + "-wal") > bytes else { return true }
    // The checkpointer's thread would hold the lock as long as it copies.
    checkpointer.finish()
    do {
      try outsideTransaction { try $0.checkpoint(.truncate) }
      return true
    } catch LearningDatabaseError.busy {
      return false
    }
  }
}

/// Numbers the states of the database that one connection has read or written. While the number is unchanged, values
/// computed from the state are still valid.
///
/// Source: SQLite, "SQLITE_FCNTL_DATA_VERSION": SQLite's version number changes with each change of the database by any
/// process, and can be read after a transaction has begun or has just been committed.
struct StateNumber {
  /// The number of the latest known state.
  private(set) var current = 0
  /// SQLite's version number of that state, or `nil` if unknown.
  private var version: UInt32?

  /// Records the state in which a transaction begins. Advances the number if the database has changed or its version is
  /// unknown.
  mutating func begin(_ database: Database) {
    let storedVersion = Self.version(of: database)
    if storedVersion == nil || storedVersion != version { current += 1 }
    version = storedVersion
  }

  /// Records the state after a transaction was committed.
  mutating func commit(_ database: Database) {
    current += 1
    version = Self.version(of: database)
  }

  /// Records that a nested transaction has ended.
  mutating func advance() { current += 1 }

  /// Records the commit of a transaction whose nested transactions have already advanced the number.
  mutating func commitSavepoints(_ database: Database) { version = Self.version(of: database) }

  /// Records that a transaction has failed, so the state is unknown.
  mutating func fail() { version = nil }

  private static func version(of database: Database) -> UInt32? {
    var version: UInt32 = 0
    let code = sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return code == SQLITE_OK ? version : nil
  }
}
