import GRDB
package import LearningModel
import Migrations

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension LearningStore {
  /// Copies one consistent state of the whole database while it is in use.
  ///
  /// ``Interruption/current`` can end the copying.
  ///
  /// - Parameter path: The file to create, in an existing folder. An existing file is not overwritten.
  /// - Throws: ``LearningDatabaseError``, and `CancellationError` if the backup was interrupted. No copy is kept then.
  package func backUp(to path: String) throws {
    let path = try DatabaseFile.path(named: path)
    guard try DatabaseFile.makeFile(path) else {
      throw LearningDatabaseError.cannotCreate(path: path, reason: "a file with this name already exists")
    }
    do {
      try Self.copy(database, to: path)
      Self.hasRecorded = true
    } catch let error as CancellationError {
      throw error
    } catch {
      throw LearningDatabaseError(of: error, at: path)
    }
  }

  /// Copies a database before its tables are migrated, to a file next to it such as `waymark.sqlite.before-0002_log`.
  /// If that name is taken, or SQLite would treat an existing file as the log of the copy, appends a number to it.
  static func keepCopy(_ pool: DatabasePool, at path: String, before migration: String) throws(LearningDatabaseError) {
    var (copy, number) = ("\(path).before-\(migration)", 1)
    while !(try makeCopy(copy)) {
      number += 1
      copy = "\(path).before-\(migration).\(number)"
    }
    try copyContents(copy, with: pool)
  }

  static func makeCopy(_ path: String) throws(LearningDatabaseError) -> Bool {
    guard !fileExists(path) else { return false }
    return try DatabaseFile.makeFile(path)
  }

  static func fileExists(_ path: String) -> Bool {
    var status = stat()
    return ["-wal", "-shm", "-journal"].contains { lstat(path + $0, &status) == 0 }
  }

  /// Copies a database into an empty file. Deletes the file if that fails.
  static func copyContents(_ path: String, with database: any DatabaseReader) throws(LearningDatabaseError) {
    do { try copy(database, to: path) } catch { throw LearningDatabaseError(of: error, at: path) }
  }

  private static func copy(_ database: any DatabaseReader, to path: String) throws {
    do {
      var configuration = Configuration()
      configuration.label = "waymark.copy"
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      defer { queue.retire() }
      // Although the copy is made in steps, it contains a single state: `backup` reads in one transaction.
      let interruption = Interruption.current
      try interruption?.check()
      try database.backup(to: queue, pagesPerStep: interruption == nil ? -1 : 256) { _ in try interruption?.check() }
      try queue.close()
    } catch {
      unlink(path)
      // The copy is as large as the database, and may not have been written yet.
      let isTooLarge = error is DatabaseError && DatabaseFile.reachesSizeLimit(at: database.path)
      throw isTooLarge ? LearningDatabaseError.fileTooLarge(path: path) : error
    }
  }

  /// Replaces a database with a backup. The revocations of tokens, the erasures and the audit of the database are kept.
  ///
  /// The backup is checked and written to a new file, which then gets the name of the database. The previous database
  /// is renamed together with its write-ahead log, so that this log is never applied to the backup. The new database takes
  /// another UUID at its first write, because the previous one may have continued the sessions that are open in the backup.
  ///
  /// - Parameters:
  ///   - copy: The path of a file that ``backUp(to:)`` has created, or of another copy. A write-ahead log next to it is
  ///     included.
  ///   - path: The path of the database, which may be damaged or missing.
  ///   - timeout: How long to wait for other programs to close the database.
  /// - Throws: ``LearningDatabaseError``. The database is unchanged then.
  package static func restore(
    from copy: String, to path: String, waitingAtMost timeout: Duration = .seconds(2)
  ) throws(LearningDatabaseError) -> RestoredDatabase {
    let (copy, path) = (try DatabaseFile.path(named: copy), try DatabaseFile.path(named: path))
    guard let source = DatabaseFile.identity(at: copy) else { throw .copyMissing(path: copy) }
    let target = try DatabaseFile(at: path)
    do throws(LearningDatabaseError) {
      guard source != DatabaseFile.identity(at: target.path) else { throw .copyIsDatabase(path: target.path) }
      if target.isReadOnly { throw .readOnly(path: target.path) }
      // The file locks of one process do not exclude each other.
      guard !StoreRegistry.isOpen(target.path) else { throw .inUse(path: target.path) }
      let new = try makeRestored(from: copy, for: target)
      do throws(LearningDatabaseError) {
        return try replace(target, by: new, waitingAtMost: timeout)
      } catch {
        unlink(new.path)
        throw error
      }
    } catch {
      if target.isNew { unlink(target.path) }
      throw error
    }
  }

  // MARK: - Preparing the new file

  /// Checks the backup and writes it, including its write-ahead log, to a new file next to the database.
  private static func makeRestored(
    from copy: String, for target: DatabaseFile
  ) throws(LearningDatabaseError) -> RestoredFile {
    let path = target.path
    var file = try DatabaseFile(at: copy)
    // A connection that can write would leave a log and shared memory next to the backup.
    file.isReadOnly = true
    file.isOpenInProcess = StoreRegistry.isOpen(file.path)
    do throws(LearningDatabaseError) {
      if try DatabaseState(of: file, migrations: Migrations.all) == .empty {
        throw .copyUnusable(path: copy, detail: "it is empty")
      }
    } catch {
      switch error {
      case .damaged(_, let detail): throw .copyUnusable(path: copy, detail: detail)
      case .notADatabase: throw .copyUnusable(path: copy, detail: "it is not a SQLite database")
      case .anotherProgram: throw .copyUnusable(path: copy, detail: "it belongs to another program")
      default: throw error
      }
    }
    var new = path + ".restoring"
    var number = 1
    while !(try makeCopy(new)) {
      number += 1
      new = "\(path).restoring.\(number)"
    }
    do {
      let address = file.address
      var configuration = Configuration()
      configuration.label = "waymark.copy"
      configuration.readonly = true
      let source = file
      configuration.prepareDatabase { try source.prepare($0, at: address) }
      let queue = try DatabaseQueue(path: address, configuration: configuration)
      defer { queue.retire() }
      try copyContents(new, with: queue)
      // Migrates an older backup.
      let store = try open(at: new, migrations: Migrations.all)
      for backup in store.copiesBeforeMigrations() { unlink(backup) }
      if let problem = try store.read({ try $0.fileProblems().first }) {
        try store.close()
        throw LearningDatabaseError.copyUnusable(path: copy, detail: problem)
      }
      store.keepReplica()
      let replaced = records(of: target)
      let kept = try replaced.map { try store.keep($0) }
      let contents = try store.read { try $0.contents() }
      // Only the database file is renamed later, so it must contain the whole log by then.
      guard try store.truncateLog() else { throw LearningDatabaseError.busy(path: copy) }
      try store.close()
      for suffix in ["-wal", "-shm"] { unlink(new + suffix) }
      return (new, contents, replaced?.contents, kept)
    } catch {
      for suffix in ["", "-wal", "-shm"] { unlink(new + suffix) }
      let databaseError = LearningDatabaseError(of: error, at: copy)
      if case .damaged(_, let detail) = databaseError { throw .copyUnusable(path: copy, detail: detail) }
      throw databaseError
    }
  }

  // MARK: - Replacing the database

  private typealias RestoredFile = (
    path: String, contents: DatabaseContents, replaced: DatabaseContents?, kept: KeptRecords?
  )

  private static func replace(
    _ target: DatabaseFile, by new: RestoredFile, waitingAtMost timeout: Duration
  ) throws(LearningDatabaseError) -> RestoredDatabase {
    let deadline = ContinuousClock.now + timeout
    let folderLock = try FolderLock(for: target.path, until: deadline)
    guard DatabaseFile.size(at: target.path) > 0 else {
      ReplicaFile(of: target.path).remove()
      try DatabaseFile.move(new.path, to: target.path)
      _ = consume folderLock
      return RestoredDatabase(
        path: target.path, restored: new.contents, replaced: nil, previousPath: nil, kept: new.kept)
    }
    let lock = try ExclusiveDatabaseAccess(target.path, until: deadline)
    var (previousPath, number) = (target.path + ".before-restore", 1)
    var status = stat()
    while fileExists(previousPath) || lstat(previousPath, &status) == 0 {
      number += 1
      previousPath = "\(target.path).before-restore.\(number)"
    }
    // The program that owns the database, such as a server, may run as a different user than the program that restores
    // it.
    if stat(target.path, &status) == 0, chown(new.path, status.st_uid, status.st_gid) == 0 {
      chmod(new.path, status.st_mode & 0o777)
    }
    // The log is moved first, so that it is never next to the restored file.
    if DatabaseFile.identity(at: target.path + "-wal") != nil {
      try DatabaseFile.move(target.path + "-wal", to: previousPath + "-wal")
    }
    unlink(target.path + "-shm")
    ReplicaFile(of: target.path).remove()
    try DatabaseFile.move(target.path, to: previousPath)
    try DatabaseFile.move(new.path, to: target.path)
    _ = consume lock
    _ = consume folderLock
    return RestoredDatabase(
      path: target.path, restored: new.contents, replaced: new.replaced, previousPath: previousPath, kept: new.kept)
  }

  /// Returns the records of a database that is replaced, or `nil` if it cannot be read or is not a database of Waymark.
  ///
  /// Must run before the lock is taken: closing a connection releases this process's locks on the file.
  private static func records(of file: DatabaseFile) -> ReplacedRecords? {
    guard let state = try? DatabaseState(of: file, migrations: Migrations.all), state != .empty else { return nil }
    var configuration = Configuration()
    configuration.label = "waymark.inspection"
    configuration.readonly = true
    guard let queue = try? DatabaseQueue(path: file.path, configuration: configuration) else { return nil }
    defer { queue.retire() }
    return try? queue.read { try StoreSnapshot(database: $0, statements: PreparedStatements($0)).replacedRecords() }
  }
}

/// A lock that prevents other processes from opening a database. Held until this value is destroyed.
private struct ExclusiveDatabaseAccess: ~Copyable {
  private let descriptor: Int32

  /// Waits until no other process has the database open. Every connection to a database with a write-ahead log holds a
  /// read lock on certain bytes of the file until the connection is closed. This initialiser takes a write lock on the
  /// same bytes.
  ///
  /// Source: SQLite, `PENDING_BYTE` and `SHARED_SIZE` in `os.h`; "WAL-mode File Format", section 2.3.
  init(_ path: String, until deadline: ContinuousClock.Instant) throws(LearningDatabaseError) {
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw .noPermission(path: path) }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    (lock.l_start, lock.l_len) = (0x4000_0000, 512)
    while fcntl(descriptor, F_SETLK, &lock) != 0 {
      guard ContinuousClock.now < deadline else { throw .inUse(path: path) }
      pause(milliseconds: 2)
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }
}

extension StoreSnapshot {
  /// Returns the numbers of courses, learners and navigation events, and the time of the last event.
  func contents() throws -> DatabaseContents {
    try first(
      """
      SELECT (SELECT count(*) FROM contentNode WHERE kind = 'course' AND living = 1),
        (SELECT count(*) FROM learner), (SELECT count(*) FROM navigationEvent), (SELECT max(at) FROM navigationEvent)
      """
    ) { DatabaseContents(courses: $0[0], learners: $0[1], steps: $0[2], lastStepAt: $0[3]) }!
  }
}
