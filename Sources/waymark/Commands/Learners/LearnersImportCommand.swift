import Answers
import ArgumentParser
import Foundation
import LearningModel
import NavigationService
import TextCanvas

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
    // Each file comes in whole or not at all; those before a bad one are in.
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
  /// What was left out of an import, why, and when to repeat the import.
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
