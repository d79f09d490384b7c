import Answers
import ArgumentParser
import Foundation
import LearningModel
import NavigationKit
import TextCanvas

/// `waymark learners`.
struct LearnersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "learners", "List, export, import and erase learners.", example: "waymark learners list",
    subcommands: [
      LearnersListCommand.self, LearnersExportCommand.self, LearnersImportCommand.self, LearnersEraseCommand.self,
    ], defaultSubcommand: LearnersListCommand.self)

  @OptionGroup var global: GlobalOptions
}

/// `waymark learners list`.
struct LearnersListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "list", "List all learners by name.", example: "waymark learners list --format json")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var limit: LimitOption

  func run() throws {
    let rows = try limit.first(of: global.history().learners.all().map { LearnerRow(name: $0.name) })

    try Printing.list(
      rows, fields: CSVColumns.learners, columns: [Column("name") { $0.name }], as: output.format,
      whenEmpty: "No learners yet.")
  }
}

/// `waymark learners export NAME`.
struct LearnersExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export all data of a learner as JSON that 'learners import' reads.",
    discussion: Example.text(
      "waymark nav open english-for-business --learner ada", "waymark learners export ada --output ada.json"))

  @OptionGroup var global: GlobalOptions
  @Argument(help: "The name of the learner.", completion: .learners) var name: String
  @OptionGroup var file: FileOptions

  func run() throws {
    let service = try global.history()
    // If there is no such learner, fails before a question is asked or a file is created.
    _ = try service.history.sessions(of: .named(name))
    try global.auditRead(of: .named(name), by: service)
    try file.write("the data of learner “\(name)”", database: global.databasePath, isPrivate: true) { write in
      try withThrowingCallback({ try write($0.harmlessJSON) }) { try service.learners.export(name, to: $0) }
    }
  }
}

/// `waymark learners import FILE…`.
struct LearnersImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import files that 'learners export' wrote. Importing a file twice has no further effect.",
    discussion: Example.text("waymark learners import ~/class/*.json"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @Argument(help: ArgumentHelp("Exported files of learners.", valueName: "file"), completion: .file()) var files:
    [String]
  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("The name of the learner in this database (default: the name in the file).", valueName: "name"))
  var name: String?

  func validate() throws {
    if name != nil, files.count > 1 {
      throw ValidationError("--as requires a single file: two learners cannot have the same name.")
    }
  }

  func run() throws {
    let service = try global.history()
    var imports: [LearnerImport] = []
    var notices: [String] = []
    var failure: (any Error)?
    // The import of each file is a transaction of its own. If a file is invalid, the files before it remain imported.
    do {
      for file in files {
        guard let data = FileManager.default.contents(atPath: file) else {
          throw CommandFailure.cannotRead(file: file)
        }
        let imported = try service.learners.import(from: data, named: file, as: name)
        imports.append(imported)
        if let similarName = imported.similarName { notices.append(SimilarName.notice(imported.learner, similarName)) }
      }
    } catch {
      failure = error
    }
    if failure == nil || !imports.isEmpty {
      try Printing.list(
        imports, fields: CSVColumns.learnerImports,
        columns: [
          Column("learner") { $0.learner },
          Column("new sessions", alignment: .right) { String($0.sessions) },
          Column("new steps", alignment: .right) { String($0.steps) },
          Column("new activity events", alignment: .right) { String($0.activities) },
          Column("unknown places", alignment: .right) { String($0.unknownPlaces) },
        ],
        as: output.format, whenEmpty: "Nothing was imported.")
    }
    for notice in notices { StandardError.write(notice + "\n") }
    if let failure { throw failure }
  }
}

/// The notice about an imported learner whose name is similar to an existing one.
enum SimilarName {
  static func notice(_ name: String, _ existingName: String) -> String {
    "Added learner \(quoted: name) next to \(quoted: existingName): the names differ only in case, spaces or invisible characters."
      .harmless
  }
}

/// `waymark learners erase NAME`.
struct LearnersEraseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase",
    abstract: "Erase all data of a learner. This cannot be undone.",
    discussion: Example.text(
      "waymark nav open english-for-business --learner ada", "waymark learners erase ada --yes")
      + "\n\nBackups and exported files are not changed. Delete them yourself.")

  @OptionGroup var global: GlobalOptions
  @Argument(help: "The name of the learner.", completion: .learners) var name: String
  @Flag(help: "Do not ask for confirmation.") var yes = false

  func run() throws {
    let service = try global.history()
    // If there is no such learner, fails before the question is asked.
    _ = try service.history.sessions(of: .named(name))
    if !yes {
      let question = "Erase all data of learner “\(name)”? This cannot be undone."
      guard try Confirmation.ask(question, orFail: "erase learner \(quoted: name)") else { return }
    }
    try service.learners.erase(name).report()
  }
}

extension Erasure {
  /// Prints the result of the erasure, and the files that still contain erased data.
  ///
  /// - Parameter endsWell: Whether the command succeeds even if a copy of the database that could not be changed still
  ///   contains erased data.
  /// - Throws: `ExitCode` if a file still contains erased data: 75 if repeating the command may help.
  func report(copiesMayStay endsWell: Bool = false) throws {
    Printing.line(
      "Erased \(steps) \(steps == 1 ? "step" : "steps") and \(activities) activity \(activities == 1 ? "event" : "events") of learner “\(learner)”."
    )
    for copy in copies { Printing.line("Erased the same data in the copy \(quoted: copy).") }
    for copy in untouchedCopies {
      StandardError.write(
        "\(CommandWords.text(copy)) The copy was made before an update. Delete it when you no longer need it.\n"
          .harmlessLines)
    }
    if !isSwept {
      StandardError.write(
        "Could not overwrite all erased data: another program is reading the database, and its log file may "
          + "still contain it. Close that program and run 'waymark database rebuild'.\n")
    }
    if !isSwept { throw ExitCode(FailureKind.tryAgain.exitStatus) }
    if !untouchedCopies.isEmpty, !endsWell { throw ExitCode(FailureKind.refused.exitStatus) }
  }
}
