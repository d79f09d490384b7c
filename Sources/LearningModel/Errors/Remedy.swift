/// The remedy of an ``ExplainedError``. Each front end has its own text for it.
///
/// A command-line program names its commands and flags, and a graphical program can show a button. ``description`` is a
/// sentence that fits every program.
public enum Remedy: Hashable, Sendable {
  // MARK: The database

  /// Choose another database. If `orMoveAway` is `true`, moving the file away helps too, because a new database is then
  /// created.
  case chooseDatabase(orMoveAway: Bool)
  /// Restore the database at this path from a backup, or recover its readable rows.
  case restoreDatabase(path: String)
  /// Install the newer version that changed the database, or choose another database.
  case installNewerVersion
  /// Export all courses and learners with the older version that created the database, and import them into a new
  /// database.
  case exportWithOlderVersion
  /// Permit this user to access the database, or choose another one. If `includingFolder` is `true`, access to its
  /// folder is needed too.
  case changePermissions(includingFolder: Bool)
  /// Create the database's folder, or choose another location.
  case createFolder
  /// Correct a symbolic link, create its destination (unless the link is circular), or choose another database.
  case correctLink(isCircular: Bool)
  /// Choose a database on a local disk.
  case chooseLocalDisk
  /// Choose a file that is a backup of a database.
  case chooseBackup
  /// Check the database, and report the problem to the authors of the program.
  case checkDatabase
  /// Delete the projections, which are the tables that are derived from the logs, and compute them again.
  case rebuildDatabase

  // MARK: Places and learners

  /// List the places, and choose one of them.
  case listPlaces
  /// List the activities in a place, and choose one of them.
  case listActivities(of: PlacePath)
  /// List the cards of a place, and choose one of their keys.
  case listCards(of: PlacePath)
  /// Fit the weights of a course that has weights of its own.
  case fitCourse
  /// List the learners, and choose one of them.
  case listLearners
  /// List the sessions, and choose one of them.
  case listSessions
  /// Choose a file that is the export of a learner.
  case chooseLearnerExport

  // MARK: Importing

  /// Permit the import to replace the course, or import the source as a course with another key. Nothing was changed.
  case replaceOrChooseKey
  /// Import the course again from its path or address.
  case importFromPath
  /// Import the source once instead of watching it.
  case importOnce
  /// List the formats that can be imported.
  case listFormats
  /// Write the content, such as `cards`, in Waymark's own format.
  case writeInOwnFormat(content: String)
  /// Specify this format for the import.
  case importAsFormat(String)
  /// Do not specify a format, so that it is detected.
  case detectFormat
  /// Import the output of a program, such as `man ls`, instead of its source file. If `isAlternative` is `true`, this
  /// is an alternative to the remedy in the description.
  case importOutput(of: String, isAlternative: Bool)

  // MARK: Synchronising

  /// Use another access token, or synchronise another learner.
  case chooseTokenOrLearner
  /// Confirm that two learners are one person, or synchronise another learner.
  case joinOrChooseLearner
  /// Synchronise the learner of this name.
  case chooseLearner(name: String)
  /// Erase the part of the history with the event that is too large, and synchronise again.
  case eraseHistory
  /// Update the program.
  case updateProgram
}

extension Remedy: CustomStringConvertible {
  /// A sentence that does not name the commands or buttons of a program.
  public var description: String {
    switch self {
    case .chooseDatabase(orMoveAway: false): "Choose another database."
    case .chooseDatabase(orMoveAway: true):
      "Choose another database, or move the file away to create a new one."
    case .restoreDatabase: "Restore a backup of the database, or recover its readable rows with the tools of SQLite."
    case .installNewerVersion: "Install that version, or choose another database. Nothing was changed."
    case .exportWithOlderVersion:
      "With the version that created it, export each course, and import these files into a new database. Learners' "
        + "histories of that version cannot be read. Nothing was changed."
    case .changePermissions(includingFolder: false): "Change its permissions, or choose another database."
    case .changePermissions(includingFolder: true): "Change their permissions, or choose another database."
    case .createFolder: "Create the folder yourself, or choose another path for the database."
    case .correctLink(isCircular: true): "Correct the link, or choose another database."
    case .correctLink(isCircular: false): "Create it, correct the link, or choose another database."
    case .chooseLocalDisk: "Choose a path on a local disk."
    case .chooseBackup: "Name a backup of a database."
    case .checkDatabase: "Check the database, and please report this."
    case .rebuildDatabase: "Rebuild the database."
    case .listPlaces: "List the places."
    case .listActivities: "Name an activity in it."
    case .listCards: "List its cards to see their keys."
    case .fitCourse: "Fit the weights of such a course."
    case .listLearners: "List the learners."
    case .listSessions: "Name a session of the history."
    case .chooseLearnerExport: "Name the export of a learner."
    case .replaceOrChooseKey:
      "Permit the import to replace the course, or choose another key to import it as another course. Nothing was changed."
    case .importFromPath: "Import it again from its path or address."
    case .importOnce: "Import it without watching it."
    case .listFormats: "List the formats."
    case .writeInOwnFormat(let content): "Write the \(content) in Waymark's own format."
    case .importAsFormat(let format): "Import it as \(quoted: format)."
    case .detectFormat: "Omit the format to detect it."
    case .importOutput(let program, let isAlternative):
      (isAlternative ? "Or import" : "Import")
        + " the output of the program that shows it, for example of \(quoted: program)."
    case .chooseTokenOrLearner: "Use another token, or another learner."
    case .joinOrChooseLearner: "Join them if they are, or choose the correct learner."
    case .chooseLearner(let name): "Choose the learner \(quoted: name)."
    case .eraseHistory: "Erase that part of the history, and synchronise again."
    case .updateProgram: "Update the program."
    }
  }
}
