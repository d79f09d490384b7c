/// The advice of an ``ExplainedError``, as a value that each front end words for itself.
///
/// A command line names its commands and flags, and a graphical program can show a button. `description` is a sentence that
/// fits any program.
public enum Remedy: Hashable, Sendable {
  // MARK: The database

  /// Choose another database. With `orMoveAway`, the file may be moved away instead, and a new database is then created.
  case chooseDatabase(orMoveAway: Bool)
  /// Restore the database at this path from a backup, or recover its readable rows.
  case restoreDatabase(path: String)
  /// Install the newer version that changed the database, or choose another database.
  case installNewerVersion
  /// Export everything with the older version that created the database, and import it into a new one.
  case exportWithOlderVersion
  /// Permit this user to access the database, or choose another one. With `includingFolder`, its folder too.
  case changePermissions(includingFolder: Bool)
  /// Create the database's folder, or choose another place.
  case createFolder
  /// Correct a symbolic link, create its target unless the link is circular, or choose another database.
  case correctLink(isCircular: Bool)
  /// Choose a database on a local disk.
  case chooseLocalDisk
  /// Choose a file that is a backup of a database.
  case chooseBackup
  /// Check the database, and report the problem to the authors of the program.
  case checkDatabase
  /// Compute the derived tables again.
  case rebuildDatabase

  // MARK: Places and learners

  /// List the places, and name one of them.
  case listPlaces
  /// List the activities below a place, and name one of them.
  case listActivities(of: PlacePath)
  /// List the learners, and name one of them.
  case listLearners
  /// List the sessions, and name one of them.
  case listSessions
  /// Choose a file that is the export of a learner.
  case chooseLearnerExport

  // MARK: Importing

  /// Permit the import to replace the course, or give the source another key. Nothing was changed.
  case replaceOrChooseKey
  /// Import the course again from its path or address.
  case importFromPath
  /// Import the source once instead of watching it.
  case importOnce
  /// List the formats that can be imported.
  case listFormats
  /// Write the content, such as `cards`, in the program's own format.
  case writeInOwnFormat(content: String)
  /// Import the source as a source of this format.
  case importAsFormat(String)
  /// Do not name a format, so that it is detected.
  case detectFormat
  /// Import the output of a program, such as `man ls`, instead of its source file. An alternative to the preceding advice if
  /// `isAlternative` is set.
  case importOutput(of: String, isAlternative: Bool)

  // MARK: Synchronising

  /// Use another access token, or synchronise another learner.
  case chooseTokenOrLearner
  /// Confirm that two learners are one person, or synchronise another learner.
  case joinOrChooseLearner
  /// Synchronise the learner of this name.
  case chooseLearner(name: String)
  /// Erase the part of the history that is too large, and synchronise again.
  case eraseHistory
  /// Update the program.
  case updateProgram
}

extension Remedy: CustomStringConvertible {
  /// One sentence that names no command.
  public var description: String {
    switch self {
    case .chooseDatabase(orMoveAway: false): "Choose another database."
    case .chooseDatabase(orMoveAway: true):
      "Choose another database, or move the file away; a new one is then made in its place."
    case .restoreDatabase: "Restore a backup of the database, or recover its readable rows with the tools of SQLite."
    case .installNewerVersion: "Install that version, or choose another database. Nothing was changed."
    case .exportWithOlderVersion:
      "With the version that made it, export each course and each learner; import the courses first and then the learners "
        + "into a new database. Nothing was changed."
    case .changePermissions(includingFolder: false): "Change its permissions, or choose another database."
    case .changePermissions(includingFolder: true): "Change their permissions, or choose another database."
    case .createFolder: "Make the folder yourself, or choose another place for the database."
    case .correctLink(isCircular: true): "Correct the link, or choose another database."
    case .correctLink(isCircular: false): "Create it, correct the link, or choose another database."
    case .chooseLocalDisk: "Choose a place on a local disk."
    case .chooseBackup: "Name a backup of a database."
    case .checkDatabase: "Check the database, and please report this."
    case .rebuildDatabase: "Rebuild the database."
    case .listPlaces: "List the places to see what there is."
    case .listActivities: "Name one of the activities in it."
    case .listLearners: "List the learners to see their names."
    case .listSessions: "Name a session that the history has."
    case .chooseLearnerExport: "Name the export of a learner."
    case .replaceOrChooseKey:
      "Permit the import to replace the course, or choose another key to import it as another course. Nothing was changed."
    case .importFromPath: "Import it again from its path or address."
    case .importOnce: "It can be imported once."
    case .listFormats: "List the formats to see what each looks like."
    case .writeInOwnFormat(let content): "Write the \(content) in Waymark's own format."
    case .importAsFormat(let format): "Import it as '\(format)'."
    case .detectFormat: "Name no format to have it found out."
    case .importOutput(let program, let isAlternative):
      (isAlternative ? "Or import" : "Import")
        + " the output of the program that shows it, for example of '\(program)'."
    case .chooseTokenOrLearner: "Take another token, or another learner."
    case .joinOrChooseLearner: "Join them if they are, or choose the right learner."
    case .chooseLearner(let name): "Choose the learner '\(name)'."
    case .eraseHistory: "Erase that part of the history, and synchronise again."
    case .updateProgram: "Update the program."
    }
  }
}
