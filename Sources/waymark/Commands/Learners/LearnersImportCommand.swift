import Answers
import ArgumentParser
import Foundation
import LearningModel
import NavigationService

/// `waymark learners import FILE…`.
struct LearnersImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Bring in what 'learners export' has written. A file that comes twice changes nothing.",
    discussion: Example.text("waymark learners import class/*.json"))

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
    var failure: (any Error)?
    // Each file comes in whole or not at all; those before a bad one are in.
    do {
      for file in files {
        guard let data = FileManager.default.contents(atPath: file) else {
          throw CommandFailure.cannotRead(file: file)
        }
        imports.append(try service.importLearner(from: data, named: file, as: name))
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
    for row in imports {
      if let known = row.similarName { StandardError.write(SimilarName.notice(row.learner, known) + "\n") }
    }
    if let failure { throw failure }
  }
}
