package import CourseKit
package import LearningModel
package import NavigationKit

/// The texts of errors for people at a terminal: they name the commands and flags of `waymark` and `waymark-server`.
package enum CommandWords {
  /// Shown while the program waits for a lock of another program.
  package static let databaseWait = "Waiting: another program is using the database, perhaps an import."
  /// The notice of both front ends that the system does not confine checks of exercises.
  package static let unprotectedChecks =
    "Checks run only with 'waymark --unprotected', because you are root or this system does not confine them."

  /// Returns the description of an error, followed by its remedy.
  package static func text(_ error: any Error) -> String {
    guard let error = error as? any ExplainedError else { return "\(error)" }
    return text(error.description, error.remedy)
  }

  /// Returns the description of a problem of the database, followed by its remedy.
  package static func text(_ problem: DatabaseProblem) -> String { text(problem.description, problem.remedy) }

  /// Returns the reason why a copy still contains erased data, followed by the remedy.
  package static func text(_ copy: Erasure.UntouchedCopy) -> String { text(copy.reason, copy.remedy) }

  private static func text(_ description: String, _ remedy: Remedy?) -> String {
    description + (remedy.map { " " + text($0) } ?? "")
  }

  /// Returns a remedy as commands and flags.
  package static func text(_ remedy: Remedy) -> String {
    switch remedy {
    case .chooseDatabase(orMoveAway: false): "Choose another with --database."
    case .chooseDatabase(orMoveAway: true):
      "Choose another with --database, or move the file away to create a new database."
    case .restoreDatabase(let path):
      "Restore a copy of it with 'waymark database restore FILE', or recover the readable data with "
        + "\(command: "sqlite3", path, ".recover")."
    case .installNewerVersion:
      "Install that version, or choose another database with --database. Nothing was changed."
    case .exportWithOlderVersion:
      "With the Waymark version that created it, export each course ('waymark export COURSE --output FILE'), and import "
        + "these files with this version into a new database. Learners' histories of that version cannot be read. "
        + "Nothing was changed."
    case .changePermissions(includingFolder: false): "Change its permissions, or choose another with --database."
    case .changePermissions(includingFolder: true): "Change their permissions, or choose another with --database."
    case .createFolder: "Create the folder yourself, or choose another path with --database."
    case .correctLink(isCircular: true): "Correct the link, or choose another database with --database."
    case .correctLink(isCircular: false): "Create it, correct the link, or choose another database with --database."
    case .chooseLocalDisk: "Choose a path on a local disk with --database."
    case .chooseBackup: "Name a file that 'waymark database backup' wrote."
    case .checkDatabase: "Run 'waymark database check', and please report this."
    case .rebuildDatabase: "Run 'waymark database rebuild'."
    case .listPlaces: "List the places with 'waymark tree'."
    case .listActivities(let path): "Run \(command: "waymark", "tree", "\(path)") to see its activities."
    case .listCards(let path): "List its cards with \(command: "waymark", "review", "list", "\(path)")."
    case .fitCourse: "Fit each with 'waymark review fit COURSE'."
    case .listLearners: "List the learners with 'waymark learners list'."
    case .listSessions: "List the sessions with 'waymark history stats --by session --learner all'."
    case .chooseLearnerExport: "Name a file that 'waymark learners export' wrote."
    case .replaceOrChooseKey:
      "Use --replace if this is intended, or --key to import it as another course. Nothing was changed."
    case .importFromPath: "Import it again with 'waymark import', or open it with 'waymark' and its path."
    case .importOnce: "Omit --watch to import it once."
    case .listFormats: "List the formats with 'waymark formats'."
    case .writeInOwnFormat(let content):
      "Write the \(content) in Waymark's own format: 'waymark formats' describes it."
    case .importAsFormat(let format): "Use '--from \(format)' with 'waymark import' to read its HTML pages."
    case .detectFormat: "Omit --from to detect the format."
    case .importOutput(let program, let isAlternative):
      (isAlternative ? "Or: " : "") + "Use a pipe, for example '\(program) | waymark -'."
    case .chooseTokenOrLearner: "Use another token, or another --learner."
    case .joinOrChooseLearner: "Use --join if they are, or choose the correct --learner."
    case .chooseLearner(let name): "Use --learner \(name.shellWord)."
    case .eraseHistory: "Erase it with 'waymark history erase --since', and synchronise again."
    case .updateProgram: "Update waymark."
    }
  }
}

extension Diagnostic {
  /// The diagnostic with the remedy appended to its message.
  package var withRemedy: Diagnostic {
    guard let remedy else { return self }
    return Diagnostic(
      severity: severity, file: file, line: line, message: message + " " + CommandWords.text(remedy))
  }
}

extension ImportReport {
  /// The report with the remedies of its diagnostics appended to their messages.
  package var withRemedies: ImportReport {
    var result = self
    result.diagnostics = diagnostics.map(\.withRemedy)
    return result
  }
}
