import Answers
import ArgumentParser
import Foundation
import LearningModel
import NavigationKit
import TextCanvas

/// `waymark learners`.
struct LearnersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "learners", "Say who learns here; take a learner along, bring one in, erase one.", example: "waymark learners list",
    subcommands: [
      LearnersListCommand.self, LearnersExportCommand.self, LearnersImportCommand.self, LearnersEraseCommand.self,
    ], defaultSubcommand: LearnersListCommand.self)

  @OptionGroup var global: GlobalOptions
}

/// `waymark learners list`.
struct LearnersListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "list", "List everyone who has been here, by name.", example: "waymark learners list --format json")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var limit: LimitOption

  func run() throws {
    let rows = try limit.first(of: global.history().learners().map { LearnerRow(name: $0.name) })

    try Printing.list(
      rows, fields: Fields.learners, columns: [Column("name") { $0.name }], as: output.format,
      whenEmpty: "Nobody has been here yet.")
  }
}

/// `waymark learners export NAME`.
struct LearnersExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "export", "Write everything of one learner as JSON, which imports elsewhere.",
    example: "waymark learners export ada --output ada.json")

  @OptionGroup var global: GlobalOptions
  @Argument(help: "The learner's name.", completion: .learners) var name: String
  @OptionGroup var file: FileOptions

  func run() throws {
    let service = try global.history()
    // Fails before any question is asked or file created if there is no such learner.
    _ = try service.sessions(of: .named(name))
    try global.noteRead(of: .named(name), by: service)
    try file.write(database: global.databasePath, isPrivate: true) { write in
      try withThrowingCallback({ try write($0.harmlessJSON) }) { try service.exportLearner(name, to: $0) }
    }
  }
}

/// `waymark learners import FILE…`.
struct LearnersImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Bring in what 'learners export' has written. A file that comes twice changes nothing.",
    discussion: Example.text("waymark learners import class/*.json")
      + "\n\nA session that is open here stays as it is. What a file has of it is left out and reported, and the command "
      + "ends with 3: repeat it when the session has ended.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @Argument(help: ArgumentHelp("Files of learners.", valueName: "file"), completion: .file()) var files: [String]
  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("What the learner is called here (default: as in the file).", valueName: "name"))
  var name: String?

  func validate() throws {
    if name != nil, files.count > 1 {
      throw ValidationError("--as is for one file: two learners cannot have one name.")
    }
  }

  func run() throws {
    let service = try global.history()
    var imports: [LearnerImport] = []
    var notices: [String] = []
    var isComplete = true
    var failure: (any Error)?
    // The import of a file is one transaction. An invalid file does not revert the files before it.
    do {
      for file in files {
        guard let data = FileManager.default.contents(atPath: file) else {
          throw CommandFailure.cannotRead(file: file)
        }
        let imported = try service.importLearner(from: data, named: file, as: name)
        imports.append(imported)
        if let known = imported.similarName { notices.append(SimilarName.notice(imported.learner, known)) }
        notices += imported.unmerged.map { $0.notice(file: file, zone: .current) }
        isComplete = isComplete && imported.unmerged.isEmpty
      }
    } catch {
      failure = error
    }
    if failure == nil || !imports.isEmpty {
      try Printing.list(
        imports, fields: Fields.learnerImports,
        columns: [
          Column("learner") { $0.learner },
          Column("new sessions", alignment: .right) { String($0.sessions) },
          Column("new steps", alignment: .right) { String($0.steps) },
          Column("new things done", alignment: .right) { String($0.activities) },
          Column("unknown places", alignment: .right) { String($0.unknownPlaces) },
        ],
        as: output.format, whenEmpty: "Nothing was imported.")
    }
    for notice in notices { StandardError.write(notice + "\n") }
    if let failure { throw failure }
    if !isComplete { throw ExitCode(ExitStatus.incomplete) }
  }
}

extension LearnerImport.UnmergedSession {
  /// Returns the notice about a session that was not merged completely: the reason, and when to repeat the import.
  func notice(file: String, zone: TimeZone) -> String {
    let counts = [(steps, "step", "steps"), (activities, "thing done", "things done")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }.joined(separator: " and ")
    let remedy =
      if isForked {
        "it was continued both here and there. Synchronise both databases with a server by 'waymark sync', which keeps both."
      } else if let endsAt {
        "it is open here. Repeat the import after \(LocalTime.text(endsAt, in: zone)), if the session is not used until then."
      } else {
        "a browser uses it here. Close the browser, and repeat the import."
      }
    return "Could not import \(counts) of session '\(name)' from '\(file)': \(remedy)".harmless
  }
}

/// The notice about an imported learner whose name is similar to an existing one.
enum SimilarName {
  static func notice(_ name: String, _ known: String) -> String {
    "Added learner '\(name)' next to '\(known)': the names differ only in case, spaces or invisible characters."
      .harmless
  }
}

/// `waymark learners erase NAME`.
struct LearnersEraseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase",
    abstract: "Erase everything of one learner. It cannot be taken back.",
    discussion: Example.text("waymark learners erase ada --yes")
      + "\n\nCopies that you have made, and files that you have exported, are yours to delete.")

  @OptionGroup var global: GlobalOptions
  @Argument(help: "The learner's name.", completion: .learners) var name: String
  @Flag(help: "Do not ask.") var yes = false

  func run() throws {
    let service = try global.history()
    // Fails before the question is asked if there is no such learner.
    _ = try service.sessions(of: .named(name))
    if !yes {
      let question = "Erase everything of learner “\(name)”? It cannot be taken back."
      guard try Question.ask(question, orFail: "erase learner '\(name)'") else { return }
    }
    try service.eraseLearner(name).report()
  }
}

extension Erasure {
  /// Prints the result of the erasure, and the files that still contain erased data.
  ///
  /// - Parameter endsWell: Whether the command succeeds even if an untouched copy still contains erased data.
  /// - Throws: `ExitCode` if a file still contains erased data: 75 if repeating the command can help.
  func report(copiesMayStay endsWell: Bool = false) throws {
    Printing.line("Erased \(steps) steps and \(activities) things done of learner “\(learner)”.")
    for copy in copies { Printing.line("Erased them from the copy '\(copy)' too.") }
    for copy in untouchedCopies {
      StandardError.write(
        "\(CommandWords.text(copy)) Delete that copy, which is from before an update, when nobody needs it any more.\n"
          .harmlessLines)
    }
    if !isSwept {
      StandardError.write(
        "Could not sweep the database: another program is reading it, and its write-ahead log may still hold what was "
          + "erased. Close that program, and run 'waymark database rebuild', which sweeps too.\n")
    }
    if !isSwept { throw ExitCode(FailureKind.tryAgain.exitStatus) }
    if !untouchedCopies.isEmpty, !endsWell { throw ExitCode(FailureKind.refused.exitStatus) }
  }
}
