import Dispatch
import GRDB
import LearningModel
import Migrations
import Synchronization

extension LearningStore {
  /// Options for opening a store.
  package struct Options: Hashable, Sendable {
    /// Whether the database is only read. The file is then neither created, migrated nor written.
    package var isReadOnly = false
    /// How long to wait for other programs while opening, and before each write.
    package var busyTimeout = BusyTimeout.standard

    package init() {}
  }

  /// Opens the database in a file. Creates the file and its tables, or migrates older tables, if necessary.
  ///
  /// No write lock is taken unless the tables must be created or migrated. All stores of this process on the same file
  /// with the same options are the same object.
  ///
  /// - Parameter path: The path of the file. `~/` is replaced by the home folder, and missing folders are created.
  /// - Throws: ``LearningDatabaseError`` if the file, its folder or its disk cannot be used. If a file is rejected, it
  ///   is left unchanged.
  package static func open(at path: String, _ options: Options = Options()) throws(LearningDatabaseError)
    -> LearningStore
  {
    let path = try DatabaseFile.path(named: path)
    if let store = StoreRegistry.store(at: path, options) { return store }
    return try open(at: path, options, migrations: Migrations.all, networkFileSystem: NetworkFolder.fileSystem)
  }

  /// Opens a database with the given migrations.
  ///
  /// - Parameter networkFileSystem: Returns the name of the network file system of a folder, or `nil` for a local
  ///   folder.
  static func open(
    at given: String, _ options: Options = Options(), migrations: [Migrations.Migration],
    networkFileSystem: (String) -> String? = { _ in nil }
  ) throws(LearningDatabaseError) -> LearningStore {
    // On a network file system, neither the folder nor the file may be created.
    if let fileSystem = networkFileSystem(DatabaseFile.folderThatExists(of: given)) {
      throw .networkFolder(path: given, fileSystem: fileSystem)
    }
    let file = try DatabaseFile(at: given, creates: !options.isReadOnly)
    // The file may be a symbolic link to another folder.
    if let fileSystem = networkFileSystem(DatabaseFile.split(file.path).folder) {
      throw .networkFolder(path: file.path, fileSystem: fileSystem)
    }
    return try StoreRegistry.store(to: file.path, options) { (isOpenInProcess) throws(LearningDatabaseError) in
      var file = file
      file.isOpenInProcess = isOpenInProcess
      do throws(LearningDatabaseError) {
        if options.isReadOnly { throw .openedReadOnly(path: file.path) }
        if file.isReadOnly { throw .readOnly(path: file.path) }
        return try openForWriting(file, options, migrations)
      } catch  where error.meansUnwritable {
        return try openForReading(file, options, migrations, because: error)
      }
    }
  }

  /// Creates a database in memory, which is discarded together with the store.
  package static func openInMemory(busyTimeout: Duration = BusyTimeout.standard) throws(LearningDatabaseError)
    -> LearningStore
  {
    // All connections of the process share the database if its name begins with a slash. Source: SQLite, `memdb.c`.
    let address = "file:/waymark-\(RandomIdentifier.make())?vfs=memdb"
    var configuration = Configuration()
    configuration.label = "waymark.memory"
    configuration.busyMode = BusyTimeout.mode(busyTimeout)
    do {
      let queue = try DatabaseQueue(path: address, configuration: configuration)
      try migrate(queue, at: ":memory:", migrations: Migrations.all)
      return LearningStore(memory: queue, at: address, busyTimeout: busyTimeout)
    } catch {
      throw LearningDatabaseError(of: error, at: ":memory:")
    }
  }

  private static func openForWriting(
    _ file: DatabaseFile, _ options: Options, _ migrations: [Migrations.Migration]
  ) throws(LearningDatabaseError) -> LearningStore {
    let checkpointer = WALCheckpointer(for: file.path)
    if try DatabaseState(of: file, waitingAtMost: options.busyTimeout, migrations: migrations) == .current {
      return try openCurrent(file, options, checkpointer)
    }

    let deadline = ContinuousClock.now + options.busyTimeout
    var preparation = LearningDatabaseError.Preparation.creation
    do throws(LearningDatabaseError) {
      let lock = try FolderLock(for: file.path, until: deadline)
      // Another program may have created or migrated the tables before this one got the lock.
      let state = try DatabaseState(of: file, waitingAtMost: options.busyTimeout, migrations: migrations)
      if state != .empty { preparation = .migration }
      let pool = try openPool(file, checkpointer, waitingAtMost: options.busyTimeout)
      if case .older(let missing) = state, !isEmpty(pool) { try keepCopy(pool, at: file.path, before: missing) }
      try migrate(pool, at: file.path, migrations: migrations)
      _ = consume lock
      return LearningStore(path: file.path, pool: pool, checkpointer: checkpointer, busyTimeout: options.busyTimeout)
    } catch .busy(let path) {
      throw .busyOpening(path: path, preparation: preparation, waited: options.busyTimeout)
    } catch {
      throw error
    }
  }

  /// Opens a database whose tables are up to date.
  ///
  /// A file that does not use a write-ahead log, such as a copy made with `VACUUM INTO`, must be converted, which
  /// requires the write lock. If another program holds that lock, the file is opened without conversion for reading,
  /// and converted before the first write.
  private static func openCurrent(
    _ file: DatabaseFile, _ options: Options, _ checkpointer: WALCheckpointer
  ) throws(LearningDatabaseError) -> LearningStore {
    do throws(LearningDatabaseError) {
      let pool = try openPool(
        file, checkpointer, waitingAtMost: min(options.busyTimeout, shortWait), then: options.busyTimeout)
      return LearningStore(path: file.path, pool: pool, checkpointer: checkpointer, busyTimeout: options.busyTimeout)
    } catch .busy {
      let pool = try openPool(file, checkpointer, isReadOnly: true, waitingAtMost: options.busyTimeout)
      return LearningStore(
        path: file.path, pool: pool,
        openForWriting: { try openPool(file, checkpointer, waitingAtMost: $0, then: options.busyTimeout) },
        checkpointer: checkpointer,
        busyTimeout: options.busyTimeout)
    } catch {
      throw error
    }
  }

  /// How long opening waits for another program before it opens the file without conversion. A program that closes a
  /// database holds its lock for some milliseconds.
  private static let shortWait = Duration.milliseconds(100)

  /// Opens a database that cannot be written. If its tables are older, they are migrated in a copy in memory.
  ///
  /// - Parameter refusal: Why the database cannot be written. Thrown if the database has no tables yet.
  private static func openForReading(
    _ file: DatabaseFile, _ options: Options, _ migrations: [Migrations.Migration],
    because refusal: LearningDatabaseError
  ) throws(LearningDatabaseError) -> LearningStore {
    var file = file
    // If the caller has chosen `isReadOnly`, SQLite may still use a log next to the file, so that changes by other
    // programs are seen.
    file.isReadOnly = file.isReadOnly || !options.isReadOnly
    var state = try DatabaseState(of: file, waitingAtMost: options.busyTimeout, migrations: migrations)
    if state != .current, let lock = try? FolderLock(for: file.path, until: .now + options.busyTimeout) {
      // Another program may just have created or migrated the tables.
      state = try DatabaseState(of: file, waitingAtMost: options.busyTimeout, migrations: migrations)
      _ = consume lock
    }
    if state == .empty { throw options.isReadOnly ? .empty(path: file.path) : refusal }
    let checkpointer = WALCheckpointer(for: file.path)
    let pool = try openPool(file, checkpointer, isReadOnly: true, waitingAtMost: options.busyTimeout)
    var copy: DatabaseQueue?
    if case .older = state {
      do { copy = try copyInMemory(of: pool) } catch { throw LearningDatabaseError(of: error, at: file.path) }
      if let copy { try migrate(copy, at: file.path, migrations: migrations) }
    }
    return LearningStore(
      path: file.path, pool: pool, checkpointer: checkpointer, busyTimeout: options.busyTimeout, refusal: refusal,
      copy: copy)
  }

  /// Opens the connections to a file.
  ///
  /// - Parameters:
  ///   - timeout: How long opening waits for other programs.
  ///   - defaultTimeout: How long the connections wait afterwards. If `nil`, `timeout`.
  private static func openPool(
    _ file: DatabaseFile, _ checkpointer: WALCheckpointer, isReadOnly: Bool = false, waitingAtMost timeout: Duration,
    then defaultTimeout: Duration? = nil
  ) throws(LearningDatabaseError) -> DatabasePool {
    let address = file.address
    var configuration = Configuration()
    configuration.label = "waymark"
    configuration.readonly = isReadOnly
    configuration.busyMode = BusyTimeout.mode(timeout)
    // Connections are opened on demand. The server reads on six threads, also while it writes.
    configuration.maximumReaderCount = 8
    configuration.prepareDatabase { database in
      try file.prepare(database, at: address)
      // Negative values are in kilobytes.
      try database.execute(sql: "PRAGMA cache_size = -8000")
      // A navigation event changes more pages than SQLite keeps in its statement journal in memory by default. SQLite
      // would therefore create a temporary file for each event.
      if !database.configuration.readonly {
        try database.execute(sql: "PRAGMA temp_store = MEMORY")
        try openLog(of: file, on: database)
      } else {
        // A read waits only in rare cases, for example while another program recovers the log.
        BusyTimeout.waitForLock(max(defaultTimeout ?? timeout, .seconds(1)).wholeMilliseconds, on: database)
      }
      checkpointer.observeCommits(database)
    }
    let deadline = ContinuousClock.now + timeout
    var attempt = 0
    while true {
      do {
        let pool = try DatabasePool(path: address, configuration: configuration)
        if let defaultTimeout, !isReadOnly {
          pool.writeWithoutTransaction { BusyTimeout.waitForLock(defaultTimeout.wholeMilliseconds, on: $0) }
        }
        return pool
      } catch {
        // SQLite does not wait for another process that also switches a new file to a write-ahead log.
        guard (error as? DatabaseError)?.resultCode == .SQLITE_BUSY, ContinuousClock.now < deadline else {
          throw LearningDatabaseError(of: error, at: file.path)
        }
        LockWait.pause(afterAttempt: attempt, milliseconds: 2)
        attempt += 1
      }
    }
  }

  /// Ensures, without a lock, that the log of a database with tables is not empty.
  ///
  /// If the log is empty, GRDB creates and drops a table, for readers that begin before the first writer. That needs
  /// the write lock and changes the schema, so that every connection reads the schema again. The store instead writes
  /// the first page of the log before its first write.
  ///
  /// Source: GRDB, `Database.setUpWALMode`, and its issue 102.
  private static func openLog(of file: DatabaseFile, on database: Database) throws {
    guard DatabaseFile.size(at: file.path + "-wal") == 0 else { return }
    // The first read creates the files of the log. A new file has no log yet.
    guard try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0 != 0 else { return }
    DatabaseFile.extendEmptyLog(at: file.path)
  }

  /// Returns whether the database has neither courses nor learners, because the process that created it was killed or
  /// ran out of disk space. Returns `false` if the database cannot be read.
  private static func isEmpty(_ pool: DatabasePool) -> Bool {
    let isEmpty = try? pool.read { database in
      try ["contentNode", "learner"].allSatisfy { table in
        guard try database.tableExists(table) else { return true }
        return try Bool.fetchOne(database, sql: "SELECT NOT EXISTS (SELECT 1 FROM \(table))") ?? false
      }
    }
    return isEmpty ?? false
  }

  /// Writes the number that identifies the applied migrations to `user_version`, and keeps the bit
  /// ``exposureReportedBit``. Also writes the `application_id`, so that another program that opens the file before the
  /// first migration does not reject it as a foreign one.
  private static func writeVersion(_ database: any DatabaseWriter, as newVersion: Int) throws {
    try database.write { database in
      let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      try database.execute(
        sql: """
          PRAGMA application_id = \(DatabaseState.applicationID);
          PRAGMA user_version = \(version & exposureReportedBit | newVersion);
          """)
    }
  }

  private static func migrate(
    _ database: any DatabaseWriter, at path: String, migrations: [Migrations.Migration]
  ) throws(LearningDatabaseError) {
    var migrator = DatabaseMigrator()
    for migration in migrations {
      migrator.registerMigration(migration.name) { try $0.execute(sql: migration.sql) }
    }
    do {
      // The number is reset first and set last, so that it never claims migrations that are missing.
      try writeVersion(database, as: DatabaseState.version)
      try migrator.migrate(database)
      try writeVersion(database, as: DatabaseState.versionNumber(of: migrations))
    } catch {
      let databaseError = LearningDatabaseError(of: error, at: path)
      guard databaseError.kind == .refused, let error = error as? DatabaseError else { throw databaseError }
      let applied = try? database.read { try migrator.appliedIdentifiers($0) }
      let failed = migrations.first { applied?.contains($0.name) != true }?.name ?? ""
      throw .migrationFailed(path: path, migration: failed, detail: error.message ?? "\(error)")
    }
  }
}

/// The stores that are open in this process. All stores on the same file with the same options share one pool of
/// connections.
enum StoreRegistry {
  private struct Key: Hashable {
    let path: String
    let options: LearningStore.Options
  }

  private struct Entry {
    weak var store: LearningStore?
    let identity: DatabaseFile.Identity

    /// Returns the store, or `nil` if it was deallocated or another file is now at the path.
    func store(of path: String) -> LearningStore? { identity == DatabaseFile.identity(at: path) ? store : nil }
  }

  private static let entries = Mutex<[Key: Entry]>([:])

  /// Returns the open store at a path without symbolic links, or `nil` if the file is not open with these options.
  static func store(at path: String, _ options: LearningStore.Options) -> LearningStore? {
    entries.withLock { $0[Key(path: path, options: options)] }?.store(of: path)
  }

  /// Returns whether this process has opened the file at a path without symbolic links.
  static func isOpen(_ path: String) -> Bool { entries.withLock { isOpen(path, $0) } }

  private static func isOpen(_ path: String, _ openStores: [Key: Entry]) -> Bool {
    openStores.contains { $0.key.path == path && $0.value.store(of: path) != nil }
  }

  /// Returns the open store at a path, or the one that `open` creates.
  ///
  /// If the file was replaced by another file, `open` creates a new store.
  ///
  /// - Parameter open: Receives whether this process has already opened the file with other options.
  static func store(
    to path: String, _ options: LearningStore.Options,
    else open: (_ isOpenInProcess: Bool) throws(LearningDatabaseError) -> LearningStore
  ) throws(LearningDatabaseError) -> LearningStore {
    let key = Key(path: path, options: options)
    let result = entries.withLock { openStores -> Result<LearningStore, LearningDatabaseError> in
      if let store = openStores[key]?.store(of: path) { return .success(store) }
      openStores = openStores.filter { $0.value.store != nil }
      do throws(LearningDatabaseError) {
        let store = try open(isOpen(path, openStores))
        if let identity = DatabaseFile.identity(at: path) { openStores[key] = Entry(store: store, identity: identity) }
        return .success(store)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Removes a closed store, so that opening its file again creates a new one.
  static func remove(_ store: LearningStore) {
    entries.withLock { openStores in openStores = openStores.filter { $0.value.store !== store } }
  }
}
