import Dispatch
import GRDB
import LearningModel
import Migrations
import Synchronization

extension LearningStore {
  /// How a store is opened.
  package struct Options: Hashable, Sendable {
    /// Whether to read only: the file is neither created nor migrated nor written.
    package var isReadOnly = false
    /// How long to wait for another program, while opening and for each write.
    package var busyTimeout = BusyTimeout.usual

    package init() {}
  }

  /// Opens the database in a file. Creates it and updates its tables if necessary.
  ///
  /// Opening takes no write lock, unless the tables must be created or updated. All stores of this process on the same file
  /// with the same options are one object.
  ///
  /// - Parameter path: The path of the file; `~/` stands for the home folder. Missing folders are created.
  /// - Throws: The problem of the file, its folder or its disk. A file that is refused is unchanged.
  package static func open(at path: String, _ options: Options = Options()) throws(LearningDatabaseError)
    -> LearningStore
  {
    let path = try DatabaseFile.path(named: path)
    if let store = OpenDoors.store(at: path, options) { return store }
    return try open(at: path, options, migrations: Migrations.all, networkFileSystem: NetworkFolder.fileSystem)
  }

  /// Opens a database with the given migrations.
  ///
  /// - Parameter networkFileSystem: Returns the name of the network file system that a folder is on.
  static func open(
    at given: String, _ options: Options = Options(), migrations: [Migrations.Migration],
    networkFileSystem: (String) -> String? = { _ in nil }
  ) throws(LearningDatabaseError) -> LearningStore {
    // Nothing is created on a network folder, neither the folder nor the file.
    if let fileSystem = networkFileSystem(DatabaseFile.folderThatExists(of: given)) {
      throw .networkFolder(path: given, fileSystem: fileSystem)
    }
    let file = try DatabaseFile(at: given, creates: !options.isReadOnly)
    // The file may be a symbolic link to another folder.
    if let fileSystem = networkFileSystem(DatabaseFile.split(file.path).folder) {
      throw .networkFolder(path: file.path, fileSystem: fileSystem)
    }
    return try OpenDoors.door(to: file.path, options) { (isOpenInProcess) throws(LearningDatabaseError) in
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

  /// Creates a database in memory, which ends with the store.
  package static func openInMemory(busyTimeout: Duration = BusyTimeout.usual) throws(LearningDatabaseError)
    -> LearningStore
  {
    // A name that begins with a slash is one database for all connections of the process. Source: SQLite, `memdb.c`.
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
    let keeper = LogKeeper(for: file.path)
    if try DatabaseState(of: file, waitingAtMost: options.busyTimeout, migrations: migrations) == .current {
      return try openCurrent(file, options, keeper)
    }

    let deadline = ContinuousClock.now + options.busyTimeout
    var preparation = LearningDatabaseError.Preparation.creation
    do throws(LearningDatabaseError) {
      let lock = try FolderLock(for: file.path, until: deadline)
      // Another program may have been quicker.
      let state = try DatabaseState(of: file, waitingAtMost: options.busyTimeout, migrations: migrations)
      if state != .empty { preparation = .migration }
      let pool = try openPool(file, keeper, waitingAtMost: options.busyTimeout)
      if case .older(let missing) = state, !isEmpty(pool) { try keep(pool, at: file.path, before: missing) }
      try migrate(pool, at: file.path, migrations: migrations)
      _ = consume lock
      return LearningStore(path: file.path, pool: pool, keeper: keeper, busyTimeout: options.busyTimeout)
    } catch .busy(let path) {
      throw .busyOpening(path: path, preparation: preparation, waited: options.busyTimeout)
    } catch {
      throw error
    }
  }

  /// Opens a database whose tables are up to date.
  ///
  /// A file without a write-ahead log, such as a copy that `VACUUM INTO` made, must be converted, which needs the write
  /// lock. While another program holds it, the file is read as it is, and converted before the first write.
  private static func openCurrent(
    _ file: DatabaseFile, _ options: Options, _ keeper: LogKeeper
  ) throws(LearningDatabaseError) -> LearningStore {
    do throws(LearningDatabaseError) {
      let pool = try openPool(
        file, keeper, waitingAtMost: min(options.busyTimeout, shortWait), then: options.busyTimeout)
      return LearningStore(path: file.path, pool: pool, keeper: keeper, busyTimeout: options.busyTimeout)
    } catch .busy {
      let pool = try openPool(file, keeper, isReadOnly: true, waitingAtMost: options.busyTimeout)
      return LearningStore(
        path: file.path, pool: pool,
        openForWriting: { try openPool(file, keeper, waitingAtMost: $0, then: options.busyTimeout) }, keeper: keeper,
        busyTimeout: options.busyTimeout)
    } catch {
      throw error
    }
  }

  /// How long opening waits for another program before it reads the file as it is. A program that closes a database holds
  /// it for some milliseconds.
  private static let shortWait = Duration.milliseconds(100)

  /// Opens a database that cannot be written. A database of an older version is migrated in memory.
  ///
  /// - Parameter refusal: Why it cannot be written; thrown if it has no tables yet.
  private static func openForReading(
    _ file: DatabaseFile, _ options: Options, _ migrations: [Migrations.Migration],
    because refusal: LearningDatabaseError
  ) throws(LearningDatabaseError) -> LearningStore {
    var file = file
    // With the option, SQLite may use a log next to the file as usual, so that changes by other programs are seen.
    file.isReadOnly = file.isReadOnly || !options.isReadOnly
    let state = try DatabaseState(of: file, waitingAtMost: options.busyTimeout, migrations: migrations)
    if state == .empty { throw options.isReadOnly ? .empty(path: file.path) : refusal }
    let keeper = LogKeeper(for: file.path)
    let pool = try openPool(file, keeper, isReadOnly: true, waitingAtMost: options.busyTimeout)
    var copy: DatabaseQueue?
    if case .older = state {
      do { copy = try copyInMemory(of: pool) } catch { throw LearningDatabaseError(of: error, at: file.path) }
      if let copy { try migrate(copy, at: file.path, migrations: migrations) }
    }
    return LearningStore(
      path: file.path, pool: pool, keeper: keeper, busyTimeout: options.busyTimeout, refusal: refusal, copy: copy)
  }

  /// - Parameters:
  ///   - timeout: How long opening waits for another program.
  ///   - usual: How long the connections wait after that; `nil` for `timeout`.
  private static func openPool(
    _ file: DatabaseFile, _ keeper: LogKeeper, isReadOnly: Bool = false, waitingAtMost timeout: Duration,
    then usual: Duration? = nil
  ) throws(LearningDatabaseError) -> DatabasePool {
    let address = file.address
    var configuration = Configuration()
    configuration.label = "waymark"
    configuration.readonly = isReadOnly
    configuration.busyMode = BusyTimeout.mode(timeout)
    // Opened when needed. The server reads on six threads, and while it writes.
    configuration.maximumReaderCount = 8
    configuration.prepareDatabase { database in
      try file.prepare(database, at: address)
      // Kilobytes, where negative.
      try database.execute(sql: "PRAGMA cache_size = -8000")
      // A step changes more pages than SQLite keeps notes of in memory by itself: it would make a file for them each time.
      if !database.configuration.readonly {
        try database.execute(sql: "PRAGMA temp_store = MEMORY")
        try openLog(of: file, on: database)
      } else {
        // A read waits in rare cases only, for example while another program recovers the log.
        BusyTimeout.wait(max(usual ?? timeout, .seconds(1)).wholeMilliseconds, on: database)
      }
      keeper.watch(database)
    }
    let deadline = ContinuousClock.now + timeout
    while true {
      do {
        let pool = try DatabasePool(path: address, configuration: configuration)
        if let usual, !isReadOnly {
          pool.writeWithoutTransaction { BusyTimeout.wait(usual.wholeMilliseconds, on: $0) }
        }
        return pool
      } catch {
        // Switching a new file to the write-ahead log does not wait for another process that does the same.
        guard (error as? DatabaseError)?.resultCode == .SQLITE_BUSY, ContinuousClock.now < deadline else {
          throw LearningDatabaseError(of: error, at: file.path)
        }
        pause(milliseconds: 2)
      }
    }
  }

  /// Makes sure that the log of a database that has its tables is not empty, without a lock.
  ///
  /// If the log is empty, GRDB creates and drops a table, for readers that begin before the first writer. That needs the
  /// write lock, and it changes the schema, which every connection then reads again. The store writes the first page of the
  /// log before its first write.
  ///
  /// Source: GRDB, `Database.setUpWALMode`, and its issue 102.
  private static func openLog(of file: DatabaseFile, on database: Database) throws {
    guard DatabaseFile.size(at: file.path + "-wal") == 0 else { return }
    // The first read creates the files of the log. A new file has no log yet.
    guard try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0 != 0 else { return }
    DatabaseFile.extendEmptyLog(at: file.path)
  }

  /// Whether nothing has ever been kept in it: its process was killed, or had no room, before it was whole. Where that
  /// cannot be told, something may have been.
  private static func isEmpty(_ pool: DatabasePool) -> Bool {
    let isEmpty = try? pool.read { database in
      try ["contentNode", "learner"].allSatisfy { table in
        guard try database.tableExists(table) else { return true }
        return try Bool.fetchOne(database, sql: "SELECT NOT EXISTS (SELECT 1 FROM \(table))") ?? false
      }
    }
    return isEmpty ?? false
  }

  /// Writes the number that says which migrations the database has, and leaves what else is noted beside it.
  private static func mark(_ database: any DatabaseWriter, as mark: Int) throws {
    try database.write { database in
      let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      try database.execute(sql: "PRAGMA user_version = \(version & told | mark)")
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
      // The mark goes first and comes last, so that it never stands for migrations that are not all there.
      try mark(database, as: DatabaseState.version)
      try migrator.migrate(database)
      try mark(database, as: DatabaseState.mark(of: migrations))
    } catch {
      let known = LearningDatabaseError(of: error, at: path)
      guard known.kind == .refused, let error = error as? DatabaseError else { throw known }
      let applied = try? database.read { try migrator.appliedIdentifiers($0) }
      let failed = migrations.first { applied?.contains($0.name) != true }?.name ?? ""
      throw .migrationFailed(path: path, migration: failed, detail: error.message ?? "\(error)")
    }
  }
}

/// The stores that are open in this process, so that all on the same file share one pool of connections.
enum OpenDoors {
  private struct Key: Hashable {
    let path: String
    let options: LearningStore.Options
  }

  private struct Door {
    weak var store: LearningStore?
    let identity: DatabaseFile.Identity

    /// The store, if the file at a path is still the one that was opened.
    func store(of path: String) -> LearningStore? { identity == DatabaseFile.identity(at: path) ? store : nil }
  }

  private static let doors = Mutex<[Key: Door]>([:])

  /// Returns the open store at a path without symbolic links, if there is one.
  static func store(at path: String, _ options: LearningStore.Options) -> LearningStore? {
    doors.withLock { $0[Key(path: path, options: options)] }?.store(of: path)
  }

  /// Whether this process has the file at a path without symbolic links open.
  static func isOpen(_ path: String) -> Bool { doors.withLock { isOpen(path, $0) } }

  private static func isOpen(_ path: String, _ doors: [Key: Door]) -> Bool {
    doors.contains { $0.key.path == path && $0.value.store(of: path) != nil }
  }

  /// Returns the open store at that path, or the one that `open` creates.
  ///
  /// A file that replaced another one gets a store of its own.
  ///
  /// - Parameter open: Receives whether this process has the file open already, with other options.
  static func door(
    to path: String, _ options: LearningStore.Options,
    else open: (_ isOpenInProcess: Bool) throws(LearningDatabaseError) -> LearningStore
  ) throws(LearningDatabaseError) -> LearningStore {
    let key = Key(path: path, options: options)
    let result = doors.withLock { doors -> Result<LearningStore, LearningDatabaseError> in
      if let store = doors[key]?.store(of: path) { return .success(store) }
      doors = doors.filter { $0.value.store != nil }
      do throws(LearningDatabaseError) {
        let store = try open(isOpen(path, doors))
        if let identity = DatabaseFile.identity(at: path) { doors[key] = Door(store: store, identity: identity) }
        return .success(store)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Removes a store that was closed, so that the next open of its file creates another one.
  static func remove(_ store: LearningStore) {
    doors.withLock { doors in doors = doors.filter { $0.value.store !== store } }
  }
}
