import Dispatch
import GRDB
import LearningModel
import Migrations
import Synchronization

extension LearningStore {
  /// Opens the database, and makes it and brings it up to date where that is needed.
  ///
  /// All that this process opens on the same file is one door.
  ///
  /// - Parameter path: Where the file is or shall be. Folders that are missing are made.
  /// - Throws: What is wrong with the file, its folder or its disk. A file that is refused is left as it is.
  package static func open(at path: String) throws(LearningStoreError) -> LearningStore {
    if let store = OpenDoors.store(at: path) { return store }
    return try open(at: path, migrations: Migrations.all, networkFileSystem: NetworkFolder.fileSystem)
  }

  /// Opens the database as if the program had those migrations, and as if folders were where the function says.
  static func open(
    at given: String, migrations: [Migrations.Migration], networkFileSystem: (String) -> String? = { _ in nil }
  ) throws(LearningStoreError) -> LearningStore {
    // Nothing is made there either, neither the folder nor the file.
    if let fileSystem = networkFileSystem(DatabaseFile.folderThatExists(of: given)) {
      throw .networkFolder(path: given, fileSystem: fileSystem)
    }
    let file = try DatabaseFile(at: given)
    // The file may be a link that leads elsewhere.
    if let fileSystem = networkFileSystem(DatabaseFile.split(file.path).folder) {
      throw .networkFolder(path: file.path, fileSystem: fileSystem)
    }
    return try OpenDoors.door(to: file.path) { () throws(LearningStoreError) in
      do throws(LearningStoreError) {
        if file.isReadOnly { throw .readOnly(path: file.path) }
        return try openForWriting(file, migrations)
      } catch  where error.meansUnwritable {
        return try openForReading(file, migrations, because: error)
      }
    }
  }

  private static func openForWriting(
    _ file: DatabaseFile, _ migrations: [Migrations.Migration]
  ) throws(LearningStoreError) -> LearningStore {
    let keeper = LogKeeper(for: file.path)
    if try DatabaseState(of: file, migrations: migrations) == .current {
      return LearningStore(path: file.path, pool: try openPool(file, keeper), keeper: keeper)
    }

    let lock = try FolderLock(for: file.path, until: .now + .milliseconds(BusyTimeout.usual))
    // Another program may have been quicker.
    let state = try DatabaseState(of: file, migrations: migrations)
    let pool = try openPool(file, keeper)
    if case .older(let missing) = state, !isEmpty(pool) { try keep(pool, at: file.path, before: missing) }
    try migrate(pool, at: file.path, migrations: migrations)
    _ = consume lock
    return LearningStore(path: file.path, pool: pool, keeper: keeper)
  }

  /// Opens a database that cannot be written. A database of an older version is migrated in memory.
  ///
  /// - Parameter refusal: Why it cannot be written; thrown if it has no tables yet.
  private static func openForReading(
    _ file: DatabaseFile, _ migrations: [Migrations.Migration], because refusal: LearningStoreError
  ) throws(LearningStoreError) -> LearningStore {
    var file = file
    file.isReadOnly = true
    let state = try DatabaseState(of: file, migrations: migrations)
    if state == .empty { throw refusal }
    let keeper = LogKeeper(for: file.path)
    let pool = try openPool(file, keeper)
    var copy: DatabaseQueue?
    if case .older = state {
      do { copy = try copyInMemory(of: pool) } catch { throw LearningStoreError(of: error, at: file.path) }
      if let copy { try migrate(copy, at: file.path, migrations: migrations) }
    }
    return LearningStore(path: file.path, pool: pool, keeper: keeper, refusal: refusal, copy: copy)
  }

  private static func openPool(_ file: DatabaseFile, _ keeper: LogKeeper) throws(LearningStoreError) -> DatabasePool {
    let address = file.address
    var configuration = Configuration()
    configuration.label = "waymark"
    configuration.readonly = file.isReadOnly
    configuration.busyMode = BusyTimeout.mode
    // Opened when needed. The server reads on six threads, and while it writes.
    configuration.maximumReaderCount = 8
    configuration.prepareDatabase { database in
      try file.prepare(database, at: address)
      // Kilobytes, where negative.
      try database.execute(sql: "PRAGMA cache_size = -8000")
      // A step changes more pages than SQLite keeps notes of in memory by itself: it would make a file for them each time.
      if !database.configuration.readonly {
        try database.execute(sql: "PRAGMA temp_store = MEMORY")
        try beginLog(file, of: database)
      }
      keeper.watch(database)
    }
    let deadline = ContinuousClock.now + .milliseconds(BusyTimeout.usual)
    while true {
      do {
        return try DatabasePool(path: address, configuration: configuration)
      } catch {
        // Switching a new file to the write-ahead log does not wait for another process that does the same.
        guard (error as? DatabaseError)?.resultCode == .SQLITE_BUSY, ContinuousClock.now < deadline else {
          throw LearningStoreError(of: error, at: file.path)
        }
        pause(milliseconds: 2)
      }
    }
  }

  /// Makes sure that the log of a database that has its tables is not empty, by committing its first page unchanged.
  ///
  /// GRDB creates and drops a table if the log is empty, for readers that begin before the first writer. That changes the
  /// schema, which every connection then reads again, and takes a twentieth of a start.
  ///
  /// The commit does not wait for the disk, which a new log otherwise does three times: the page is unchanged. A later
  /// commit that must survive a power cut first writes out the whole log, with its header and its directory entry.
  ///
  /// If another process is writing, the log only gets a length, which needs no lock: reading must not wait for a writer.
  ///
  /// Sources: GRDB, `Database.setUpWALMode`, and its issue 102; SQLite, `sqlite3WalFrames` in `wal.c`, `unixSync` in
  /// `os_unix.c`.
  private static func beginLog(_ file: DatabaseFile, of database: Database) throws {
    let log = file.path + "-wal"
    guard DatabaseFile.size(at: log) == 0 else { return }
    try database.execute(sql: "PRAGMA synchronous = OFF")
    defer { try? database.execute(sql: "PRAGMA synchronous = NORMAL") }
    do {
      // In one transaction: another program may be noting something there.
      try BusyTimeout.until(.now(), on: database) {
        try database.inTransaction(.immediate) {
          let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
          if version != 0 { try database.execute(sql: "PRAGMA user_version = \(version)") }
          return .commit
        }
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      DatabaseFile.extendEmptyLog(at: log)
    }
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
  ) throws(LearningStoreError) {
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
      let known = LearningStoreError(of: error, at: path)
      guard known.kind == .refused, let error = error as? DatabaseError else { throw known }
      let applied = try? database.read { try migrator.appliedIdentifiers($0) }
      let failed = migrations.first { applied?.contains($0.name) != true }?.name ?? ""
      throw .migrationFailed(path: path, migration: failed, detail: error.message ?? "\(error)")
    }
  }
}

/// The doors that are open in this process, so that all that open the same file have one pool.
enum OpenDoors {
  private struct Door {
    weak var store: LearningStore?
    let identity: DatabaseFile.Identity

    /// What is open, if the file at a path is still the one that was opened.
    func store(of path: String) -> LearningStore? { identity == DatabaseFile.identity(at: path) ? store : nil }
  }

  private static let doors = Mutex<[String: Door]>([:])

  /// Returns the open door to a path without symbolic links, if there is one.
  static func store(at path: String) -> LearningStore? { doors.withLock { $0[path] }?.store(of: path) }

  /// Returns the open door to that path, or the one that `open` makes.
  ///
  /// A file that was put in the place of another gets a door of its own.
  static func door(
    to path: String, else open: () throws(LearningStoreError) -> LearningStore
  ) throws(LearningStoreError) -> LearningStore {
    let result = doors.withLock { doors -> Result<LearningStore, LearningStoreError> in
      if let store = doors[path]?.store(of: path) { return .success(store) }
      doors = doors.filter { $0.value.store != nil }
      do throws(LearningStoreError) {
        let store = try open()
        if let identity = DatabaseFile.identity(at: path) { doors[path] = Door(store: store, identity: identity) }
        return .success(store)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Removes a store that was closed, so that the next open of its file makes another one.
  static func remove(_ store: LearningStore) {
    doors.withLock { doors in doors = doors.filter { $0.value.store !== store } }
  }
}
