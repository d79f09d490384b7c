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
  @Option(help: ArgumentHelp("The file to write (default: standard output).", valueName: "file")) var output: String?

  func run() throws {
    let service = try global.history()
    if let output {
      // Nothing is written for somebody that there is not.
      try service.exportLearner(name) { _ in }
      let file = try FileOutput(output)
      try service.exportLearner(name) { try file.write($0.harmlessJSON) }
      try file.finish()
    } else {
      var standard = StandardOutput()
      try service.exportLearner(name) { standard.write($0.harmlessJSON) }
      standard.flush()
    }
  }
}
