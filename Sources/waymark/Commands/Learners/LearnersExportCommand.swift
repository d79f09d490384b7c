import Answers
import ArgumentParser
import LearningModel
import NavigationService

/// `waymark learners export NAME`.
struct LearnersExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write everything of one learner as JSON, which imports elsewhere.",
    discussion: Example.text("waymark learners export ada --output ada.json"))

  @OptionGroup var global: GlobalOptions
  @Argument(help: "The learner's name.", completion: .learners) var name: String
  @OptionGroup var file: FileOptions

  func run() throws {
    let service = try global.history()
    // Without such a learner there is no question, and no file.
    _ = try service.sessions(of: .named(name))
    try global.noteRead(of: .named(name), by: service)
    try file.write(database: global.databasePath, isPrivate: true) { write in
      try service.exportLearner(name) { try write($0.harmlessJSON) }
    }
  }
}
