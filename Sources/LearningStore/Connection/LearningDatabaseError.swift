import GRDB
import GRDBSQLite
public import LearningModel

/// The reason why a database could not be opened, read or written. An operation that throws this error has changed
/// nothing.
public enum LearningDatabaseError: ExplainedError, Hashable {
  /// The file is not a SQLite database.
  case notADatabase(path: String)
  /// The file is a database of another program.
  case anotherProgram(path: String)
  /// The file is a damaged database: it is truncated, or its pages contradict each other.
  case damaged(path: String, detail: String)
  /// A later version of the program has changed the database in a way that this version does not support.
  case newer(path: String, migration: String)
  /// The database was created by an earlier development version, whose tables are not supported.
  case tooOld(path: String, migration: String)
  /// A migration failed. The database is unchanged.
  case migrationFailed(path: String, migration: String, detail: String)
  /// This user may not read the file.
  case noPermission(path: String)
  /// This user may read the file, but may not write it, or may not write its folder.
  case readOnly(path: String)
  /// The file does not exist and cannot be created.
  case cannotCreate(path: String, reason: String)
  /// The path contains the symbolic link `link`, whose `target` does not exist or, if `isCircular`, leads back to the
  /// link.
  case brokenLink(path: String, link: String, target: String, isCircular: Bool)
  /// The backup from which to restore the database does not exist.
  case copyMissing(path: String)
  /// The backup from which to restore the database is damaged, empty or not a database of Waymark.
  case copyUnusable(path: String, detail: String)
  /// The backup from which to restore the database is the database itself.
  case copyIsDatabase(path: String)
  /// Another program has the database open, so it cannot be replaced.
  case inUse(path: String)
  /// The file is on a network file system, where SQLite's locks are unreliable.
  case networkFolder(path: String, fileSystem: String)
  /// Another process has locked the database for longer than the caller would wait.
  case busy(path: String)
  /// The disk has no free space.
  case diskFull(path: String)
  /// The process may not make a file as large as the database needs.
  case fileTooLarge(path: String)
  /// The disk reported an error, or the file cannot be accessed any more.
  case inputOutput(path: String, detail: String)
  /// A row violates a constraint of the tables.
  case ruleBroken(path: String, detail: String)
  /// Another process has changed a course after the import had compared it with the source.
  case changedMeanwhile(path: String, course: String)
  /// A learner's record contradicts itself, or refers to a node that it does not list.
  case contradictoryRecord(learner: String, detail: String)
  /// The events in a learner's record are already stored for a learner with another name.
  case anotherLearner(learner: String, other: String)
  /// Two databases have continued the same session differently, for example because one is a copy of the other.
  case fork(session: String)
  /// The database contains an event with the same UUID as an event of a learner's record, but with other values.
  case otherContent(uuid: String)
  /// The given text is not the path of a file.
  case notAPath(String, reason: PathProblem)
  /// The file does not exist. It is not created, because the database is opened read-only.
  case missing(path: String)
  /// The file has no tables. They are not created, because the database is opened read-only.
  case empty(path: String)
  /// The database was opened read-only and cannot be written.
  case openedReadOnly(path: String)
  /// The tables had to be created or migrated, but another program kept the database locked for the whole busy timeout.
  case busyOpening(path: String, preparation: Preparation, waited: Duration)
  /// The temporary file for an import cannot be written; `reason` is the message of SQLite.
  case noTemporarySpace(reason: String)
  /// The file was deleted, emptied or replaced after it had been opened.
  case removed(path: String)
  /// SQLite reported another error.
  case unexpected(path: String, code: Int, detail: String)
}

extension LearningDatabaseError {
  /// The reason why a text is not the path of a database file.
  public enum PathProblem: Hashable, Sendable {
    /// The text is empty.
    case empty
    /// The text is SQLite's name for a database in memory, such as `:memory:`.
    case memory
    /// The text is a URI, such as `file:a.sqlite`.
    case uri
    /// The text begins with `~` and the name of a user.
    case otherHome
    /// The path is that of a folder.
    case folder
  }

  /// The change that a file needs before its database can be used.
  public enum Preparation: Hashable, Sendable {
    /// The tables must be created.
    case creation
    /// The tables are those of an earlier version and must be migrated.
    case migration
  }

  /// The category of the error.
  public var kind: FailureKind {
    switch self {
    case .notADatabase, .anotherProgram, .damaged, .newer, .tooOld, .contradictoryRecord, .fork,
      .copyUnusable:
      .badData
    case .migrationFailed, .ruleBroken, .anotherLearner, .otherContent, .unexpected, .copyIsDatabase, .notAPath,
      .empty, .openedReadOnly:
      .refused
    case .copyMissing, .missing: .notFound
    case .noPermission, .readOnly: .noPermission
    case .cannotCreate, .brokenLink: .cannotCreate
    case .networkFolder: .unavailable
    case .busy, .changedMeanwhile, .inUse, .busyOpening: .tryAgain
    case .diskFull, .fileTooLarge, .inputOutput, .removed, .noTemporarySpace: .inputOutput
    }
  }

  /// Whether the error means that the database can be read but not written.
  var meansUnwritable: Bool {
    switch self {
    case .readOnly, .diskFull, .openedReadOnly: true
    default: false
    }
  }

  /// The advice that each program words for its own interface, or `nil` if `description` includes the advice.
  public var remedy: Remedy? {
    switch self {
    case .notADatabase: .chooseDatabase(orMoveAway: true)
    case .anotherProgram: .chooseDatabase(orMoveAway: false)
    case .damaged(let path, _): .restoreDatabase(path: path)
    case .newer: .installNewerVersion
    case .tooOld: .exportWithOlderVersion
    case .noPermission: .changePermissions(includingFolder: false)
    case .readOnly: .changePermissions(includingFolder: true)
    case .cannotCreate: .createFolder
    case .brokenLink(_, _, _, let isCircular): .correctLink(isCircular: isCircular)
    case .copyMissing, .copyIsDatabase: .chooseBackup
    case .networkFolder: .chooseLocalDisk
    case .unexpected: .checkDatabase
    default: nil
    }
  }

  /// The failed operation and its cause, with the advice that applies to every program.
  public var description: String {
    switch self {
    case .notADatabase(let path):
      "Could not open the database at \(quoted: path): the file is not a SQLite database."
    case .anotherProgram(let path):
      "Could not open the database at \(quoted: path): it belongs to another program."
    case .damaged(let path, let detail):
      "Could not use the database at \(quoted: path): it is damaged (\(detail))."
    case .newer(let path, let migration):
      "Could not open the database at \(quoted: path): a newer version of waymark has changed it (\(migration))."
    case .tooOld(let path, let migration):
      "Could not open the database at \(quoted: path): it was created by a prerelease of waymark 0.1.0, whose tables "
        + "(\(migration)) this version does not support."
    case .migrationFailed(let path, let migration, let detail):
      "Could not update the database at \(quoted: path): \(migration) failed (\(detail)). The database was not changed. "
        + "Please report this."
    case .noPermission(let path):
      "Could not open the database at \(quoted: path): this user has no permission to read it."
    case .readOnly(let path):
      "Could not write the database at \(quoted: path): this user has no permission to write the file or its folder."
    case .cannotCreate(let path, let reason):
      "Could not create the database at \(quoted: path): \(reason)."
    case .brokenLink(let path, let link, let target, let isCircular):
      "Could not open the database at \(quoted: path): \(quoted: link) is a symbolic link to \(quoted: target), which "
        + (isCircular ? "leads back to itself." : "does not exist.")
    case .copyMissing(let path):
      "Could not restore from \(quoted: path): there is no such file."
    case .copyUnusable(let path, let detail):
      "Could not restore from \(quoted: path): the copy cannot be used (\(detail)). Nothing was changed. Name another copy."
    case .copyIsDatabase(let path):
      "Could not restore from \(quoted: path): it is the database itself."
    case .inUse(let path):
      "Could not restore the database at \(quoted: path): another program is using it. "
        + "Close it, or stop the server, and try again. Nothing was changed."
    case .networkFolder(let path, let fileSystem):
      "Could not open the database at \(quoted: path): it is on a network folder (\(fileSystem)), "
        + "where access by two programs can damage it."
    case .busy(let path):
      "Could not use the database at \(quoted: path): another program is keeping it busy. Try again when it has finished."
    case .diskFull(let path):
      "Could not write the database at \(quoted: path): the disk is full. "
        + "Free some disk space and try again. No data was lost."
    case .fileTooLarge(let path):
      "Could not write the database at \(quoted: path): this process may not make a file that large. "
        + "Raise the limit, for example with 'ulimit -f unlimited', and try again. No data was lost."
    case .inputOutput(let path, let detail):
      "Could not use the database at \(quoted: path): the disk reported an error (\(detail)). "
        + "Check that the disk and the file are available, and try again."
    case .ruleBroken(let path, let detail):
      "Could not write the database at \(quoted: path): the change violates a constraint (\(detail)). Nothing was changed. "
        + "Please report this."
    case .changedMeanwhile(let path, let course):
      "Could not write the course \(quoted: course) to the database at \(quoted: path): another program has just changed it. "
        + "Import it again."
    case .contradictoryRecord(let learner, let detail):
      "Could not import learner \(quoted: learner): the record contradicts itself (\(detail)). "
        + "Nothing was changed. Export it again from its database."
    case .anotherLearner(let learner, let other):
      "Could not import learner \(quoted: learner): this database already contains the same history for learner \(quoted: other). "
        + "Import it under that name, or erase that learner first. Nothing was changed."
    case .fork(let session):
      "Could not merge the session \(session): it was continued in this database too, for example after the database "
        + "was copied. Nothing was changed. Synchronise both databases with a server, which keeps both versions."
    case .otherContent(let uuid):
      "Could not merge the history of the learner: the event \(uuid) differs in this database. Nothing was changed. "
        + "Check whether one of the databases or the file was edited."
    case .notAPath(let text, .empty):
      "Could not open the database \(quoted: text): its path is empty. Name a file."
    case .notAPath(let text, .memory):
      "Could not open the database \(quoted: text): this name means a database in memory, not a file. Name a file, or write "
        + "'./\(text)' for a file of this name."
    case .notAPath(let text, .uri):
      "Could not open the database \(quoted: text): it is a URI. Name a file by its path."
    case .notAPath(let text, .otherHome):
      "Could not open the database \(quoted: text): '~' is only replaced before a slash. Name the file by its full path, or "
        + "write './\(text)' for a file of this name."
    case .notAPath(let text, .folder):
      "Could not open the database \(quoted: text): it is a folder. Name a file in it, such as 'waymark.sqlite'."
    case .missing(let path):
      "Could not open the database at \(quoted: path): there is no such file, and it is opened read-only. "
        + "Open it for writing to create it."
    case .empty(let path):
      "Could not open the database at \(quoted: path): it has no tables, and it is opened read-only. "
        + "Open it for writing to create them."
    case .openedReadOnly(let path):
      "Could not write the database at \(quoted: path): it was opened read-only. Open it for writing."
    case .busyOpening(let path, let preparation, let waited):
      (preparation == .creation
        ? "Could not create the tables of the database at \(quoted: path)"
        : "Could not update the database at \(quoted: path)")
        + ": another program kept it locked for \(waited.inWords). Try again when that program has finished."
    case .noTemporarySpace(let reason):
      "Could not store the course temporarily: SQLite reports \(quoted: reason). "
        + "Set TMPDIR to a folder that you can write, on a disk with free space."
    case .removed(let path):
      "Could not use the database at \(quoted: path): the file was deleted, emptied or replaced while it was open. "
        + "Open the database again."
    case .unexpected(let path, let code, let detail):
      "Could not use the database at \(quoted: path): SQLite reported \(detail) (\(code))."
    }
  }

  /// Converts an error of SQLite to a ``LearningDatabaseError``. Returns all other errors unchanged.
  ///
  /// Source: SQLite, "Result and Error Codes".
  static func explaining(_ error: any Error, at path: String) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    return LearningDatabaseError(error, at: path)
  }

  /// Creates the error for a failed operation on a database. An error of this type is kept unchanged.
  init(of error: any Error, at path: String) {
    switch error {
    case let error as LearningDatabaseError: self = error
    case let error as DatabaseError: self.init(error, at: path)
    default: self = .unexpected(path: path, code: 0, detail: "\(error)")
    }
  }

  /// Creates the error for a result code of SQLite.
  init(_ error: DatabaseError, at path: String) {
    // A failed backup has the message "not an error" of a connection on which nothing failed.
    let message = error.message.flatMap { $0 == "not an error" ? nil : $0 }
    let detail = message ?? String(cString: sqlite3_errstr(error.resultCode.rawValue))
    switch error.resultCode {
    case .SQLITE_NOTADB: self = .notADatabase(path: path)
    case .SQLITE_CORRUPT: self = .damaged(path: path, detail: detail)
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
    case .SQLITE_FULL: self = .diskFull(path: path)
    case .SQLITE_READONLY: self = .readOnly(path: path)
    case .SQLITE_PERM, .SQLITE_AUTH: self = .noPermission(path: path)
    case .SQLITE_IOERR where DatabaseFile.reachesSizeLimit(at: path),
      .SQLITE_CANTOPEN where DatabaseFile.reachesSizeLimit(at: path):
      self = .fileTooLarge(path: path)
    // The shared memory of the write-ahead log is also a file. If it cannot grow on a full disk, SQLite reports only an
    // input/output error.
    case .SQLITE_IOERR where DatabaseFile.isDiskFull(at: path),
      .SQLITE_CANTOPEN where DatabaseFile.isDiskFull(at: path):
      self = .diskFull(path: path)
    case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_PROTOCOL: self = .inputOutput(path: path, detail: detail)
    case .SQLITE_CONSTRAINT: self = .ruleBroken(path: path, detail: detail)
    default: self = .unexpected(path: path, code: Int(error.extendedResultCode.rawValue), detail: detail)
    }
  }
}
